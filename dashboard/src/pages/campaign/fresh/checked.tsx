import { useQuery } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import type { components } from "outdial/api";

import { wordsOf } from "../../../api/client.ts";
import { count } from "../../../format.ts";
import { Ask } from "../../../parts/dialog.tsx";
import { Figures } from "../../../parts/figures.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { words } from "../../../words.ts";
import { mended, rowsOn, type Found, type Row } from "./list-file.ts";

const say = words.fresh;

interface CheckedProps {
  file: File;
  found: components.Validation;
  /** The list with a row mended: another file, which is to be looked at. */
  mend: (file: File) => void;
}

/** What an import would say of a list, row by row, with the rows at hand where they can be mended here. */
export function Checked({ file, found, mend }: CheckedProps) {
  const { rows, problems, stopped, warnings, suppressed, duplicate_lines: doubles } = found;
  const delimiter = found.layout.delimiter;
  const lines = [...problems.map(({ line }) => line), ...suppressed.lines, ...doubles];
  const text = useQuery({
    queryKey: ["rows of the list", found.digest, file.name, file.size, file.lastModified, lines],
    queryFn: async () => rowsOn(file, delimiter ?? ",", lines),
    enabled: delimiter !== null && lines.length > 0,
    // The file does not change: a changed one is another file.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const rowOn = (line: number) => text.data?.rows.find((row) => row.line === line);
  return (
    <>
      <Figures
        of={[
          { name: say.rows.ok, value: count(rows.ok) },
          { name: say.rows.rejected, value: count(rows.rejected) },
          { name: say.rows.duplicate, value: count(rows.duplicate) },
          { name: say.rows.suppressed, value: count(suppressed.contacts) },
        ]}
      />
      {stopped && (
        <p class="note bad" role="alert">
          {stopped.message}
        </p>
      )}
      {warnings.map((warning) => (
        <p class="note warn" key={warning}>
          {warning}
        </p>
      ))}
      {text.error && <p class="note">{wordsOf(text.error).title}</p>}
      {problems.length > 0 && (
        <>
          <Table
            caption={say.problems}
            rows={problems}
            keyOf={({ line }) => line}
            columns={[
              { name: say.line, heads: true, cell: ({ line }) => count(line) },
              { name: say.why, cell: ({ reason }) => reason },
              { name: say.row, cell: ({ raw }) => <code>{raw}</code> },
              {
                name: say.mendColumn,
                cell: ({ line, reason }) => {
                  const row = rowOn(line);
                  return row && text.data && delimiter !== null ? (
                    <Mend
                      why={reason}
                      row={row}
                      columns={text.data.columns}
                      act={async (fields) => mend(await mended(file, { delimiter, line, fields }))}
                    />
                  ) : (
                    words.none
                  );
                },
              },
            ]}
          />
          {rows.rejected > problems.length && (
            <p class="small quiet">{say.moreProblems(problems.length, rows.rejected)}</p>
          )}
        </>
      )}
      <Lines
        title={say.doubles}
        hint={say.doublesMeans}
        lines={doubles}
        all={rows.duplicate}
        text={text.data}
      />
      <Lines
        title={say.suppressedRows}
        hint={say.suppressedMeans}
        lines={suppressed.lines}
        all={suppressed.contacts}
        text={text.data}
      />
      <Never found={found} />
    </>
  );
}

interface LinesProps {
  title: string;
  hint: string;
  /** The first of them. */
  lines: readonly number[];
  all: number;
  text: Found | undefined;
}

const SHOWN = 20;

/** Rows that make nobody who is called, though nothing is wrong with them. */
function Lines({ title, hint, lines, all, text }: LinesProps) {
  if (lines.length === 0) return null;
  const shown = lines.slice(0, SHOWN).map((line) => ({
    line,
    row: text?.rows.find((row) => row.line === line)?.fields.join(" · ") ?? words.none,
  }));
  const columns: readonly Column<(typeof shown)[number]>[] = [
    { name: say.line, heads: true, cell: ({ line }) => count(line) },
    { name: say.row, cell: ({ row }) => <code>{row}</code> },
  ];
  return (
    <details open={all <= 5}>
      <summary>
        {title}: {count(all)}
      </summary>
      <p class="small quiet">{hint}</p>
      <Table caption={title} hideCaption rows={shown} keyOf={({ line }) => line} columns={columns} />
      {all > shown.length && <p class="small quiet">{say.moreProblems(shown.length, all)}</p>}
    </details>
  );
}

interface MendProps {
  why: string;
  row: Row;
  columns: readonly string[];
  act: (fields: readonly string[]) => Promise<void>;
}

/** The cells of a row; what is written there is what is sent, and the file of whoever chose it stays as it is. */
function Mend({ why, row, columns, act }: MendProps) {
  const [fields, setFields] = useState<readonly string[]>(row.fields);
  const many = Math.max(columns.length, row.fields.length);
  return (
    <Ask label={say.mend} title={say.mendTitle(row.line)} does={say.mendDoes} act={async () => act(fields)}>
      <p>{why}</p>
      {Array.from({ length: many }, (_, n) => (
        // oxlint-disable-next-line react/no-array-index-key -- cells stay in their places
        <label key={n}>
          {columns[n] ?? say.cell(n + 1)}
          <input
            value={fields[n] ?? ""}
            onInput={({ currentTarget }) => {
              const { value } = currentTarget;
              setFields((before) =>
                Array.from({ length: many }, (_cell, k) => (k === n ? value : (before[k] ?? ""))),
              );
            }}
          />
        </label>
      ))}
      <p class="small quiet">{say.mendMeans}</p>
    </Ask>
  );
}

function Never({ found: { never_dialed: never, zone_sets: zones } }: { found: components.Validation }) {
  return (
    <>
      <h3>{say.never}</h3>
      {never.length === 0 ? (
        <p class="quiet">{say.neverNone}</p>
      ) : (
        <ul>
          {never.map(({ contacts, why, remedy }) => (
            <li key={why}>
              {count(contacts)}: {why} <span class="quiet">{remedy}</span>
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>{say.zones}</summary>
        <ul>
          {zones.map(({ zones: set, contacts }) => (
            <li key={set.join()}>{say.inZones(contacts, set)}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

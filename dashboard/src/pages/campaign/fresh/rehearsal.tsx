import type { AnswerOf } from "outdial/api";

import { count, money, moment, share, term, wallTime } from "../../../format.ts";
import { Bars, barsOf } from "../../../parts/bars.tsx";
import { Figures } from "../../../parts/figures.tsx";
import { Table } from "../../../parts/table.tsx";
import { words } from "../../../words.ts";

const say = words.rehearsal;

type Found = AnswerOf<"rehearseCampaign">;

interface Range {
  low: number;
  median: number;
  high: number;
}

const among = ({ low, high }: Range, as: (value: number) => string = count) => say.among(as(low), as(high));

/** What a campaign would do with the list: when it ends, when it calls, who is not reached, and why. */
export function Rehearsed({ found }: { found: Found }) {
  const { end, calls, cost_usd: cost, rows, attempt_dispositions: came, calls_by_hour: hours } = found;
  const reached = found.dispositions["answered"] ?? { low: 0, median: 0, high: 0 };
  const busiest = Math.max(0, ...hours.map(({ median }) => median));
  return (
    <div class="stack">
      <p class="small quiet">{say.means(found.runs, found.outcomes.from, found.lines)}</p>
      <Figures
        of={[
          { name: say.end, value: moment(end.median), under: say.among(moment(end.low), moment(end.high)) },
          { name: say.calls, value: count(calls.median), under: among(calls) },
          {
            name: say.reached,
            value: share(reached.median, rows.ok),
            under: say.reachedOf(count(reached.median), count(rows.ok)),
          },
          {
            name: say.cost,
            value: cost === null ? words.none : money(cost.median),
            under: cost === null ? say.noPrice : among(cost, money),
          },
          { name: say.lines, value: count(found.most_lines), under: say.linesOf(found.lines) },
        ]}
      />
      <h3>{say.byHour(found.time_zone)}</h3>
      {hours.length === 0 ? (
        <p class="quiet">{say.noCalls}</p>
      ) : (
        <>
          <Bars
            label={say.hoursSay(hours.length, busiest)}
            names={[say.callsUnit]}
            // A clock without a zone, counted as that of UTC and told as it is.
            bars={barsOf(
              hours.map(({ hour, median }) => ({ atMs: Date.parse(`${hour}:00Z`), values: [median] })),
              (atMs) => wallTime(new Date(atMs).toISOString().slice(0, 19)),
            )}
          />
          <p class="small quiet">{say.hoursSay(hours.length, busiest)}</p>
        </>
      )}
      <div class="columns">
        <Words title={say.came} unit={words.campaign.attempts} of={came} />
        <Unreached found={found} />
      </div>
      <Waited of={found.held_contact_hours} />
      {found.not_known.length > 0 && (
        <details>
          <summary>{say.notKnown}</summary>
          <ul>
            {found.not_known.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function Words({ title, unit, of }: { title: string; unit: string; of: Readonly<Record<string, Range>> }) {
  const rows = Object.entries(of).sort(([, a], [, b]) => b.median - a.median);
  return (
    <Table
      caption={title}
      rows={rows}
      keyOf={([name]) => name}
      columns={[
        { name: words.campaign.outcome, heads: true, cell: ([name]) => term(name) },
        { name: unit, end: true, cell: ([, { median }]) => count(median) },
        { name: say.range, end: true, cell: ([, { low, high }]) => say.fromTo(count(low), count(high)) },
      ]}
    />
  );
}

/** Who is through without having been spoken with, or is never called, by what it comes from. */
function Unreached({ found }: { found: Found }) {
  const { dispositions, excluded_reasons: excluded, excluded_details: details, open } = found;
  const rows = [
    ...Object.entries(dispositions)
      .filter(([name]) => name !== "answered" && name !== "callback_requested")
      .map(([name, range]) => ({ name, range, why: say.lastCall })),
    ...Object.entries(excluded).map(([name, range]) => ({ name, range, why: details[name] ?? "" })),
    ...(open.high > 0 ? [{ name: say.open, range: open, why: say.openWhy }] : []),
  ].sort((a, b) => b.range.median - a.range.median);
  return (
    <Table
      caption={say.unreached}
      rows={rows}
      keyOf={({ name, why }) => `${name} ${why}`}
      columns={[
        { name: words.campaign.reason, heads: true, cell: ({ name }) => term(name) },
        { name: words.campaign.size, end: true, cell: ({ range }) => count(range.median) },
        { name: say.detail, cell: ({ why }) => <span class="small quiet">{why}</span> },
      ]}
    />
  );
}

function Waited({ of }: { of: Readonly<Record<string, number>> }) {
  const rows = Object.entries(of)
    .filter(([, hours]) => hours > 0)
    .sort(([, a], [, b]) => b - a);
  if (rows.length === 0) return null;
  return (
    <Table
      caption={say.waited}
      rows={rows}
      keyOf={([name]) => name}
      columns={[
        { name: say.waitedFor, heads: true, cell: ([name]) => term(name) },
        { name: say.hours, end: true, cell: ([, hours]) => count(hours) },
      ]}
    />
  );
}

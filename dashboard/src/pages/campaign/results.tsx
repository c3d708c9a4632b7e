import { useRead } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { count, duration, money, share, term } from "../../format.ts";
import { Figures } from "../../parts/figures.tsx";
import { Section } from "../../parts/page.tsx";
import { Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { words } from "../../words.ts";
import type { components } from "outdial/api";
import { Funnel } from "./ahead.tsx";
import type { PartProps } from "./part.ts";
import { Dispositions } from "./now.tsx";

const say = words.campaign;

/** What it came to, for whoever reports on it. */
export function ResultsPart({ campaign: { id, lists } }: PartProps) {
  const may = useMay("downloadRejects");
  const report = useRead("readReport", { path: { ref: id } });
  return (
    <Load of={report}>
      {(found) => (
        <>
          <Figures
            of={[
              { name: say.figures.calls, value: count(found.attempts) },
              { name: say.talk, value: duration(found.talk_seconds) },
              {
                name: say.figures.money,
                value: money(found.money.spent),
                under: say.figures.moneyToday(found.money.today.spent),
              },
              {
                name: say.perConversation,
                value:
                  found.money.per_conversation === null ? words.none : money(found.money.per_conversation),
              },
            ]}
          />
          <p class="row">
            <a class="button" href={`/v1/campaigns/${id}/results.csv`} download>
              {say.resultsCsv}
            </a>
            {may && lists.some(({ rows }) => rows.rejected > 0) && (
              <a class="button" href={`/v1/campaigns/${id}/rejects.csv`} download>
                {say.rejectsCsv}
              </a>
            )}
          </p>
          <div class="columns">
            <Dispositions title={say.dispositions} unit={say.attempts} of={found.attempt_dispositions} />
            <Excluded of={found.excluded_reasons} />
          </div>
          <Funnel id={id} />
          <Variants variants={found.variants} />
        </>
      )}
    </Load>
  );
}

function Excluded({ of }: { of: { [name: string]: number } }) {
  const rows = Object.entries(of)
    .map(([name, people]) => ({ name, people }))
    .sort((a, b) => b.people - a.people);
  return (
    <Section title={say.excludedWhy}>
      {rows.length === 0 ? (
        <p class="quiet">{say.noneSuch}</p>
      ) : (
        <Table
          caption={say.excludedWhy}
          hideCaption
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { name: say.reason, heads: true, cell: ({ name }) => term(name) },
            { name: say.size, end: true, cell: ({ people }) => count(people) },
          ]}
        />
      )}
    </Section>
  );
}

type Variant = components.Report["variants"][number];

function interval(of: Variant["difference"]): string {
  return of === null ? words.none : `${share(of.from, 1)} – ${share(of.to, 1)}`;
}

function Variants({ variants }: { variants: readonly Variant[] }) {
  if (variants.length === 0) return null;
  return (
    <Section title={say.variants}>
      <Table
        caption={say.variants}
        hideCaption
        rows={variants}
        keyOf={({ name }) => name}
        columns={[
          { name: say.variant, heads: true, cell: ({ name }) => name },
          { name: say.size, end: true, cell: ({ contacts }) => count(contacts) },
          { name: say.reached, end: true, cell: ({ reached, contacts }) => share(reached, contacts) },
          { name: say.interval, end: true, cell: ({ reached_share: of }) => interval(of) },
          { name: say.difference, end: true, cell: ({ difference }) => interval(difference) },
        ]}
      />
    </Section>
  );
}

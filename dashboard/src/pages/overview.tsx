import { Link } from "wouter-preact";

import { useRead } from "../api/client.ts";
import { useMay } from "../api/session.ts";
import { count, money, rate, share } from "../format.ts";
import { Figures } from "../parts/figures.tsx";
import { Listed } from "../parts/listed.tsx";
import { usePages } from "../parts/more.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Pill } from "../parts/pill.tsx";
import { Load } from "../parts/state.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { words } from "../words.ts";
import { useState } from "preact/hooks";
import { Choice } from "../parts/choice.tsx";
import type { components } from "outdial/api";

const say = words.overview;

/** Everything at a glance: what runs, how it does, and what waits for a person. */
export function OverviewPage() {
  const may = useMay("createCampaign");
  return (
    <Page
      title={say.title}
      actions={
        may && (
          <Link href="/campaigns/new" class="button main-action">
            {say.newCampaign}
          </Link>
        )
      }
    >
      <Summary />
      <Campaigns />
      <div class="columns">
        <Sequences />
        <Schedules />
      </div>
      <Needs />
    </Page>
  );
}

const MOST_SUMMED = 200;

function Summary() {
  const campaigns = useRead("listCampaigns", { query: { open: true, limit: MOST_SUMMED } });
  const system = useRead("readSystem", {});
  return (
    <Load of={campaigns}>
      {({ items, total }) => {
        const running = items.filter(({ state }) => state === "running");
        const calls = sum(items, ({ attempts }) => attempts);
        const done = sum(items, ({ contacts }) => contacts.done);
        const answered = sum(items, ({ dispositions }) => dispositions["answered"] ?? 0);
        return (
          <Figures
            of={[
              {
                name: say.figures.running,
                value: count(running.length),
                under: total > items.length ? say.figures.more(items.length, total) : undefined,
              },
              {
                name: say.figures.lines,
                value: count(sum(items, ({ held_slots: held }) => held)),
                under: say.figures.linesOf(sum(running, ({ concurrency }) => concurrency)),
              },
              {
                name: say.figures.waiting,
                value: count(sum(Object.values(system.data?.attention ?? {}), (n) => n)),
              },
              {
                name: say.figures.people,
                value: count(sum(items, ({ contacts }) => contacts.open)),
              },
              {
                name: say.figures.calls,
                value: count(calls),
                under: `${share(answered, done)} ${say.figures.answered}`,
              },
            ]}
          />
        );
      }}
    </Load>
  );
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((all, item) => all + of(item), 0);
}

const COLUMNS: readonly Column<components.ListedCampaign>[] = [
  {
    name: say.name,
    heads: true,
    cell: ({ id, name, brand, run }) => (
      <>
        <Link href={`/campaigns/${id}`}>{name}</Link>{" "}
        <span class="quiet small">
          {brand === "default" ? "" : `${brand} · `}
          {words.campaign.run(run)}
        </span>
      </>
    ),
  },
  {
    name: say.state,
    cell: ({ state, state_reason: why }) => (
      <>
        <Pill state={state} /> {why !== null && <span class="small quiet">{why}</span>}
      </>
    ),
  },
  {
    name: say.progress,
    end: true,
    cell: ({ contacts: { total, done, excluded } }) => share(done + excluded, total),
  },
  { name: say.contacts, end: true, cell: ({ contacts }) => count(contacts.total) },
  { name: say.calls, end: true, cell: ({ attempts }) => count(attempts) },
  {
    name: say.answered,
    end: true,
    cell: ({ dispositions, contacts }) => share(dispositions["answered"] ?? 0, contacts.done),
  },
  {
    name: say.lines,
    end: true,
    cell: ({ held_slots: held, concurrency }) => say.linesOf(held, concurrency),
  },
  { name: say.pace, end: true, cell: ({ calls_a_minute: calls }) => rate(calls) },
  { name: say.spent, end: true, cell: ({ spent }) => money(spent) },
  { name: say.started, cell: ({ started_at: at }) => <When at={at} /> },
];

function Campaigns() {
  const [open, setOpen] = useState(true);
  const pages = usePages();
  const campaigns = useRead("listCampaigns", {
    query: { ...(open && { open }), limit: 50, after: pages.after },
  });
  return (
    <Section
      title={say.campaigns}
      aside={
        <Choice
          label={say.showing}
          options={[
            ["open", say.open],
            ["all", say.all],
          ]}
          value={open ? "open" : "all"}
          choose={(chosen) => {
            setOpen(chosen === "open");
            pages.restart();
          }}
        />
      }
    >
      <Load of={campaigns}>
        {({ items, next_after: next }) => (
          <Listed pages={pages} items={items} next={next} none={say.none}>
            <Table
              caption={say.campaigns}
              hideCaption
              columns={COLUMNS}
              rows={items}
              keyOf={({ id }) => id}
            />
          </Listed>
        )}
      </Load>
    </Section>
  );
}

/** So many are shown; the rest is on their own page. */
const MOST_BESIDE = 20;

function Sequences() {
  // Who is in them is counted by a pass over everybody: not for a glance.
  const sequences = useRead("listSequences", { query: { limit: MOST_BESIDE, counted: false } });
  return (
    <Section
      title={words.pages.sequences}
      aside={<Link href="/sequences">{say.allOf(sequences.data?.total)}</Link>}
    >
      <Load of={sequences} empty={{ when: ({ items }) => items.length === 0, say: say.noSequence }}>
        {({ items }) => (
          <Table
            caption={words.pages.sequences}
            hideCaption
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              {
                name: words.sequence.name,
                heads: true,
                cell: ({ id, name, brand }) => (
                  <>
                    <Link href={`/sequences/${id}`}>{name}</Link>{" "}
                    <span class="small quiet">{brand === "default" ? "" : brand}</span>
                  </>
                ),
              },
              {
                name: say.state,
                cell: ({ state, state_reason: why }) => (
                  <>
                    <Pill state={state} /> {why !== null && <span class="small quiet">{why}</span>}
                  </>
                ),
              },
            ]}
          />
        )}
      </Load>
    </Section>
  );
}

function Schedules() {
  const schedules = useRead("listSchedules", {}, { everyMs: 60_000 });
  return (
    <Section
      title={words.pages.schedules}
      aside={<Link href="/schedules">{say.allOf(schedules.data?.items.length)}</Link>}
    >
      <Load of={schedules} empty={{ when: ({ items }) => items.length === 0, say: say.noSchedule }}>
        {({ items }) => (
          <Table
            caption={words.pages.schedules}
            hideCaption
            rows={items.slice(0, MOST_BESIDE)}
            keyOf={({ id }) => id}
            columns={[
              {
                name: words.schedules.name,
                heads: true,
                cell: ({ name }) => <Link href={`/schedules/${encodeURIComponent(name)}`}>{name}</Link>,
              },
              { name: say.state, cell: ({ state }) => <Pill state={state} /> },
              { name: say.next, cell: ({ next: [at] }) => <When at={at} /> },
              {
                name: say.last,
                cell: ({ last_run: last }) =>
                  last === null ? (
                    words.none
                  ) : (
                    <>
                      <Pill state={last.state} /> <When at={last.due_at} />
                    </>
                  ),
              },
            ]}
          />
        )}
      </Load>
    </Section>
  );
}

function Needs() {
  const entries = useRead("listAttention", { query: { limit: 5 } });
  return (
    <Section title={say.needs} aside={<Link href="/attention">{say.allNeeds}</Link>}>
      <Load of={entries} empty={{ when: ({ items }) => items.length === 0, say: say.nothingWaits }}>
        {({ items }) => (
          <ul class="stack">
            {items.map(({ id, summary, remedy, at }) => (
              <li key={id}>
                {summary} <span class="quiet">{remedy}</span> <When at={at} />
              </li>
            ))}
          </ul>
        )}
      </Load>
    </Section>
  );
}

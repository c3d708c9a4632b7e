import { Link } from "wouter-preact";

import { useRead } from "../../api/client.ts";
import { count, moment, money, share } from "../../format.ts";
import { Figures, Parts } from "../../parts/figures.tsx";
import { Section } from "../../parts/page.tsx";
import { Pill } from "../../parts/pill.tsx";
import { PersonLink } from "../../parts/person-link.tsx";
import { Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";
import { words } from "../../words.ts";
import type { components } from "outdial/api";
import { useOutlook } from "./ahead.tsx";
import { Holds, Timeline } from "./timeline.tsx";
import type { PartProps } from "./part.ts";

const say = words.campaign;

/** How it does at this moment, and what holds people back. */
export function NowPart({ campaign: { id, state } }: PartProps) {
  const progress = useRead("readProgress", { path: { ref: id } }, { everyMs: 10_000 });
  return (
    <Load of={progress}>
      {(now) => (
        <>
          <FiguresNow now={now} />
          {(state === "running" || state === "paused") && <Ends id={id} />}
          <div class="columns">
            <Section title={say.reach}>
              <Parts
                label={say.reach}
                parts={[
                  { name: say.done, value: now.contacts.done },
                  { name: say.leased, value: now.contacts.leased },
                  // Those who are being called are open, too.
                  { name: say.stillOpen, value: now.contacts.open - now.contacts.leased },
                  { name: say.excluded, value: now.contacts.excluded },
                ]}
              />
            </Section>
            <Dispositions title={say.finals} unit={say.size} of={now.dispositions} />
          </div>
          <Timeline id={id} />
          <Holds id={id} />
          <Agents agents={now.agents} />
          <div class="columns">
            <Live id={id} />
            <CallerIds id={id} />
          </div>
        </>
      )}
    </Load>
  );
}

/** When it ends, in a line; what that is said by stands on the page of what is ahead. */
function Ends({ id }: { id: string }) {
  const { data } = useOutlook(id);
  if (!data?.forecast) return null;
  const { end } = data.forecast;
  return (
    <p>
      {say.ends} <strong>{moment(end.median)}</strong>{" "}
      <span class="quiet">({words.rehearsal.among(moment(end.low), moment(end.high))})</span>{" "}
      <Link href={`/campaigns/${id}/ahead`}>{say.endsWhy}</Link>
    </p>
  );
}

function FiguresNow({ now }: { now: components.Progress }) {
  const { contacts, attempts, dispositions, concurrency, held_slots: busy, money: spent } = now;
  return (
    <Figures
      of={[
        { name: say.figures.people, value: count(contacts.total), under: say.figures.open(contacts.open) },
        { name: say.figures.lines, value: count(busy), under: say.figures.of(concurrency) },
        { name: say.figures.calls, value: count(attempts) },
        {
          name: say.figures.answered,
          value: share(dispositions["answered"] ?? 0, contacts.done),
          under: say.figures.answeredOf(contacts.done),
        },
        {
          name: say.figures.money,
          value: money(spent.spent),
          under: say.figures.moneyOf(spent.held, spent.total),
        },
        {
          name: say.figures.followUps,
          value: count(now.follow_ups.open),
          under: say.figures.callbacks(now.callbacks.open),
        },
      ]}
    />
  );
}

interface DispositionsProps {
  title: string;
  /** What is counted: people, or calls. */
  unit: string;
  of: { [name: string]: number };
}

export function Dispositions({ title, unit, of }: DispositionsProps) {
  const rows = Object.entries(of)
    .map(([name, calls]) => ({ name, calls }))
    .sort((a, b) => b.calls - a.calls);
  const all = rows.reduce((sum, { calls }) => sum + calls, 0);
  return (
    <Section title={title}>
      {rows.length === 0 ? (
        <p class="quiet">{say.noCalls}</p>
      ) : (
        <Table
          caption={title}
          hideCaption
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { name: say.outcome, heads: true, cell: ({ name }) => <Pill state={name} /> },
            { name: unit, end: true, cell: ({ calls }) => count(calls) },
            { name: "%", end: true, cell: ({ calls }) => share(calls, all) },
          ]}
        />
      )}
    </Section>
  );
}

function Agents({ agents }: { agents: components.Progress["agents"] }) {
  const odd = agents.filter(({ state, missing }) => state !== "published" || missing.length > 0);
  if (odd.length === 0) return null;
  return (
    <Section title={say.agents}>
      {odd.map(({ agent_id: id, name, state, missing }) => (
        <p class="note warn" key={id}>
          {name} {state === "gone" && say.agentGone} {state === "draft" && say.agentDraft}{" "}
          {missing.length > 0 && say.agentMissing(missing)}
        </p>
      ))}
    </Section>
  );
}

function Live({ id }: { id: string }) {
  const calls = useRead(
    "listCalls",
    { path: { ref: id }, query: { state: "live", limit: 20 } },
    { everyMs: 10_000 },
  );
  return (
    <Section title={say.live}>
      <Load of={calls} empty={{ when: ({ items }) => items.length === 0, say: say.liveNone }}>
        {({ items }) => (
          <Table
            caption={say.live}
            hideCaption
            rows={items}
            keyOf={({ attempt_id: key }) => key}
            columns={[
              { name: say.phone, heads: true, cell: ({ phone }) => <PersonLink phone={phone} /> },
              {
                name: say.startedAt,
                cell: ({ started_at: at, permitted_at: permitted }) => <When at={at ?? permitted} />,
              },
              { name: say.from, cell: ({ from_number: from }) => <span class="number">{from}</span> },
            ]}
          />
        )}
      </Load>
    </Section>
  );
}

function CallerIds({ id }: { id: string }) {
  const numbers = useRead("listCallerIds", { path: { ref: id } }, { everyMs: 30_000 });
  return (
    <Section title={say.callerIds}>
      <Load of={numbers} empty={{ when: ({ items }) => items.length === 0, say: say.callerIdsNone }}>
        {({ items }) => (
          <Table
            caption={say.callerIds}
            hideCaption
            rows={items}
            keyOf={({ number }) => number}
            columns={[
              { name: say.number, heads: true, cell: ({ number }) => <span class="number">{number}</span> },
              { name: say.lastHour, end: true, cell: ({ last_hour: calls }) => count(calls) },
              { name: say.lastDay, end: true, cell: ({ last_day: calls }) => count(calls) },
              {
                name: say.answeredOfNewest,
                end: true,
                cell: ({ newest, answered }) => share(answered, newest),
              },
              { name: say.rests, cell: ({ rests_until: until }) => <When at={until} /> },
            ]}
          />
        )}
      </Load>
    </Section>
  );
}

import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import type { components } from "outdial/api";

import { count, term } from "../../format.ts";
import { Section } from "../../parts/page.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Table } from "../../parts/table.tsx";
import { words } from "../../words.ts";
import { trying as say } from "../../words/trying.ts";

type Item = components.RulesTest["items"][number];
type Rehearsed = Pick<Item, "disposition" | "follow_ups">;

/** What came of all pages that were tried. */
export interface Tried {
  items: readonly Item[];
  unreadable: components.RulesTest["unreadable"];
  nextAfter: number | null;
}

export function ofAll(before: Tried | undefined, page: components.RulesTest): Tried {
  return {
    items: [...(before?.items ?? []), ...page.items],
    unreadable: [...(before?.unreadable ?? []), ...page.unreadable],
    nextAfter: page.next_after,
  };
}

interface ResultsProps {
  tried: Tried;
  figures: ComponentChildren;
  more: ComponentChildren;
}

/** What rules make of calls: how many come out otherwise, from what to what, and each of them. */
export function CallResults({ tried, figures, more }: ResultsProps) {
  const { items, unreadable } = tried;
  const moves = movesOf(items);
  const problems = counted(items.flatMap(({ problems: all }) => [...new Set(all)]));
  // Those that differ come first; within both, the order of the list.
  const sorted = items.toSorted((a, b) => Number(b.differs.length > 0) - Number(a.differs.length > 0));
  return (
    <>
      {figures}
      {items.length > 0 && (
        <Section title={say.changes}>
          {moves.length === 0 ? (
            <p class="quiet">{say.noChange}</p>
          ) : (
            <Table
              caption={say.changes}
              hideCaption
              rows={moves}
              keyOf={({ from, to }) => `${from} ${to}`}
              columns={[
                { name: say.from, heads: true, cell: ({ from }) => term(from) },
                { name: say.to, cell: ({ to }) => term(to) },
                { name: say.figures.calls, end: true, cell: ({ calls }) => count(calls) },
              ]}
            />
          )}
          {problems.length > 0 && (
            <div class="note warn">
              <h3>{say.problems}</h3>
              <ul>
                {problems.map(([problem, calls]) => (
                  <li key={problem}>{say.problem(problem, calls)}</li>
                ))}
              </ul>
            </div>
          )}
        </Section>
      )}
      {items.length > 0 && (
        <Section title={say.items}>
          <Items items={sorted} />
        </Section>
      )}
      {unreadable.length > 0 && (
        <Section title={say.unreadable}>
          <ul>
            {unreadable.map(({ call_id: id, why }) => (
              <li key={id}>
                <code>{id}</code> {why}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {more}
    </>
  );
}

function Items({ items }: { items: readonly Item[] }) {
  return (
    <Table
      caption={say.items}
      hideCaption
      rows={items}
      keyOf={({ call_id: id }) => id}
      columns={[
        {
          name: say.call,
          heads: true,
          cell: ({ call_id: id, recorded }) =>
            recorded === null ? (
              <code>{id.slice(0, 8)}</code>
            ) : (
              <Link href={`/calls/${encodeURIComponent(id)}`}>
                <code>{id.slice(0, 8)}</code>
              </Link>
            ),
        },
        { name: say.recorded, cell: ({ recorded }) => (recorded === null ? words.none : term(recorded)) },
        { name: say.from, cell: ({ before }) => (before ? <Came of={before} /> : words.none) },
        { name: say.to, cell: (item) => <Came of={item} isOther={item.differs.length > 0} /> },
        { name: say.why, cell: ({ reason }) => reason },
        { name: say.done, cell: (item) => <Follows item={item} /> },
      ]}
    />
  );
}

function Came({ of, isOther = false }: { of: Rehearsed; isOther?: boolean }) {
  const pill = <Pill state={of.disposition ?? words.none} />;
  return isOther ? <strong>{pill}</strong> : pill;
}

function Follows({ item }: { item: Item }) {
  const now = followText(item);
  if (!item.before || !item.differs.includes("follow_ups")) return <>{now}</>;
  return (
    <>
      <del>{followText(item.before)}</del> <ins>{now}</ins>
    </>
  );
}

function followText({ follow_ups: followUps }: Rehearsed): string {
  return followUps.map(({ rule, actions }) => say.actions(rule, actions)).join("; ") || say.nothing;
}

function movesOf(items: readonly Item[]): { from: string; to: string; calls: number }[] {
  const moves = new Map<string, { from: string; to: string; calls: number }>();
  for (const { before, disposition, differs } of items) {
    if (!differs.includes("disposition")) continue;
    const [from, to] = [before?.disposition ?? words.none, disposition ?? words.none];
    moves.set(`${from} ${to}`, { from, to, calls: (moves.get(`${from} ${to}`)?.calls ?? 0) + 1 });
  }
  return [...moves.values()].toSorted((a, b) => b.calls - a.calls);
}

function counted(all: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}

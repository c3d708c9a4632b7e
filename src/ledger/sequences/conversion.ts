import { sql } from "drizzle-orm";

import { rows, type Db } from "../ground/connection.ts";

/** So many are looked at: enough for a tenth of a percent, and few enough to be read while somebody looks. */
const MOST_PEOPLE = 10_000;

/** What became of those who came to a step. */
export interface StepConversion {
  step: string;
  /** Enrolments, each once however often they came round. */
  came: number;
  /** Of them by the step that they went on to; whoever came round may be in several. */
  wentOn: Readonly<Record<string, number>>;
  /** Of them whose way ended there. */
  ended: number;
  /** Of them who are there now. */
  there: number;
}

export interface Conversion {
  /** Enrolments that were looked at: the newest. */
  people: number;
  /** Whether there are more. */
  isSample: boolean;
  /** By how many came to each. */
  steps: StepConversion[];
}

/**
 * How people went from step to step, by what their journeys tell. Costs a read of as many enrolments and their journeys,
 * however many there are; of one version it passes over those of others.
 *
 * @param version undefined: of all versions
 */
export async function readConversion(
  db: Db,
  { sequenceId, version }: { sequenceId: string; version: number | undefined },
): Promise<Conversion> {
  const ofVersion = version === undefined ? sql`true` : sql`version = ${version}`;
  const newest = (["active", "done"] as const).map(
    (state) =>
      sql`(select id, state, created_at from enrolments
           where sequence_id = ${sequenceId}::uuid and state = ${state} and ${ofVersion}
           order by created_at desc, id desc limit ${MOST_PEOPLE + 1})`,
  );
  const found = await rows<{
    kind: "people" | "came" | "went" | "done" | "active";
    step: string;
    to: string;
    n: number;
  }>(
    db,
    sql`with newest as materialized (
          select id, state from (${sql.join(newest, sql` union all `)}) of
          order by created_at desc, id desc limit ${MOST_PEOPLE + 1}),
        people as materialized (select id, state from newest limit ${MOST_PEOPLE}),
        way as materialized (
          select p.id, p.state, j.step,
            lag(j.step) over w as before, lead(j.step) over w as after
          from people p join journeys j on j.enrolment_id = p.id and j.step is not null
          window w as (partition by p.id order by j.n))
        select 'people' as kind, '' as step, '' as to, (select count(*)::int from newest) as n
        union all select 'came', step, '', count(distinct id)::int from way group by step
        union all select 'went', before, step, count(distinct id)::int from way where before <> step group by 2, 3
        union all select state, step, '', count(*)::int from way where after is null group by 1, 2`,
  );
  const all = found.find(({ kind }) => kind === "people")?.n ?? 0;
  const of = (kind: "went" | "done" | "active", step: string) =>
    found.filter((row) => row.kind === kind && row.step === step);
  const steps = found
    .filter(({ kind }) => kind === "came")
    .map(({ step, n }) => ({
      step,
      came: n,
      wentOn: Object.fromEntries(of("went", step).map(({ to, n: many }) => [to, many])),
      ended: of("done", step)[0]?.n ?? 0,
      there: of("active", step)[0]?.n ?? 0,
    }))
    .toSorted((a, b) => b.came - a.came || (a.step < b.step ? -1 : 1));
  return { people: Math.min(all, MOST_PEOPLE), isSample: all > MOST_PEOPLE, steps };
}

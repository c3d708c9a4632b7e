import { sql } from "drizzle-orm";

import { elapsedMs } from "../../domain/time/elapsed.ts";
import { raiseAttention, resolveAttention } from "./attention.ts";
import { firstRow, LedgerFullError, LedgerUnavailableError, rows, type Ledger } from "./connection.ts";
import { at, ms } from "./sql.ts";

/*
 * Steps that fail again and again: of planning, creating, starting, tending, following, sweeping, and of whatever
 * else goes on by itself.
 *
 * 1. A step that fails stops nothing but what it is a step of. It is tried again, at whatever pace its own clock has,
 *    and its failures are counted here.
 * 2. One that has failed several times in a row comes before people with its cause, and leaves the list by itself when
 *    it succeeds, or when what it is a step of is over.
 * 3. While a port is away everything fails that needs it. That is one entry, of the port, and not one of each step.
 * 4. Moments are by the others' time, which is reckoned anew each time: one may lie before the last by a little, and by
 *    much where a clock was set back. Neither keeps what goes on from being told.
 *
 * Counted in the process: what that loses when it dies is counted again within minutes. What stands on the list is in
 * the ledger, and whichever process succeeds takes it off.
 */

/** A step of something: `tend` of a batch, say. */
export interface Step {
  of:
    | "campaign"
    | "batch"
    | "follow-up"
    | "action"
    | "enrolment"
    | "schedule"
    | "schedule run"
    | "automation"
    | "chore";
  /** Its id, or the name of a chore. */
  id: string;
  /** What is done with it, in one word. */
  verb: string;
}

/** What is behind a step, and answers for nobody when it is away. */
export type Port = "platform" | "ledger" | "Temporal";

export interface Failure {
  error: unknown;
  /** The port that did not do its part; absent: the step itself is at fault, as far as that can be told. */
  away?: Port | undefined;
  /** Its failures in a row as somebody else counted them. */
  tries?: number | undefined;
  /** How long a port may be away before that is told. */
  awayMs: number;
  nowMs: number;
  log: Log;
}

interface Log {
  warn(fields: object, message: string): void;
}

/** A lost connection or a deadlock is over by the second try. Temporal's first five are a quarter of a minute. */
const TOLD_FROM = 5;

/** What goes on failing is said as it is now so often: its cause may have changed. */
const TOLD_AGAIN_MS = 5 * 60_000;

/** What has not been said for so long is no more. */
const UNTOLD_MS = 3 * TOLD_AGAIN_MS;

/** The slowest of what goes on by itself does so every hour: failures further apart do not follow each other. */
const IN_A_ROW_MS = 3 * 60 * 60_000;

/** What another process put on the list is known here after this. */
const KNOWN_MS = 60_000;

/** Failing at the same time, in one process. Beyond it the oldest is forgotten, and counted anew. */
const MOST = 10_000;

/** A message of an error is read by people, in a list. */
const LONGEST_CAUSE = 500;

interface Row {
  failures: number;
  sinceMs: number;
  lastMs: number;
  toldMs: number | undefined;
}

interface Memory {
  failing: Map<string, Row>;
  /** When each port was last seen to answer, and since when it was not. */
  answeredMs: Map<Port, number>;
  awaySinceMs: Map<Port, number>;
  /** Subjects on the list, of whichever process. */
  listed: Set<string>;
  listedAtMs: number;
  /** What succeeded since the list was read: its entry may be one that is not known here yet. */
  succeededMs: Map<string, number>;
}

const memories = new WeakMap<Ledger, Memory>();

function memoryOf(ledger: Ledger): Memory {
  const known = memories.get(ledger);
  if (known) return known;
  const memory: Memory = {
    failing: new Map(),
    answeredMs: new Map(),
    awaySinceMs: new Map(),
    listed: new Set(),
    listedAtMs: Number.NEGATIVE_INFINITY,
    succeededMs: new Map(),
  };
  memories.set(ledger, memory);
  return memory;
}

function subjectOf({ of, id, verb }: Step): string {
  return `${of} ${id} ${verb}`;
}

/** Counts a failure of a step, and brings it before people where it goes on. Never throws: it stands beside an error. */
export async function noteFailure(ledger: Ledger, step: Step, failure: Failure): Promise<void> {
  const memory = memoryOf(ledger);
  const subject = subjectOf(step);
  const row = count(memory, subject, failure);
  const away = failure.away ?? portOf(failure.error);
  try {
    if (away === undefined) {
      if (row.failures >= TOLD_FROM) await tell(ledger, memory, row, step, failure);
      return;
    }
    // Where the clock was set back since, from when it was.
    const awaySinceMs = Math.min(failure.nowMs, memory.awaySinceMs.get(away) ?? failure.nowMs);
    memory.awaySinceMs.set(away, awaySinceMs);
    // It answers the others: then it is this step that it does not answer.
    const isOwn = (memory.answeredMs.get(away) ?? 0) > row.sinceMs && row.failures >= TOLD_FROM;
    if (isOwn && failure.nowMs - row.sinceMs >= failure.awayMs) {
      await tell(ledger, memory, row, step, failure);
    } else if (away !== "ledger" && failure.nowMs - awaySinceMs >= failure.awayMs) {
      await tellAway(ledger, memory, away, awaySinceMs, failure);
    }
  } catch (second) {
    // What failed is tried again, and told then.
    failure.log.warn({ step: subject, error: String(second) }, "what keeps failing could not be told");
  }
}

function count(memory: Memory, subject: string, { tries = 0, nowMs }: Pick<Failure, "tries" | "nowMs">): Row {
  const known = memory.failing.get(subject);
  // Another process may have succeeded in between.
  const isInARow = known !== undefined && Math.abs(nowMs - known.lastMs) < IN_A_ROW_MS;
  const row = isInARow ? known : { failures: 0, sinceMs: nowMs, lastMs: nowMs, toldMs: undefined };
  row.failures = Math.max(row.failures + 1, tries);
  row.sinceMs = Math.min(row.sinceMs, nowMs);
  row.lastMs = nowMs;
  memory.failing.set(subject, row);
  memory.succeededMs.delete(subject);
  forgetOldest(memory.failing);
  return row;
}

function forgetOldest(known: Map<string, unknown>): void {
  for (const [oldest] of known) {
    if (known.size <= MOST) return;
    known.delete(oldest);
  }
}

function portOf(error: unknown): Port | undefined {
  return error instanceof LedgerUnavailableError || error instanceof LedgerFullError ? "ledger" : undefined;
}

async function tell(
  ledger: Ledger,
  memory: Memory,
  row: Row,
  step: Step,
  { error, nowMs }: Failure,
): Promise<void> {
  if (row.toldMs !== undefined && Math.abs(nowMs - row.toldMs) < TOLD_AGAIN_MS) return;
  const { brand, name } = await belonging(ledger, step);
  const since = new Date(row.sinceMs).toISOString();
  await raiseAttention(ledger.db, {
    kind: "step_failing",
    subject: subjectOf(step),
    about: step,
    brand,
    summary: `${wordsOf(step)}${name} fails again and again (${row.failures} times in a row since ${since}): ${causeOf(error)}`,
    remedy: REMEDIES[step.of],
    nowMs,
  });
  row.toldMs = nowMs;
  memory.listed.add(subjectOf(step));
}

async function tellAway(
  ledger: Ledger,
  memory: Memory,
  port: Port,
  sinceMs: number,
  { error, nowMs }: Failure,
): Promise<void> {
  const row = count(memory, port, { nowMs });
  if (row.toldMs !== undefined && Math.abs(nowMs - row.toldMs) < TOLD_AGAIN_MS) return;
  await raiseAttention(ledger.db, {
    kind: "step_failing",
    subject: port,
    brand: "default",
    summary: `the ${port} has given no answer that can be used since ${new Date(sinceMs).toISOString()}: ${causeOf(error)}`,
    remedy: "`outdial doctor` says what does not answer; everything goes on by itself once it does",
    nowMs,
  });
  row.toldMs = nowMs;
  memory.listed.add(port);
}

/**
 * Notes that a step succeeded, and that ports answered for it. Costs nothing but a look at the list a minute where
 * nothing fails. Never throws.
 */
export async function noteSuccess(
  ledger: Ledger,
  step: Step,
  { ports, nowMs, log }: { ports: readonly Port[]; nowMs: number; log: Log },
): Promise<void> {
  const memory = memoryOf(ledger);
  const subject = subjectOf(step);
  memory.failing.delete(subject);
  memory.succeededMs.set(subject, nowMs);
  forgetOldest(memory.succeededMs);
  for (const port of ports) {
    memory.answeredMs.set(port, nowMs);
    memory.awaySinceMs.delete(port);
    memory.failing.delete(port);
  }
  try {
    await readListed(ledger, memory, nowMs);
    for (const one of [subject, ...ports]) {
      if (!memory.listed.has(one)) continue;
      await takeOff(ledger, one, one === subject ? "it succeeded" : "it answers again", nowMs);
      memory.listed.delete(one);
    }
  } catch (error) {
    // The next success takes it off, or the sweeper once it is over.
    log.warn({ step: subject, error: String(error) }, "what succeeded could not be taken off the list");
  }
}

async function readListed(ledger: Ledger, memory: Memory, nowMs: number): Promise<void> {
  if (elapsedMs(nowMs, memory.listedAtMs) < KNOWN_MS) return;
  memory.listedAtMs = nowMs;
  const succeededMs = memory.succeededMs;
  memory.succeededMs = new Map();
  const found = await rows<{ subject: string; at_ms: number }>(
    ledger.db,
    sql`select subject, ${ms(sql`at`)} as at_ms from attention
        where kind = 'step_failing' and resolved_at is null limit ${MOST}`,
  );
  memory.listed = new Set(found.map((row) => row.subject));
  for (const { subject, at_ms: toldMs } of found) {
    if ((succeededMs.get(subject) ?? Number.NEGATIVE_INFINITY) < toldMs) continue;
    await takeOff(ledger, subject, "it succeeded", nowMs);
    memory.listed.delete(subject);
  }
}

function takeOff(ledger: Ledger, subject: string, resolution: string, nowMs: number): Promise<boolean> {
  return resolveAttention(ledger.db, { kind: "step_failing", subject, by: "engine", resolution, nowMs });
}

/**
 * Takes what is over off the list: its last step may have succeeded in a process that did not know of the entry, and
 * has nothing more to do.
 */
export async function dropOverFailures(ledger: Ledger, nowMs: number): Promise<void> {
  await rows(
    ledger.db,
    sql`update attention a set resolved_at = ${at(nowMs)}, notice_at = ${at(nowMs)}, resolved_by = 'engine', resolution = 'what failed is over'
        where a.kind = 'step_failing' and a.resolved_at is null and case a.about
          when 'batch' then not exists (select 1 from batches b where b.id::text = a.about_id and b.state <> 'settled')
          when 'campaign' then not exists (select 1 from campaigns c where c.id::text = a.about_id and c.ended_at is null)
          when 'follow-up' then not exists (select 1 from follow_ups f where f.id::text = a.about_id and f.ended_at is null)
          when 'enrolment' then not exists (select 1 from enrolments e where e.id::text = a.about_id and e.state = 'active')
          when 'action' then not exists (select 1 from actions x where x.id::text = a.about_id and x.ended_at is null)
          when 'schedule' then not exists (select 1 from schedules s where s.id::text = a.about_id and s.state <> 'removed')
          when 'schedule run' then not exists (select 1 from schedule_runs r where r.id::text = a.about_id and r.ended_at is null)
          when 'automation' then not exists (select 1 from automations m where m.id::text = a.about_id
            and case a.verb when 'tend' then m.state in ('changing', 'removing') else m.state <> 'removed' end)
          when 'chore' then case a.verb
            when 'scrub' then not exists (select 1 from suppression_sources u
              where u.name = a.about_id and u.removed_at is null and u.scrub_url is not null)
            -- A machine that is gone tells no more of its clock, which it does so often.
            when 'go by' then a.at + a.times * ${TOLD_AGAIN_MS} * interval '1 millisecond' < ${at(nowMs - UNTOLD_MS)}
            else false end
          else false end`,
  );
}

/** Whose campaign it concerns, for the list and in words. */
async function belonging(ledger: Ledger, { of, id }: Step): Promise<{ brand: string; name: string }> {
  if (of !== "campaign" && of !== "batch") return { brand: "default", name: "" };
  const found = await firstRow<{ brand: string; name: string }>(
    ledger.db,
    of === "campaign"
      ? sql`select brand, name from campaigns where id::text = ${id}`
      : sql`select c.brand, c.name from batches b join campaigns c on c.id = b.campaign_id where b.id::text = ${id}`,
  );
  return found ? { brand: found.brand, name: ` (campaign ${found.name})` } : { brand: "default", name: "" };
}

function wordsOf({ of, id, verb }: Step): string {
  if (verb === "scrub") return `the engine's own work on asking the scrubbing service ${id}`;
  return of === "chore" ? `the engine's own work on ${id}` : `to ${verb} ${of} ${id}`;
}

const TRIED_ON = "it is tried again by itself, and leaves this list when it succeeds";

const REMEDIES: Readonly<Record<Step["of"], string>> = {
  campaign: `mend what the cause names: nobody new is called until it succeeds, and batches that were started go on; ${TRIED_ON}`,
  batch: `mend what the cause names, or look at the batch on the platform: its people and its slots wait, and other batches go on; ${TRIED_ON}`,
  "follow-up": `mend what the cause names; ${TRIED_ON}`,
  action: `mend what the cause names, or skip the action; ${TRIED_ON}`,
  enrolment: `mend what the cause names, or take the person out; ${TRIED_ON}`,
  schedule: `mend what the cause names; ${TRIED_ON}`,
  "schedule run": `mend what the cause names; ${TRIED_ON}`,
  automation: `mend what the cause names; ${TRIED_ON}`,
  chore: `mend what the cause names; everything else goes on, and ${TRIED_ON}`,
};

function causeOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.slice(0, LONGEST_CAUSE);
}

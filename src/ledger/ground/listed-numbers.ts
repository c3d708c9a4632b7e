import { sql } from "drizzle-orm";

import { writeAudit } from "./audit.ts";
import { CommandRefusedError } from "./command-refused.ts";
import { firstRow, LedgerFullError, rows, type Db, type Ledger } from "./connection.ts";
import { flag, moment, number, optional, record, text, word, type RecordOf } from "./record.ts";
import { at, listOf, ms } from "./sql.ts";
import { lockSource, readSource, tellAge, type SuppressionSource } from "./suppression-sources.ts";

/*
 * Replacing the list of a source, whatever its length, in one step:
 *
 * 1. A load is begun, with a generation of its own. One that was under way is abandoned by that: the newest list counts,
 *    and one that is known to be older is not begun.
 * 2. Its numbers come in chunks, each a short transaction. Who is on the list in force is marked as seen by it, who is
 *    not is put down for its generation. Neither changes who is on the list in force.
 * 3. Taking it is one change of the source's row. Whoever reads the ledger sees the old list or the new one.
 * 4. A load that was not taken changes nothing. What it put down is cleared away by the next one.
 */

const LOAD = record({
  id: number,
  sourceId: number,
  generation: number,
  sourceName: text,
  state: word<"loading" | "taken" | "refused" | "abandoned">(),
  asOfMs: moment,
  kept: number,
  added: number,
  removed: optional(number),
  cleared: flag,
  actor: text,
  beganAtMs: moment,
  endedAtMs: optional(moment),
});

export interface SuppressionLoad extends RecordOf<typeof LOAD> {}

/** A list on its way into a source. */
export interface Loading {
  load: SuppressionLoad;
  source: SuppressionSource;
}

/** Numbers cleared away in one transaction. */
const CLEARED_AT_ONCE = 5_000;

/** The list is older than another of its source: who is on that one alone would be dialed. */
export class ListIsOlderError extends CommandRefusedError {}

/**
 * Whether a newer list is there is asked here alone: none is taken between this and the taking of it, since the
 * beginning of another abandons it.
 *
 * @param input.asOfMs of when the list is; undefined: nobody says so, and it counts as one of now.
 * @param input.allowOlder whether one that is older is meant.
 * @throws CommandRefusedError where there is no such source; ListIsOlderError.
 */
export async function beginLoad(
  ledger: Ledger,
  input: {
    name: string;
    sourceName: string;
    digest: string;
    asOfMs: number | undefined;
    allowOlder: boolean;
    actor: string;
    nowMs: number;
  },
): Promise<Loading> {
  if (!ledger.hasRoom())
    throw new LedgerFullError(
      "the disk under the ledger is almost full: make room, then send the list again",
    );
  const { name, sourceName, digest, asOfMs = input.nowMs, actor, nowMs } = input;
  const begun = await ledger.transaction(async (tx) => {
    const source = await lockSource(tx, name);
    if (!source) throw noSource(name);
    if (!input.allowOlder) await refuseOlder(tx, source, input);
    await rows(
      tx,
      sql`update suppression_loads set state = 'abandoned', ended_at = ${at(nowMs)}
          where source_id = ${source.id} and state = 'loading'`,
    );
    const load = await firstRow(
      tx,
      sql`insert into suppression_loads (source_id, generation, source_name, digest, state, as_of, actor, began_at)
          select ${source.id}, coalesce(max(o.generation), 0) + 1, ${sourceName}, ${digest}, 'loading', ${at(asOfMs)}, ${actor}, ${at(nowMs)}
          from suppression_loads o where o.source_id = ${source.id}
          returning ${LOAD.columns}`,
      LOAD,
    );
    if (!load) throw new Error("a load that was written has no row");
    return { load, source };
  });
  await clearLeftovers(ledger, begun.source.id);
  return begun;
}

function noSource(name: string): CommandRefusedError {
  return new CommandRefusedError(
    `there is no source of suppressions named ${name}: declare it with outdial suppress source put ${name} --type do_not_call`,
  );
}

/**
 * Of a list that nobody says the day of it is known only whether the same file was sent before: clocks differ, and it is
 * compared with no other by its moment.
 */
async function refuseOlder(
  tx: Db,
  { id, name, renewedAtMs = -Infinity, generation }: SuppressionSource,
  { asOfMs, digest }: { asOfMs: number | undefined; digest: string },
): Promise<void> {
  const sent = await firstRow<{ loading: number | null; same: number | null; again: boolean }>(
    tx,
    sql`select max(${ms(sql`as_of`)}) filter (where state = 'loading') as loading,
          min(${ms(sql`as_of`)}) filter (where digest = ${digest}) as same,
          coalesce(bool_or(digest = ${digest}) filter (where generation = ${generation}), false) as again
        from suppression_loads where source_id = ${id}`,
  );
  const loadingMs = sent?.loading ?? -Infinity;
  const remedy = `Send the newest list; if this one is meant, say so (--allow-older, or allow_older=true)`;
  if (asOfMs === undefined) {
    if (typeof sent?.same !== "number" || sent.again || sent.same >= renewedAtMs) return;
    throw new ListIsOlderError(
      `the same list came to the source ${name} before, as of ${isoOf(sent.same)}, and the one in force is of ${isoOf(renewedAtMs)}: it stays. ${remedy}; if it is the newest all the same, say of when it is (--as-of, or as_of)`,
    );
  }
  if (asOfMs < renewedAtMs)
    throw new ListIsOlderError(
      `the list is of ${isoOf(asOfMs)}, and the one in force in the source ${name} of ${isoOf(renewedAtMs)}: that one stays. ${remedy}`,
    );
  if (asOfMs < loadingMs)
    throw new ListIsOlderError(
      `the list is of ${isoOf(asOfMs)}, and one of ${isoOf(loadingMs)} is on its way to the source ${name}: nothing was changed. ${remedy}`,
    );
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** What loads left behind that were not taken, as far as they have come: nothing reads it. */
async function clearLeftovers(ledger: Ledger, sourceId: number): Promise<void> {
  const left = await rows<{ id: number; generation: number }>(
    ledger.db,
    sql`select id, generation from suppression_loads
        where source_id = ${sourceId} and not cleared and state in ('refused', 'abandoned') order by id`,
  );
  for (const { id, generation } of left) {
    for (;;) {
      const gone = await rows(
        ledger.db,
        sql`delete from listed_numbers where (phone, source_id, from_generation) in (
              select phone, source_id, from_generation from listed_numbers
              where source_id = ${sourceId} and from_generation = ${generation} limit ${CLEARED_AT_ONCE})
            returning 1 as one`,
      );
      if (gone.length < CLEARED_AT_ONCE) break;
    }
    await rows(ledger.db, sql`update suppression_loads set cleared = true where id = ${id}`);
  }
}

/**
 * Puts some numbers of a list down, each once however often it comes. Who is suppressed does not change by it.
 *
 * @throws CommandRefusedError where another list of the source came meanwhile.
 */
export async function loadChunk(
  ledger: Ledger,
  { load, source }: Loading,
  phones: readonly string[],
): Promise<void> {
  if (phones.length === 0) return;
  await ledger.transaction(async (tx) => {
    const booked = await rows<{ one: number }>(
      tx,
      sql`with listed as (select distinct p.phone from ${listOf(phones, "text")} as p(phone)),
            kept as (update listed_numbers n set through_generation = ${load.generation} from listed r
                     where n.phone = r.phone and n.source_id = ${source.id} and n.from_generation <= ${source.generation}
                       and n.through_generation >= ${source.generation} and n.through_generation < ${load.generation}
                     returning 1),
            added as (insert into listed_numbers (phone, source_id, from_generation, through_generation)
                      select r.phone, ${source.id}::int, ${load.generation}::int, ${load.generation}::int from listed r
                      where not exists (select 1 from listed_numbers n
                        where n.phone = r.phone and n.source_id = ${source.id}
                          and n.from_generation <= ${source.generation} and n.through_generation >= ${source.generation})
                      on conflict do nothing returning 1)
          update suppression_loads set kept = kept + (select count(*) from kept), added = added + (select count(*) from added)
          where id = ${load.id} and state = 'loading' returning 1 as one`,
    );
    // Nothing is left of the chunk then.
    if (booked.length === 0) throw superseded(source.name);
  });
}

function superseded(name: string): CommandRefusedError {
  return new CommandRefusedError(
    `another list of the source ${name} was sent meanwhile, or the source was removed: the newest list counts, and this one changed nothing`,
  );
}

/** Why a list is not taken without a word that it is meant. */
export interface Shrinkage {
  numbers: number;
  removed: number;
}

export type LoadTaken =
  | { kind: "taken"; load: SuppressionLoad; source: SuppressionSource }
  | { kind: "shrinks"; shrinkage: Shrinkage };

/** A list that lost more than this part of who was on it is more often cut off than right. */
const MOST_LOST = 0.5;

/**
 * Takes a list that has come in whole, in one step: from the commit of this transaction on it is in force.
 *
 * @param input.allowShrink whether it may be empty, or lack more than half of who was on the one before.
 * @throws CommandRefusedError where another list of the source came meanwhile.
 */
export async function takeLoad(
  tx: Db,
  { load: { id }, source: { name } }: Loading,
  input: { allowShrink: boolean; actor: string; nowMs: number },
): Promise<LoadTaken> {
  const { allowShrink, actor, nowMs } = input;
  // Whoever declares a source locks the table before its row: so does this, in that order.
  await rows(tx, sql`lock table suppression_sources in row exclusive mode`);
  const source = await lockSource(tx, name);
  const load = await firstRow(
    tx,
    sql`select ${LOAD.columns} from suppression_loads where id = ${id} and state = 'loading' for update`,
    LOAD,
  );
  if (!source || !load) throw superseded(name);
  const { kept, added, generation, asOfMs } = load;
  const numbers = kept + added;
  const removed = source.numbers - kept;
  if (!allowShrink && (numbers === 0 || removed > source.numbers * MOST_LOST)) {
    await endLoad(tx, id, "refused", nowMs);
    return { kind: "shrinks", shrinkage: { numbers, removed } };
  }
  await rows(
    tx,
    sql`update suppression_sources set generation = ${generation}, numbers = ${numbers}, renewed_at = ${at(asOfMs)}
        where id = ${source.id}`,
  );
  await rows(
    tx,
    sql`update suppression_loads set state = 'taken', removed = ${removed}, ended_at = ${at(nowMs)} where id = ${id}`,
  );
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "suppression_source.renew",
    detail: {
      name,
      list: load.sourceName,
      as_of: isoOf(asOfMs),
      ...(source.renewedAtMs !== undefined && { as_of_before: isoOf(source.renewedAtMs) }),
      added,
      kept,
      removed,
      allow_shrink: allowShrink,
    },
  });
  const renewed = await readSource(tx, name);
  if (!renewed) throw superseded(name);
  await tellAge(tx, renewed, nowMs);
  return { kind: "taken", load: { ...load, removed }, source: renewed };
}

/** Gives a list up that did not come in whole. One that was taken stays so. */
export async function giveUpLoad(db: Db, { load }: Loading, nowMs: number): Promise<void> {
  await endLoad(db, load.id, "abandoned", nowMs);
}

async function endLoad(db: Db, id: number, state: "refused" | "abandoned", nowMs: number): Promise<void> {
  await rows(
    db,
    sql`update suppression_loads set state = ${state}, ended_at = ${at(nowMs)} where id = ${id} and state = 'loading'`,
  );
}

/** Lists that were sent for a source, the newest first. */
export function listLoads(db: Db, sourceId: number, limit: number): Promise<SuppressionLoad[]> {
  return rows(
    db,
    sql`select ${LOAD.columns} from suppression_loads where source_id = ${sourceId} order by id desc limit ${limit}`,
    LOAD,
  );
}

const LISTING = record({
  source: text,
  type: text,
  brand: optional(text),
  /** When the list was taken that brought the number. */
  sinceMs: moment,
});

export interface Listing extends RecordOf<typeof LISTING> {}

/** Sources that have a number on the list in force. */
export function listingsOf(db: Db, phone: string): Promise<Listing[]> {
  return rows(
    db,
    sql`select l.name as "source", l.type as "type", l.brand as "brand",
          round(extract(epoch from coalesce(d.ended_at, d.began_at)) * 1000)::float8 as "sinceMs"
        from listed_numbers n join suppression_sources l on l.id = n.source_id
          join suppression_loads d on d.source_id = n.source_id and d.generation = n.from_generation
        where n.phone = ${phone} and l.removed_at is null
          and n.from_generation <= l.generation and n.through_generation >= l.generation
        order by l.name`,
    LISTING,
  );
}

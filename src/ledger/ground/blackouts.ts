import { sql, type SQL } from "drizzle-orm";

import { NO_DATES, type DateSpan } from "../../domain/policy/window-dates.ts";
import type { CallingWindow } from "../../domain/policy/calling-window.ts";
import { dateText, dayOf } from "../../domain/time/local-day.ts";
import { writeAudit } from "./audit.ts";
import { CommandRefusedError } from "./command-refused.ts";
import { firstRow, rows, type Db } from "./connection.ts";
import { flag, from, moment, number, optional, record, text, type RecordOf } from "./record.ts";
import { at, listOf } from "./sql.ts";

/*
 * Blackout days: local dates, wherever a contact is, on which nobody of a brand is called, whatever its campaigns say.
 * They are read in every transaction that plans or permits a start (I2).
 */

const COLUMNS = {
  id: number,
  /** Undefined: for every brand. */
  brand: optional(text),
  /** Counted from 1970-01-01. */
  fromDay: from("(from_day - date '1970-01-01')", number),
  lastDay: from("(last_day - date '1970-01-01')", number),
  name: text,
  createdAtMs: moment,
};

const BLACKOUT = record(COLUMNS);

/** One that was written, or was there: a row that was inserted was changed by nobody. */
const ADDED = record({ ...COLUMNS, isNew: from("(xmax = 0)", flag) });

export interface Blackout extends RecordOf<typeof BLACKOUT> {}

/** Of all brands together: every planning and every start reads those of its brand, and those of every brand. */
const MAX_AHEAD = 1_000;

export type NewBlackout = DateSpan & { brand: string | undefined };

/**
 * Adds one, from the commit of this transaction on. One of the same days and brand is there once, and goes by its newest
 * name.
 *
 * @throws CommandRefusedError where there are too many already.
 */
export async function addBlackout(
  tx: Db,
  input: NewBlackout & { actor: string; nowMs: number },
): Promise<{ blackout: Blackout; isNew: boolean }> {
  const { brand, fromDay, lastDay, name, actor, nowMs } = input;
  // One after the other, so that ids are in the order of their commits: who is bound up to one is bound by all before.
  await rows(tx, sql`lock table blackouts in share row exclusive mode`);
  if (brand !== undefined)
    await rows(tx, sql`insert into brands (id) values (${brand}) on conflict do nothing`);
  const ahead = await firstRow<{ n: number; is_there: boolean | null }>(
    tx,
    sql`select count(*)::int as n,
          bool_or(brand is not distinct from ${brand ?? null}::text
                  and from_day = ${dateText(fromDay)}::date and last_day = ${dateText(lastDay)}::date) as is_there
        from blackouts where ${isAhead(nowMs)}`,
  );
  if ((ahead?.n ?? 0) >= MAX_AHEAD && ahead?.is_there !== true)
    throw new CommandRefusedError(
      `there are ${MAX_AHEAD} blackouts already: give days that follow each other as one, or remove what is not needed`,
    );
  const [written] = await rows(
    tx,
    sql`insert into blackouts (brand, from_day, last_day, name, created_at)
        values (${brand ?? null}, ${dateText(fromDay)}::date, ${dateText(lastDay)}::date, ${name}, ${at(nowMs)})
        on conflict (brand, from_day, last_day) where removed_at is null do update set name = excluded.name
        returning ${ADDED.columns}`,
    ADDED,
  );
  if (written === undefined) throw new Error("a blackout that was written has no row");
  const { isNew, ...blackout } = written;
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "blackout.add",
    detail: { brand: brand ?? null, from: dateText(fromDay), to: dateText(lastDay), name },
  });
  return { blackout, isNew };
}

/** Takes one back; its row and the reason stay. Undefined where there is none of that id. */
export async function removeBlackout(
  tx: Db,
  input: { id: number; reason: string; actor: string; nowMs: number },
): Promise<Blackout | undefined> {
  const { id, reason, actor, nowMs } = input;
  const [removed] = await rows(
    tx,
    sql`update blackouts set removed_at = ${at(nowMs)}, removed_reason = ${reason}
        where id = ${id} and removed_at is null returning ${BLACKOUT.columns}`,
    BLACKOUT,
  );
  if (removed === undefined) return undefined;
  const { brand = null, fromDay, lastDay, name } = removed;
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "blackout.remove",
    detail: { brand, from: dateText(fromDay), to: dateText(lastDay), name, reason },
  });
  return removed;
}

/** Those that are not over anywhere, by their days; of a brand, with those of every brand. */
export function listBlackouts(
  db: Db,
  { brand, nowMs }: { brand?: string | undefined; nowMs: number },
): Promise<Blackout[]> {
  return rows(
    db,
    sql`select ${BLACKOUT.columns} from blackouts where ${isAhead(nowMs)}
          and (${brand ?? null}::text is null or brand is null or brand = ${brand ?? null}::text)
        order by from_day, last_day, id`,
    BLACKOUT,
  );
}

/** The window of a policy of a brand, with the blackouts as they are in this transaction. */
export async function windowInForce(
  tx: Db,
  { window, brand, nowMs }: { window: CallingWindow; brand: string; nowMs: number },
): Promise<CallingWindow> {
  const blackouts = await listBlackouts(tx, { brand, nowMs });
  if (blackouts.length === 0) return window;
  return { ...window, dates: { ...(window.dates ?? NO_DATES), blackouts } };
}

/** Those that what was under way when they were added may not keep yet. */
export function listUnbound(db: Db): Promise<Blackout[]> {
  return rows(
    db,
    sql`select ${BLACKOUT.columns} from blackouts where bound_at is null and removed_at is null order by id`,
    BLACKOUT,
  );
}

/** All that was under way keeps them. */
export async function noteBound(db: Db, bound: readonly Blackout[], nowMs: number): Promise<void> {
  const ids = bound.map(({ id }) => id);
  await rows(db, sql`update blackouts set bound_at = ${at(nowMs)} where id in ${listOf(ids, "bigint")}`);
}

/** A date is over once it is over behind the last clock of the earth. */
function isAhead(nowMs: number): SQL {
  return sql`removed_at is null and last_day >= ${dateText(dayOf(nowMs) - 1)}::date`;
}

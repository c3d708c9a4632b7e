import { sql, type SQL } from "drizzle-orm";
import { isDeepStrictEqual } from "node:util";

import { readStoredRoute, type RouteDefinition } from "../../domain/notices/route.ts";
import { resolveAttention } from "../ground/attention.ts";
import { writeAudit } from "../ground/audit.ts";
import { CommandRefusedError } from "../ground/command-refused.ts";
import { firstRow, rows, type Db, type Ledger } from "../ground/connection.ts";
import { document, moment, number, optional, record, text, type RecordOf } from "../ground/record.ts";
import type { RequireSeen } from "../ground/require-seen.ts";
import { at, json } from "../ground/sql.ts";
import { forgetOver, giveUpOpen } from "./messages.ts";

/*
 * Who is told of what waits for people. A route's row is locked by whoever decides what it tells, whoever writes down
 * what it has told, and whoever changes it: one after the other, in the order of their ids, and before entries.
 */

const ROUTE = record({
  id: number,
  name: text,
  definition: document<unknown>(),
  nextAtMs: optional(moment),
  deliveredAtMs: optional(moment),
  /** In a row. */
  failures: number,
  trouble: optional(text),
  actor: text,
  createdAtMs: moment,
  changedAtMs: moment,
});

/** A route whose definition is as it was written, by this version or another one. */
export interface StoredRoute extends RecordOf<typeof ROUTE> {}

export interface Route extends StoredRoute {
  definition: RouteDefinition;
}

/** Every entry that changes is held against each of them. */
const MOST_ROUTES = 50;

/** Undefined where this version can't read what another one wrote: it tells nobody, until it is put anew. */
export function readableRoute(stored: StoredRoute): Route | undefined {
  const reading = readStoredRoute(stored.definition);
  return reading.ok ? { ...stored, definition: reading.definition } : undefined;
}

export function listRoutes(db: Db): Promise<StoredRoute[]> {
  return rows(
    db,
    sql`select ${ROUTE.columns} from attention_routes where removed_at is null order by name`,
    ROUTE,
  );
}

export function findRoute(db: Db, name: string): Promise<StoredRoute | undefined> {
  return readOne(db, sql`name = ${name} and removed_at is null`);
}

function readOne(db: Db, condition: SQL): Promise<StoredRoute | undefined> {
  return firstRow(db, sql`select ${ROUTE.columns} from attention_routes where ${condition}`, ROUTE);
}

/**
 * Forgets what routes have told of things that are over for a day; and has them look again at what nobody would look at:
 * whoever had it locked when its turn came may have changed nothing of it in the end.
 */
export async function forgetTold(ledger: Ledger, nowMs: number): Promise<void> {
  await ledger.transaction(async (tx) => {
    const routes = await lockRoutes(tx);
    await forgetOver(tx, nowMs);
    if (routes.length === 0) return;
    await rows(
      tx,
      sql`update attention set notice_at = ${at(nowMs)} where id in (
            select id from attention where resolved_at is null and notice_at is null for no key update skip locked)`,
    );
  });
}

/** All that can be read, until the end of this transaction nobody else's. */
export async function lockRoutes(tx: Db): Promise<Route[]> {
  const stored = await rows(
    tx,
    sql`select ${ROUTE.columns} from attention_routes where removed_at is null order by id for no key update`,
    ROUTE,
  );
  return stored.flatMap((one) => readableRoute(one) ?? []);
}

/** One, unless it was removed, or another has it and `skip` says not to wait. */
export async function lockRoute(
  tx: Db,
  routeId: number,
  { skip }: { skip: boolean },
): Promise<Route | undefined> {
  const stored = await firstRow(
    tx,
    sql`select ${ROUTE.columns} from attention_routes where id = ${routeId} and removed_at is null
        for no key update ${skip ? sql`skip locked` : sql``}`,
    ROUTE,
  );
  return stored && readableRoute(stored);
}

export interface RoutePut {
  route: StoredRoute;
  change: "created" | "changed" | "none";
}

/**
 * Writes a route down, or gives it another definition. What waits for people at that moment is held against it: a new
 * one tells of all that concerns it, and so does one that goes to another receiver; a changed one of what it has not
 * told yet. The same definition again changes nothing.
 *
 * @throws CommandRefusedError where there are too many.
 */
export async function putRoute(
  tx: Db,
  input: {
    definition: RouteDefinition;
    actor: string;
    nowMs: number;
    /** Told its definition. */
    requireSeen?: RequireSeen | undefined;
  },
): Promise<RoutePut> {
  const { definition, actor, nowMs } = input;
  const { name } = definition;
  // Whoever looks at entries for the others has come to an end: what it had in hand is looked at for this one, too.
  const others = await lockRoutes(tx);
  if (others.length === 0) await forgetPast(tx);
  await refuseTooMany(tx, name);
  const created = await firstRow(
    tx,
    sql`insert into attention_routes (name, definition, actor, created_at, changed_at)
        values (${name}, ${json(definition)}, ${actor}, ${at(nowMs)}, ${at(nowMs)})
        on conflict (name) where removed_at is null do nothing returning ${ROUTE.columns}`,
    ROUTE,
  );
  if (created) {
    input.requireSeen?.(undefined);
    await writeAudit(tx, {
      nowMs,
      actor,
      action: "attention_route.put",
      detail: { name, after: definition },
    });
    await lookAtAllOpen(tx, nowMs);
    return { route: created, change: "created" };
  }
  const before = await readOne(tx, sql`name = ${name} and removed_at is null for no key update`);
  if (!before) throw new CommandRefusedError(`the route ${name} was removed meanwhile: put it again`);
  const readable = readableRoute(before);
  if (readable && isDeepStrictEqual(readable.definition, definition))
    return { route: before, change: "none" };
  input.requireSeen?.(before.definition);
  await giveUpOpen(tx, { routeId: before.id, why: "the route was changed", nowMs });
  if (!readable || !isDeepStrictEqual(readable.definition.to, definition.to))
    await rows(tx, sql`delete from attention_told where route_id = ${before.id}`);
  const changed = await firstRow(
    tx,
    sql`update attention_routes set definition = ${json(definition)}, actor = ${actor}, changed_at = ${at(nowMs)},
          next_at = null, failures = 0, trouble = null
        where id = ${before.id} returning ${ROUTE.columns}`,
    ROUTE,
  );
  if (!changed) throw new Error(`the route ${name} vanished while it was written`);
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "attention_route.put",
    detail: { name, after: definition, before: before.definition },
  });
  await notFailing(tx, { name, actor, resolution: "the route was declared anew", nowMs });
  // What it was about to tell is decided anew, by its new definition.
  await rows(
    tx,
    sql`update attention_told set word = null, about = null where route_id = ${before.id} and word is not null`,
  );
  await lookAtAllOpen(tx, nowMs);
  return { route: changed, change: "changed" };
}

async function refuseTooMany(tx: Db, name: string): Promise<void> {
  const others = await firstRow<{ n: number }>(
    tx,
    sql`select count(*)::int as n from attention_routes where removed_at is null and name <> ${name}`,
  );
  if ((others?.n ?? 0) >= MOST_ROUTES)
    throw new CommandRefusedError(
      `there are ${MOST_ROUTES} attention routes already, each of which is asked about every entry: remove one that is not needed`,
    );
}

/** While nobody is to be told nothing looks at entries: those that are over since are nobody's news. */
async function forgetPast(tx: Db): Promise<void> {
  await rows(
    tx,
    sql`update attention set notice_at = null where id in (
          select id from attention where notice_at is not null and resolved_at is not null for no key update skip locked)`,
  );
}

/**
 * Has routes look at everything that waits for people. Rows that somebody has locked are left to them: whoever changes
 * an entry has it looked at.
 */
async function lookAtAllOpen(tx: Db, nowMs: number): Promise<void> {
  await rows(
    tx,
    sql`update attention set notice_at = ${at(nowMs)}
        where id in (select id from attention where resolved_at is null for no key update skip locked)`,
  );
}

/** Takes a route back: it tells nobody any more. Undefined where there is none of that name. */
export async function removeRoute(
  tx: Db,
  input: { name: string; actor: string; nowMs: number },
): Promise<StoredRoute | undefined> {
  const { name, actor, nowMs } = input;
  const before = await readOne(tx, sql`name = ${name} and removed_at is null for no key update`);
  if (!before) return undefined;
  await giveUpOpen(tx, { routeId: before.id, why: "the route was removed", nowMs });
  await rows(tx, sql`delete from attention_told where route_id = ${before.id}`);
  await rows(
    tx,
    sql`update attention_routes set removed_at = ${at(nowMs)}, next_at = null where id = ${before.id}`,
  );
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "attention_route.remove",
    detail: { name, before: before.definition },
  });
  await notFailing(tx, { name, actor, resolution: "the route was removed", nowMs });
  return before;
}

async function notFailing(
  tx: Db,
  { name, actor, resolution, nowMs }: { name: string; actor: string; resolution: string; nowMs: number },
): Promise<void> {
  await resolveAttention(tx, { kind: "notices_failing", subject: name, by: actor, resolution, nowMs });
}

import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";

import { itemOf, type Notice } from "../../domain/notices/notice.ts";
import { quietUntil } from "../../domain/notices/quiet-hours.ts";
import { breaksQuiet } from "../../domain/notices/route.ts";
import type { NoticeSent } from "../../domain/notices/sent.ts";
import { raiseAttention, resolveAttention } from "../ground/attention.ts";
import { rows, type Db, type Ledger } from "../ground/connection.ts";
import { at } from "../ground/sql.ts";
import {
  beginTry,
  endDelivered,
  giveUpOpen,
  noteFailedTry,
  openMessage,
  readWaiting,
  takeBackWaiting,
  writeMessage,
  type Message,
} from "./messages.ts";
import { lockRoute, type Route } from "./routes.ts";

/*
 * What a route has to do when its time has come: begin a message or the next try of one, and write down what came of
 * it. Between the two nobody holds a transaction: the route's `next_at` says by when that has ended, and whoever comes
 * then, after a process that died, sends the same again.
 */

/** Tries of a message; then what it says goes into another one, with what came since. */
const MOST_TRIES = 8;

/** Waits between tries, by how many failed in a row. The last one holds for as long as it goes on. */
const BACKOFF_MS = [10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000];

/** A receiver may ask for more patience, and for no more than this. */
const LONGEST_WAIT_MS = 3_600_000;

/** Failures in a row from which on others are told: one lost connection is none. */
const TOLD_FROM = 3;

/** Routes whose time has come, those that wait longest first. */
export async function dueRoutes(db: Db, nowMs: number): Promise<number[]> {
  const due = await rows<{ id: number }>(
    db,
    sql`select id from attention_routes where next_at <= ${at(nowMs)} and removed_at is null order by next_at limit 50`,
  );
  return due.map(({ id }) => id);
}

/** A try that is to be made. */
export interface Try {
  route: Route;
  message: Message;
}

/**
 * Begins what a route has to send. Undefined where there is nothing, or another process was first.
 *
 * @param input.busyMs how long a try may take, for whoever comes meanwhile
 * @param input.masked makes texts fit for other people's screens
 */
export function beginSending(
  ledger: Ledger,
  input: { routeId: number; busyMs: number; masked: (text: string) => string; nowMs: number },
): Promise<Try | undefined> {
  const { routeId, busyMs, masked, nowMs } = input;
  return ledger.transaction(async (tx) => {
    const route = await lockRoute(tx, routeId, { skip: true });
    if (!route) return undefined;
    // Another process was here between the look and the lock.
    if (route.nextAtMs === undefined || route.nextAtMs > nowMs) return undefined;
    const open = await resumable(tx, route, nowMs);
    const message = open ?? (await composed(tx, route, { masked, nowMs }));
    if (!message) {
      await setNext(tx, routeId, undefined);
      return undefined;
    }
    await beginTry(tx, message.id);
    await setNext(tx, routeId, nowMs + busyMs);
    return { route, message: { ...message, tries: message.tries + 1 } };
  });
}

/** The message that is open, unless it is to wait: then it is given up, so that what can't wait is told by itself. */
async function resumable(tx: Db, route: Route, nowMs: number): Promise<Message | undefined> {
  const open = await openMessage(tx, route.id);
  if (!open) return undefined;
  const { items } = open.notice;
  if (!isQuiet(route, nowMs) || items.every(({ kind }) => breaksQuiet(route.definition, kind))) return open;
  await giveUpOpen(tx, { routeId: route.id, why: "quiet hours began", nowMs });
  return undefined;
}

function isQuiet({ definition: { quiet_hours: hours } }: Route, nowMs: number): boolean {
  return hours !== undefined && quietUntil(hours, nowMs) !== undefined;
}

async function composed(
  tx: Db,
  route: Route,
  { masked, nowMs }: { masked: (text: string) => string; nowMs: number },
): Promise<Message | undefined> {
  const { id: routeId, name, definition } = route;
  if (isQuiet(route, nowMs))
    await takeBackWaiting(tx, { routeId, but: definition.quiet_hours?.except ?? [], nowMs });
  const { counts, items } = await readWaiting(tx, routeId);
  if (items.length === 0) return undefined;
  const notice: Notice = {
    id: randomUUID(),
    route: name,
    atMs: nowMs,
    isTest: false,
    counts,
    items: items.map((item) => itemOf(item, masked)),
  };
  await writeMessage(tx, { routeId, notice, nowMs });
  return {
    id: notice.id,
    notice,
    createdAtMs: nowMs,
    tries: 0,
    error: undefined,
    outcome: undefined,
    endedAtMs: undefined,
  };
}

/**
 * Writes down what came of a try.
 *
 * @param input.spacingMs two messages of a route are so far apart
 */
export async function endSending(
  ledger: Ledger,
  input: { sent: Try; end: NoticeSent; spacingMs: number; nowMs: number },
): Promise<void> {
  const { sent, end, spacingMs, nowMs } = input;
  const standing = await ledger.transaction(async (tx) => {
    const route = await lockRoute(tx, sent.route.id, { skip: false });
    const open = route && (await openMessage(tx, route.id));
    // It was removed or changed meanwhile, or another process took the message over and was sooner.
    if (!route || open?.id !== sent.message.id) return undefined;
    if (!end.ok) return noteFailure(tx, { route, open, end, nowMs });
    await endDelivered(tx, { routeId: route.id, message: open, nowMs });
    const { trouble } = end;
    await rows(
      tx,
      sql`update attention_routes set failures = 0, trouble = ${trouble ?? null}, delivered_at = ${at(nowMs)}, next_at = ${at(nowMs + spacingMs)}
          where id = ${route.id}`,
    );
    return trouble === undefined ? "delivers" : inPartWords(route.name, trouble);
  });
  // Afterwards: the messages of two routes may be about each other's entries, which the two would wait for.
  if (standing !== undefined) await tellOfRoute(ledger.db, sent.route.name, standing, nowMs);
}

/** What is to be told of a route: that it delivers, or what is wrong with it. */
type Standing = "delivers" | { summary: string; remedy: string };

function inPartWords(name: string, trouble: string): Standing {
  return {
    summary: `the route ${name} does not deliver to everybody: ${trouble}`,
    remedy: `correct the route (\`outdial attention route show ${name}\`), then try it: \`outdial attention test --route ${name}\``,
  };
}

const KIND = "notices_failing";

/** Where the process died before this, the next try tells it. */
async function tellOfRoute(db: Db, subject: string, standing: Standing, nowMs: number): Promise<void> {
  if (standing === "delivers") {
    const resolution = "it delivers again";
    await resolveAttention(db, { kind: KIND, subject, by: "engine", resolution, nowMs });
  } else await raiseAttention(db, { kind: KIND, subject, brand: "default", ...standing, nowMs });
}

async function noteFailure(
  tx: Db,
  failed: { route: Route; open: Message; end: Extract<NoticeSent, { ok: false }>; nowMs: number },
): Promise<Standing | undefined> {
  const { route, open, end, nowMs } = failed;
  const failures = route.failures + 1;
  await noteFailedTry(tx, open.id, end.error);
  // Another one says what is so then, and what came since.
  if (open.tries >= MOST_TRIES) await giveUpOpen(tx, { routeId: route.id, why: end.error, nowMs });
  const waitMs = Math.max(
    BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - 1] ?? LONGEST_WAIT_MS,
    Math.min(end.atLeastMs ?? 0, LONGEST_WAIT_MS),
  );
  await rows(
    tx,
    sql`update attention_routes set failures = ${failures}, trouble = ${end.error}, next_at = ${at(nowMs + waitMs)}
        where id = ${route.id}`,
  );
  if (failures < TOLD_FROM && !end.isFinal) return undefined;
  const { name } = route;
  return {
    summary: `the route ${name} does not deliver what waits for people (${failures} failures in a row): ${end.error}`,
    remedy: `mend what the cause names, then try it: \`outdial attention test --route ${name}\`; nothing is lost, and what waits is told once it delivers again`,
  };
}

async function setNext(tx: Db, routeId: number, atMs: number | undefined): Promise<void> {
  await rows(
    tx,
    sql`update attention_routes set next_at = to_timestamp(${atMs ?? null}::float8 / 1000.0) where id = ${routeId}`,
  );
}

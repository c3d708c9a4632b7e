import { sql, type SQL } from "drizzle-orm";
import { isDeepStrictEqual } from "node:util";

import type { EventTypeName } from "../../domain/ground/event-types.ts";
import {
  DISABLED_AFTER_MS,
  readStoredEventWebhook,
  TOLD_FROM_FAILURES,
  waitAfterFailures,
  type EventWebhookDefinition,
} from "../../domain/events/webhook.ts";
import { raiseAttention, resolveAttention } from "../ground/attention.ts";
import { writeAudit } from "../ground/audit.ts";
import { CommandRefusedError } from "../ground/command-refused.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { document, from, moment, number, optional, record, text, type RecordOf } from "../ground/record.ts";
import type { RequireSeen } from "../ground/require-seen.ts";
import { at, json } from "../ground/sql.ts";
import { forgottenThrough, isBefore, newestPlace, type Place } from "./events.ts";

/*
 * Who is sent the feed.
 *
 * 1. A webhook has a place in the feed, and all before it was taken. What is being sent goes up to `through`, which is
 *    written down before it is sent: whoever sends it again, in whichever process, sends the same under the same id.
 * 2. One request of a webhook is under way at a time: `next_at` says by when it has ended. So it has what happened in
 *    order, each event at least once.
 * 3. A row a webhook, and none an event.
 */

const WEBHOOK = record({
  id: number,
  name: text,
  definition: document<unknown>(),
  era: from("place_era", number),
  tx: from("place_tx::float8", number),
  no: from("place_id::float8", number),
  throughEra: from("through_era", optional(number)),
  throughTx: from("through_tx::float8", optional(number)),
  throughNo: from("through_id::float8", optional(number)),
  nextAtMs: optional(moment),
  deliveredAtMs: optional(moment),
  /** In a row, and since when. */
  failures: number,
  failingSinceMs: optional(moment),
  trouble: optional(text),
  disabledAtMs: optional(moment),
  createdAtMs: moment,
  changedAtMs: moment,
});

export interface StoredWebhook extends RecordOf<typeof WEBHOOK> {}

/** Each has a request of its own for what happens. */
const MOST_WEBHOOKS = 20;

const KIND = "events_failing";

export function placeReached({ era, tx, no }: StoredWebhook): Place {
  return [era, tx, no];
}

/** Up to where it is being sent, or was when that failed. */
export function placeInHand({ throughEra, throughTx, throughNo }: StoredWebhook): Place | undefined {
  if (throughEra === undefined || throughTx === undefined || throughNo === undefined) return undefined;
  return [throughEra, throughTx, throughNo];
}

/** Undefined where this version can't read what another one wrote: nothing is sent, until it is put anew. */
export function definitionOf({ definition }: StoredWebhook): EventWebhookDefinition | undefined {
  const reading = readStoredEventWebhook(definition);
  return reading.ok ? reading.definition : undefined;
}

export function listWebhooks(db: Db): Promise<StoredWebhook[]> {
  return rows(
    db,
    sql`select ${WEBHOOK.columns} from event_webhooks where removed_at is null order by name`,
    WEBHOOK,
  );
}

export function findWebhook(db: Db, name: string): Promise<StoredWebhook | undefined> {
  return readOne(db, sql`name = ${name} and removed_at is null`);
}

/** Those that may send now. One that is disabled, or has a request under way, may not. */
export function dueWebhooks(db: Db, nowMs: number): Promise<StoredWebhook[]> {
  return rows(
    db,
    sql`select ${WEBHOOK.columns} from event_webhooks
        where next_at <= ${at(nowMs)} and removed_at is null order by next_at, id limit ${MOST_WEBHOOKS}`,
    WEBHOOK,
  );
}

/** One, if it may send now. */
export function dueWebhook(db: Db, id: number, nowMs: number): Promise<StoredWebhook | undefined> {
  return readOne(db, sql`id = ${id} and next_at <= ${at(nowMs)} and removed_at is null`);
}

function readOne(db: Db, condition: SQL): Promise<StoredWebhook | undefined> {
  return firstRow(db, sql`select ${WEBHOOK.columns} from event_webhooks where ${condition}`, WEBHOOK);
}

const isAt = ([era, tx, id]: Place) =>
  sql`(place_era, place_tx, place_id) = (${era}::int, ${tx}::bigint, ${id}::bigint)`;

/**
 * Takes what comes behind `after` and up to `through` in hand, unless another process was sooner.
 *
 * @param input.after as far as it was looked through: what stands before is not sent, and need not be read again
 * @param input.busyMs how long its request may take, for whoever comes meanwhile
 */
export async function takeInHand(
  db: Db,
  input: { webhook: StoredWebhook; after: Place; through: Place; busyMs: number; nowMs: number },
): Promise<boolean> {
  const { webhook, after, through, busyMs, nowMs } = input;
  const [afterEra, afterTx, afterId] = after;
  const [era, tx, id] = through;
  const taken = await rows(
    db,
    sql`update event_webhooks set next_at = ${at(nowMs + busyMs)},
          place_era = ${afterEra}::int, place_tx = ${afterTx}::bigint, place_id = ${afterId}::bigint,
          through_era = ${era}::int, through_tx = ${tx}::bigint, through_id = ${id}::bigint
        where id = ${webhook.id} and next_at <= ${at(nowMs)} and removed_at is null and ${isAt(placeReached(webhook))}
          and (through_era is null
            or (through_era, through_tx, through_id) = (${era}::int, ${tx}::bigint, ${id}::bigint))
        returning 1 as one`,
  );
  return taken.length > 0;
}

/** Passes over what it is not sent. Nothing is in hand then. */
export async function passOver(db: Db, input: { webhook: StoredWebhook; through: Place }): Promise<void> {
  const { webhook, through } = input;
  const [era, tx, id] = through;
  await rows(
    db,
    sql`update event_webhooks set place_era = ${era}::int, place_tx = ${tx}::bigint, place_id = ${id}::bigint
        where id = ${webhook.id} and through_era is null and removed_at is null and ${isAt(placeReached(webhook))}`,
  );
}

/** Its receiver has taken it. In a transaction: what people are told of it is over with it, or neither is. */
export async function noteTaken(
  tx: Db,
  input: { webhook: StoredWebhook; through: Place; nowMs: number },
): Promise<void> {
  const { webhook, through, nowMs } = input;
  const [era, xid, id] = through;
  const taken = await firstRow<{ name: string }>(
    tx,
    sql`update event_webhooks set place_era = through_era, place_tx = through_tx, place_id = through_id,
          through_era = null, through_tx = null, through_id = null, next_at = ${at(nowMs)}, delivered_at = ${at(nowMs)},
          failures = 0, failing_since = null, trouble = null
        where id = ${webhook.id} and removed_at is null
          and (through_era, through_tx, through_id) = (${era}::int, ${xid}::bigint, ${id}::bigint)
        returning name`,
  );
  if (taken && webhook.failures > 0)
    await resolveFailing(tx, { name: taken.name, by: "engine", resolution: "it delivers again", nowMs });
}

/**
 * Its receiver did not take it: it is tried again, and after some days no more. In a transaction: one that is disabled is
 * never looked at again, so that nobody would be told who was not told with it.
 */
export async function noteNotTaken(
  tx: Db,
  input: {
    webhook: StoredWebhook;
    through: Place;
    error: string;
    atLeastMs: number | undefined;
    /** The receiver says that it wants no more, for good. */
    isGone: boolean;
    nowMs: number;
  },
): Promise<void> {
  const { webhook, through, error, atLeastMs, isGone, nowMs } = input;
  const [era, xid, id] = through;
  const failures = webhook.failures + 1;
  const isOver = isGone || nowMs - (webhook.failingSinceMs ?? nowMs) >= DISABLED_AFTER_MS;
  const nextAtMs = isOver ? undefined : nowMs + waitAfterFailures(failures, atLeastMs);
  const noted = await firstRow<{ name: string }>(
    tx,
    sql`update event_webhooks set failures = ${failures}, failing_since = coalesce(failing_since, ${at(nowMs)}),
          trouble = ${error}, next_at = to_timestamp(${nextAtMs ?? null}::float8 / 1000.0),
          disabled_at = to_timestamp(${isOver ? nowMs : null}::float8 / 1000.0)
        where id = ${webhook.id} and removed_at is null
          and (through_era, through_tx, through_id) = (${era}::int, ${xid}::bigint, ${id}::bigint)
        returning name`,
  );
  if (!noted || (!isOver && failures < TOLD_FROM_FAILURES)) return;
  const { name } = noted;
  await raiseAttention(tx, {
    kind: KIND,
    subject: name,
    // It is about every brand, which an entry can't be: what is of no campaign is of this one (docs/access.md).
    brand: "default",
    summary: isOver
      ? `the webhook ${name} is disabled (${isGone ? "its receiver wants no more" : `it failed for ${DISABLED_AFTER_MS / 86_400_000} days`}): ${error}`
      : `the webhook ${name} delivers no events (${failures} failures in a row): ${error}`,
    remedy: `mend what the cause names, then ${isOver ? `\`outdial webhook enable ${name}\`: it goes on where it stopped` : `try it, \`outdial webhook test ${name}\`: nothing is lost meanwhile`}`,
    nowMs,
  });
}

async function resolveFailing(
  db: Db,
  input: { name: string; by: string; resolution: string; nowMs: number },
): Promise<void> {
  const { name, ...how } = input;
  await resolveAttention(db, { kind: KIND, subject: name, ...how });
}

export interface WebhookPut {
  webhook: StoredWebhook;
  change: "created" | "changed" | "none";
}

interface WebhookInput {
  definition: EventWebhookDefinition;
  actor: string;
  nowMs: number;
  /** Told its definition. */
  requireSeen?: RequireSeen | undefined;
}

/**
 * Writes a webhook down, or gives it another definition. A new one is sent what happens from now on; a changed one goes
 * on where it was, and is enabled.
 *
 * @throws CommandRefusedError where there are too many.
 */
export async function putWebhook(tx: Db, input: WebhookInput): Promise<WebhookPut> {
  const { definition, actor, nowMs, requireSeen } = input;
  const { name } = definition;
  const before = await readOne(tx, sql`name = ${name} and removed_at is null for no key update`);
  if (before) return changeWebhook(tx, before, input);
  const others = await firstRow<{ n: number }>(
    tx,
    sql`select count(*)::int as n from event_webhooks where removed_at is null`,
  );
  if ((others?.n ?? 0) >= MOST_WEBHOOKS)
    throw new CommandRefusedError(
      `there are ${MOST_WEBHOOKS} webhooks of events already: remove one that is not needed, or have one of them hand on to others`,
    );
  const [era, xid, id] = await newestPlace(tx);
  const created = await firstRow(
    tx,
    sql`insert into event_webhooks (name, definition, place_era, place_tx, place_id, next_at, actor, created_at, changed_at)
        values (${name}, ${json(definition)}, ${era}::int, ${xid}::bigint, ${id}::bigint, ${at(nowMs)}, ${actor}, ${at(nowMs)}, ${at(nowMs)})
        on conflict (name) where removed_at is null do nothing returning ${WEBHOOK.columns}`,
    WEBHOOK,
  );
  if (!created) {
    // Somebody else was faster.
    const there = await readOne(tx, sql`name = ${name} and removed_at is null for no key update`);
    if (there) return changeWebhook(tx, there, input);
    throw new CommandRefusedError(`the webhook ${name} was removed meanwhile: put it again`);
  }
  requireSeen?.(undefined);
  await writeAudit(tx, { nowMs, actor, action: "event_webhook.put", detail: { name, after: definition } });
  return { webhook: created, change: "created" };
}

async function changeWebhook(
  tx: Db,
  before: StoredWebhook,
  { definition, actor, nowMs, requireSeen }: WebhookInput,
): Promise<WebhookPut> {
  const known = definitionOf(before);
  if (known && isDeepStrictEqual(known, definition) && before.disabledAtMs === undefined)
    return { webhook: before, change: "none" };
  requireSeen?.(before.definition);
  // What is in hand may be other events under the new definition: it is begun anew, under another id, and not beside a
  // request that is under way, which would be taken behind it. One that fails or is disabled waits, and is tried at once.
  const changed = await firstRow(
    tx,
    sql`update event_webhooks set definition = ${json(definition)}, actor = ${actor}, changed_at = ${at(nowMs)},
          next_at = case when disabled_at is null and failures = 0 then greatest(next_at, ${at(nowMs)}) else ${at(nowMs)} end,
          through_era = null, through_tx = null, through_id = null, failures = 0, failing_since = null, trouble = null, disabled_at = null
        where id = ${before.id} returning ${WEBHOOK.columns}`,
    WEBHOOK,
  );
  if (!changed) throw new Error(`the webhook ${definition.name} vanished while it was written`);
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "event_webhook.put",
    detail: { name: definition.name, after: definition, before: before.definition },
  });
  await resolveFailing(tx, {
    name: definition.name,
    by: actor,
    resolution: "the webhook was declared anew",
    nowMs,
  });
  return { webhook: changed, change: "changed" };
}

/** Has it go on where it stopped. Undefined where there is none of that name. */
export async function enableWebhook(
  tx: Db,
  input: { name: string; actor: string; nowMs: number },
): Promise<{ webhook: StoredWebhook; wasDisabled: boolean; passedOver: boolean } | undefined> {
  const { name, actor, nowMs } = input;
  const before = await readOne(tx, sql`name = ${name} and removed_at is null for no key update`);
  if (!before) return undefined;
  if (before.disabledAtMs === undefined) return { webhook: before, wasDisabled: false, passedOver: false };
  const passedOver = await skipForgotten(tx, before);
  const webhook = await firstRow(
    tx,
    sql`update event_webhooks set next_at = ${at(nowMs)}, disabled_at = null, failures = 0, failing_since = null, trouble = null
        where id = ${before.id} returning ${WEBHOOK.columns}`,
    WEBHOOK,
  );
  if (!webhook) throw new Error(`the webhook ${name} vanished while it was enabled`);
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "event_webhook.enable",
    detail: { name, passed_over: passedOver },
  });
  await resolveFailing(tx, { name, by: actor, resolution: "it was enabled", nowMs });
  return { webhook, wasDisabled: true, passedOver };
}

/**
 * Has it go on behind what was forgotten, where some of what it was still to be sent is.
 *
 * @returns whether some was
 */
export async function skipForgotten(db: Db, webhook: StoredWebhook): Promise<boolean> {
  const gone = await forgottenThrough(db);
  if (!gone || !isBefore(placeReached(webhook), gone)) return false;
  const [era, tx, id] = gone;
  const skipped = await rows(
    db,
    sql`update event_webhooks set place_era = ${era}::int, place_tx = ${tx}::bigint, place_id = ${id}::bigint,
          through_era = null, through_tx = null, through_id = null
        where id = ${webhook.id} and removed_at is null and ${isAt(placeReached(webhook))} returning 1 as one`,
  );
  return skipped.length > 0;
}

/** Takes a webhook back: it is sent nothing any more. Undefined where there is none of that name. */
export async function removeWebhook(
  tx: Db,
  input: { name: string; actor: string; nowMs: number },
): Promise<StoredWebhook | undefined> {
  const { name, actor, nowMs } = input;
  const removed = await firstRow(
    tx,
    sql`update event_webhooks set removed_at = ${at(nowMs)}, next_at = null where name = ${name} and removed_at is null
        returning ${WEBHOOK.columns}`,
    WEBHOOK,
  );
  if (!removed) return undefined;
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "event_webhook.remove",
    detail: { name, before: removed.definition },
  });
  await resolveFailing(tx, { name, by: actor, resolution: "the webhook was removed", nowMs });
  return removed;
}

/** Types that any of these is sent; undefined: all of them. */
export function typesOf(
  definitions: readonly EventWebhookDefinition[],
): ReadonlySet<EventTypeName> | undefined {
  const types = new Set<EventTypeName>();
  for (const { types: own } of definitions) {
    if (own === undefined) return undefined;
    for (const type of own) types.add(type);
  }
  return types;
}

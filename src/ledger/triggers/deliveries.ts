import { sql, type SQL } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { z } from "zod";

import { RETENTION } from "../../domain/ground/retention.ts";
import { eventsFrom } from "../ground/write-events.ts";
import { firstRow, rows, type Db, type Ledger } from "../ground/connection.ts";
import { putOutbox } from "../ground/outbox.ts";
import { document, moment, number, optional, record, text, word, type RecordOf } from "../ground/record.ts";
import { at, json, ms } from "../ground/sql.ts";

/*
 * What came through triggers.
 *
 * 1. A delivery is written, and put into the outbox, in one transaction; only then is its sender told so (I5).
 * 2. Its key makes it the same delivery again, whatever its body says then: senders write the same thing anew. One
 *    with another body stands beside the first, and is worked off only as far as to see whether it asks for the same.
 * 3. It is worked off under its trigger's present definition, so that one which failed can be worked off again
 *    once the trigger is mended. What it started already is not started again: trigger-items.ts remembers.
 */

export type DeliveryState = "received" | "done" | "ignored" | "failed";

const storedBodySchema = z.object({
  /** How its text is read. */
  type: z.enum(["json", "form"]),
  /** Lower-case names. */
  headers: z.record(z.string(), z.string()),
  text: z.string(),
});

/** A request as it came, without what proves who sent it. */
export type StoredBody = z.output<typeof storedBodySchema>;

const LISTED = {
  id: text,
  triggerId: text,
  key: text,
  /** SHA-256 of the body as it came, hexadecimal. */
  digest: text,
  receivedAtMs: moment,
  /** How often it came. */
  times: number,
  state: word<DeliveryState>(),
  result: optional(document<Record<string, unknown>>()),
  endedAtMs: optional(moment),
};

/** What lists show: 200 bodies at once would be 50 MB. */
const LISTED_DELIVERY = record(LISTED);

const DELIVERY = record({ ...LISTED, body: optional(text) });

export interface ListedDelivery extends RecordOf<typeof LISTED_DELIVERY> {}

export interface Delivery extends ListedDelivery {
  /** Undefined: forgotten, because it was worked off some time ago. */
  body: StoredBody | undefined;
}

function deliveryOf({ body, ...listed }: RecordOf<typeof DELIVERY>): Delivery {
  return { ...listed, body: body === undefined ? undefined : storedBodySchema.parse(JSON.parse(body)) };
}

export interface NewDelivery {
  triggerId: string;
  key: string;
  digest: string;
  body: StoredBody;
  nowMs: number;
  /** The trace that it came in; several that share a transaction have one each. Absent: none. */
  traceParent?: string | null;
}

export interface AcceptedDelivery {
  deliveryId: string;
  /** It came before, and nothing more is done. */
  duplicate: boolean;
  /** It came before with another body. */
  differs: boolean;
}

/**
 * Writes deliveries down, in the order in which they came, and has them worked off; or finds those that came under their
 * keys before, among these, too. Answers in that order. However many, it is three statements, and one more where another
 * body came under a key.
 *
 * @param lockWaitMs for a key that somebody else has in hand
 */
export async function acceptDeliveries(
  tx: Db,
  deliveries: readonly NewDelivery[],
  lockWaitMs: number,
): Promise<AcceptedDelivery[]> {
  await rows(tx, sql`select set_config('lock_timeout', ${String(lockWaitMs)}, true)`);
  const fresh = deliveries.map((delivery) => ({ ...delivery, id: randomUUID() }));
  const written = await writeOnce(tx, fresh);
  const differing = fresh.filter((one) => written.get(keyOf(one))?.digest !== one.digest);
  // Another body under a key that came before: once for each body.
  const beside = differing.map((one) => ({
    ...one,
    id: randomUUID(),
    key: `${one.key}${DIFFERS}${one.digest}`,
  }));
  const writtenBeside = beside.length > 0 ? await writeOnce(tx, beside) : new Map<string, Written>();
  const isNew = (one: NewDelivery & { id: string }) =>
    written.get(keyOf(one))?.id === one.id || writtenBeside.get(keyOf(one))?.id === one.id;
  await putOutbox(
    tx,
    [...fresh, ...beside].filter(isNew).map(({ id, nowMs, traceParent = null }) => ({
      kind: "delivery",
      subject: id,
      dueAtMs: nowMs,
      traceParent,
    })),
  );
  return fresh.map((one) => {
    const { id, digest } = written.get(keyOf(one)) ?? { id: one.id, digest: one.digest };
    return { deliveryId: id, duplicate: id !== one.id, differs: digest !== one.digest };
  });
}

/** What makes another body under a key another delivery. */
const DIFFERS = "#differs:";

interface Written {
  id: string;
  digest: string;
}

function keyOf({ triggerId, key }: Pick<NewDelivery, "triggerId" | "key">): string {
  return `${triggerId} ${key}`;
}

function rowOf({ id, triggerId, key, digest, body, nowMs }: NewDelivery & { id: string }) {
  return {
    id,
    trigger_id: triggerId,
    key,
    digest,
    // JSON escapes NUL and halves of surrogate pairs, which the column would refuse.
    body: JSON.stringify(body),
    received: new Date(nowMs).toISOString(),
    times: 1,
  };
}

/** One row for each key: the first of these under it, or the one that came before. Locks them in the order of keys. */
async function writeOnce(
  tx: Db,
  deliveries: readonly (NewDelivery & { id: string })[],
): Promise<Map<string, Written>> {
  const firsts = new Map<string, ReturnType<typeof rowOf>>();
  for (const one of deliveries) {
    const first = firsts.get(keyOf(one));
    if (first) first.times += 1;
    else firsts.set(keyOf(one), rowOf(one));
  }
  const found = await rows<{ id: string; trigger_id: string; key: string; digest: string }>(
    tx,
    sql`insert into deliveries as d (id, trigger_id, key, digest, body, received_at, times, state)
        select r.id, r.trigger_id, r.key, r.digest, r.body, r.received, r.times, 'received'
        from jsonb_to_recordset(${json([...firsts.values()])}) as r(id uuid, trigger_id uuid, key text, digest text,
          body text, received timestamptz, times int)
        order by r.trigger_id, r.key
        on conflict on constraint deliveries_once do update set times = d.times + excluded.times
        returning d.id, d.trigger_id, d.key, d.digest`,
  );
  return new Map(
    found.map(({ id, trigger_id: triggerId, key, digest }) => [keyOf({ triggerId, key }), { id, digest }]),
  );
}

/** The delivery under whose key this one came with another body. Undefined where it came under a key of its own. */
export async function readFirstOf(db: Db, { triggerId, key }: Delivery): Promise<Delivery | undefined> {
  const at = key.lastIndexOf(DIFFERS);
  if (at < 0) return undefined;
  return readOne(db, sql`trigger_id = ${triggerId}::uuid and key = ${key.slice(0, at)}`);
}

/** Those that came under a key of their own. */
const OF_ITS_OWN_KEY = sql`position(${DIFFERS} in key) = 0`;

export function readDelivery(db: Db, deliveryId: string): Promise<Delivery | undefined> {
  return readOne(db, sql`id = ${deliveryId}::uuid`);
}

/** The same, as nobody changes it before the transaction ends. */
export function holdDelivery(tx: Db, deliveryId: string): Promise<Delivery | undefined> {
  return readOne(tx, sql`id = ${deliveryId}::uuid for update`);
}

async function readOne(db: Db, condition: SQL): Promise<Delivery | undefined> {
  const found = await firstRow(
    db,
    sql`select ${DELIVERY.columns} from deliveries where ${condition}`,
    DELIVERY,
  );
  return found && deliveryOf(found);
}

/** Writes down what became of a delivery. False where somebody else was quicker. */
export async function endDelivery(
  tx: Db,
  input: {
    deliveryId: string;
    /** As it has to be still: what failed may be ended by a person. */
    from?: "received" | "failed";
    state: "done" | "ignored" | "failed";
    result: Record<string, unknown>;
    /**
     * Into which sequence it enrolls. Where that has sensitive variables, which stand in what was sent, the body goes at
     * once, unless the delivery waits for a person.
     */
    enrollsInto?: { brand: string; name: string } | undefined;
    nowMs: number;
  },
): Promise<boolean> {
  const ended = await rows(
    tx,
    sql`with moved as (
          update deliveries set state = ${input.state}, result = ${json(input.result)}, ended_at = ${at(input.nowMs)},
            body = case when ${input.state !== "failed"} and exists (
              select 1 from sequences s join sequence_versions v on v.sequence_id = s.id and v.version = s.version
              where s.brand = ${input.enrollsInto?.brand ?? null} and s.name = ${input.enrollsInto?.name ?? null}
                and v.definition ? 'sensitive') then null else body end
          where id = ${input.deliveryId}::uuid and state = ${input.from ?? "received"} returning *)
        ${eventsFrom(
          sql`select 'delivery.ended' as type, null::text as brand, null::uuid as campaign_id,
                jsonb_build_object('delivery_id', d.id, 'trigger', t.name, 'state', d.state) as data
              from moved d join triggers t on t.id = d.trigger_id`,
          input.nowMs,
        )} returning 1 as one`,
  );
  return ended.length > 0;
}

/** Why a delivery can't be worked off again. */
export type RetryRefusal = "unknown" | "not_failed" | "forgotten";

/** Has a failed delivery worked off again. */
export async function retryDelivery(
  tx: Db,
  deliveryId: string,
  nowMs: number,
): Promise<"retried" | RetryRefusal> {
  const row = await firstRow<{ state: DeliveryState; has_body: boolean }>(
    tx,
    sql`select state, body is not null as has_body from deliveries where id = ${deliveryId}::uuid for update`,
  );
  if (!row) return "unknown";
  if (row.state !== "failed") return "not_failed";
  if (!row.has_body) return "forgotten";
  await again(tx, sql`id = ${deliveryId}::uuid`, nowMs);
  return "retried";
}

/** More than this at once would hold their rows for long: the caller goes on behind the last of them. */
const RETRIED_AT_ONCE = 1_000;

/** A place among deliveries, the oldest first. */
export interface DeliveryPlace {
  atMs: number;
  id: string;
}

/**
 * Has the failed deliveries of a trigger worked off again, the oldest first, a thousand at most. What differs from what
 * came under its key before is acted on where a person means just that one.
 *
 * @param after goes on behind this one, so that none is taken twice, however often it fails meanwhile
 * @returns `next` where as many were found as are taken at once
 */
export async function retryFailedDeliveries(
  tx: Db,
  triggerId: string,
  { after, nowMs }: { after?: DeliveryPlace; nowMs: number },
): Promise<{ retried: number; next: DeliveryPlace | undefined }> {
  const behind =
    after === undefined ? sql`true` : sql`(received_at, id) > (${at(after.atMs)}, ${after.id}::uuid)`;
  const found = await again(
    tx,
    sql`id in (select id from deliveries where trigger_id = ${triggerId}::uuid and state = 'failed' and body is not null
                 and ${OF_ITS_OWN_KEY} and ${behind}
               order by received_at, id limit ${RETRIED_AT_ONCE} for update skip locked)`,
    nowMs,
  );
  return { retried: found.length, next: found.length < RETRIED_AT_ONCE ? undefined : found.at(-1) };
}

async function again(tx: Db, condition: SQL, nowMs: number): Promise<DeliveryPlace[]> {
  const found = await rows<{ id: string; received_ms: number }>(
    tx,
    sql`with again as (
          update deliveries set state = 'received', ended_at = null where ${condition} returning id, received_at)
        select id, ${ms(sql`received_at`)} as received_ms from again order by received_at, id`,
  );
  await putOutbox(
    tx,
    found.map(({ id }) => ({ kind: "delivery", subject: id, dueAtMs: nowMs })),
  );
  return found.map(({ id, received_ms: atMs }) => ({ atMs, id }));
}

export interface DeliveryFilter {
  triggerId?: string;
  state?: DeliveryState;
  /** Goes on behind this one. */
  after?: { atMs: number; id: string };
  limit: number;
}

/** The newest first. */
export async function listDeliveries(
  db: Db,
  filter: DeliveryFilter,
): Promise<{ items: ListedDelivery[]; total: number }> {
  const condition = sql`(${filter.triggerId ?? null}::uuid is null or trigger_id = ${filter.triggerId ?? null}::uuid)
    and (${filter.state ?? null}::text is null or state = ${filter.state ?? null}::text)`;
  const { after } = filter;
  const behind =
    after === undefined ? sql`true` : sql`(received_at, id) < (${at(after.atMs)}, ${after.id}::uuid)`;
  const items = await rows(
    db,
    sql`select ${LISTED_DELIVERY.columns} from deliveries where ${condition} and ${behind}
        order by received_at desc, id desc limit ${filter.limit}`,
    LISTED_DELIVERY,
  );
  const total = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from deliveries where ${condition}`,
  );
  return { items, total: total?.n ?? 0 };
}

/** Deliveries of a trigger that wait for a person. What differs is told one by one. */
export async function countFailedDeliveries(db: Db, triggerId: string): Promise<number> {
  const row = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from deliveries where trigger_id = ${triggerId}::uuid and state = 'failed'
          and ${OF_ITS_OWN_KEY}`,
  );
  return row?.n ?? 0;
}

const DAY_MS = 86_400_000;

/** Nobody sends the same thing again after so long: senders give up within days, people's exports within weeks. */
const KEYS_KEPT_MS = 90 * DAY_MS;

/** Bodies hold what people know of people: long enough to look into what went wrong last week, unless somebody says otherwise. */
const BODIES_KEPT_MS = RETENTION.deliveries.standardMs;

/** Rows of one statement, and statements of one pass: short transactions, and the next pass goes on. */
const PRUNED_AT_ONCE = 1_000;
const PRUNES_A_PASS = 20;

/**
 * Forgets bodies of deliveries that were worked off before a moment, by default 7 days ago, deliveries that came 90 days ago, and items that
 * were acted on 90 days ago. A delivery that waits for a person keeps its body as long as it is kept itself.
 */
export async function pruneDeliveries(
  ledger: Ledger,
  nowMs: number,
  bodiesBeforeMs = nowMs - BODIES_KEPT_MS,
): Promise<{ blanked: number; removed: number; forgotten: number }> {
  const blanked = await inChunks((limit) =>
    rows(
      ledger.db,
      sql`update deliveries set body = null where id in
            (select id from deliveries where body is not null and state in ('done', 'ignored')
               and received_at < ${at(bodiesBeforeMs)} and ended_at < ${at(bodiesBeforeMs)}
             order by received_at limit ${limit})
          returning 1 as one`,
    ),
  );
  const removed = await inChunks((limit) =>
    rows(
      ledger.db,
      sql`delete from deliveries where id in
            (select id from deliveries where state <> 'received' and received_at < ${at(nowMs - KEYS_KEPT_MS)}
             order by received_at limit ${limit})
          returning 1 as one`,
    ),
  );
  const forgotten = await inChunks((limit) =>
    rows(
      ledger.db,
      sql`delete from trigger_items where (trigger_id, key, what) in
            (select trigger_id, key, what from trigger_items where at < ${at(nowMs - KEYS_KEPT_MS)}
             order by at limit ${limit})
          returning 1 as one`,
    ),
  );
  return { blanked, removed, forgotten };
}

async function inChunks(prune: (limit: number) => Promise<readonly unknown[]>): Promise<number> {
  let pruned = 0;
  for (let pass = 0; pass < PRUNES_A_PASS; pass += 1) {
    const { length } = await prune(PRUNED_AT_ONCE);
    pruned += length;
    if (length < PRUNED_AT_ONCE) break;
  }
  return pruned;
}

import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, it } from "vitest";

import { createEventWebhooks, type EventWebhookDeps } from "../../../src/chores/events/webhooks.ts";
import { readEventWebhook } from "../../../src/domain/events/webhook.ts";
import { UnknownSecretError } from "../../../src/domain/ground/secrets.ts";
import { readEvents, BEGINNING, placeOf } from "../../../src/ledger/events/events.ts";
import {
  dueWebhooks,
  enableWebhook,
  findWebhook,
  placeReached,
  putWebhook,
  removeWebhook,
  takeInHand,
} from "../../../src/ledger/events/webhooks.ts";
import { writeEvent } from "../../../src/ledger/ground/write-events.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { createOutbound } from "../../../src/outbound/client.ts";
import { explaining, type Explained } from "../../ledger/support/explaining.ts";
import { untilTold } from "../../ledger/support/told.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { startReceiver, type Receiver } from "../../support/receiver.ts";

const NOW_MS = Date.parse("2026-03-02T12:00:00Z");
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SIGNING = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

interface Body {
  type: string;
  data: {
    webhook: string;
    events: { id: string; type: string; data: { reason?: string } }[];
    next_after: string;
  };
}

/** What sends events, over a ledger, by a clock that the test moves. */
function webhooksOver(ledger: Ledger) {
  const clock = { ms: NOW_MS };
  const outbound = createOutbound({ allow: ["127.0.0.1"] });
  const deps: EventWebhookDeps = {
    ledger,
    outbound,
    secrets: {
      read: (name) => {
        if (name === "crm") return [SIGNING];
        throw new UnknownSecretError(name, `there is no secret "${name}"`);
      },
    },
    now: () => clock.ms,
    log: { warn: () => {} },
  };
  let webhooks = createEventWebhooks(deps);
  return {
    clock,
    outbound,
    async put(definition: object) {
      const reading = readEventWebhook(definition);
      if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
      return ledger.transaction((tx) =>
        putWebhook(tx, { definition: reading.definition, actor: "test", nowMs: clock.ms }),
      );
    },
    async pass(afterMs = 0) {
      clock.ms += afterMs;
      await webhooks.pass();
      await webhooks.settled();
    },
    /** Another process, which knows nothing of what the one before had in hand. */
    restart() {
      webhooks = createEventWebhooks(deps);
    },
  };
}

describeLedgers("events that are sent to webhooks", (ledger) => {
  let receiver: Receiver;
  let over: ReturnType<typeof webhooksOver>;

  const webhook = (changes: object = {}) => ({
    name: "crm",
    to: { webhook: { url: receiver.url, secret: "crm" } },
    ...changes,
  });
  const happen = async (reasons: readonly string[], brand?: string) => {
    for (const reason of reasons)
      await ledger().transaction((tx) =>
        writeEvent(
          tx,
          { type: "credit.exhausted", data: { reason }, ...(brand !== undefined && { brand }) },
          over.clock.ms,
        ),
      );
    // What runs beside this test holds the feed back for as long.
    await untilTold(ledger());
  };
  const bodyAt = (nth: number): Body => JSON.parse(given(receiver.received[nth]).body);
  const reasonsOf = (from = 0) =>
    receiver.received
      .slice(from)
      .map((_, nth) => bodyAt(from + nth).data.events.map(({ data }) => data.reason));
  const idsOf = () => receiver.received.map(({ headers }) => headers["webhook-id"]);
  const open = async () => {
    const { items } = await listAttention(ledger().db, { resolved: false, limit: 10 });
    return items.filter(({ kind }) => kind === "events_failing");
  };

  beforeEach(async () => {
    for (const table of ["event_webhooks", "events", "attention"])
      await rows(ledger().db, sql`delete from ${sql.identifier(table)}`);
    receiver = await startReceiver();
    over = webhooksOver(ledger());
  });
  afterEach(async () => {
    await over.outbound.close();
    await receiver.close();
  });

  it("tells from its beginning on, in order, signed, once, and as the feed has them", async () => {
    await happen(["before"]);
    await over.put(webhook());
    await happen(["one", "two"]);
    await over.pass();
    await happen(["three"]);
    await over.pass(MINUTE_MS);
    await over.pass(MINUTE_MS);
    expect(reasonsOf()).toEqual([["one", "two"], ["three"]]);
    expect(bodyAt(0)).toMatchObject({ type: "events", data: { webhook: "crm" } });
    const { headers, body } = given(receiver.received[0]);
    const signature = new Webhook(SIGNING).sign(
      String(headers["webhook-id"]),
      new Date(Number(headers["webhook-timestamp"]) * 1_000),
      body,
    );
    expect(headers["webhook-signature"]).toBe(signature);
    expect(new Set(idsOf()).size).toBe(2);
    const feed = await readEvents(ledger().db, { after: BEGINNING, limit: 10 });
    expect(feed.map(({ data }) => data["reason"])).toEqual(["before", "one", "two", "three"]);
    expect(bodyAt(1).data.next_after).toBe(bodyAt(1).data.events.at(-1)?.id);
  });

  it("that is changed while a request is under way is sent nothing beside it", async () => {
    const { webhook: stored } = await over.put(webhook());
    await happen(["one"]);
    const [one] = await readEvents(ledger().db, { after: BEGINNING, limit: 1 });
    const through = placeOf(given(one));
    const after = placeReached(stored);
    const taken = { webhook: stored, after, through, busyMs: MINUTE_MS, nowMs: over.clock.ms };
    expect(await takeInHand(ledger().db, taken)).toBe(true);
    await over.put(webhook({ types: ["credit.exhausted"] }));
    await over.pass(MINUTE_MS - 1);
    expect(receiver.received).toHaveLength(0);
    await over.pass(1);
    expect(reasonsOf()).toEqual([["one"]]);
    // What waits since it failed is tried at once.
    receiver.answer = () => ({ status: 500 });
    await happen(["two"]);
    await over.pass(MINUTE_MS);
    receiver.answer = () => ({ status: 204 });
    await over.put(webhook());
    await over.pass();
    expect(reasonsOf(2)).toEqual([["two"]]);
  });

  it("is sent the types and brands that it names alone, and passes over the others without a row of the ledger", async () => {
    await over.put(webhook({ types: ["credit.exhausted"], brands: ["acme"] }));
    await ledger().transaction((tx) =>
      writeEvent(tx, { type: "dialing.stopped", data: { actor: "cli", reason: "x" }, brand: "acme" }, NOW_MS),
    );
    await happen(["of none"]);
    await happen(["of others"], "other");
    await over.pass();
    const before = await findWebhook(ledger().db, "crm");
    await happen(["of acme"], "acme");
    await over.pass(MINUTE_MS);
    expect(reasonsOf()).toEqual([["of acme"]]);
    await happen(["of others"], "other");
    await over.pass(MINUTE_MS);
    expect(given(before).nextAtMs).toBe(NOW_MS);
    expect(receiver.received).toHaveLength(1);
  });

  it("sends the same again under the same id until it is taken, and nothing behind it before", async () => {
    await over.put(webhook());
    await happen(["one"]);
    receiver.answer = (_delivery, n) => ({ status: n < 2 ? 503 : 204 });
    await over.pass();
    await happen(["two"]);
    await over.pass(1_000);
    expect(receiver.received).toHaveLength(1);
    // Another process goes on with it.
    over.restart();
    await over.pass(MINUTE_MS);
    await over.pass(MINUTE_MS);
    expect(reasonsOf()).toEqual([["one"], ["one"], ["one"], ["two"]]);
    const [first, second, third, fourth] = idsOf();
    expect([second, third]).toEqual([first, first]);
    expect(fourth).not.toBe(first);
  });

  it("sends what a process had in hand that died, with nothing lost between what was passed over and that", async () => {
    await over.put(webhook({ brands: ["acme"] }));
    await happen(["of others"], "other");
    await over.pass();
    await happen(["one", "two"], "acme");
    const [due] = await dueWebhooks(ledger().db, over.clock.ms);
    const events = await readEvents(ledger().db, { after: BEGINNING, limit: 10 });
    const [skipped, first] = events;
    // It took the first of the two in hand, and died before it sent that.
    const taken = await takeInHand(ledger().db, {
      webhook: given(due),
      after: placeOf(given(skipped)),
      through: placeOf(given(first)),
      busyMs: MINUTE_MS,
      nowMs: over.clock.ms,
    });
    expect(taken).toBe(true);
    over.restart();
    await over.pass(1_000);
    expect(receiver.received).toEqual([]);
    await over.pass(MINUTE_MS);
    expect(reasonsOf()).toEqual([["one"], ["two"]]);
  });

  it("has it from one of two processes alone that look at the same time", async () => {
    await over.put(webhook());
    await happen(["one"]);
    const other = webhooksOver(ledger());
    await Promise.all([over.pass(), other.pass()]);
    await other.outbound.close();
    expect(reasonsOf()).toEqual([["one"]]);
  });

  it("gathers what came while its receiver was away, a hundred in a request", async () => {
    await over.put(webhook());
    await rows(
      ledger().db,
      sql`insert into events (era, at, type, data)
          select coalesce((select event_era from installation), 1), now(), 'credit.exhausted', jsonb_build_object('reason', n::text)
          from generate_series(1, 250) as n`,
    );
    await untilTold(ledger());
    await over.pass();
    expect(reasonsOf().map((batch) => batch.length)).toEqual([100, 100, 50]);
    expect(reasonsOf().flat()).toEqual(Array.from({ length: 250 }, (_, n) => String(n + 1)));
  });

  it("tells people of failures in a row, is disabled after five days, and goes on where it stopped", async () => {
    // What is told of its own failures are events, too.
    await over.put(webhook({ types: ["credit.exhausted"] }));
    await happen(["one"]);
    receiver.answer = () => ({ status: 500, body: "down" });
    await over.pass();
    await over.pass(MINUTE_MS);
    expect(await open()).toEqual([]);
    await over.pass(10 * MINUTE_MS);
    expect(await open()).toMatchObject([
      { subject: "crm", summary: expect.stringContaining("3 failures in a row") },
    ]);
    await over.pass(5 * DAY_MS);
    expect(await findWebhook(ledger().db, "crm")).toMatchObject({
      disabledAtMs: over.clock.ms,
      nextAtMs: undefined,
    });
    expect(await open()).toMatchObject([{ summary: expect.stringContaining("is disabled") }]);
    const tries = receiver.received.length;
    await over.pass(DAY_MS);
    expect(receiver.received).toHaveLength(tries);
    await happen(["two"]);
    receiver.answer = () => ({ status: 204 });
    const enabled = await ledger().transaction((tx) =>
      enableWebhook(tx, { name: "crm", actor: "test", nowMs: over.clock.ms }),
    );
    expect(enabled).toMatchObject({ wasDisabled: true, passedOver: false });
    expect(await open()).toEqual([]);
    await over.pass();
    expect(reasonsOf(tries)).toEqual([["one"], ["two"]]);
  });

  it("is disabled at once by a receiver that wants no more, and is not sent anything once it is removed", async () => {
    await over.put(webhook());
    await happen(["one"]);
    receiver.answer = () => ({ status: 410 });
    await over.pass();
    expect(await findWebhook(ledger().db, "crm")).toMatchObject({ disabledAtMs: NOW_MS });
    await over.put(webhook({ types: ["credit.exhausted"] }));
    receiver.answer = () => ({ status: 204 });
    await ledger().transaction((tx) => removeWebhook(tx, { name: "crm", actor: "test", nowMs: NOW_MS }));
    await over.pass(MINUTE_MS);
    expect(receiver.received).toHaveLength(1);
    expect(await findWebhook(ledger().db, "crm")).toBeUndefined();
  });

  it("is disabled with people told of it, or not at all", async () => {
    await over.put(webhook({ types: ["credit.exhausted"] }));
    await happen(["one"]);
    receiver.answer = () => ({ status: 410 });
    const refuse = sql`alter table attention add constraint untold check (kind <> 'events_failing')`;
    await rows(ledger().db, refuse);
    try {
      await over.pass();
    } finally {
      await rows(ledger().db, sql`alter table attention drop constraint untold`);
    }
    expect(receiver.received).toHaveLength(1);
    expect(await findWebhook(ledger().db, "crm")).toMatchObject({ disabledAtMs: undefined, failures: 0 });
    expect(await open()).toEqual([]);
    // Once its request would have ended, it is tried again.
    await over.pass(10 * MINUTE_MS);
    expect(await findWebhook(ledger().db, "crm")).toMatchObject({ disabledAtMs: over.clock.ms });
    expect(await open()).toMatchObject([{ summary: expect.stringContaining("is disabled") }]);
  });

  it("goes on behind what was forgotten before it could be sent, instead of standing still", async () => {
    await over.put(webhook());
    await happen(["forgotten", "kept"]);
    const [forgotten] = await readEvents(ledger().db, { after: BEGINNING, limit: 1 });
    const { era, tx, id } = given(forgotten);
    await rows(ledger().db, sql`delete from events where id = ${id}`);
    await rows(
      ledger().db,
      sql`update installation set events_gone_era = ${era}, events_gone_tx = ${tx}, events_gone_id = ${id}`,
    );
    await over.pass();
    await rows(
      ledger().db,
      sql`update installation set events_gone_era = null, events_gone_tx = null, events_gone_id = null`,
    );
    expect(reasonsOf()).toEqual([["kept"]]);
  });

  it("costs two statements where nothing happened, however many webhooks there are, by index", async () => {
    for (let n = 0; n < 5; n += 1) await over.put(webhook({ name: `crm-${n}` }));
    const seen: Explained[] = [];
    const watched = explaining(ledger(), (explained) => seen.push(explained));
    const quiet = webhooksOver(watched);
    await quiet.pass();
    await quiet.outbound.close();
    expect(seen).toHaveLength(2);
    expect(seen.flatMap(({ readsWhole }) => readsWhole)).not.toContain("events");
  });
});

import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";

import { takeDelivery } from "../../../src/chores/triggers/take-delivery.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { removeFromLedger } from "../../../src/ledger/people/removing.ts";
import { readDelivery, retryDelivery } from "../../../src/ledger/triggers/deliveries.ts";
import { accept } from "../../support/accept.ts";
import { openCallsServer, type CallsServer } from "../../support/calls-server.ts";
import { enrolmentsOf, freshName, intakeDeps, sequenceOf, triggerOf } from "../../support/intake.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";

const NOBODY = { id: "a", phone: "" };
const READABLE = { id: "b", phone: "+12025557801" };
/** Nobody's number without a country. */
const NATIONAL = { id: "c", phone: "202 555 7802" };

const WITH_NUMBERS = 'payload.contacts.filter(c, c.phone != "")';

describeSomeLedger("a delivery that is worked off again behind a change of its trigger", (ledger) => {
  let server: CallsServer;
  beforeAll(async () => {
    server = await openCallsServer();
  });
  afterAll(() => server.close());

  /** What came of it by the trigger as it was, and as it was mended. */
  async function retriedBy(
    contacts: readonly object[],
    before: (sequence: string) => Record<string, unknown>,
    mended: (sequence: string) => Record<string, unknown>,
  ) {
    const deps = intakeDeps(ledger(), server.platform);
    const sequence = await sequenceOf(ledger(), { re_enrolment: { policy: "restart" } });
    const name = freshName("mended");
    const trigger = await triggerOf(ledger(), sequence, {
      name,
      each: "payload.contacts",
      ...before(sequence),
    });
    const deliveryId = await accept(ledger(), {
      triggerId: trigger.id,
      key: randomUUID(),
      digest: "",
      body: { type: "json", headers: {}, text: JSON.stringify({ contacts }) },
      nowMs: Date.now(),
    });
    const outcome = async () => {
      await takeDelivery(deps, { deliveryId });
      const { state, result } = given(await readDelivery(ledger().db, deliveryId));
      return { state, items: result?.["items"] };
    };
    const first = await outcome();
    await triggerOf(ledger(), sequence, { name, each: "payload.contacts", ...mended(sequence) });
    expect(await ledger().transaction((tx) => retryDelivery(tx, deliveryId, Date.now()))).toBe("retried");
    return { sequence, first, second: await outcome() };
  }

  const heardIn = (sequence: string) =>
    rows<{ phone: string; heard: string[] }>(
      ledger().db,
      sql`select e.phone, array_agg(i.name order by i.id) as heard from enrolments e
            join sequences s on s.id = e.sequence_id join enrolment_inbox i on i.enrolment_id = e.id
          where s.name = ${sequence} and i.name is not null group by e.id order by e.phone`,
    );

  it("acts on whoever stands in the place of another now, under the key of a field", async () => {
    const idempotency = { field: "item.id" };
    const { sequence, first, second } = await retriedBy(
      [NOBODY, READABLE, NATIONAL],
      () => ({ idempotency }),
      (name) => ({
        idempotency,
        each: WITH_NUMBERS,
        enroll: { sequence: name, phone: "item.phone", default_region: "US" },
      }),
    );
    expect(first).toMatchObject({
      state: "failed",
      items: [{ state: "failed" }, { state: "done" }, { state: "failed" }],
    });
    expect((await enrolmentsOf(ledger(), sequence)).map(({ phone }) => phone)).toEqual([
      "+12025557801",
      "+12025557802",
    ]);
    const { items } = second as { items: { did: object[] }[] };
    expect(second).toMatchObject({ state: "done", items: [{ n: 0 }, { n: 1 }] });
    expect(items.map(({ did }) => did)).toEqual([
      // It is the item that was acted on, and no other with its key.
      [{ what: "enroll", enrolment_id: expect.any(String), already: false }],
      [{ what: "enroll", enrolment_id: expect.any(String), already: false }],
    ]);
  });

  it("does nothing twice for whoever was through and stands in another place now, without a field", async () => {
    const event = { name: "touched", phone: "item.phone" };
    const { sequence, first, second } = await retriedBy(
      [NOBODY, READABLE, { phone: READABLE.phone, id: READABLE.id }, { ...READABLE, id: "d" }],
      () => ({ event }),
      () => ({ event, each: WITH_NUMBERS }),
    );
    expect(first).toMatchObject({
      state: "failed",
      items: [{ state: "failed" }, { state: "done" }, { state: "done" }, { state: "done" }],
    });
    expect(second).toMatchObject({
      state: "done",
      items: [{ state: "done" }, { state: "done" }, { state: "done" }],
    });
    expect((second.items as object[]).length).toBe(3);
    // Equal items of one delivery are several, and each is the same again.
    const all = (await heardIn(sequence)).flatMap(({ heard }) => heard);
    expect(all).toEqual(["touched", "touched", "touched"]);
    expect(await enrolmentsOf(ledger(), sequence)).toHaveLength(3);
  });

  it("leaves alone who was through where the same version works it off again", async () => {
    const { sequence, second } = await retriedBy(
      [NOBODY, READABLE],
      () => ({}),
      () => ({}),
    );
    expect(second).toMatchObject({ state: "failed", items: [{ state: "failed" }, { state: "done" }] });
    expect(await enrolmentsOf(ledger(), sequence)).toHaveLength(1);
  });

  it("tells of an item again that was of somebody who is forgotten since, without anything of them", async () => {
    const deps = intakeDeps(ledger(), server.platform);
    const sequence = await sequenceOf(ledger());
    const trigger = await triggerOf(ledger(), sequence, {
      name: freshName("forgotten"),
      each: "payload.contacts",
      idempotency: { field: "item.id" },
    });
    const phone = "+12025557803";
    const send = async () => {
      const deliveryId = await accept(ledger(), {
        triggerId: trigger.id,
        key: randomUUID(),
        digest: "",
        body: { type: "json", headers: {}, text: JSON.stringify({ contacts: [{ id: "gone", phone }] }) },
        nowMs: Date.now(),
      });
      await takeDelivery(deps, { deliveryId });
      return given(await readDelivery(ledger().db, deliveryId));
    };
    expect((await send()).state).toBe("done");
    const whom = { id: randomUUID(), phone, now: () => Date.now(), breathe: async () => {} };
    await removeFromLedger(ledger(), whom);
    const { state, result } = await send();
    expect(state).toBe("done");
    expect(result?.["items"]).toMatchObject([{ did: [{ what: "enroll", repeated: true }] }]);
    expect(JSON.stringify(result)).not.toContain("enrolment_id");
    expect(await enrolmentsOf(ledger(), sequence)).toHaveLength(1);
  });
});

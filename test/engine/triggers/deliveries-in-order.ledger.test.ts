import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";

import { peopleOfDelivery } from "../../../src/chores/triggers/people-of-delivery.ts";
import { takeDelivery } from "../../../src/chores/triggers/take-delivery.ts";
import { accept } from "../../support/accept.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { OUTBOX_KINDS, type OutboxKind } from "../../../src/ledger/ground/outbox.ts";
import type { Trigger } from "../../../src/ledger/triggers/triggers.ts";
import { createPlatform } from "../../../src/platform/index.ts";
import type { RelayHandler } from "../../../src/temporal/relay-row.ts";
import { startRelay } from "../../../src/temporal/relay.ts";
import { intakeDeps, sequenceOf, triggerOf } from "../../support/intake.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";
import { until } from "../../support/until.ts";

describeSomeLedger("two systems that tell of the same person", (ledger) => {
  it("are heard in the order in which they did, through a door each, beside a list that others wait for", async () => {
    const platform = createPlatform({ baseUrl: "http://127.0.0.1:9", apiKey: "key" });
    onTestFinished(() => platform.close());
    const deps = intakeDeps(ledger(), platform);
    const sequence = await sequenceOf(ledger());
    const phoneOf = { phone: "item.phone", default_region: "US" };
    const started = await triggerOf(ledger(), sequence, { enroll: { sequence, ...phoneOf } });
    const cancelled = await triggerOf(ledger(), sequence, {
      enroll: undefined,
      exit: { sequence, outcome: "cancelled", ...phoneOf },
    });
    const list = await triggerOf(ledger(), sequence, {
      each: "payload.items",
      enroll: { sequence, ...phoneOf },
    });
    const send = async (trigger: Trigger, payload: unknown) => {
      const deliveryId = await accept(ledger(), {
        triggerId: trigger.id,
        key: randomUUID(),
        digest: "",
        body: { type: "json", headers: {}, text: JSON.stringify(payload) },
        nowMs: Date.now(),
      });
      return deliveryId;
    };
    const numbers = Array.from({ length: 38 }, (_, n) => `+1202555${String(1_000 + n)}`);
    const people = numbers.slice(0, 8);
    const listed = numbers.slice(8);
    const ids = [await send(list, { items: listed.map((phone) => ({ phone })) })];
    for (const phone of people) {
      ids.push(await send(started, { phone }));
      // Written in another way, it is the same person.
      ids.push(await send(cancelled, { phone: phone.slice(2) }));
    }
    ids.push(await send(cancelled, { phone: given(listed[29]) }));
    const missing: RelayHandler = async () => {};
    for (let n = 0; n < 2; n += 1) {
      const relay = startRelay({
        ledger: ledger(),
        handlers: {
          ...(Object.fromEntries(OUTBOX_KINDS.map((kind) => [kind, missing])) as Record<
            OutboxKind,
            RelayHandler
          >),
          delivery: (deliveryId) => takeDelivery(deps, { deliveryId }),
        },
        peopleOf: (deliveryId) => peopleOfDelivery(deps, deliveryId),
        isPlatformAway: () => false,
        log: deps.log,
        now: Date.now,
      });
      onTestFinished(() => relay.stop());
    }
    await until("all of them to be worked off", async () => {
      const open = await rows(ledger().db, sql`select 1 from deliveries where state = 'received'`);
      return open.length === 0;
    });
    const told = await rows<{ state: string; told: number | null }>(
      ledger().db,
      sql`select state, (result #>> '{items,0,did,0,told}')::int as told from deliveries
          where trigger_id = ${cancelled.id}::uuid`,
    );
    // Each found the enrolment that came before it.
    expect(told).toEqual(Array.from({ length: 9 }, () => ({ state: "done", told: 1 })));
    expect(ids).toHaveLength(18);
  });
});

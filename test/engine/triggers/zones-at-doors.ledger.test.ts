import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";

import { takeDelivery } from "../../../src/chores/triggers/take-delivery.ts";
import { zoneData } from "../../../src/contacts/zones.ts";
import type { ActionSpec } from "../../../src/domain/follow-ups/actions.ts";
import { firstRow, rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { accept } from "../../support/accept.ts";
import { actingOn, drive, give } from "../../ledger/support/acting.ts";
import { answered } from "../../ledger/support/follow-up-scenario.ts";
import { NOW_MS } from "../../ledger/support/scenario.ts";
import { openCallsServer, type CallsServer } from "../../support/calls-server.ts";
import { intakeDeps, sequenceOf, triggerOf } from "../../support/intake.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";

let numbers = 0;

/** A valid number, unlike those of scenarios: triggers read it. */
function freshNumber(): string {
  numbers += 1;
  return `+1202555${String(7_000 + numbers)}`;
}

async function zonesOfEnrolment(ledger: Ledger, phone: string): Promise<string[]> {
  const [row] = await rows<{ zones: string[] }>(
    ledger.db,
    sql`select z.zones from enrolments e join zone_sets z on z.id = e.zone_set_id where e.phone = ${phone}`,
  );
  return given(row).zones;
}

describeSomeLedger("the zones of people whom a trigger enrolls", (ledger) => {
  let server: CallsServer;
  beforeAll(async () => {
    server = await openCallsServer();
  });
  afterAll(() => server.close());

  async function zonesOf(sequenceChanges: Record<string, unknown>, sent: Record<string, string>) {
    const sequence = await sequenceOf(ledger(), sequenceChanges);
    const trigger = await triggerOf(ledger(), sequence, {
      enroll: {
        sequence,
        phone: "item.phone",
        country: "item.country",
        state: "item.state",
        postal_code: "item.zip",
      },
    });
    const phone = freshNumber();
    const item = { phone, country: "", state: "", zip: "", ...sent };
    const deliveryId = await accept(ledger(), {
      triggerId: trigger.id,
      key: phone,
      digest: "",
      body: { type: "json", headers: {}, text: JSON.stringify(item) },
      nowMs: NOW_MS,
    });
    await takeDelivery(
      intakeDeps(ledger(), server.platform, () => NOW_MS),
      { deliveryId },
    );
    return zonesOfEnrolment(ledger(), phone);
  }

  it("are found from what the sender has of their place", async () => {
    expect(await zonesOf({}, { state: "California" })).toContain("America/Los_Angeles");
    expect(await zonesOf({}, { country: "US", state: "Texas", zip: "79901" })).toContain("America/Denver");
  });

  it("are those of the number where that can't be understood: nobody is lost for it", async () => {
    const plain = await zonesOf({}, {});
    expect(await zonesOf({}, { state: "won", zip: "n/a", country: "Atlantis" })).toEqual(plain);
  });

  it("are all of their country's where the sequence says strict, unless their place is known", async () => {
    expect(await zonesOf({ zones: "strict" }, {})).toEqual(zoneData().ofCountry("US"));
    expect(await zonesOf({ zones: "strict" }, { state: "won" })).toEqual(zoneData().ofCountry("US"));
    expect(await zonesOf({ zones: "strict" }, { zip: "10001" })).not.toContain("Pacific/Honolulu");
  });
});

describeSomeLedger("the zones of people whom a follow-up enrolls", (ledger) => {
  let server: CallsServer;
  beforeAll(async () => {
    server = await openCallsServer();
  });
  afterAll(() => server.close());

  it("are those that they were called under, and all of their country's where the sequence says strict", async () => {
    const acting = actingOn(ledger(), server.platform);
    for (const [changes, wanted] of [
      [{}, ["America/New_York"]],
      [{ zones: "strict" }, zoneData().ofCountry("US")],
    ] as const) {
      const sequence = await sequenceOf(ledger(), changes);
      const followUpId = await answered(ledger(), {});
      const { contactId } = given(
        await firstRow<{ contactId: number }>(
          ledger().db,
          sql`select contact_id::float8 as "contactId" from follow_ups where id = ${followUpId}::uuid`,
        ),
      );
      const phone = freshNumber();
      const spec: ActionSpec = {
        kind: "enroll",
        subject: {},
        retry: { maxTries: 1, delaysMs: [1_000] },
        flow: { inOrder: true, onFailure: "stop" },
        brand: "default",
        sequence,
        contactId,
        phone,
        variables: {},
      };
      const { ids } = await give(acting, [spec], followUpId);
      expect(await drive(acting, ids[0])).toMatchObject({ state: "done" });
      expect(await zonesOfEnrolment(ledger(), phone)).toEqual(wanted);
    }
  });
});

import { expect, it } from "vitest";

import { planBatch } from "../../../src/activities/campaigns/plan-batch.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import type { Ledger } from "../../../src/ledger/ground/connection.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { createPlatform } from "../../../src/platform/index.ts";
import { freshPhones, running } from "../../ledger/support/scenario.ts";
import { paceAt } from "../../../src/activities/deps.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { noFollowUpPorts } from "../../support/ports.ts";

withLedger((ledger) => {
  /** Nothing here asks the platform for anything. */
  const depsOf = (counted: Ledger): ActivityDeps => ({
    ledger: counted,
    platform: createPlatform({ baseUrl: "http://127.0.0.1:9", apiKey: "key" }),
    wake: { campaign() {}, batch() {} },
    ...noFollowUpPorts(),
    pace: paceAt(1),
    log: { info() {}, warn() {}, error() {} },
    now: Date.now,
  });
  /** The ledger, and how many transactions it had. */
  const counting = () => {
    const count = { transactions: 0 };
    const counted: Ledger = {
      ...ledger(),
      db: ledger().db,
      hasRoom: () => true,
      transaction: (work) => {
        count.transactions += 1;
        return ledger().transaction(work);
      },
    };
    return { count, counted };
  };
  const refusedList = async (people: number, refused: number) => {
    const phones = freshPhones(people);
    const id = await running(
      ledger(),
      phones,
      { concurrency: 1, agent_id: "agent", from_numbers: ["+12025550100"] },
      Date.now(),
    );
    await ledger().transaction((tx) =>
      addSuppressions(tx, {
        entries: phones
          .slice(0, refused)
          .map((phone) => ({ phone, brand: undefined, source: "dnc", reason: "register" })),
        actor: "test",
        nowMs: Date.now(),
      }),
    );
    return id;
  };

  it("one activity plans on while all who are looked at are refused, and hands over whom it leased", async () => {
    const { count, counted } = counting();
    const id = await refusedList(720, 700);
    const plan = given(await planBatch(depsOf(counted), { campaignId: id, seenPlannings: 0 }));
    expect(plan).toMatchObject({ heldSlots: 1, tallies: { excluded: 700 } });
    expect(plan.batchIds).toHaveLength(1);
    // A hundred at a time, for one slot: seven that lease nobody, and one that leases.
    expect(count.transactions).toBe(8);
  });

  it("one activity makes twenty plannings at the most, and the next goes on at once", async () => {
    const { count, counted } = counting();
    const id = await refusedList(2_150, 2_100);
    const first = given(await planBatch(depsOf(counted), { campaignId: id, seenPlannings: 0 }));
    expect(count.transactions).toBe(20);
    expect(first).toMatchObject({ waitMs: 0, batchIds: [], tallies: { excluded: 2_000 } });
    const second = given(await planBatch(depsOf(counted), { campaignId: id, seenPlannings: 0 }));
    expect(second).toMatchObject({ heldSlots: 1, tallies: { excluded: 2_100 } });
  });
});

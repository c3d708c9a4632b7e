import { afterAll, beforeAll, expect, it } from "vitest";

import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import { planBatch } from "../../../src/activities/campaigns/plan-batch.ts";
import { recover } from "../../../src/chores/recovery/recover.ts";
import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { expectInvariants } from "../../ledger/support/invariants.ts";
import { allUnsettled, contactsOf, running, tallies, tell } from "../../ledger/support/scenario.ts";
import { phoneNumbers, until } from "../../support/engine.ts";
import { PATIENCE_MS } from "../../support/until.ts";
import { given } from "../../support/ledgers.ts";
import { sized } from "../../support/long.ts";
import { seededRandom } from "../../support/random.ts";
import { withRestorable, type Restorable } from "../../support/restoring.ts";
import { openStepping, type Stepping } from "../../support/stepping.ts";

/*
 * Two campaigns that share some of their people are dialed step by step, in any order and with lost answers. At
 * a random moment the ledger is saved; later, at another, it is put back, recovered, and dialed to its end.
 */

const MOST_ATTEMPTS = 2;
const SPEC = {
  agent_id: "11111111-1111-4111-8111-111111111111",
  from_numbers: ["+12025550100"],
  concurrency: 4,
  retry: {
    max_attempts: MOST_ATTEMPTS,
    delays: { no_answer: "1s", busy: "1s", failed: "1s", voicemail: "1s" },
  },
};

let stepping: Stepping;
let from = 300_000;
beforeAll(async () => {
  stepping = await openStepping();
});
afterAll(() => stepping.close());

/** One step of something, as a campaign's or a batch's workflow would take it next. */
async function stepOnce(it: Restorable, campaignIds: readonly string[], random: () => number): Promise<void> {
  const batches = await allUnsettled(it.ledger);
  const one = Math.floor(random() * (batches.length + campaignIds.length));
  const batch = batches[one];
  if (batch === undefined) {
    const campaignId = given(campaignIds[one - batches.length]);
    await planBatch(it.deps, { campaignId, seenPlannings: 0 });
  } else if (batch.state === "planned") {
    await createBatch(it.deps, { batchId: batch.id });
  } else if (batch.state === "created") {
    await startBatch(it.deps, { batchId: batch.id });
  } else {
    await tendBatch(it.deps, { batchId: batch.id });
  }
}

/** What a person or the network does now and then. */
async function disturb(it: Restorable, campaignId: string, random: () => number): Promise<void> {
  const nowMs = Date.now();
  const what = random();
  if (what < 0.3) {
    if ((await readCampaign(it.ledger.db, campaignId))?.state !== "running") return;
    await tell(it.ledger, "pause", campaignId, { nowMs });
    await tell(it.ledger, "resume", campaignId, { nowMs });
  } else if (what < 0.6) {
    stepping.sandbox.faults.add({ kind: "drop_after", route: "POST /v1/batch-calls", times: 1 });
  } else if (what < 0.8) {
    stepping.sandbox.faults.add({ kind: "drop_after", route: "POST /v1/batch-calls/:id/start", times: 1 });
  } else {
    stepping.sandbox.faults.add({
      kind: "status",
      route: "POST /v1/batch-calls/:id/start",
      status: 429,
      times: 1,
    });
  }
}

async function isOver(it: Restorable, campaignIds: readonly string[]): Promise<boolean> {
  const counts = await Promise.all(campaignIds.map((id) => tallies(it.ledger, id)));
  return counts.every(({ open, leased }) => open + leased === 0);
}

/** Real calls and retries take their time between two steps. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 10);
  });
}

/** Hundreds of steps, each of some statements and requests: a busy machine takes minutes for them. */
const BOUND_MS = PATIENCE_MS;

it.each(sized({ short: [1, 2], long: [1, 2, 3, 4, 5, 6, 7, 8] }))(
  "whatever the moment of the backup (%i), nobody is dialed too often or lost",
  { timeout: 3 * BOUND_MS },
  async (nth) => {
    const random = seededRandom(`restored at random ${nth}`);
    await withRestorable(stepping, async (it) => {
      const phones = phoneNumbers(30, (from += 100));
      const campaignIds = [
        await running(it.ledger, phones.slice(0, 20), SPEC, Date.now()),
        await running(it.ledger, phones.slice(10), SPEC, Date.now()),
      ];
      const run = async (steps: number) => {
        for (let step = 0; step < steps && !(await isOver(it, campaignIds)); step += 1) {
          if (random() < 0.05) await disturb(it, given(campaignIds[step % 2]), random);
          await stepOnce(it, campaignIds, random);
          await breathe();
        }
        stepping.sandbox.faults.clear();
      };
      await run(Math.floor(random() * 150));
      await it.backUp();
      await run(20 + Math.floor(random() * 200));
      await it.restore();
      await recover(it.deps, { actor: "test" });
      await expectInvariants(it.ledger);
      await until(
        "everybody to have an outcome",
        async () => {
          await stepOnce(it, campaignIds, random);
          return isOver(it, campaignIds);
        },
        BOUND_MS,
      );
      await expectInvariants(it.ledger);
      for (const phone of phones) {
        const inCampaigns = phones.indexOf(phone) >= 10 && phones.indexOf(phone) < 20 ? 2 : 1;
        expect(stepping.sandbox.dialLog.of(phone).length, phone).toBeLessThanOrEqual(
          MOST_ATTEMPTS * inCampaigns,
        );
      }
      await expectDialsInTheirCampaigns(it, campaignIds);
    });
  },
);

/** Each campaign's batches dialed nobody more often than it allows, whoever else dialed the number. */
async function expectDialsInTheirCampaigns(it: Restorable, campaignIds: readonly string[]): Promise<void> {
  const campaignOf = new Map<string, string>();
  for await (const batch of stepping.platform.batchCalls.iterate({ limit: 100 })) {
    const campaignId = batch.name?.split("/")[2];
    if (campaignId !== undefined) campaignOf.set(batch.batch_call_id, campaignId);
  }
  for (const campaignId of campaignIds) {
    const contacts = await contactsOf(it.ledger, campaignId);
    const dials = new Map<string, number>();
    for (const { phone, batch_call_id: batchCallId } of stepping.sandbox.dialLog.entries()) {
      if (campaignOf.get(batchCallId ?? "") === campaignId) dials.set(phone, (dials.get(phone) ?? 0) + 1);
    }
    for (const { phone, state, attempts } of contacts) {
      expect(["done", "excluded"], phone).toContain(state);
      expect(dials.get(phone) ?? 0, `${phone} in ${campaignId}, ${attempts} attempts`).toBeLessThanOrEqual(
        MOST_ATTEMPTS,
      );
    }
  }
}

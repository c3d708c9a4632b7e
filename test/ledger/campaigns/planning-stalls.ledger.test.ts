import { sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { PLACEMENT_PRIORITY } from "../../../src/domain/campaigns/list-order.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import type { PlanResult } from "../../../src/ledger/campaigns/planning.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { QUICK_ONLY } from "../../support/quick-only.ts";
import { expectInvariants } from "../support/invariants.ts";
import { place, standing } from "../support/placing.ts";
import {
  contact,
  contactsOf,
  ended,
  freshPhones,
  holdsOf,
  HOUR_MS,
  importWhole,
  listOfContacts,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  PACE,
  plan,
  planAndStart,
  running,
  SECOND_MS,
  tallies,
} from "../support/scenario.ts";

/** Plannings in a row at one moment; none of these tests needs more. */
const MOST_TURNS = 40;

/** Plans as the campaign's workflow does: again and again, as long as planning says that it is to go on at once. */
async function planOn(
  ledger: Ledger,
  campaignId: string,
  nowMs = NOW_MS,
  changes: Parameters<typeof plan>[3] = {},
): Promise<PlanResult[]> {
  const plans: PlanResult[] = [];
  for (;;) {
    const planned = await plan(ledger, campaignId, nowMs, changes);
    plans.push(planned);
    if (planned.waitMs > 0 || planned.state === "completed") return plans;
    if (plans.length >= MOST_TURNS) throw new Error(`planning goes on after ${MOST_TURNS} turns`);
  }
}

async function suppress(ledger: Ledger, phones: readonly string[]): Promise<void> {
  await ledger.transaction((tx) =>
    addSuppressions(tx, {
      entries: phones.map((phone) => ({ phone, brand: undefined, source: "dnc", reason: "register" })),
      actor: "test",
      nowMs: NOW_MS,
    }),
  );
}

async function openHolds(ledger: Ledger, campaignId: string): Promise<string[]> {
  const holds = await holdsOf(ledger, campaignId);
  return holds.filter((hold) => hold.until_ms === null).map((hold) => hold.reason);
}

const arrayOf = (phones: readonly string[]) => `{${phones.join(",")}}`;
const last = (plans: readonly PlanResult[]) => given(plans.at(-1));

describeLedgers("a planning that moved people and dialed nobody", (ledger) => {
  describe("goes on at once", () => {
    it("where the first nine hundred of a thousand are suppressed", async () => {
      const phones = freshPhones(1_000);
      const id = await running(ledger(), phones, { concurrency: 3 });
      await suppress(ledger(), phones.slice(0, 900));
      const plans = await planOn(ledger(), id);
      expect(last(plans)).toMatchObject({ heldSlots: 3, tallies: { excluded: 900 } });
      // 300 are looked at in one planning: it takes three of them, and one that leases.
      expect(plans.map((one) => one.waitMs > 0)).toEqual([false, false, false, true]);
      expect(plans.slice(0, 3).every((one) => one.heldSlots === 0)).toBe(true);
      await expectInvariants(ledger());
    });

    const ONE_CALL: Record<string, Partial<CampaignSpecInput>> = {
      "one call of its numbers": { from_numbers: ["+12125559902"], caller_ids: { per_hour: 1 } },
      "one call before it is approved of": { canary: 1 },
      "money for one call": { brand: "one-call", budget: { total: "0.10", expect_per_call: "0.10" } },
    };
    it.each(Object.entries(ONE_CALL))(
      "in a handful of turns where five hundred suppressed ones stand in front, and there is %s",
      async (_what, changes) => {
        const phones = freshPhones(503);
        const id = await running(ledger(), phones, { concurrency: 50, ...changes });
        await suppress(ledger(), phones.slice(0, 500));
        const plans = await planOn(ledger(), id);
        expect(last(plans)).toMatchObject({ heldSlots: 1, tallies: { excluded: 500, leased: 1, open: 2 } });
        expect(plans.length).toBeLessThanOrEqual(8);
        await endBatches(ledger(), id);
      },
    );

    it("in a handful of turns where five hundred suppressed ones stand in front, and one call may begin at a time", async () => {
      const rate = { calls: 1, withinMs: SECOND_MS };
      const phones = freshPhones(503);
      const id = await running(ledger(), phones, { concurrency: 1 });
      await suppress(ledger(), phones.slice(0, 500));
      const plans = await planOn(ledger(), id, NOW_MS, { rate });
      expect(last(plans)).toMatchObject({ heldSlots: 1, tallies: { excluded: 500, leased: 1, open: 2 } });
      expect(plans.length).toBeLessThanOrEqual(7);
    });

    it("and says of no slot that it is in use while none is", async () => {
      const phones = freshPhones(250);
      const id = await running(ledger(), phones, { concurrency: 1 });
      await suppress(ledger(), phones.slice(0, 200));
      expect(await plan(ledger(), id)).toMatchObject({ heldSlots: 0, waitMs: 0 });
      expect(await openHolds(ledger(), id)).toEqual([]);
      await planOn(ledger(), id);
      expect(await openHolds(ledger(), id)).toEqual(["slots"]);
    });

    it("and says of no slot that somebody waits for it, where nobody does behind a page that is full", async () => {
      const phones = freshPhones(200);
      const id = await running(ledger(), phones, { concurrency: 2 });
      await suppress(ledger(), phones.slice(2));
      expect(last(await planOn(ledger(), id))).toMatchObject({ heldSlots: 2, tallies: { open: 0 } });
      expect(await openHolds(ledger(), id)).toEqual([]);
    });

    it("where they are being called elsewhere, and have to wait", async () => {
      const phones = freshPhones(450);
      const elsewhere = phones.slice(0, 400);
      await planOn(ledger(), await running(ledger(), elsewhere, { concurrency: 400 }));
      const id = await running(ledger(), phones, { concurrency: 2 });
      const plans = await planOn(ledger(), id);
      expect(last(plans)).toMatchObject({ heldSlots: 2 });
      const contacts = await contactsOf(ledger(), id);
      expect(contacts.slice(0, 400).every((row) => row.due_ms === NOW_MS + PACE.openAttemptWaitMs)).toBe(
        true,
      );
    });

    it("where others were faster, so that slots are left", async () => {
      const campaign = await standing(ledger(), { concurrency: 2 });
      const [busy, ...others] = freshPhones(3) as [string, string, string];
      // Four calls to one person: one is made, the others have to wait for it.
      for (let call = 0; call < 4; call += 1) await place(ledger(), campaign.id, busy);
      for (const phone of others) await place(ledger(), campaign.id, phone);
      const plans = await planOn(ledger(), campaign.id);
      expect(last(plans)).toMatchObject({ heldSlots: 2, tallies: { leased: 2 } });
    });

    it("where one planning makes no more batches, though there are slots and people", async () => {
      const id = await running(ledger(), freshPhones(2_400), { concurrency: 2_400 });
      const plans = await planOn(ledger(), id);
      expect(last(plans)).toMatchObject({ heldSlots: 2_400, tallies: { open: 0, leased: 2_400 } });
    });

    it("with those who are urgent, where there are few slots", async () => {
      const id = await running(ledger(), freshPhones(40), { concurrency: 40 });
      const [batchId = ""] = await planAndStart(ledger(), id);
      await importWhole(ledger(), id, listOfContacts(freshPhones(600)), "more");
      // One slot of forty is free: a batch is not worth it, but for somebody urgent.
      const [one] = await openPhones(ledger(), batchId);
      await settleFindings(ledger(), { batchId, findings: [ended(given(one))], nowMs: NOW_MS + MINUTE_MS });
      const open = (await contactsOf(ledger(), id)).filter((row) => row.state === "open");
      const urgent = open.slice(0, 150).map((row) => row.phone);
      await rows(
        ledger().db,
        sql`with lane as (insert into lanes (campaign_id, zone_set_id, priority)
              select campaign_id, zone_set_id, ${PLACEMENT_PRIORITY} from lanes where campaign_id = ${id}::uuid returning id)
            update contacts set lane_id = (select id from lane)
            where campaign_id = ${id}::uuid and phone = any(${arrayOf(urgent)}::text[])`,
      );
      await suppress(ledger(), urgent.slice(0, 120));
      const plans = await planOn(ledger(), id, NOW_MS + MINUTE_MS);
      expect(last(plans).heldSlots).toBe(40);
      expect((await tallies(ledger(), id)).excluded).toBe(120);
      expect(await openHolds(ledger(), id)).toEqual(["slots"]);
    });

    it.skipIf(QUICK_ONLY)("in steps that are bounded over all zones together", async () => {
      const zones = ["America/New_York", "America/Chicago", "America/Denver"];
      const id = await running(
        ledger(),
        zones.map((zone, at) => contact(given(freshPhones(1)[0]), at + 2, { zones: [zone] })),
        { ends_at: new Date(NOW_MS + HOUR_MS).toISOString() },
      );
      await fillLanes(ledger(), id, 3_000);
      let before = (await tallies(ledger(), id)).excluded;
      for (const planned of await planOn(ledger(), id, NOW_MS + HOUR_MS)) {
        expect(planned.tallies.excluded - before).toBeLessThanOrEqual(5_000);
        before = planned.tallies.excluded;
      }
      expect(given(await readCampaign(ledger().db, id)).state).toBe("completed");
      await expectInvariants(ledger());
    });
  });

  describe("looks again when the next of its people is due", () => {
    it("in a standing campaign that has nothing under way, and not a quarter of a day later", async () => {
      const campaign = await standing(ledger());
      const [never, later] = freshPhones(2) as [string, string];
      await place(ledger(), campaign.id, never);
      await place(ledger(), campaign.id, later, { dueAtMs: NOW_MS + 10 * MINUTE_MS });
      await suppress(ledger(), [never]);
      expect(last(await planOn(ledger(), campaign.id)).waitMs).toBe(10 * MINUTE_MS);
    });

    it("in a list, and not minutes later", async () => {
      const phones = freshPhones(2);
      const id = await running(ledger(), phones.slice(0, 1));
      await importWhole(ledger(), id, listOfContacts(phones.slice(1)), "later", NOW_MS + 40 * SECOND_MS);
      await suppress(ledger(), phones.slice(0, 1));
      expect(last(await planOn(ledger(), id)).waitMs).toBe(40 * SECOND_MS);
    });
  });

  it.skipIf(QUICK_ONLY)(
    "comes to rest: whatever the list holds, nobody is due with a slot free and nothing said",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            concurrency: fc.constantFrom(1, 2, 7, 40, 300),
            // Stretches of a list that are all alike are what pages of it stall on.
            stretches: fc.array(
              fc.record({
                kind: fc.constantFrom("fine", "suppressed", "elsewhere", "later"),
                length: fc.integer({ min: 1, max: 230 }),
              }),
              { minLength: 1, maxLength: 6 },
            ),
          }),
          async ({ concurrency, stretches }) => {
            const kindOf = stretches.flatMap(({ kind, length }) => Array.from({ length }, () => kind));
            const phones = freshPhones(kindOf.length);
            const of = (kind: string) => phones.filter((_, at) => kindOf[at] === kind);
            const [dialedElsewhere, never] = [of("elsewhere"), of("suppressed")];
            if (dialedElsewhere.length > 0) {
              const other = await running(ledger(), dialedElsewhere, { concurrency: 1_000 });
              await planOn(ledger(), other);
            }
            const id = await running(ledger(), phones, { concurrency });
            await rows(
              ledger().db,
              sql`update contacts set due_at = due_at + interval '1 hour'
                where campaign_id = ${id}::uuid and phone = any(${arrayOf(of("later"))}::text[])`,
            );
            await suppress(ledger(), never);
            const end = last(await planOn(ledger(), id));
            const due = (await contactsOf(ledger(), id)).filter(
              (row) => row.state === "open" && row.due_ms <= NOW_MS,
            );
            if (due.length > 0) expect(end.heldSlots).toBe(concurrency);
            expect(await openHolds(ledger(), id)).toEqual(due.length > 0 ? ["slots"] : []);
            expect(end.heldSlots).toBeLessThanOrEqual(concurrency);
            await endBatches(ledger(), id);
          },
        ),
        { numRuns: 10 },
      );
      await expectInvariants(ledger());
    },
  );
});

/** Puts so many more contacts into each lane of a campaign. */
async function fillLanes(ledger: Ledger, campaignId: string, count: number): Promise<void> {
  const [{ made } = { made: 0 }] = await rows<{ made: number }>(
    ledger.db,
    sql`with made as (
          insert into contacts (campaign_id, line, phone, lane_id, variables, state, due_at)
          select l.campaign_id, 10 + n, '+49' || l.id || lpad(n::text, 6, '0'), l.id, '{}', 'open', now() - interval '300 days'
          from lanes l, generate_series(1, ${count}) n where l.campaign_id = ${campaignId}::uuid returning 1)
        select count(*)::int as made from made`,
  );
  await rows(
    ledger.db,
    sql`update campaigns set open_count = open_count + ${made} where id = ${campaignId}::uuid`,
  );
}

/** Lets go of a campaign's numbers. */
async function endBatches(ledger: Ledger, campaignId: string): Promise<void> {
  const found = await rows<{ id: string }>(
    ledger.db,
    sql`select id from batches where campaign_id = ${campaignId}::uuid and state = 'planned'`,
  );
  await rows(
    ledger.db,
    sql`update batches set state = 'draining' where campaign_id = ${campaignId}::uuid and state = 'planned'`,
  );
  for (const { id } of found) {
    const phones = await openPhones(ledger, id);
    await settleFindings(ledger, {
      batchId: id,
      findings: phones.map((phone) => ended(phone)),
      nowMs: NOW_MS,
    });
    await closeBatch(ledger, id, NOW_MS);
  }
}

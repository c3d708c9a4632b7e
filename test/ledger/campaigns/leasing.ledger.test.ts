import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import { MAX_BATCHES_PER_PLAN } from "../../../src/domain/campaigns/batch-sizing.ts";
import { assignCallerIds } from "../../../src/domain/campaigns/caller-ids.ts";
import { variantOf } from "../../../src/domain/campaigns/variants.ts";
import { listUnsettled } from "../../../src/ledger/campaigns/batches.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import {
  contact,
  ended,
  freshPhones,
  HOUR_MS,
  listOfContacts,
  lookOf,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  PACE,
  plan,
  planAndStart,
  running,
} from "../support/scenario.ts";

/** 14:30 in Berlin and 13:30 in London: both are open, and close an hour apart. */
const AFTERNOON_MS = Date.UTC(2026, 5, 1, 12, 30);
const BERLIN_CLOSES_MS = Date.UTC(2026, 5, 1, 16);
const OFFICE_HOURS = { weekdays: ["09:00-18:00"] };

const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

describeLedgers("leasing", (ledger) => {
  const sizesOf = async (id: string) =>
    (await listUnsettled(ledger().db, id)).map(({ size, slots }) => ({ size, slots }));

  describe("people whose permission ends at different times", () => {
    const inTwoZones = (each: number) =>
      freshPhones(2 * each).map((phone, index) =>
        contact(phone, index + 2, { zones: [index < each ? "Europe/Berlin" : "Europe/London"] }),
      );

    it("are in batches of their own, and share the campaign's lines", async () => {
      const id = await running(
        ledger(),
        inTwoZones(5),
        { window: OFFICE_HOURS, concurrency: 7 },
        AFTERNOON_MS,
      );
      expect(await plan(ledger(), id, AFTERNOON_MS)).toMatchObject({ heldSlots: 7 });
      const batches = await listUnsettled(ledger().db, id);
      expect(new Set(batches.map((batch) => batch.dialByMs))).toEqual(
        new Set(
          [BERLIN_CLOSES_MS, BERLIN_CLOSES_MS + HOUR_MS].map((closesMs) => closesMs - PACE.dialByMarginMs),
        ),
      );
      expect(total(batches.map((batch) => batch.slots))).toBe(7);
      await expectInvariants(ledger());
    });
  });

  describe("a batch", () => {
    it("takes no more people than its lines call before the window closes, less the time that a stop takes", async () => {
      // A call takes a minute as long as nothing else is known: four minutes are four calls a line.
      const nowMs = BERLIN_CLOSES_MS - 4 * MINUTE_MS - PACE.dialByMarginMs;
      const list = listOfContacts(freshPhones(60), { zones: ["Europe/Berlin"] });
      const id = await running(ledger(), list, { window: OFFICE_HOURS, concurrency: 2 }, nowMs);
      await plan(ledger(), id, nowMs);
      expect(await sizesOf(id)).toEqual([{ size: 8, slots: 2 }]);
    });

    it("is sized by what its campaign's calls take, once some are over", async () => {
      const id = await running(ledger(), freshPhones(90), { concurrency: 2, retry: { max_attempts: 1 } });
      const [first] = await planAndStart(ledger(), id);
      expect(await sizesOf(id)).toEqual([{ size: 20, slots: 2 }]);
      const phones = await openPhones(ledger(), given(first));
      const nowMs = NOW_MS + 10 * MINUTE_MS;
      await settleFindings(ledger(), {
        batchId: given(first),
        findings: phones.map((phone) => ({
          ...ended(phone, "answered", nowMs),
          startedAtMs: nowMs - 5 * MINUTE_MS,
        })),
        nowMs,
      });
      await plan(ledger(), id, nowMs);
      expect((await sizesOf(id)).at(-1)).toEqual({ size: 4, slots: 2 });
    });

    it("is sized by all who are due, of whom one planning looks at the first", async () => {
      const id = await running(ledger(), freshPhones(3_000), { concurrency: 1_000 });
      await plan(ledger(), id);
      // 2.5 calls a line are left, and not the 2 of those who were looked at.
      expect(await sizesOf(id)).toEqual(
        Array.from({ length: MAX_BATCHES_PER_PLAN }, () => ({ size: 100, slots: 40 })),
      );
    });

    it("is of one variant: whoever belongs to the other is called by that one's agent", async () => {
      const variants = [{ name: "control" }, { name: "warm", agent_id: "warm-agent" }];
      const id = await running(ledger(), freshPhones(30), { concurrency: 50, variants });
      await plan(ledger(), id);
      const found = await rows<{ variant: string; agent: string; phone: string }>(
        ledger().db,
        sql`select b.variant, b.agent_id as agent, a.phone from attempts a join batches b on b.id = a.batch_id
            where a.campaign_id = ${id}::uuid`,
      );
      expect(new Set(found.map(({ variant, agent }) => `${variant} ${agent}`))).toEqual(
        new Set(["control agent", "warm warm-agent"]),
      );
      const { spec } = given(await readCampaign(ledger().db, id));
      for (const { phone, variant } of found) expect(variant).toBe(variantOf(spec, phone)?.name);
    });

    it("is one of twenty at most in one planning, over all numbers that people are called from", async () => {
      const from_numbers = Array.from({ length: 25 }, (_, index) => `+1${2_125_557_000 + index}`);
      const caller_ids = { sticky: true };
      const phones = eightOfEach(from_numbers);
      const id = await running(ledger(), phones, { concurrency: 300, from_numbers, caller_ids });
      expect((await plan(ledger(), id)).batchIds).toHaveLength(MAX_BATCHES_PER_PLAN);
      expect((await plan(ledger(), id)).batchIds).toHaveLength(from_numbers.length);
      await expectInvariants(ledger());
    });

    it("is made of those who were read, and none for the others, of whom only their number is known", async () => {
      const id = await running(ledger(), freshPhones(30), { concurrency: 10, canary: 4 });
      await plan(ledger(), id, NOW_MS, { rate: { calls: 2, withinMs: 1_000 } });
      expect(await sizesOf(id)).toEqual([
        { size: 2, slots: 2 },
        { size: 2, slots: 2 },
      ]);
    });

    it("is looked at a minute after it was planned, should its workflow never hear of it", async () => {
      const id = await running(ledger(), freshPhones(1));
      const { batchIds } = await plan(ledger(), id);
      expect(await lookOf(ledger(), "batches", given(batchIds[0]))).toEqual({
        by_ms: NOW_MS + MINUTE_MS,
        unmoved: 0,
      });
    });
  });
});

/** People, eight of whom stick to each of those numbers of ours. */
function eightOfEach(numbers: readonly string[]): string[] {
  const policy = {
    numbers,
    sticky: true,
    match: "none",
    perHour: undefined,
    perDay: undefined,
    warmUpMs: 0,
    health: undefined,
  } as const;
  const called = freshPhones(80 * numbers.length).map((phone) => ({ phone, country: "US" }));
  const left = numbers.map(() => called.length);
  const assigned = assignCallerIds(policy, left, called, 0);
  return numbers.flatMap((number) =>
    called
      .filter((_one, nth) => assigned[nth] === number)
      .map(({ phone }) => phone)
      .slice(0, 8),
  );
}

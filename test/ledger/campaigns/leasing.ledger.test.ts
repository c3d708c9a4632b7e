import { describe, expect, it } from "vitest";

import { MAX_BATCHES_PER_PLAN } from "../../../src/domain/campaigns/batch-sizing.ts";
import { listUnsettled } from "../../../src/ledger/campaigns/batches.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import {
  contact,
  ended,
  freshPhones,
  HOUR_MS,
  listOfContacts,
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
  });
});

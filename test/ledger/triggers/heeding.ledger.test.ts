import { describe, expect, it } from "vitest";

import { heedsInboundCalls } from "../../../src/ledger/triggers/inbound-calls.ts";
import { withLedger } from "../../support/ledgers.ts";
import { freshPhones, NOW_MS, plan, running, tell } from "../support/scenario.ts";

const DAY_MS = 86_400_000;

describe("calls to us", () => {
  withLedger((ledger) => {
    const heeds = (nowMs = NOW_MS) => heedsInboundCalls(ledger().db, nowMs);
    const cancel = async (id: string) => {
      await tell(ledger(), "cancel", id, { nowMs: NOW_MS });
      // Nothing of it is under way: a planning finds it through.
      await plan(ledger(), id, NOW_MS);
    };

    it("are asked for while a campaign with people left does something about them, and for a month more where it hears opt-outs", async () => {
      expect(await heeds()).toBe(false);
      const plain = await running(ledger(), freshPhones(1));
      expect(await heeds()).toBe(false);
      const closing = await running(ledger(), freshPhones(1), { inbound: "close" });
      expect(await heeds()).toBe(true);
      await cancel(closing);
      await cancel(plain);
      expect(await heeds()).toBe(false);
      // Its next run calls nobody who has opted out by calling us between the two.
      const analysis = { rules: [{ key: "never", equals: "yes", disposition: "opted_out" as const }] };
      const hearing = await running(ledger(), freshPhones(1), { analysis });
      expect(await heeds()).toBe(true);
      await cancel(hearing);
      expect([await heeds(), await heeds(NOW_MS + 29 * DAY_MS)]).toEqual([true, true]);
      expect(await heeds(NOW_MS + 31 * DAY_MS)).toBe(false);
    });
  });
});

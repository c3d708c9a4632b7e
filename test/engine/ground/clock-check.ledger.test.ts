import { beforeEach, describe, expect, it } from "vitest";

import { clockDisagreement } from "../../../src/activities/ground/clock-check.ts";
import { createPlatform, type ClockReading, type Platform } from "../../../src/platform/index.ts";
import { withLedger } from "../../support/ledgers.ts";

const HOUR_MS = 3_600_000;

describe("clocks before a dial", () => {
  withLedger((ledger) => {
    let asked: number;
    /** What the platform's clock was read as; then what it is read as once it was asked. */
    let readings: (Partial<ClockReading> | undefined)[];
    let platform: Platform;
    beforeEach(() => {
      asked = 0;
      const client = createPlatform({
        baseUrl: "http://platform.invalid",
        apiKey: "of-no-use-to-anybody",
        fetch: async () => {
          asked += 1;
          readings = readings.slice(1);
          return new Response(JSON.stringify({ detail: "not yours" }), { status: 403 });
        },
      });
      platform = {
        ...client,
        clock: () => readings[0] && { platformMs: 0, localMs: 0, ageMs: 60_000, ...readings[0] },
      };
    });
    const disagreement = (now: () => number = Date.now) =>
      clockDisagreement({ ledger: ledger(), platform, now });

    it("that agree are asked for nothing more", async () => {
      readings = [{ localMs: 30_000 }];
      expect(await disagreement()).toBeUndefined();
      expect(asked).toBe(0);
    });

    it("that seem to be apart since this machine has slept agree once the platform has told its own", async () => {
      readings = [{ localMs: 8 * HOUR_MS }, { localMs: 0, ageMs: 1 }];
      expect(await disagreement()).toBeUndefined();
      expect(asked).toBe(1);
    });

    it("one of which was set since the platform's last answer keep everybody from being dialed", async () => {
      readings = [{ platformMs: 5 * HOUR_MS }, { platformMs: 5 * HOUR_MS, ageMs: 1 }];
      expect(await disagreement()).toMatchObject({
        reason: "clock",
        detail: expect.stringContaining("the platform's clock differs from this machine's by 18000 s"),
      });
      expect(asked).toBe(1);
      // What was read a moment ago is so.
      expect(await disagreement()).toMatchObject({ reason: "clock" });
      expect(asked).toBe(1);
    });

    it("of which the platform's is not known are compared once it has answered anything", async () => {
      readings = [undefined, { platformMs: 40_000, ageMs: 1 }];
      expect(await disagreement()).toMatchObject({ reason: "clock" });
      expect(asked).toBe(1);
    });

    it("of which the platform never tells its own keep nobody from being dialed, and it is asked once", async () => {
      readings = [undefined];
      expect(await disagreement()).toBeUndefined();
      expect(await disagreement()).toBeUndefined();
      expect(asked).toBe(1);
    });

    it("of which the ledger's is apart keep everybody from being dialed", async () => {
      readings = [{}];
      expect(await disagreement(() => Date.now() - HOUR_MS)).toMatchObject({
        reason: "clock",
        detail: expect.stringContaining("the ledger's clock"),
      });
    });
  });
});

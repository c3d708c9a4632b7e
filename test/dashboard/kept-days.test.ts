import { describe, expect, it } from "vitest";

import { standingOf } from "../../dashboard/src/pages/doors/kept-days.ts";
import { exceptionsSchema } from "../../src/domain/campaigns/window-spec.ts";

const DAY = { from: "2026-12-24", to: "" };
const DAYS = { from: "2026-12-24", to: "2026-12-26" };

describe("days off that are asked for of a campaign", () => {
  it("are kept already where the same exception lets nobody be called", () => {
    expect(standingOf([{ date: "2026-12-24", name: "Christmas Eve" }], DAY)).toBe("kept");
    expect(standingOf([{ date: "2026-12-24", to: "2026-12-24", hours: [] }], DAY)).toBe("kept");
    expect(standingOf([{ to: "2026-12-26", date: "2026-12-24" }], DAYS)).toBe("kept");
    expect(standingOf([{ date: "2026-12-20", to: "2027-01-06" }], DAYS)).toBe("kept");
  });

  it("are not kept by an exception with hours, or of fewer days", () => {
    expect(standingOf([{ date: "2026-12-24", hours: ["09:00-12:00"] }], DAY)).toBe("another");
    expect(standingOf([{ date: "2026-12-24" }], DAYS)).toBe("another");
    expect(standingOf([{ date: "2026-12-25", hours: ["09:00-12:00"] }], DAYS)).toBe("another");
  });

  it("are put where no exception is of these days", () => {
    expect(standingOf([], DAY)).toBe("free");
    expect(standingOf([{ date: "2026-12-23" }, { date: "2026-12-27" }], DAYS)).toBe("free");
  });

  it("are put where the server takes them, and nowhere else", () => {
    for (const there of [
      { date: "2026-12-26", to: "2026-12-30" },
      { date: "2026-12-20", to: "2026-12-24" },
      { date: "2026-12-20", to: "2026-12-23" },
      { date: "2026-12-27", hours: ["09:00-12:00"] },
    ]) {
      const isTaken = exceptionsSchema.safeParse([there, { date: DAYS.from, to: DAYS.to }]).success;
      expect(standingOf([there], DAYS), JSON.stringify(there)).toBe(isTaken ? "free" : "another");
    }
  });
});

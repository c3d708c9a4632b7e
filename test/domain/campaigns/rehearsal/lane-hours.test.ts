import { describe, expect, it } from "vitest";

import { LANE_STATES, LaneTimes, WindowBook } from "../../../../src/domain/campaigns/rehearsal/lane-hours.ts";
import { windowStatus, type WindowStatus } from "../../../../src/domain/policy/calling-window.ts";
import { FROM_MS, HOUR_MS, people, planOf } from "./support.ts";

const DAY_MS = 24 * HOUR_MS;
const ROME = ["Europe/Rome"];
const WINDOW = planOf(people([ROME], 1), { window: { weekdays: ["09:00-12:00"] } }).policy.window;

describe("a book of what windows said", () => {
  it("says what the window says, in whatever order moments and lanes are asked about", () => {
    const book = new WindowBook(WINDOW);
    const lanes = [ROME, ["America/New_York"]];
    // To and fro over a week, so that stretches are found from behind and from before.
    const hours = Array.from({ length: 500 }, (_, nth) => (nth * 97) % 168);
    for (const hour of hours)
      for (const zones of lanes)
        for (const atMs of [FROM_MS + hour * HOUR_MS, FROM_MS + hour * HOUR_MS + 1_234]) {
          const { open } = windowStatus(WINDOW, zones, atMs, []);
          expect(book.statusOf(zones, atMs).open, `${zones.join()} at ${atMs}`).toBe(open);
        }
  });

  it("asks once for a stretch, be it asked about from its middle on or from before", () => {
    let asked = 0;
    const book = new WindowBook(WINDOW, (...question) => {
      asked += 1;
      return windowStatus(...question);
    });
    const askedFor = (atMs: number, zones = ROME, places?: readonly string[]) => {
      asked = 0;
      book.statusOf(zones, atMs, places);
      return asked;
    };
    // Monday, 13:00 in Rome: closed until nine on Tuesday.
    expect(askedFor(FROM_MS)).toBe(1);
    expect(askedFor(FROM_MS)).toBe(0);
    expect(askedFor(FROM_MS + 19 * HOUR_MS)).toBe(0);
    expect(askedFor(FROM_MS + 20 * HOUR_MS)).toBe(1);
    // An hour earlier, of the same stretch, which is known from there on then.
    expect(askedFor(FROM_MS - HOUR_MS)).toBe(1);
    expect(askedFor(FROM_MS - HOUR_MS / 2)).toBe(0);
    expect(askedFor(FROM_MS)).toBe(0);
    // The one before that: open until noon.
    expect(askedFor(FROM_MS - 2 * HOUR_MS)).toBe(1);
    expect(askedFor(FROM_MS - HOUR_MS - 1)).toBe(0);
    // Of other places, and of others in the same zone, nothing is known by that.
    expect(askedFor(FROM_MS, ROME, ["IT"])).toBe(1);
    expect(askedFor(FROM_MS, ROME, ["IT"])).toBe(1);
    expect(askedFor(FROM_MS, [...ROME])).toBe(1);
  });

  /** One whose window says these, one after the other. */
  const told = (...answers: object[]) => {
    const left = [...answers] as WindowStatus[];
    const book = new WindowBook(WINDOW, () => {
      const next = left.shift();
      if (!next) throw new Error("it is asked once too often");
      return next;
    });
    return { isOpen: (atMs: number) => book.statusOf(ROME, atMs).open, left };
  };

  it("asks again a day later where a window says no end of being closed", () => {
    const { isOpen, left } = told({ open: false }, { open: true, untilMs: 9 * DAY_MS });
    expect(isOpen(100)).toBe(false);
    expect(isOpen(100 + DAY_MS - 1)).toBe(false);
    expect(left).toHaveLength(1);
    expect(isOpen(100 + DAY_MS)).toBe(true);
  });

  it("cuts a stretch where another is known to begin, and joins none that ends with it and is another", () => {
    const { isOpen } = told(
      { open: true, untilMs: 300 },
      { open: false, opensAtMs: 400 },
      { open: false, opensAtMs: 300 },
      { open: true, untilMs: 200 },
      { open: false, opensAtMs: 500 },
    );
    expect(isOpen(200)).toBe(true);
    // What a window says of an earlier moment reaches over it, and does not hide it.
    expect([100, 199, 200, 250].map(isOpen)).toEqual([false, false, true, true]);
    expect([20, 99, 100, 250].map(isOpen)).toEqual([false, false, false, true]);
    expect([10, 19, 20].map(isOpen)).toEqual([true, true, false]);
    // Nor is one that ends when an open one does a part of it.
    const other = told({ open: true, untilMs: 300 }, { open: false, opensAtMs: 300 });
    expect([200, 100, 150, 250].map(other.isOpen)).toEqual([true, false, false, true]);
    // Behind all that are known.
    expect([299, 300, 499].map(isOpen)).toEqual([true, false, false]);
  });
});

describe("how long a lane was what", () => {
  it("is nothing before its first turn, and counts from then on", () => {
    const times = new LaneTimes();
    expect(times.spent("open", 50)).toBe(0);
    times.turn("window", 100);
    expect(times.spent("window", 99)).toBe(0);
    expect(times.spent("window", 100)).toBe(0);
    expect(times.spent("window", 130)).toBe(30);
    expect(times.spent("open", 130)).toBe(0);
  });

  it("adds up over turns, at any moment that was", () => {
    const times = new LaneTimes();
    times.turn("window", 100);
    times.turn("open", 200);
    // It is open already: no turn.
    times.turn("open", 250);
    times.turn("day_off", 300);
    times.turn("open", 700);
    expect(LANE_STATES.map((state) => times.spent(state, 1_000))).toEqual([400, 100, 400, 0, 0]);
    expect([150, 200, 299, 300, 699, 700, 701].map((atMs) => times.spent("open", atMs))).toEqual([
      0, 0, 99, 100, 100, 100, 101,
    ]);
    expect([150, 200, 400].map((atMs) => times.spent("window", atMs))).toEqual([50, 100, 100]);
    expect([300, 301, 700, 800].map((atMs) => times.spent("day_off", atMs))).toEqual([0, 1, 400, 400]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  createWindowMemo,
  OPENING_HORIZON_DAYS,
  windowStatus,
  type CallingWindow,
} from "../../../src/domain/policy/calling-window.ts";
import type { MinuteRange } from "../../../src/domain/policy/minute-range.ts";
import {
  DAY_MINUTES,
  DAY_MS,
  isWithinWrittenHours,
  LocalClock,
  MINUTE_MS,
  statusByMinutes,
} from "../support/local-clock.ts";

/** Clock changes of both hemispheres, by a whole and by half an hour, at midnight, and zones without any. */
const ZONES = [
  "America/New_York",
  "America/St_Johns",
  "America/Santiago",
  "Europe/Berlin",
  "Africa/Cairo",
  "Asia/Kolkata",
  "Australia/Adelaide",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
] as const;

/** The weeks of 2026 in which these clocks change, and the days that an answer looks ahead. */
const SEASONS = [
  { fromMs: Date.UTC(2026, 2, 4), untilMs: Date.UTC(2026, 3, 28) },
  { fromMs: Date.UTC(2026, 8, 2), untilMs: Date.UTC(2026, 10, 4) },
] as const;

const CHANGES_MS = [
  Date.UTC(2026, 2, 8, 7),
  Date.UTC(2026, 2, 29, 1),
  Date.UTC(2026, 3, 4, 15),
  Date.UTC(2026, 3, 5, 3),
  Date.UTC(2026, 3, 23, 22),
  Date.UTC(2026, 8, 6, 4),
  Date.UTC(2026, 8, 26, 14),
  Date.UTC(2026, 9, 3, 15, 30),
  Date.UTC(2026, 9, 25, 1),
  Date.UTC(2026, 9, 29, 21),
  Date.UTC(2026, 10, 1, 6),
];

const clocks = new Map<string, LocalClock>();

function clockOf(zone: string, season: (typeof SEASONS)[number]): LocalClock {
  const key = `${zone} ${season.fromMs}`;
  const known = clocks.get(key);
  if (known) return known;
  const clock = new LocalClock(zone, season.fromMs - 3 * DAY_MS, season.untilMs + 18 * DAY_MS);
  clocks.set(key, clock);
  return clock;
}

/** Minutes of a day, with a liking for those around which clocks change. */
const minute = fc.oneof(
  fc.integer({ min: 0, max: DAY_MINUTES }),
  fc.constantFrom(0, 30, 45, 60, 90, 120, 135, 150, 165, 180, 210, 1_380, 1_410, DAY_MINUTES),
);
const range: fc.Arbitrary<MinuteRange> = fc
  .tuple(minute, minute)
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => ({ startMinute: Math.min(a, b), endMinute: Math.max(a, b) }));
const window = fc
  .array(
    fc.oneof(
      fc.array(range, { maxLength: 3 }),
      fc.constant([{ startMinute: 540, endMinute: 1_080 }]),
      fc.constant([]),
    ),
    { minLength: 7, maxLength: 7 },
  )
  .map((days) => ({ kind: "weekly" as const, days }));
/** A day or some of the weeks that are looked at, now and then many more. */
const span = fc
  .tuple(
    fc.constantFrom(...SEASONS),
    fc.nat(60),
    fc.oneof({ weight: 9, arbitrary: fc.nat(5) }, { weight: 1, arbitrary: fc.nat(40) }),
  )
  .map(([season, from, length]) => {
    const fromDay = Math.floor(season.fromMs / DAY_MS) + from;
    return { fromDay, lastDay: fromDay + length, name: "" };
  });
const dates = fc.record({
  blackouts: fc.array(span, { maxLength: 3 }),
  exceptions: fc.array(
    fc.tuple(span, fc.array(range, { maxLength: 2 })).map(([days, ranges]) => ({ ...days, ranges })),
    { maxLength: 4 },
  ),
  holidays: fc.subarray(["US", "DE-BY"]),
});
const datedWindow = fc.tuple(window, dates).map(([hours, unlike]) => ({ ...hours, dates: unlike }));
const zones = fc.uniqueArray(fc.constantFrom(...ZONES), { minLength: 1, maxLength: 3 });
const moment = fc.oneof(
  fc
    .tuple(fc.constantFrom(...CHANGES_MS), fc.integer({ min: -1_800, max: 1_800 }), fc.nat(59_999))
    .map(([changeMs, minutes, ms]) => changeMs + minutes * MINUTE_MS + ms),
  ...SEASONS.map((season) => fc.integer({ min: season.fromMs, max: season.untilMs })),
);

function seasonOf(nowMs: number): (typeof SEASONS)[number] {
  return nowMs < Date.UTC(2026, 6, 1) ? SEASONS[0] : SEASONS[1];
}

// Seconds of arithmetic, of which a busy machine makes many more.
describe("a calling window, against every minute of a clock on the wall", { timeout: 60_000 }, () => {
  it("opens and closes at the same instants", () => {
    fc.assert(
      fc.property(window, zones, moment, (hours, where, nowMs) => {
        const season = seasonOf(nowMs);
        const horizonMs = nowMs + OPENING_HORIZON_DAYS * DAY_MS;
        const expected = statusByMinutes(
          hours,
          where.map((zone) => clockOf(zone, season)),
          nowMs,
          horizonMs,
        );
        expect(windowStatus(hours, where, nowMs)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it("opens and closes at the same instants where some dates are unlike others", () => {
    fc.assert(
      fc.property(datedWindow, zones, moment, (hours, where, nowMs) => {
        const season = seasonOf(nowMs);
        const horizonMs = nowMs + OPENING_HORIZON_DAYS * DAY_MS;
        const expected = statusByMinutes(
          hours,
          where.map((zone) => clockOf(zone, season)),
          nowMs,
          horizonMs,
        );
        const status = windowStatus(hours, where, nowMs);
        const usual = windowStatus({ kind: "weekly", days: hours.days }, where, nowMs);
        if (expected.open) expect(status).toEqual(expected);
        else if (expected.opensAtMs !== undefined) {
          expect(status).toMatchObject({ open: false, opensAtMs: expected.opensAtMs });
        } else {
          // Nobody is given up for days off.
          expect(status.open).toBe(false);
          const opensAtMs = status.open ? 0 : status.opensAtMs;
          expect(opensAtMs ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(horizonMs);
          if (usual.open || usual.opensAtMs !== undefined) expect(opensAtMs).toBeDefined();
        }
        // What is off is said where it would be open now or sooner.
        if (status.open) return;
        const usualMs = usual.open ? nowMs : (usual.opensAtMs ?? Number.POSITIVE_INFINITY);
        const isLater = usualMs < (status.opensAtMs ?? usualMs);
        expect(status.dayOff !== undefined).toBe(isLater);
      }),
      { numRuns: 300 },
    );
  });

  it("is never open when a clock of any of the zones shows a time outside the written hours", () => {
    fc.assert(
      fc.property(
        fc.oneof(window, datedWindow),
        zones,
        moment,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (hours, where, nowMs, share) => {
          const status = windowStatus(hours, where, nowMs);
          fc.pre(status.open);
          const lastMs = status.untilMs - 1;
          for (const atMs of [nowMs, Math.floor(nowMs + (lastMs - nowMs) * share), lastMs]) {
            for (const zone of where) expect(isWithinWrittenHours(hours, zone, atMs)).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it("says the same with a memory as without one, however the moments come", () => {
    const hops = fc.array(fc.integer({ min: -3_000, max: 6_000 }), { minLength: 2, maxLength: 25 });
    fc.assert(
      fc.property(
        fc.oneof(window, datedWindow),
        fc.array(zones, { minLength: 1, maxLength: 3 }),
        moment,
        hops,
        (hours, sets, startMs, steps) => {
          const remembered = createWindowMemo(hours);
          let nowMs = startMs;
          for (const [index, step] of steps.entries()) {
            nowMs += step * MINUTE_MS;
            const where = sets[index % sets.length] ?? [];
            expect(withinHorizon(remembered(where, nowMs), nowMs)).toEqual(
              withinHorizon(windowStatus(hours, where, nowMs), nowMs),
            );
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

/**
 * An answer as far as 13 days reach: what lies at the horizon itself moves on with every moment that is asked
 * about, and an answer that is remembered looks from an earlier one, by a day at most.
 */
function withinHorizon(status: ReturnType<typeof windowStatus>, nowMs: number) {
  const limitMs = nowMs + (OPENING_HORIZON_DAYS - 1) * DAY_MS;
  if (status.open) return { open: true, untilMs: status.untilMs >= limitMs ? "far" : status.untilMs };
  const { opensAtMs } = status;
  return { open: false, opensAtMs: opensAtMs === undefined || opensAtMs >= limitMs ? "far" : opensAtMs };
}

it("is always open where the spec says always, in any zones and in none", () => {
  const always: CallingWindow = { kind: "always" };
  for (const where of [[], ["Europe/Berlin"], ["Not/AZone"]]) {
    expect(windowStatus(always, where, 0)).toEqual({ open: true, untilMs: Number.POSITIVE_INFINITY });
    expect(createWindowMemo(always)(where, 0)).toEqual({ open: true, untilMs: Number.POSITIVE_INFINITY });
  }
});

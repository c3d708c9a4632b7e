import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { dueTimesOf, jitterMsOf, readScheduleDefinition } from "../../../src/domain/schedules/schedule.ts";
import { occurrences } from "../../../src/domain/schedules/schedule-times.ts";
import { nextTurn, turnsThatCame } from "../../../src/domain/schedules/schedule-turns.ts";
import { randomSchedules, type RandomSchedule } from "../../support/random-schedules.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ID = "00000000-0000-4000-8000-0000000000aa";

interface Turn {
  dueMs: number;
  atMs: number;
}

/**
 * Looks, waits as long as that says, and looks again, for a week.
 *
 * @param lateMs by how much each look is late, over and over
 */
function looksAt({ definition, nearMs }: RandomSchedule, lateMs: readonly number[]): Turn[] {
  const schedule = { id: ID, definition };
  const turns: Turn[] = [];
  let throughMs = nearMs;
  let nowMs = nearMs;
  for (let look = 0; nowMs < nearMs + 7 * DAY_MS; look += 1) {
    const come = turnsThatCame(schedule, { fromMs: throughMs, throughMs: nowMs, byMs: nowMs, limit: 7 });
    turns.push(...come.dueMs.map((dueMs) => ({ dueMs, atMs: nowMs })));
    expect(come.throughMs).toBeGreaterThanOrEqual(throughMs);
    ({ throughMs } = come);
    const next = nextTurn(schedule, throughMs);
    if (!next) break;
    nowMs = Math.max(nowMs, next.turnMs + (lateMs[look % lateMs.length] ?? 0));
  }
  return turns;
}

const enumerated = ({ definition, nearMs }: RandomSchedule, turns: readonly Turn[]) =>
  occurrences(dueTimesOf(definition), nearMs, turns.at(-1)?.dueMs ?? nearMs, 100_000);

describe("the turns of a schedule", () => {
  it("are its due times, one after the other, by waits alone, whatever the clocks do", () => {
    fc.assert(
      fc.property(randomSchedules(), (schedule) => {
        const turns = looksAt(schedule, [0]);
        expect(turns.map(({ dueMs }) => dueMs)).toEqual(enumerated(schedule, turns));
        const jitterMs = jitterMsOf(schedule.definition);
        for (const { dueMs, atMs } of turns) {
          expect(atMs).toBeGreaterThanOrEqual(dueMs);
          expect(atMs).toBeLessThan(dueMs + Math.max(1, jitterMs));
        }
      }),
      { numRuns: 80 },
    );
  });

  it("leave none out, and none twice, where looks come late, or not for days", () => {
    const late = fc.oneof(
      fc.integer({ min: 0, max: 2_000 }),
      fc.integer({ min: 0, max: HOUR_MS }),
      fc.integer({ min: 0, max: 3 * DAY_MS }),
    );
    fc.assert(
      fc.property(randomSchedules(), fc.array(late, { minLength: 1, maxLength: 8 }), (schedule, lateMs) => {
        const turns = looksAt(schedule, lateMs);
        expect(turns.map(({ dueMs }) => dueMs)).toEqual(enumerated(schedule, turns));
      }),
      { numRuns: 80 },
    );
  });

  const often = (jitter: string) => {
    const reading = readScheduleDefinition({ name: "s", run: { workflow_id: "w" }, every: "10m", jitter });
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    return reading.definition;
  };

  it("come with a share of the jitter that is the same whoever asks, and spread over all of it", () => {
    const definition = often("9m");
    const shares = Array.from({ length: 600 }, (_, n) => {
      const { dueMs, turnMs } = nextTurn({ id: ID, definition }, n * 600_000) ?? { dueMs: 0, turnMs: 0 };
      expect(nextTurn({ id: ID, definition: often("9m") }, n * 600_000)?.turnMs).toBe(turnMs);
      return (turnMs - dueMs) / 540_000;
    });
    for (let tenth = 0; tenth < 10; tenth += 1) {
      const within = shares.filter((share) => Math.floor(share * 10) === tenth);
      expect(within.length, `${tenth}`).toBeGreaterThan(30);
    }
    const other = { id: `${ID.slice(0, -1)}b`, definition };
    const [mine, theirs] = [nextTurn({ id: ID, definition }, 0), nextTurn(other, 0)];
    expect(mine?.turnMs).not.toBe(theirs?.turnMs);
  });

  it("come with their due time where there is no jitter, and not at all where none is within thirty years", () => {
    expect(nextTurn({ id: ID, definition: often("0s") }, 0)).toEqual({ dueMs: 600_000, turnMs: 600_000 });
    const rare = readScheduleDefinition({
      name: "s",
      run: { workflow_id: "w" },
      calendar: { at: ["09:00"], days_of_month: [29], months: [2], weekdays: ["monday"] },
    });
    if (!rare.ok) throw new Error(JSON.stringify(rare.problems));
    const schedule = { id: ID, definition: rare.definition };
    // The 29th of February is a Monday in 2072, and then in 2112: 2100 has none.
    expect(nextTurn(schedule, Date.UTC(2070, 0, 1))?.dueMs).toBe(Date.UTC(2072, 1, 29, 9));
    expect(nextTurn(schedule, Date.UTC(2073, 0, 1))).toBeUndefined();
  });

  it("are through where the first ones of them were asked for, as far as those go", () => {
    const asked = { fromMs: 0, throughMs: 6_000_000, byMs: 6_000_000 };
    const schedule = { id: ID, definition: often("0s") };
    expect(turnsThatCame(schedule, { ...asked, limit: 2 })).toEqual({
      dueMs: [600_000, 1_200_000],
      throughMs: 1_200_000,
    });
    expect(turnsThatCame(schedule, { ...asked, limit: 11 })).toMatchObject({ throughMs: 6_000_000 });
  });

  it("keep their order where the clocks bring two of them together: the later one waits for the earlier", () => {
    // 02:00 does not exist that day and comes at 03:00, ten minutes before the other.
    const reading = readScheduleDefinition({
      name: "s",
      run: { workflow_id: "w" },
      calendar: { at: ["02:00", "03:10"] },
      time_zone: "America/New_York",
      jitter: "60m",
    });
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const { definition } = reading;
    const gapMs = Date.parse("2027-03-14T07:00Z");
    const crossing = Array.from({ length: 200 }, (_, n) => String(n)).filter((id) => {
      const [first, second] = [nextTurn({ id, definition }, gapMs - 1), nextTurn({ id, definition }, gapMs)];
      return first && second && second.turnMs < first.turnMs;
    });
    expect(crossing.length).toBeGreaterThan(50);
    for (const id of crossing) {
      const firstMs = nextTurn({ id, definition }, gapMs - 1)?.turnMs ?? 0;
      const span = { fromMs: gapMs - 1, throughMs: gapMs + HOUR_MS, limit: 10 };
      expect(turnsThatCame({ id, definition }, { ...span, byMs: firstMs - 1 })).toEqual({
        dueMs: [],
        throughMs: gapMs - 1,
      });
      expect(turnsThatCame({ id, definition }, { ...span, byMs: firstMs })).toEqual({
        dueMs: [gapMs, gapMs + 600_000],
        throughMs: span.throughMs,
      });
    }
  });
});

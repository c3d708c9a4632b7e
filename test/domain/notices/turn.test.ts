import { describe, expect, it } from "vitest";

import { readRoute, type RouteDefinition } from "../../../src/domain/notices/route.ts";
import { noticeTurn, type EntrySeen, type Told } from "../../../src/domain/notices/turn.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW_MS = Date.UTC(2026, 2, 2, 12);

const route = (changes: object = {}): RouteDefinition => {
  const reading = readRoute({
    name: "ops",
    to: { webhook: { url: "https://example.com/hook", secret: "crm" } },
    gather: "15m",
    ...changes,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.definition;
};

const ENTRY: EntrySeen = {
  id: 7,
  kind: "breaker_open",
  subject: "spring",
  brand: "acme",
  times: 1,
  resolvedAtMs: undefined,
  acknowledgedAtMs: undefined,
  acknowledgedUntilMs: undefined,
};
const TOLD: Told = {
  entryId: 7,
  atMs: NOW_MS - HOUR_MS,
  times: 1,
  tellings: 1,
  reminders: 0,
  acknowledgedAtMs: undefined,
  isUnderWay: false,
};

interface Asked {
  by?: object;
  entry?: Partial<EntrySeen>;
  told?: Partial<Told> | undefined;
  quietUntilMs?: number;
}
const turn = ({ by, entry, told, quietUntilMs }: Asked = {}) =>
  noticeTurn(route(by), { ...ENTRY, ...entry }, told && { ...TOLD, ...told }, {
    nowMs: NOW_MS,
    quietUntilMs,
  });
const says = (word: string) => ({ word, lookAtMs: undefined });
const NOTHING = { word: undefined, lookAtMs: undefined };
const looksAt = (lookAtMs: number) => ({ word: undefined, lookAtMs });

describe("what a route says of an entry", () => {
  it("is that it is there, once", () => {
    expect(turn()).toEqual(says("problem"));
    expect(turn({ told: { entryId: undefined, atMs: undefined, times: 0, tellings: 0 } })).toEqual(
      says("problem"),
    );
    expect(turn({ told: {} })).toEqual(NOTHING);
  });

  it("is nothing while a message about it is under way, nor of what does not concern it", () => {
    expect(turn({ told: { entryId: undefined, atMs: undefined, isUnderWay: true } })).toEqual(NOTHING);
    expect(turn({ by: { kinds: ["credit_low"] } })).toEqual(NOTHING);
  });

  describe("that goes on", () => {
    const again = (agoMs: number, tellings: number) =>
      turn({ entry: { times: 2 }, told: { atMs: NOW_MS - agoMs, tellings } });

    it("is told again once that was gathered, then after twice as long each time, a day at most", () => {
      expect(again(15 * MINUTE_MS, 1)).toEqual(says("again"));
      expect(again(15 * MINUTE_MS - 1, 1)).toEqual(looksAt(NOW_MS + 1));
      expect(again(15 * MINUTE_MS, 2)).toEqual(looksAt(NOW_MS + 15 * MINUTE_MS));
      expect(again(30 * MINUTE_MS, 2)).toEqual(says("again"));
      expect(again(0, 3)).toEqual(looksAt(NOW_MS + HOUR_MS));
      for (const tellings of [8, 40, 1_000])
        expect(again(0, tellings)).toEqual(looksAt(NOW_MS + 24 * HOUR_MS));
      expect(again(0, 0)).toEqual(looksAt(NOW_MS + 15 * MINUTE_MS));
    });

    it("is told of where another came in its place, as something that came again", () => {
      expect(turn({ entry: { id: 8 }, told: {} })).toEqual(says("again"));
      expect(turn({ entry: { id: 8 }, told: { entryId: undefined } })).toEqual(says("again"));
      expect(turn({ entry: { id: 8 }, told: { atMs: NOW_MS } })).toEqual(looksAt(NOW_MS + 15 * MINUTE_MS));
    });
  });

  describe("that nobody acknowledges", () => {
    const remind = { remind: { every: "4h", times: 2 } };
    const after = (hours: number, reminders: number, times = 1) =>
      turn({ by: remind, entry: { times }, told: { atMs: NOW_MS - hours * HOUR_MS, reminders } });

    it("is a reminder, so often, and then nothing more", () => {
      expect(after(4, 0)).toEqual(says("reminder"));
      expect(after(3, 0)).toEqual(looksAt(NOW_MS + HOUR_MS));
      expect(after(4, 1)).toEqual(says("reminder"));
      expect(after(40, 2)).toEqual(NOTHING);
    });

    it("is whichever is due sooner where it goes on, too", () => {
      expect(after(4, 0, 2)).toEqual(says("again"));
      expect(
        turn({
          by: { remind: { every: "5m" } },
          entry: { times: 2 },
          told: { atMs: NOW_MS - 10 * MINUTE_MS },
        }),
      ).toEqual(says("reminder"));
    });
  });

  describe("that somebody has acknowledged", () => {
    const acknowledgedAtMs = NOW_MS - 30 * MINUTE_MS;

    it("is that they have, once, to whoever was told of it", () => {
      expect(turn({ entry: { acknowledgedAtMs }, told: {} })).toEqual(says("acknowledged"));
      expect(turn({ entry: { acknowledgedAtMs }, told: { acknowledgedAtMs } })).toEqual(NOTHING);
      expect(turn({ entry: { acknowledgedAtMs: acknowledgedAtMs + 1 }, told: { acknowledgedAtMs } })).toEqual(
        says("acknowledged"),
      );
      expect(turn({ entry: { acknowledgedAtMs } }), "whoever was not is left alone").toEqual(NOTHING);
      expect(turn({ entry: { acknowledgedAtMs, times: 9 }, told: { entryId: 6 } })).toEqual(NOTHING);
    });

    it("is a reminder where it is still there when their time is up, and then as of any other", () => {
      const untilMs = NOW_MS + HOUR_MS;
      const seen = { acknowledgedAtMs, acknowledgedUntilMs: untilMs };
      expect(turn({ entry: seen, told: { acknowledgedAtMs } })).toEqual(looksAt(untilMs));
      const up = { acknowledgedAtMs, acknowledgedUntilMs: NOW_MS };
      expect(turn({ entry: up, told: { acknowledgedAtMs } })).toEqual(says("reminder"));
      expect(turn({ entry: up, told: { acknowledgedAtMs, atMs: NOW_MS } }), "they were told").toEqual(
        NOTHING,
      );
      expect(turn({ entry: up, told: { acknowledgedAtMs, atMs: undefined } })).toEqual(says("reminder"));
      expect(turn({ entry: up }), "nobody was told of it before").toEqual(says("problem"));
    });
  });

  it("that is over is that it is, to whoever was told of it or of one before it", () => {
    const entry = { resolvedAtMs: NOW_MS };
    expect(turn({ entry, told: {} })).toEqual(says("resolved"));
    expect(turn({ entry, told: { entryId: 6 } })).toEqual(says("resolved"));
    expect(turn({ entry, told: { entryId: 8 } })).toEqual(NOTHING);
    expect(turn({ entry, told: { entryId: undefined } })).toEqual(NOTHING);
    expect(turn({ entry })).toEqual(NOTHING);
  });

  it("waits for the end of quiet hours, unless its kind is one that breaks them", () => {
    const quietUntilMs = NOW_MS + 6 * HOUR_MS;
    const quiet_hours = { zone: "UTC", hours: [{ from: "08:00", to: "18:00" }] };
    expect(turn({ by: { quiet_hours }, quietUntilMs })).toEqual(looksAt(quietUntilMs));
    const except = { quiet_hours: { ...quiet_hours, except: ["breaker_open"] } };
    expect(turn({ by: except, quietUntilMs })).toEqual(says("problem"));
    expect(turn({ by: { quiet_hours } })).toEqual(says("problem"));
    const later = { atMs: NOW_MS - MINUTE_MS, tellings: 1 };
    expect(turn({ by: { quiet_hours }, entry: { times: 2 }, told: later, quietUntilMs })).toEqual(
      looksAt(NOW_MS + 14 * MINUTE_MS),
    );
  });
});

import { describe, expect, it } from "vitest";

import type { ContactGroup } from "../../../../src/domain/campaigns/outlook.ts";
import { USUAL_OUTCOMES } from "../../../../src/domain/campaigns/rehearsal/outcome-model.ts";
import { planOfStanding } from "../../../../src/domain/campaigns/rehearsal/standing-plan.ts";
import { given } from "../../../support/ledgers.ts";
import { specWith } from "../spec-with.ts";
import { FROM_MS, HOUR_MS } from "./support.ts";

const ROME = { zones: ["Europe/Rome"], places: [], priority: 0 };
const BERLIN = { zones: ["Europe/Berlin"], places: ["DE"], priority: 3 };

function group(changes: Partial<ContactGroup>): ContactGroup {
  return {
    lane: ROME,
    state: "open",
    came: "",
    attempts: 0,
    last: null,
    dueHours: null,
    contacts: 1,
    ...changes,
  };
}

function planned(
  groups: ContactGroup[],
  spec: object = {},
  about: Partial<Parameters<typeof planOfStanding>[1]> = {},
) {
  return planOfStanding(specWith({ window: "always", ...spec }), {
    groups,
    blackouts: [],
    lines: 10,
    rate: undefined,
    model: USUAL_OUTCOMES,
    fromMs: FROM_MS,
    shownIn: "UTC",
    sinceMs: undefined,
    ...about,
  });
}

const counted = (values: Iterable<unknown>) => {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
};

describe("what is left of a campaign, as it is rehearsed", () => {
  it("is each of a few people by themselves: where they are, what they had, and when they are due", () => {
    const { plan, factor } = given(
      planned([
        group({ contacts: 2 }),
        group({ lane: undefined, contacts: 500, state: "done" }),
        group({ lane: BERLIN, contacts: 1, attempts: 2, last: "busy", dueHours: 3 }),
        group({ contacts: 1, attempts: 1, last: "no_answer", dueHours: -1 }),
      ]),
    );
    expect(factor).toBe(1);
    expect(plan.people.count).toBe(4);
    expect(plan.people.lanes).toEqual([ROME, BERLIN]);
    expect([...plan.people.laneOf]).toEqual([0, 0, 1, 0]);
    expect(plan.people.kinds).toEqual([{ country: undefined, costly: undefined }]);
    const standing = given(plan.standing);
    expect([...standing.calls]).toEqual([0, 0, 2, 1]);
    expect(standing.cameTo).toEqual([undefined, undefined, "busy", "no_answer"]);
    // In the midst of the hour in which they fall due; whoever is late is due now.
    expect([...standing.dueMs]).toEqual([FROM_MS, FROM_MS, FROM_MS + 3.5 * HOUR_MS, FROM_MS]);
    expect(plan).toMatchObject({
      lines: 10,
      lineFactor: 1,
      isNewestFirst: false,
      rampMs: 0,
      rate: undefined,
    });
  });

  it("is due from the first half hour on where its hour has begun", () => {
    const { plan } = given(planned([group({ attempts: 1, last: "busy", dueHours: 0 })]));
    expect([...given(plan.standing).dueMs]).toEqual([FROM_MS + HOUR_MS / 2]);
  });

  it("lets two thousand stand for more, each group by its share, on as much fewer lines at as much slower a rate", () => {
    const { plan, factor } = given(
      planned(
        [
          group({ contacts: 3_001 }),
          group({ contacts: 999, attempts: 1, last: "busy" }),
          group({ contacts: 4_000, attempts: 2, last: "busy" }),
        ],
        {},
        { lines: 41, rate: { calls: 3, withinMs: 1_000 } },
      ),
    );
    expect(factor).toBe(4);
    expect(plan.people.count).toBe(2_000);
    expect(counted(given(plan.standing).calls)).toEqual({ 0: 750, 1: 250, 2: 1_000 });
    expect(plan.lines).toBe(10);
    // Ten that count for four each are forty, and not forty-one.
    expect(plan.lineFactor).toBeCloseTo(40 / 41, 10);
    expect(plan.rate).toEqual({ calls: 3, withinMs: 4_000 });
  });

  it("has nobody too few or too many by rounding, and one line at least", () => {
    for (const groups of [7, 130, 999]) {
      const many = Array.from({ length: groups }, (_, n) => group({ contacts: 10 + (n % 7) }));
      const all = many.reduce((sum, { contacts }) => sum + contacts, 0);
      const { plan, factor } = given(planned(many, {}, { lines: 1 }));
      expect(plan.people.count).toBe(Math.min(2_000, all));
      expect(plan.lines).toBe(1);
      expect(plan.lineFactor).toBe(factor);
    }
  });

  it("has its ramp before it, unless that is over, and asks nobody for consent or sources once more", () => {
    const [minute, ramp] = [60_000, { ramp_up: "10m" }];
    const rampOf = (sinceMs?: number) => planned([group({})], ramp, { sinceMs })?.plan.rampMs;
    expect(rampOf()).toBe(10 * minute);
    expect(rampOf(FROM_MS - 9 * minute)).toBe(10 * minute);
    expect(rampOf(FROM_MS - 10 * minute + 1)).toBe(10 * minute);
    expect(rampOf(FROM_MS - 10 * minute)).toBe(0);
    const { policy, isNewestFirst } = given(
      planned([group({})], { order: "newest_first", requires_sources: ["dnc"], presets: ["us-federal"] }),
    ).plan;
    expect(policy).toMatchObject({ requiredSources: [], consent: undefined, presetConsents: [] });
    expect(isNewestFirst).toBe(true);
  });

  it("is closed on blackouts", () => {
    const blackouts = [{ fromDay: 0, lastDay: 50_000, name: "Outage" }];
    const { plan } = given(planned([group({})], {}, { blackouts }));
    expect(plan.windows.statusOf(["Europe/Rome"], FROM_MS).open).toBe(false);
    expect(plan.policy.window.dates?.blackouts).toHaveLength(1);
  });

  it("is nothing where nobody is open", () => {
    expect(planned([])).toBeUndefined();
    expect(planned([group({ contacts: 0 })])).toBeUndefined();
    expect(planned([group({ lane: undefined })])).toBeUndefined();
  });
});

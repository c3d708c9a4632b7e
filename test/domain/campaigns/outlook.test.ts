import { describe, expect, it } from "vitest";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { readCampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import {
  dueOf,
  funnelOf,
  lastOf,
  zonesOf,
  type ContactGroup,
} from "../../../src/domain/campaigns/outlook.ts";
import { forecastOf, rehearse } from "../../../src/domain/campaigns/rehearsal/forecast.ts";
import { USUAL_OUTCOMES } from "../../../src/domain/campaigns/rehearsal/outcome-model.ts";
import { planOfStanding } from "../../../src/domain/campaigns/rehearsal/standing-plan.ts";
import { finish, FROM_MS, HOUR_MS, people, planOf, runOf } from "./rehearsal/support.ts";

const NEW_YORK = { zones: ["America/New_York"], places: [], priority: 0 };
const BERLIN = { zones: ["Europe/Berlin"], places: [], priority: 0 };

function group(changes: Partial<ContactGroup>): ContactGroup {
  return {
    state: "open",
    came: "",
    attempts: 0,
    last: null,
    lane: NEW_YORK,
    dueHours: -1,
    contacts: 1,
    ...changes,
  };
}

const over = { lane: undefined, dueHours: null } as const;

describe("what is to come of a campaign", () => {
  it("loses nobody between one call and the next", () => {
    const steps = funnelOf([
      group({ contacts: 50 }),
      group({ state: "excluded", came: "suppressed", contacts: 3, ...over }),
      group({ state: "done", came: "answered", attempts: 1, contacts: 20, ...over }),
      group({ attempts: 1, last: "busy", contacts: 7 }),
      group({ state: "done", came: "answered", attempts: 3, contacts: 5, ...over }),
      group({ state: "done", came: "no_answer", attempts: 3, contacts: 2, ...over }),
    ]);
    expect(steps.map(({ contacts }) => contacts)).toEqual([87, 34, 7, 7]);
    for (const [n, { contacts, done, excluded, open }] of steps.entries()) {
      const ended = Object.values(done).reduce((sum, one) => sum + one, 0);
      expect(contacts - ended - excluded - open, `after call ${n}`).toBe(steps[n + 1]?.contacts ?? 0);
    }
    expect(steps[3]).toMatchObject({ done: { answered: 5, no_answer: 2 } });
    expect(steps.slice(0, 2)).toEqual([
      { call: 0, contacts: 87, done: {}, excluded: 3, open: 50 },
      { call: 1, contacts: 34, done: { answered: 20 }, excluded: 0, open: 7 },
    ]);
  });

  it("counts whoever is being called with those who wait, after the calls that they had", () => {
    expect(funnelOf([group({ state: "leased", attempts: 1, contacts: 2 })])).toMatchObject([
      { contacts: 2, open: 0 },
      { contacts: 2, done: {}, excluded: 0, open: 2 },
    ]);
  });

  it("tells first calls and retries apart, by the hour in which they fall due", () => {
    const due = dueOf([
      group({ contacts: 4 }),
      group({ attempts: 1, dueHours: 0, contacts: 6 }),
      group({ attempts: 1, dueHours: 2, contacts: 3 }),
      group({ attempts: 2, dueHours: 2, contacts: 1 }),
      group({ attempts: 1, dueHours: 72, contacts: 9 }),
      // Being called: what follows is not known.
      group({ state: "leased", attempts: 1, contacts: 8 }),
    ]);
    expect(due.now).toEqual({ first: 4, retries: 0 });
    expect(due.hours[0], "within the hour").toEqual({ first: 0, retries: 6 });
    expect(due.hours[2]).toEqual({ first: 0, retries: 4 });
    expect(due.hours.reduce((sum, { first, retries }) => sum + first + retries, 0)).toBe(10);
    expect(due.later).toEqual({ first: 0, retries: 9 });
  });

  it("shows where most people are first, with their hours of the next day", () => {
    const { policy } = planOf(people([NEW_YORK.zones], 1), { window: { weekdays: ["09:00-17:00"] } });
    const groups = [
      group({ contacts: 2 }),
      group({ contacts: 5, lane: BERLIN }),
      group({ contacts: 1, attempts: 1 }),
    ];
    const { zones, more } = zonesOf(groups, { window: policy.window, nowMs: FROM_MS, most: 1 });
    expect(more).toBe(true);
    // 13:00 in Berlin: three hours are left of this day, and four come by then of the next.
    expect(zones).toEqual([
      {
        zones: BERLIN.zones,
        places: [],
        contacts: 5,
        open: [
          { startMs: FROM_MS, endMs: FROM_MS + 4 * HOUR_MS },
          { startMs: FROM_MS + 20 * HOUR_MS, endMs: FROM_MS + 24 * HOUR_MS },
        ],
      },
    ]);
  });
});

describe("where people are", () => {
  const seen = (groups: ContactGroup[], most: number) => {
    const { zones, more } = zonesOf(groups, { window: { kind: "always" }, nowMs: FROM_MS, most });
    return { of: zones.map(({ zones: [zone], contacts }) => [zone, contacts]), more };
  };

  it("is told of those who are open or being called, and of nobody else", () => {
    const groups = [
      group({ contacts: 2 }),
      group({ state: "leased", attempts: 1, contacts: 1 }),
      group({ state: "done", came: "answered", attempts: 1, contacts: 9, ...over }),
      group({ contacts: 1, lane: BERLIN }),
    ];
    expect(seen(groups, 2)).toEqual({
      of: [
        ["America/New_York", 3],
        ["Europe/Berlin", 1],
      ],
      more: false,
    });
  });

  it("is in the order of their zones' names where as many are in each, whichever was counted first", () => {
    const lanes = ["Europe/Berlin", "America/New_York", "Asia/Tokyo", "America/Chicago"].map((zone) =>
      group({ lane: { ...BERLIN, zones: [zone] } }),
    );
    const sorted = [
      ["America/Chicago", 1],
      ["America/New_York", 1],
      ["Asia/Tokyo", 1],
      ["Europe/Berlin", 1],
    ];
    expect(seen(lanes, 9).of).toEqual(sorted);
    expect(seen(lanes.toReversed(), 9).of).toEqual(sorted);
  });
});

describe("what a last call came to", () => {
  it.each([
    ["busy", "busy"],
    ["answered", "answered"],
    ["gone_fishing", undefined],
    [null, undefined],
  ])("%j is a word of ours: %s", (last, word) => {
    expect(lastOf(group({ last }))).toBe(word);
  });
});

function specOf(changes: Partial<CampaignSpecInput>) {
  const reading = readCampaignSpec({
    name: "standing",
    agent_id: "11111111-1111-4111-8111-111111111111",
    from_numbers: ["+12025550100"],
    concurrency: 10,
    window: "always",
    ...changes,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.spec;
}

function ahead(groups: ContactGroup[], changes: Partial<CampaignSpecInput> = {}) {
  const spec = specOf(changes);
  const standing = planOfStanding(spec, {
    groups,
    blackouts: [],
    lines: spec.concurrency,
    rate: undefined,
    model: USUAL_OUTCOMES,
    fromMs: FROM_MS,
    shownIn: "UTC",
    sinceMs: undefined,
  });
  if (!standing) return undefined;
  return { ...standing, forecast: forecastOf(finish(rehearse(standing.plan, { runs: 5, seed: 1 }))) };
}

describe("the forecast of a campaign that is under way", () => {
  it("is that of a rehearsal, where nobody was called yet", () => {
    const retry = { max_attempts: 3, delays: { no_answer: "1h", busy: "1h" } };
    const many = 1_500;
    const found = ahead([group({ contacts: many })], { retry });
    const whole = runOf(planOf(people([NEW_YORK.zones], many), { retry, window: "always" })).result;
    expect(found?.factor).toBe(1);
    const calls = found?.forecast.calls.median ?? 0;
    expect(Math.abs(calls / whole.calls - 1)).toBeLessThan(0.1);
    const hours = ((found?.forecast.endMs.median ?? 0) - FROM_MS) / HOUR_MS;
    expect(Math.abs(hours / ((whole.endMs - FROM_MS) / HOUR_MS) - 1)).toBeLessThan(0.15);
  });

  it("lets few stand for many: a hundred times the people take a hundred times as long on the same lines", () => {
    const retry = { max_attempts: 1 };
    const hours = (contacts: number) =>
      ((ahead([group({ contacts })], { retry })?.forecast.endMs.median ?? 0) - FROM_MS) / HOUR_MS;
    expect(hours(200_000) / hours(2_000)).toBeGreaterThan(90);
    expect(hours(200_000) / hours(2_000)).toBeLessThan(110);
  });

  it("calls whoever had all calls but one once more at most, and nobody before they are due", () => {
    const late = group({ contacts: 500, attempts: 2, last: "no_answer", dueHours: 30 });
    const found = ahead([late], { retry: { max_attempts: 3 } });
    expect(found?.forecast.calls).toEqual({ low: 500, median: 500, high: 500 });
    const first = Math.min(...(found?.forecast.callsByHour ?? []).map(({ hour }) => hour * HOUR_MS));
    expect(first).toBeGreaterThanOrEqual(FROM_MS + 30 * HOUR_MS);
  });

  it("is none where nobody is left", () => {
    expect(ahead([group({ state: "done", came: "answered", attempts: 1, ...over })])).toBeUndefined();
  });
});

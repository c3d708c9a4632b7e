import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { FAMILIES, OF_ONE, TYPES } from "../../dashboard/src/api/event-types.ts";
import { GATHER_MS, OldAnswers, type IsOld, type Told } from "../../dashboard/src/api/old-answers.ts";
import { EVENT_TYPE_NAMES } from "../../src/domain/ground/event-types.ts";
import { OPERATIONS } from "../../src/http/description/operations.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const PHONE = "+12025550123";

/** What is old after these events, and how often that was said. */
function oldAfter(...events: (readonly [type: string, event: Told])[]): { isOld: IsOld; times: number } {
  const said: IsOld[] = [];
  const old = new OldAnswers((isOld) => said.push(isOld));
  for (const [type, event] of events) old.add(type, event);
  vi.advanceTimersByTime(GATHER_MS);
  return { isOld: (operation, path) => said.some((isOld) => isOld(operation, path)), times: said.length };
}

it("listens for every type that is told, and names operations that there are", () => {
  expect(new Set(TYPES)).toEqual(new Set(EVENT_TYPE_NAMES));
  const known = new Set(Object.values(OPERATIONS).map(({ id }) => id));
  const named = [...Object.values(FAMILIES).flat(), ...Object.keys(OF_ONE)];
  expect(named.filter((name) => name !== "ofCampaign" && !known.has(name))).toEqual([]);
});

it("has a story read anew for what happened to the person, and for nobody else's events", () => {
  const { isOld } = oldAfter(["call.ended", { data: { phone: PHONE, call_id: "c1" } }]);
  expect(isOld("readStory", { phone: PHONE })).toBe(true);
  // As somebody typed it.
  expect(isOld("readStory", { phone: "+1 (202) 555-0123" })).toBe(true);
  expect(isOld("readStory", { phone: "+12025550124" })).toBe(false);
  expect(oldAfter(["suppression.added", {}]).isOld("readStory", { phone: PHONE })).toBe(false);
  const masked = oldAfter(["call.ended", { data: { phone: "***23" } }]);
  expect(masked.isOld("readStory", { phone: PHONE })).toBe(false);
});

it("has a call asked of the platform anew for its own end alone", () => {
  const { isOld } = oldAfter(["call.ended", { data: { phone: PHONE, call_id: "a-1" } }]);
  expect([isOld("readCall", { id: "a-1" }), isOld("readCall", { id: "a-2" })]).toEqual([true, false]);
});

it("has what is of a campaign read anew by its own events, and says all of two seconds at once", () => {
  const { isOld, times } = oldAfter(
    ["call.ended", { campaign_id: "1", campaign: "spring", callbacks_of: null }],
    ["campaign.paused", { campaign_id: "2" }],
    ["schedule_run.finished", {}],
  );
  expect(times).toBe(1);
  expect([isOld("readProgress", { ref: "1" }), isOld("readProgress", { ref: "spring" })]).toEqual([
    true,
    true,
  ]);
  expect([isOld("readProgress", { ref: "2" }), isOld("readProgress", { ref: "3" })]).toEqual([true, false]);
  expect([isOld("listSchedules", {}), isOld("listCampaigns", {}), isOld("listTokens", {})]).toEqual([
    true,
    true,
    false,
  ]);
});

it("says nothing after it was stopped", () => {
  const said: IsOld[] = [];
  const old = new OldAnswers((isOld) => said.push(isOld));
  old.add("call.ended", {});
  old.stop();
  vi.advanceTimersByTime(GATHER_MS);
  expect(said).toEqual([]);
});

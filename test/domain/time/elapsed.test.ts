import { expect, it } from "vitest";

import { elapsedMs } from "../../../src/domain/time/elapsed.ts";

it.each([
  ["some time ago", 1_500, 1_000, 500],
  ["now", 1_000, 1_000, 0],
  ["ahead by a little, by a clock that is reckoned anew", 1_000, 1_500, 0],
  ["ahead, by a clock that was set back since", 1_000, 1_501, Number.POSITIVE_INFINITY],
  ["never", 1_000, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
])("what was %s", (_when, nowMs, sinceMs, elapsed) => {
  expect(elapsedMs(nowMs, sinceMs)).toBe(elapsed);
});

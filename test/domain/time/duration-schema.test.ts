import { describe, expect, it } from "vitest";

import { readCampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import { durationBetween } from "../../../src/domain/time/duration-schema.ts";

const WORDS = "must be a duration from 1h to 90d such as 14d";
const HOUR_MS = 3_600_000;

describe("a duration in a file", () => {
  it.each([14, "14", "-1h", "30m", "91d", "", "a day", true, null, ["1h"]])(
    "that is written as %j is refused with what is wanted",
    (value) => {
      const read = durationBetween(HOUR_MS, 90 * 24 * HOUR_MS, WORDS).safeParse(value);
      expect(read.error?.issues.map(({ message }) => message)).toEqual([WORDS]);
    },
  );

  it("that is left out is told to be missing, and a bare number what is wanted, by the field", () => {
    const reading = readCampaignSpec({
      name: "spring",
      agent_id: "agent",
      from_numbers: ["+12025550100"],
      concurrency: 1,
      least_gap: 5,
      caller_ids: { per_day: 10, warm_up: 14 },
      breaker: { failed: 0.3, short: { share: 0.5 } },
    });
    const problems = reading.ok ? [] : reading.problems.map(({ field, problem }) => `${field}: ${problem}`);
    expect(problems).toEqual([
      "caller_ids.warm_up: must be a duration from 1h to 90d such as 14d",
      expect.stringMatching(/^breaker\.short\.under: is missing/),
      expect.stringMatching(/^least_gap: must be a duration up to 7d such as 5m/),
    ]);
  });
});

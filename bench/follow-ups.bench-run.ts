import { expect, inject, it } from "vitest";

import { given } from "../test/support/ledgers.ts";
import { cacheDir } from "../test/support/setup-temporal.ts";
import { measureFollowUps } from "./follow-ups-measure.ts";

/** Settings come from `npm run bench -- follow-ups --calls N --speed N`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

it("follow-ups", async () => {
  const measure = await measureFollowUps({
    calls: settings["calls"] ?? 5_000,
    speed: settings["speed"] ?? 200,
    postgresUrl: given(inject("postgresUrl")),
    cacheDir: cacheDir(),
  });
  console.log(`\n${JSON.stringify(measure)}`);
  const { calls, beyondRepair } = measure;
  // None lost: each came to its end, and those beyond repair are before people.
  expect(measure.followUps).toEqual({ done: calls - beyondRepair, failed: beyondRepair });
  expect(measure.attention).toBe(beyondRepair);
  // None doubled where it arrives.
  expect(measure).toMatchObject({
    delivered: calls - beyondRepair,
    deliveredTwice: 0,
    executed: calls,
    executedTwice: 0,
  });
});

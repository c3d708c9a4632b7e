import { expect, inject, it } from "vitest";

import { given } from "../test/support/ledgers.ts";
import { cacheDir } from "../test/support/setup-temporal.ts";
import { measureReplace } from "./replace-measure.ts";

/** Settings come from `npm run bench -- replace --contacts N --concurrency N --speed N`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

it("replace", async () => {
  const { speed = 1 } = settings;
  const measure = await measureReplace({
    // Lines that are empty for want of people would say nothing of the processes.
    contacts: settings["contacts"] ?? 10_000 * Math.max(1, speed),
    lines: settings["concurrency"] ?? 100,
    speed,
    postgresUrl: given(inject("postgresUrl")),
    cacheDir: cacheDir(),
  });
  console.log(`\n${JSON.stringify(measure)}`);
  expect(measure.twice).toBe(0);
});

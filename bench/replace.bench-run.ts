import { expect, inject, it } from "vitest";

import { given } from "../test/support/ledgers.ts";
import { cacheDir } from "../test/support/setup-temporal.ts";
import { measureReplace } from "./replace-measure.ts";

/** Settings come from `npm run bench -- replace --contacts N --concurrency N --speed N`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

it("replace", async () => {
  const measure = await measureReplace({
    contacts: settings["contacts"] ?? 10_000,
    lines: settings["concurrency"] ?? 100,
    speed: settings["speed"] ?? 1,
    postgresUrl: given(inject("postgresUrl")),
    cacheDir: cacheDir(),
  });
  console.log(`\n${JSON.stringify(measure)}`);
  expect(measure.twice).toBe(0);
});

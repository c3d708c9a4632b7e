import { expect, inject, it } from "vitest";

import { cacheDir } from "../test/support/setup-temporal.ts";
import { given } from "../test/support/ledgers.ts";
import { brokenBounds } from "./campaign-bounds.ts";
import { measureCampaign } from "./measure-campaign.ts";

/** Settings come from `npm run bench -- campaign --contacts N --concurrency N --speed N`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

it("campaign", async () => {
  const measure = await measureCampaign({
    contacts: settings["contacts"] ?? 100_000,
    concurrency: settings["concurrency"] ?? 1_000,
    speed: settings["speed"] ?? 200,
    attempts: 3,
    isBlind: false,
    postgresUrl: given(inject("postgresUrl")),
    cacheDir: cacheDir(),
  });
  console.log(`\n${JSON.stringify(measure)}`);
  expect(brokenBounds(measure)).toEqual([]);
});

import { expect, inject, it } from "vitest";

import { given } from "../test/support/ledgers.ts";
import { cacheDir } from "../test/support/setup-temporal.ts";
import { measureListings } from "./listings-measure.ts";

/** Settings come from `npm run bench -- listings --contacts N --campaigns N --enrolments N`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

it("listings", async () => {
  const contacts = settings["contacts"] ?? 1_000_000;
  const measure = await measureListings({
    contacts,
    campaigns: settings["campaigns"] ?? 200,
    enrolments: settings["enrolments"] ?? 1_000_000,
    postgresUrl: given(inject("postgresUrl")),
    cacheDir: cacheDir(),
  });
  console.log(`\n${JSON.stringify(measure)}`);
  expect(measure.exported.rows).toBe(contacts + 1);
});

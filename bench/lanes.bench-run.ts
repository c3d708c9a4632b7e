import { expect, inject, it } from "vitest";

import { given } from "../test/support/ledgers.ts";
import { measureLanes } from "./lanes-measure.ts";

/** Settings come from `npm run bench -- lanes --contacts N --concurrency N`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

it.each(["postgres", "embedded"] as const)("lanes (%s)", async (kind) => {
  const contacts = settings["contacts"] ?? 100_000;
  const measured = await measureLanes({
    contacts,
    concurrency: settings["concurrency"] ?? 1_000,
    postgresUrl: kind === "postgres" ? given(inject("postgresUrl")) : undefined,
  });
  console.log(`\n${JSON.stringify(measured)}`);
  expect(measured.lanes).toBeGreaterThan(1_000);
});

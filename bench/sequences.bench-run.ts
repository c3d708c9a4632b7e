import { expect, inject, it } from "vitest";

import { given } from "../test/support/ledgers.ts";
import { cacheDir } from "../test/support/setup-temporal.ts";
import { measureSequences } from "./sequences-measure.ts";

/** Settings come from `npm run bench -- sequences --enrolments N --triggers N --idle SECONDS`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

it("sequences", async () => {
  const enrolments = settings["enrolments"] ?? 10_000;
  const measure = await measureSequences({
    enrolments,
    triggers: settings["triggers"] ?? 30,
    idleSeconds: settings["idle"] ?? 60,
    postgresUrl: given(inject("postgresUrl")),
    cacheDir: cacheDir(),
  });
  console.log(`\n${JSON.stringify(measure)}`);
  // Asleep they have no workflow and cost nothing, and neither does it to have another worker: what is spent is the
  // system's own.
  expect(measure.workflows).toBe(0);
  const allowance = enrolments / 100;
  expect(measure.asleep.actionTotal).toBeLessThan(allowance);
  expect(measure.restarted.actionTotal).toBeLessThan(allowance);
  expect(measure.perEnrolment.requests).toBeLessThan(0.1);
});

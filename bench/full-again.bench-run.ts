import { inject, it } from "vitest";

import { given } from "../test/support/ledgers.ts";
import { cacheDir } from "../test/support/setup-temporal.ts";
import { measureFullAgain } from "./full-again-measure.ts";

/** Settings come from `npm run bench -- full-again --concurrency N`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

it("full-again", async () => {
  const measure = await measureFullAgain({
    lines: settings["concurrency"] ?? 30,
    postgresUrl: given(inject("postgresUrl")),
    cacheDir: cacheDir(),
  });
  console.log(`\n${JSON.stringify(measure)}`);
});

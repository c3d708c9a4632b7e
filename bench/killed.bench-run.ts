import { it } from "vitest";

import { cacheDir } from "../test/support/setup-temporal.ts";
import { measureKilled } from "./killed-measure.ts";

/** Settings come from `npm run bench -- killed --contacts N --concurrency N`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

it("killed", async () => {
  const measure = await measureKilled({
    contacts: settings["contacts"] ?? 1_000_000,
    lines: settings["concurrency"] ?? 30,
    cacheDir: cacheDir(),
  });
  console.log(`\n${JSON.stringify(measure)}`);
});

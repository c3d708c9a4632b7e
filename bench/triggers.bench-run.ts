import { expect, inject, it } from "vitest";

import { given } from "../test/support/ledgers.ts";
import { cacheDir } from "../test/support/setup-temporal.ts";
import { measureTriggers } from "./triggers-measure.ts";

/** Settings come from `npm run bench -- triggers --rate N --seconds N --connections N`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

it("triggers", async () => {
  const measure = await measureTriggers({
    rate: settings["rate"] ?? 1_000,
    seconds: settings["seconds"] ?? 20,
    connections: settings["connections"] ?? 100,
    postgresUrl: given(inject("postgresUrl")),
    cacheDir: cacheDir(),
  });
  console.log(`\n${JSON.stringify(measure)}`);
  expect(measure.acknowledged).toBe(measure.sent);
});

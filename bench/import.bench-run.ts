import { expect, inject, it } from "vitest";

import { given } from "../test/support/ledgers.ts";
import { cacheDir } from "../test/support/setup-temporal.ts";
import { measureImport } from "./measure-import.ts";

/** Settings come from `npm run bench -- import --rows N`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

it.each(["postgres", "embedded"] as const)("import (%s)", async (kind) => {
  const rows = settings["rows"] ?? 1_000_000;
  const measure = await measureImport({
    rows,
    postgresUrl: kind === "postgres" ? given(inject("postgresUrl")) : undefined,
    cacheDir: cacheDir(),
  });
  console.log(`\n${JSON.stringify(measure)}`);
  expect(measure.accepted).toBe(rows);
});

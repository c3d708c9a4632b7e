import { expect, inject, it } from "vitest";

import { given } from "../test/support/ledgers.ts";
import { cacheDir } from "../test/support/setup-temporal.ts";
import { measureLists } from "./suppressions-measure.ts";

/** Settings come from `npm run bench -- suppressions --rows N`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

it.each(["postgres", "embedded"] as const)("suppressions (%s)", async (kind) => {
  const rows = settings["rows"] ?? 1_000_000;
  const measure = await measureLists({
    rows,
    postgresUrl: kind === "postgres" ? given(inject("postgresUrl")) : undefined,
    cacheDir: cacheDir(),
  });
  console.log(`\n${JSON.stringify(measure)}`);
  const [first, renewed] = measure.lists;
  expect(first).toMatchObject({ added: rows, kept: 0, removed: 0 });
  expect(renewed).toMatchObject({ added: Math.ceil(rows / 100), removed: Math.ceil(rows / 100) });
});

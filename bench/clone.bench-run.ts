import { expect, inject, it } from "vitest";

import { given } from "../test/support/ledgers.ts";
import { measureClone } from "./clone-measure.ts";

/** Settings come from `npm run bench -- clone --contacts N`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

it.each(["postgres", "embedded"] as const)("clone (%s)", async (kind) => {
  const contacts = settings["contacts"] ?? 1_000_000;
  const measured = await measureClone({
    contacts,
    postgresUrl: kind === "postgres" ? given(inject("postgresUrl")) : undefined,
  });
  console.log(`\n${JSON.stringify(measured)}`);
  expect(measured.taken).toBe(contacts);
});

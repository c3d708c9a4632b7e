import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { PAGE, platformOperationsPage, scopesIn } from "../../scripts/platform-operations.mjs";
import { kebab } from "../../src/cli/platform/words.ts";
import { operations, resources } from "../../src/platform/index.ts";
import { nameless, rows } from "./support/rows.ts";
import { openWorld, type World } from "./support/world.ts";

const descriptionShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))),
});

async function describe({ sandbox }: World) {
  return descriptionShape.parse(await (await fetch(`${sandbox.url}/openapi.json`)).json());
}

/* Out of date? `npm run docs:platform` writes it. */
test("docs/platform-operations.md is what the program would write today", async () => {
  const page = platformOperationsPage({
    operations,
    resources,
    kebab,
    description: await describe(await openWorld()),
    toJsonSchema: (rules) => z.toJSONSchema(rules, { io: "input", unrepresentable: "any" }),
  });
  const path = fileURLToPath(new URL(`../../${PAGE}`, import.meta.url));
  expect(await readFile(path, "utf8")).toBe(page);
});

test("the sandbox says of each operation which scope it needs; only reading money needs none", async () => {
  const scopes = scopesIn(await describe(await openWorld()));
  const without = rows.filter(({ row }) => scopes.get(nameless(row)) === undefined);
  expect(without.map(({ section }) => section)).toEqual(without.map(() => "4.7"));
  expect(without).toHaveLength(9);
});

/**
 * Every row of the contract's section 4, used as it is meant through the real client against the real sandbox over a
 * real socket. Client and sandbox share no schema, so what they agree on here is the contract.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations } from "../../src/platform/index.ts";
import { ALTERNATE_ROWS, nameless, rows } from "./support/rows.ts";
import { walks } from "./support/walks.ts";
import { beginWorld, given, type World } from "./support/world.ts";

describe.each(["contract", "published"] as const)(
  "every row of the contract, in the dialect %s,",
  (dialect) => {
    let world: (World & { close: () => Promise<void> }) | undefined;

    beforeAll(async () => {
      world = await beginWorld({ sandbox: { dialect } });
    });

    afterAll(() => world?.close());

    test.each(rows.map(({ row, section }) => [section, row]))("%s: %s", async (_section, row) => {
      const before = servedOf(given(world), row);
      const walk = walks[row];
      if (walk === undefined) throw new Error(`no walk for ${row}`);
      await walk(given(world));
      expect(given(world).answered, "what the client sent").toContain(nameless(row));
      expect(servedOf(given(world), row), "what the sandbox answered").toBeGreaterThan(before);
    });

    test("has one walk, and there is none without a row", () => {
      expect(Object.keys(walks).sort()).toEqual(rows.map(({ row }) => row).sort());
    });

    test("is an operation of the client, in the same section, and the client has no other", () => {
      const known = operations.map(
        ({ section, endpoint }) => `${section} ${endpoint.method} ${endpoint.route}`,
      );
      expect(known.sort()).toEqual(rows.map(({ section, row }) => `${section} ${row}`).sort());
    });

    test("is described by the sandbox, which serves no other but for what clients are seen to ask", async () => {
      const response = await fetch(`${given(world).sandbox.url}/openapi.json`);
      const { paths } = Object(await response.json());
      const served = Object.entries<object>(Object(paths)).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) =>
          nameless(`${method.toUpperCase()} ${path.replace(/^\/api/, "").replace(/(.)\/$/, "$1")}`),
        ),
      );
      const documented = [...rows.map(({ row }) => row), ...ALTERNATE_ROWS].map(nameless);
      expect([...new Set(served)].sort()).toEqual(documented.sort());
    });

    test("is the whole of it, counted section by section in the text", () => {
      const counts = new Map<string, number>();
      for (const { section } of rows) counts.set(section, (counts.get(section) ?? 0) + 1);
      expect(Array.from(counts, ([section, count]) => `${section}: ${count}`)).toEqual([
        "4.1: 12",
        "4.2: 8",
        "4.3: 12",
        "4.4: 10",
        "4.5: 24",
        "4.6: 3",
        "4.7: 9",
        "4.8: 4",
        "4.9: 6",
        "4.10: 7",
        "4.11: 6",
      ]);
    });
  },
);

/** How often the sandbox has answered an operation with success. */
function servedOf({ sandbox }: World, row: string): number {
  const name = nameless(row);
  const found = Object.entries(sandbox.stats().routes).filter(([route]) => nameless(route) === name);
  return found
    .flatMap(([, { statuses }]) => Object.entries(statuses))
    .reduce((sum, [status, count]) => sum + (Number(status) < 300 ? count : 0), 0);
}

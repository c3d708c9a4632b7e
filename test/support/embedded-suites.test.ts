import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

import { EMBEDDED_SUITES, isOfEmbedded } from "./embedded-suites.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

it("whatever runs on the embedded ledger, too, is there, runs on either kind, and is named once", () => {
  const isThere = (name: string) => {
    const file = path.join(root, name);
    return fs.existsSync(file) && fs.readFileSync(file, "utf8").includes("describeLedgers(");
  };
  expect(EMBEDDED_SUITES.filter((name) => !isThere(name))).toEqual([]);
  expect([...new Set(EMBEDDED_SUITES)]).toEqual(EMBEDDED_SUITES);
  expect(isOfEmbedded(path.join(root, "test/ledger/campaigns/settling.ledger.test.ts"))).toBe(true);
  expect(isOfEmbedded(path.join(root, "test/ledger/campaigns/account-lines.ledger.test.ts"))).toBe(false);
});

it("each capability of the ledger has a suite on the embedded kind in every form", () => {
  const folders = fs.readdirSync(path.join(root, "test/ledger")).filter((name) => name !== "support");
  const without = folders.filter(
    (name) => !EMBEDDED_SUITES.some((file) => file.startsWith(`test/ledger/${name}/`)),
  );
  // Whatever is known of a person is read by statements for PostgreSQL's planner, whose plans are what is tested there.
  expect(without).toEqual(["people"]);
});

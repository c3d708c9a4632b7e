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

it("each capability of the ledger whose suites run on both kinds has one on the embedded kind in every form", () => {
  const files = fs
    .readdirSync(path.join(root, "test/ledger"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ledger.test.ts"))
    .map((name) => `test/ledger/${name}`);
  const ofBoth = files.filter((name) =>
    fs.readFileSync(path.join(root, name), "utf8").includes("describeLedgers("),
  );
  const folders = [...new Set(ofBoth.map((name) => path.dirname(name)))];
  expect(folders.length).toBeGreaterThan(7);
  const isNamed = (folder: string) => EMBEDDED_SUITES.some((name) => path.dirname(name) === folder);
  expect(folders.filter((folder) => !isNamed(folder))).toEqual([]);
});

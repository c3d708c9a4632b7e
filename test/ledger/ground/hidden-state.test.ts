import fs from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

const SRC = path.resolve(import.meta.dirname, "../../../src");

/** What a statement would do that takes something for state which is none, and what does that. */
const HIDING = [
  // But for stories, what a person is handed out of it, certificates, what goes by its age and the audit itself, which
  // are told to people and decide nothing: not even a look that is in it already is written anew.
  [
    "reads the audit, which is a record for people",
    /\b(?:from|join) audit\b/,
    /^ledger\/(?:people\/(?:sources\/|records\.ts$|removing\.ts$|aging\.ts$|aged-counts\.ts$)|ground\/audit(?:-reading)?\.ts$)/,
  ],
  // But for numbers that are looked for by their beginning, and those that are taken out of words.
  [
    "takes a key apart",
    /\b(?:split_part|starts_with|regexp_\w+)\(|\blike '[a-z_]+:%'/,
    /^ledger\/(?:campaigns\/contact-listing|people\/removing|people\/stripping)\.ts$/,
  ],
] as const;

it.each(HIDING)("no statement of the ledger %s: state has columns", (_what, pattern, but) => {
  const files = fs
    .readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((name) => /^ledger\b.*\.(?:ts|sql)$/.test(name));
  expect(files.length).toBeGreaterThan(100);
  const hiding = files.filter(
    (name) => !but.test(name) && pattern.test(fs.readFileSync(path.join(SRC, name), "utf8")),
  );
  expect(hiding).toEqual([]);
});

import { describe, expect, it } from "vitest";

import { SETTING_DOCS } from "../../src/config.ts";
import { readDocuments, readText } from "./support/documents.ts";
import { commandsIn } from "./support/shell.ts";

/** Variables that are somebody else's: those of the Compose file's databases and pages, and of the tests. */
const OTHERS = new Set([
  "LEDGER_DB_PASSWORD",
  "TEMPORAL_DB_PASSWORD",
  "TEMPORAL_CSRF_COOKIE_INSECURE",
  "OUTDIAL_RECORD_HISTORIES",
  "OUTDIAL_TEST_LIFE",
]);

const known = new Set(
  SETTING_DOCS.flatMap(({ name, secret }) => (secret === true ? [name, `${name}_FILE`] : [name])),
);

/** What looks like one of our variables, wherever it stands. */
function variablesIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w.])(?:OUTDIAL|PLATFORM|TEMPORAL|DATABASE|LEDGER)_[A-Z_]*[A-Z]\b/g)].map(
    ([name]) => name,
  );
}

/** Secrets and databases have the names that definitions give them. */
const NAMED = /^OUTDIAL_(?:SECRET|DATABASE)_[A-Z0-9_]+$/;

const isUnknown = (name: string) => !known.has(name) && !OTHERS.has(name) && !NAMED.test(name);

describe("settings that are named", () => {
  it.each(readDocuments())("in $name exist", ({ text, fences }) => {
    const assigned = fences
      .filter(({ language }) => language === "sh")
      .flatMap((fence) => commandsIn(fence.text))
      .flatMap(({ settings }) => settings);
    expect([...variablesIn(text), ...assigned].filter(isUnknown)).toEqual([]);
  });

  it.each([".env.example", "docker-compose.yml", "Dockerfile"])("in %s exist", (name) => {
    const named = variablesIn(readText(name));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(isUnknown)).toEqual([]);
  });
});

import fs from "node:fs";
import { describe, expect, it } from "vitest";

import { MIGRATIONS_FOLDER } from "../../../src/ledger/ground/migrate.ts";

describe("the files of migrations", () => {
  const journal = JSON.parse(fs.readFileSync(`${MIGRATIONS_FOLDER}/meta/_journal.json`, "utf8")) as {
    entries: { idx: number; tag: string; when: number }[];
  };

  it("are all in the journal, each later than the one before: else the migrator passes them over", () => {
    const files = fs.readdirSync(MIGRATIONS_FOLDER).filter((name) => name.endsWith(".sql"));
    expect(journal.entries.map(({ tag }) => `${tag}.sql`)).toEqual(files.sort());
    expect(journal.entries.map(({ tag }) => Number(tag.slice(0, 4)))).toEqual(
      journal.entries.map(({ idx }) => idx),
    );
    const times = journal.entries.map(({ when }) => when);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });
});

import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { MIGRATIONS_FOLDER, migrationFiles } from "../../../src/ledger/ground/migrate.ts";
import { given } from "../../support/ledgers.ts";

/** The files of a next build: those of this one, and one more. */
export interface NextBuild {
  folder: string;
  /** Of the one more. */
  name: string;
  writtenMs: number;
  remove: () => void;
}

export function nextBuild(statements: (writtenMs: number) => string): NextBuild {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-migrations-"));
  fs.cpSync(MIGRATIONS_FOLDER, folder, { recursive: true });
  const writtenMs = given(migrationFiles().at(-1)).writtenMs + 86_400_000;
  const name = `${String(migrationFiles().length).padStart(4, "0")}_next`;
  fs.writeFileSync(path.join(folder, `${name}.sql`), statements(writtenMs));
  const journalFile = path.join(folder, "meta/_journal.json");
  const journal = JSON.parse(fs.readFileSync(journalFile, "utf8")) as { entries: object[] };
  journal.entries.push({
    idx: journal.entries.length,
    version: "7",
    when: writtenMs,
    tag: name,
    breakpoints: true,
  });
  fs.writeFileSync(journalFile, JSON.stringify(journal));
  return { folder, name, writtenMs, remove: () => fs.rmSync(folder, { recursive: true, force: true }) };
}

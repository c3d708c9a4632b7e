import path from "node:path";

import type { CliCommand } from "../cli-command.ts";
import { watchInterrupts } from "../interrupts.ts";
import { jsonOption } from "../options.ts";
import { openAnswering } from "../system-at-hand.ts";
import { countText, numberText } from "../view/words.ts";

const HELP = `
The folder must be new or empty. The ledger in it is as it was at one moment, whether something runs on it or not:
an embedded one is copied by the process that has it open, which does nothing else for as long as that takes (a
second for a hundred thousand contacts); one on PostgreSQL is dumped by pg_dump. Then all of the copy is read. A
folder without backup.json is a backup that did not come to its end.

It holds people's numbers: mind who reads it. What Temporal has needs no backup.

Examples:
  outdial backup /backups/2026-11-26
  outdial backup /backups/2026-11-26 --without-recordings --json`;

interface BackupOptions {
  withoutRecordings?: true;
  json?: true;
}

export function registerBackup(program: CliCommand): void {
  program
    .command("backup")
    .here()
    .argument("<folder>", "where to")
    .description("Copies the ledger and recordings into a folder, and sees that the copy can be read.")
    .option("--without-recordings", "the ledger alone")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, folder: string, options: BackupOptions) => {
      const { backUp } = await import("../../backup/back-up.ts");
      const { VERSION } = await import("../../http/version.ts");
      const backup = path.resolve(folder);
      const { databaseUrl, dataDir, recordingsDir } = config;
      const running = databaseUrl === undefined ? await openAnswering(config) : undefined;
      const interrupts = watchInterrupts(() =>
        voice.screen.say(`left at once: remove what is in ${backup}, which is no backup`),
      );
      try {
        const manifest = await backUp({
          folder: backup,
          version: VERSION,
          ledger:
            databaseUrl === undefined
              ? { kind: "embedded", dataDir, copy: running && (() => copyBy(running)) }
              : { kind: "postgres", databaseUrl },
          recordingsDir: options.withoutRecordings ? undefined : recordingsDir,
          say: (message) => voice.screen.say(message),
          signal: interrupts.signal,
        });
        const { counts, recordings, at, kind } = manifest;
        const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
        voice.tell([
          `the ledger as it was at ${at}: ${countedText(counts)}`,
          ...(recordings
            ? [`${countText(recordings.files, "recording")} (${sizeText(recordings.bytes)})`]
            : []),
          `the backup in ${backup} is complete: ${sizeText(bytes + (recordings?.bytes ?? 0))}`,
        ]);
        const { installation_id } = manifest;
        voice.json({ folder: backup, at, kind, installation_id, counts, bytes, recordings });
      } finally {
        interrupts.end();
        await running?.close();
      }
    });
}

type Running = NonNullable<Awaited<ReturnType<typeof openAnswering>>>;

async function copyBy(running: Running): Promise<{ folder: string; atMs: number }> {
  const { folder, at } = await running.system.copyLedger();
  return { folder, atMs: Date.parse(at) };
}

/** `3 campaigns, 1,200 contacts, ...`; what there is none of is left out. */
export function countedText(counts: Readonly<Record<string, number>>): string {
  const told = Object.entries(WORDS).flatMap(([table, words]) => {
    const count = counts[table] ?? 0;
    return count === 0 ? [] : [countText(count, words)];
  });
  return told.length === 0 ? "nothing was in it yet" : told.join(", ");
}

const WORDS: Readonly<Record<string, string>> = {
  campaigns: "campaign",
  contacts: "contact",
  attempts: "attempt",
  suppressions: "suppression",
  enrolments: "enrolment",
  follow_ups: "follow-up",
};

const MEGABYTE = 1_000_000;

export function sizeText(bytes: number): string {
  return bytes < MEGABYTE
    ? `${numberText(Math.ceil(bytes / 1_000))} kB`
    : `${numberText(Math.round(bytes / MEGABYTE))} MB`;
}

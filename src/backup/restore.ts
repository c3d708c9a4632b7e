import type { LedgerFacts } from "../ledger/recovery/backup-facts.ts";
import type { Copied } from "../ledger/ground/folder-copy.ts";
import { restoreEmbedded } from "./embedded.ts";
import { BackupError, readManifest, type Manifest } from "./manifest.ts";
import { restorePostgres } from "./postgres.ts";
import { restoreRecordings } from "./recordings.ts";

export interface RestoreInput {
  backup: string;
  ledger:
    | { kind: "embedded"; dataDir: string }
    /** `database` is its name as it may be shown. */
    | { kind: "postgres"; databaseUrl: string; database: string };
  recordingsDir: string;
  nowMs: number;
  say: (message: string) => void;
}

export interface Restored {
  manifest: Manifest;
  facts: LedgerFacts;
  /** Where the ledger is that was there before. */
  before: string | undefined;
  recordings: Copied;
}

/**
 * Restores a backup. The ledger is there with all dialing held until `outdial recover`: it lacks what happened since.
 *
 * @throws BackupError where it can't be, LedgerLockedError where something runs on the ledger; then nothing has changed.
 */
export async function restore(input: RestoreInput): Promise<Restored> {
  const { backup, ledger, nowMs, say } = input;
  const manifest = await readManifest(backup);
  if (manifest.kind !== ledger.kind) {
    throw new BackupError(
      ledger.kind === "embedded"
        ? "the backup is of a ledger on PostgreSQL: set DATABASE_URL to an empty database"
        : "the backup is of an embedded ledger: leave DATABASE_URL out, and name a data folder with --data-dir",
    );
  }
  const reason = `it was restored from the backup of ${manifest.at}: what happened since is missing`;
  say("checking the backup, and restoring it");
  // They are added to what is there, and may be added again: the ledger goes last.
  const recordings = await restoreRecordings(backup, input.recordingsDir);
  const { facts, before } =
    ledger.kind === "embedded"
      ? await restoreEmbedded(backup, manifest, { dataDir: ledger.dataDir, reason, nowMs })
      : { facts: await restorePostgres(backup, manifest, { ...ledger, reason, nowMs }), before: undefined };
  return { manifest, facts, before, recordings };
}

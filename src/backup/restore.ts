import { reasonWords } from "../domain/ground/reason-words.ts";
import type { TokensInForce } from "../ledger/ground/api-tokens.ts";
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
  /** Ends it, for as long as nothing has changed. */
  signal: AbortSignal;
}

export interface Restored {
  manifest: Manifest;
  facts: LedgerFacts;
  /** Those that let somebody in: one that was revoked after the backup is among them. */
  tokens: TokensInForce;
  /** Where the ledger is that was there before. */
  before: string | undefined;
  recordings: Copied;
}

/**
 * Restores a backup. The ledger is there with all dialing held until `outdial recover`: it lacks what happened since.
 *
 * @throws BackupError where it can't be, LedgerLockedError where something runs on the ledger, the signal's reason; then
 * nothing has changed.
 */
export async function restore(input: RestoreInput): Promise<Restored> {
  const { backup, ledger, nowMs, say, signal } = input;
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
  const { facts, tokens, before } =
    ledger.kind === "embedded"
      ? await restoreEmbedded(backup, manifest, { dataDir: ledger.dataDir, reason, nowMs, signal })
      : {
          ...(await restorePostgres(backup, manifest, { ...ledger, reason, nowMs, signal })),
          before: undefined,
        };
  const recordings = await recordingsOf(backup, input.recordingsDir, before);
  return { manifest, facts, tokens, before, recordings };
}

/** @throws BackupError where they can't be, which says that the ledger is there. */
async function recordingsOf(backup: string, to: string, before: string | undefined): Promise<Copied> {
  try {
    return await restoreRecordings(backup, to);
  } catch (error) {
    const kept = before === undefined ? "" : ` What was there before is in ${before}.`;
    throw new BackupError(
      `the ledger was restored, with dialing held until \`outdial recover\`, but recordings could not be copied to ${to} (${reasonWords(error)}): copy them there from the backup by hand.${kept}`,
      { cause: error },
    );
  }
}

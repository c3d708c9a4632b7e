import { migrate } from "drizzle-orm/pglite/migrator";
import fs from "node:fs";
import path from "node:path";

import { nameTokensInForce, type TokensInForce } from "../ledger/ground/api-tokens.ts";
import { openEmbeddedClient } from "../ledger/ground/embedded-client.ts";
import { copyFolder, syncFolder } from "../ledger/ground/folder-copy.ts";
import { requireRecovery } from "../ledger/ground/installation.ts";
import { refuseWithoutReserve } from "../ledger/ground/embedded-copy.ts";
import { lockDataDir } from "../ledger/ground/data-dir-lock.ts";
import { MIGRATIONS_FOLDER, refuseNewerLedger } from "../ledger/ground/migrate.ts";
import { replaceLedger } from "../ledger/ground/embedded-place.ts";
import { readLedgerFacts, readWhole, type LedgerFacts } from "../ledger/recovery/backup-facts.ts";
import { checkSums } from "./checksums.ts";
import { BackupError, refuseOtherCounts, type Manifest } from "./manifest.ts";

/** Where a backup has the files of an embedded ledger. */
export const LEDGER_FOLDER = "ledger";

/**
 * Opens a copied ledger and reads all of it, as whoever restores it will.
 *
 * @throws BackupError where it can't be opened, or read to its end.
 */
export async function readCopied(folder: string): Promise<LedgerFacts> {
  let client: Awaited<ReturnType<typeof openEmbeddedClient>> | undefined;
  try {
    client = await openEmbeddedClient(folder);
    await refuseNewerLedger(client.db);
    await readWhole(client.db);
    return await readLedgerFacts(client.db);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BackupError(
      `the copy of the ledger can't be read (${why}): the disk that it came from, or that it is on, may be damaged`,
      {
        cause: error,
      },
    );
  } finally {
    await client?.close();
  }
}

export interface RestoredEmbedded {
  facts: LedgerFacts;
  tokens: TokensInForce;
  /** Where the ledger is that was there before. */
  before: string | undefined;
}

/**
 * Puts the ledger of a backup into a data folder, with all dialing held until `outdial recover`: it is never there
 * without that, at whatever moment this is cut off. What was there before is kept beside it.
 *
 * @throws LedgerLockedError where something runs on the data folder, BackupError where nothing can be restored, the
 * signal's reason; then nothing has changed.
 */
export async function restoreEmbedded(
  backup: string,
  manifest: Manifest,
  { dataDir, reason, nowMs, signal }: { dataDir: string; reason: string; nowMs: number; signal: AbortSignal },
): Promise<RestoredEmbedded> {
  // Before a whole backup is read for nothing.
  const lock = lockDataDir(dataDir);
  try {
    await checkSums(backup, manifest.files, signal);
    const place = path.join(dataDir, LEDGER_FOLDER);
    // One that lost a file is kept, too.
    const isThere = fs.existsSync(place) && fs.readdirSync(place).length > 0;
    refuseWithoutReserve(
      dataDir,
      manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    if (fs.existsSync(path.join(place, "PG_VERSION"))) await refuseAnother(place, dataDir, manifest);
    const half = `${place}.restored`;
    await fs.promises.rm(half, { recursive: true, force: true });
    await copyFolder(path.join(backup, LEDGER_FOLDER), half, undefined, signal);
    const { facts, tokens } = await holdCopied(half, manifest, { reason, nowMs });
    const before = isThere
      ? `${place}.before-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, "-")}`
      : undefined;
    await syncFolder(half);
    signal.throwIfAborted();
    await replaceLedger(half, place, before);
    return { facts, tokens, before };
  } finally {
    lock.release();
  }
}

async function holdCopied(
  folder: string,
  manifest: Manifest,
  { reason, nowMs }: { reason: string; nowMs: number },
): Promise<Pick<RestoredEmbedded, "facts" | "tokens">> {
  const client = await openEmbeddedClient(folder);
  try {
    await refuseNewerLedger(client.db);
    const facts = await readLedgerFacts(client.db);
    refuseOtherCounts(manifest, facts);
    // One of an older version is held in the schema of this one.
    await migrate(client.db, { migrationsFolder: MIGRATIONS_FOLDER });
    await requireRecovery(client.db, reason, nowMs);
    return { facts, tokens: await nameTokensInForce(client.db, nowMs) };
  } finally {
    await client.close();
  }
}

/** @throws BackupError where somebody else's ledger would be replaced. */
async function refuseAnother(place: string, dataDir: string, manifest: Manifest): Promise<void> {
  const installation = await installationIn(place);
  if (installation === undefined || installation === manifest.installation_id) return;
  throw new BackupError(
    `the backup is of another installation than the ledger in ${dataDir} (${manifest.installation_id ?? "one that was never used"}, and not ${installation}): nothing was changed. Name the data folder that it belongs to with --data-dir, or an empty one`,
  );
}

/** Undefined where it can't be told: a ledger that is broken is what people restore over. */
async function installationIn(folder: string): Promise<string | undefined> {
  try {
    const client = await openEmbeddedClient(folder);
    try {
      return (await readLedgerFacts(client.db)).installationId;
    } finally {
      await client.close();
    }
  } catch {
    return undefined;
  }
}

import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

/*
 * Lists on their way into the ledger, each in a folder named after its run.
 *
 * S1 A list is written whole before a row of it is taken: what is taken is read from the disk, and the same bytes are
 *    read again after a crash.
 * S2 It has its name, which is its digest, once it is whole; until then it is a part that nobody reads.
 * S3 What is left behind goes a day later: nobody calls a list that is some hours old.
 */

const LEFT_BEHIND_MS = 24 * 60 * 60_000;

export interface SpooledList {
  file: string;
  /** SHA-256 of its bytes, hexadecimal. */
  digest: string;
  bytes: number;
}

/** A list that is whole on this machine; with `digest` that one, else any. */
export async function findSpooled(folder: string, digest?: string): Promise<SpooledList | undefined> {
  const names = await fs.promises.readdir(folder).catch(noneWhereAbsent);
  const name = names
    .sort()
    .find((one) => (digest === undefined ? /^[\da-f]{64}$/.test(one) : one === digest));
  if (name === undefined) return undefined;
  const file = path.join(folder, name);
  const { size } = await fs.promises.stat(file);
  return { file, digest: name, bytes: size };
}

/**
 * Writes a list down as it comes, and gives it its name when it is whole and on the disk.
 *
 * @param write hands the list on, piece by piece; where it throws, nothing is left.
 */
export async function spool(
  folder: string,
  write: (put: (piece: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<SpooledList> {
  // People's numbers: for this user's eyes only.
  await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 });
  const part = path.join(folder, `part-${randomUUID()}`);
  const hash = createHash("sha256");
  let bytes = 0;
  const file = await fs.promises.open(part, "wx", 0o600);
  try {
    await write(async (piece) => {
      hash.update(piece);
      bytes += piece.length;
      await file.writeFile(piece);
    });
    await file.sync();
    await file.close();
    const digest = hash.digest("hex");
    const whole = path.join(folder, digest);
    await fs.promises.rename(part, whole);
    return { file: whole, digest, bytes };
  } catch (error) {
    await file.close();
    await fs.promises.rm(part, { force: true });
    throw error;
  }
}

/** The run needs its list no more. */
export function dropSpool(folder: string): Promise<void> {
  return fs.promises.rm(folder, { recursive: true, force: true });
}

/** Takes away what other runs left behind whose worker never came back. */
export async function tidySpools(spoolDir: string, mine: string, nowMs: number): Promise<void> {
  for (const name of await fs.promises.readdir(spoolDir).catch(noneWhereAbsent)) {
    if (name === mine) continue;
    const folder = path.join(spoolDir, name);
    // Gone meanwhile: another one tidies, too.
    const status = await fs.promises.stat(folder).catch(() => undefined);
    if (status && nowMs - status.mtimeMs > LEFT_BEHIND_MS) await dropSpool(folder);
  }
}

function noneWhereAbsent(error: unknown): string[] {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
  throw error;
}

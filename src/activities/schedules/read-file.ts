import fs from "node:fs";
import path from "node:path";

import type { FileSource } from "../../domain/campaigns/contact-source.ts";
import { SourceRefusedError } from "./source-errors.ts";

/** More than an import takes. */
const MAX_BYTES = 2 * 1024 ** 3;

/**
 * Hands a file of the lists' folder on, if it stays the same while it is read.
 *
 * @throws SourceRefusedError where there is none, it lies outside, or it changed meanwhile.
 */
export async function readListFile(
  source: FileSource,
  listsDir: string,
  put: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  const file = await within(listsDir, source.file);
  // Not waiting: a pipe would make us wait for whoever writes into it.
  const { O_RDONLY, O_NONBLOCK } = fs.constants;
  const handle = await fs.promises.open(file, O_RDONLY | O_NONBLOCK).catch((error: unknown) => {
    throw new SourceRefusedError(`the list ${source.file} can't be read (${codeOf(error)})`);
  });
  try {
    const before = await handle.stat({ bigint: true });
    if (!before.isFile()) throw new SourceRefusedError(`${source.file} in ${listsDir} is not a file`);
    if (before.size > MAX_BYTES)
      throw new SourceRefusedError(`the list ${source.file} has more than ${MAX_BYTES} bytes: split it`);
    let bytes = 0n;
    for await (const chunk of handle.createReadStream({ autoClose: false })) {
      const piece: Buffer = chunk;
      bytes += BigInt(piece.length);
      await put(piece);
    }
    const after = await handle.stat({ bigint: true });
    if (after.mtimeNs !== before.mtimeNs || after.size !== before.size || bytes !== before.size)
      throw new SourceRefusedError(
        `the list ${source.file} changed while it was read: write it under another name first, and rename it when it is whole`,
      );
  } finally {
    await handle.close();
  }
}

/** Where links lead counts, on both sides. */
async function within(listsDir: string, name: string): Promise<string> {
  const missing = () =>
    new SourceRefusedError(
      `there is no list ${name} in ${listsDir}: put it there, or set OUTDIAL_LISTS_DIR to its folder`,
    );
  const outside = () =>
    new SourceRefusedError(
      `the list ${name} is not within ${listsDir}: lists are read from that folder only (OUTDIAL_LISTS_DIR)`,
    );
  const isIn = (folder: string, file: string) => {
    const way = path.relative(folder, file);
    return way !== "" && way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
  };
  // Before anything is looked at: not even whether it is there is told of what lies outside.
  if (name.includes("\0") || !isIn(listsDir, path.resolve(listsDir, name))) throw outside();
  const [folder, file] = await Promise.all([
    fs.promises.realpath(listsDir).catch(() => undefined),
    fs.promises.realpath(path.resolve(listsDir, name)).catch(() => undefined),
  ]);
  if (folder === undefined || file === undefined) throw missing();
  if (!isIn(folder, file)) throw outside();
  return file;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unreadable";
}

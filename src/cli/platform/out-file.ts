import fs from "node:fs";
import type { Readable } from "node:stream";

import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";

/** A file for an answer, made before anything is asked: an answer that is given once must have its place. */
export interface OutFile {
  readonly path: string;
  write(text: string): Promise<void>;
  /** Takes bytes as they come; resolves with how many there were. */
  take(bytes: Readable): Promise<number>;
  /** Closes it, on the disk. */
  keep(): Promise<void>;
  /** Takes it away again where nothing came, or bytes that have no end. What was written whole stays. */
  discard(): Promise<void>;
}

/**
 * Only its owner may read it: answers hold transcripts, numbers and keys. A file that is there already is not
 * touched.
 */
export async function openOutFile(path: string): Promise<OutFile> {
  const handle = await fs.promises.open(path, "wx", 0o600).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      throw new CliError(
        `${path} is there already: name another file with --out, or remove it`,
        EXIT.badInput,
      );
    }
    throw error;
  });
  let hasText = false;
  return {
    path,
    write: async (text) => {
      await handle.writeFile(text);
      hasText = true;
    },
    take: async (bytes) => {
      let count = 0;
      for await (const chunk of bytes) {
        const piece: unknown = chunk;
        if (!(piece instanceof Uint8Array)) throw new TypeError("a download is bytes");
        await handle.writeFile(piece);
        count += piece.length;
      }
      return count;
    },
    keep: async () => {
      await handle.sync();
      await handle.close();
    },
    discard: async () => {
      await handle.close();
      // It may be a key that no other answer shows.
      if (!hasText) await fs.promises.rm(path, { force: true });
    },
  };
}

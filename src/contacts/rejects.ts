import { once } from "node:events";
import type { Writable } from "node:stream";
import type { RejectedRow } from "./contact-row.ts";
import { csvRow } from "./csv-cell.ts";

/** The first line of a rejects file. */
export const rejectsHeader: string = csvRow(["line", "code", "reason", "raw"]);

/**
 * Appends rejected rows to a rejects file, as CSV under `rejectsHeader`, which the caller writes once. Waits
 * whenever the file is slower than the import; leaves the stream open.
 *
 * @returns how many rows were written
 */
export async function writeRejects(
  rows: Iterable<RejectedRow> | AsyncIterable<RejectedRow>,
  writable: Writable,
): Promise<number> {
  let written = 0;
  for await (const { line, code, reason, raw } of rows) {
    if (writable.destroyed) throw writable.errored ?? new Error("the rejects file was closed");
    if (!writable.write(csvRow([String(line), code, reason, raw]))) await once(writable, "drain");
    written += 1;
  }
  return written;
}

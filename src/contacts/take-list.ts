import type { Db, Ledger } from "../ledger/ground/connection.ts";
import {
  beginImport,
  importChunk,
  listImports,
  type Import,
  type ReadRow,
} from "../ledger/campaigns/imports.ts";
import type { ContactRow } from "./contact-row.ts";
import type { ContactChunk } from "./read-contacts.ts";

/*
 * Taking a list into the ledger, wherever it comes from. Each chunk is accepted for good once it is in the ledger;
 * whatever cuts it off, the same list again goes on behind the last accepted line.
 */

/** What makes a list the same again, and how it is read. */
export interface ListTaken {
  campaignId: string;
  /** SHA-256 of its bytes, hexadecimal. */
  digest: string;
  sourceName: string;
  settings: Record<string, unknown>;
}

/** The import of the list with these bytes, as far as it was begun. */
export async function findImport(db: Db, campaignId: string, digest: string): Promise<Import | undefined> {
  const imports = await listImports(db, campaignId);
  return imports.find((one) => one.digest === digest);
}

/**
 * Takes the chunks of a list, from the line behind which it was cut off.
 *
 * @param input `begun`: its import, as far as it was begun. `beforeEach` may throw, to leave it where it is.
 * @returns its import, not completed; undefined where it has no rows and was not begun.
 * @throws AppendRefusedError where the campaign is ending or over.
 */
export async function takeChunks(
  ledger: Ledger,
  list: ListTaken,
  chunks: AsyncIterable<ContactChunk>,
  input: { begun: Import | undefined; now: () => number; beforeEach?: () => Promise<void> },
): Promise<Import | undefined> {
  let { begun } = input;
  for await (const { rows, lastLine } of chunks) {
    await input.beforeEach?.();
    begun ??= await beginImport(ledger, { ...list, nowMs: input.now() });
    await importChunk(ledger, {
      campaignId: list.campaignId,
      importId: begun.id,
      rows: rows.map(readRowOf),
      throughLine: lastLine,
      nowMs: input.now(),
    });
  }
  return begun;
}

function readRowOf(row: ContactRow): ReadRow {
  if (row.kind === "rejected") return row;
  const { line, phone, region, zones, strictZones, variables } = row;
  return { kind: "contact", line, phone, region, zones, strictZones, variables };
}

import { sql } from "drizzle-orm";

import type { NeverDialed } from "../../domain/policy/never-dialed.ts";
import { LedgerFullError, type Ledger } from "../ground/connection.ts";
import { ms } from "../ground/sql.ts";

/** How far a list was taken, whoever its people are for. */
export interface ListImport {
  id: number;
  digest: string;
  sourceName: string;
  settings: Record<string, unknown>;
  throughLine: number;
  rowsRead: number;
  rowsRejected: number;
  /** Rows whose people are there already, or stand in the list before. */
  rowsDuplicate: number;
  rowsAccepted: number;
  /** Who of them can never be dialed under the window that there was when they were taken; largest group first. */
  neverDialed: readonly NeverDialed[];
  updatedAtMs: number;
  completedAtMs: number | undefined;
}

export interface ListImportRow {
  id: number;
  digest: string;
  source_name: string;
  settings: Record<string, unknown>;
  through_line: number;
  rows_read: number;
  rows_rejected: number;
  rows_duplicate: number;
  rows_accepted: number;
  never_dialed: NeverDialed[];
  updated_ms: number;
  completed_ms: number | null;
}

export const LIST_IMPORT_COLUMNS = sql`id::float8 as id, digest, source_name, settings, through_line, rows_read,
  rows_rejected, rows_duplicate, rows_accepted, never_dialed, ${ms(sql`updated_at`)} as updated_ms, ${ms(sql`completed_at`)} as completed_ms`;

export function listImportOf(row: ListImportRow): ListImport {
  return {
    id: row.id,
    digest: row.digest,
    sourceName: row.source_name,
    settings: row.settings,
    throughLine: row.through_line,
    rowsRead: row.rows_read,
    rowsRejected: row.rows_rejected,
    rowsDuplicate: row.rows_duplicate,
    rowsAccepted: row.rows_accepted,
    neverDialed: row.never_dialed,
    updatedAtMs: row.updated_ms,
    completedAtMs: row.completed_ms ?? undefined,
  };
}

/** @throws LedgerFullError where a list is not to fill what is left of the disk. */
export function refuseWithoutRoom(ledger: Ledger): void {
  if (ledger.hasRoom()) return;
  throw new LedgerFullError(
    "the disk under the ledger is almost full: make room, then run the same command again, which goes on behind the last row taken",
  );
}

import { csvRow } from "../contacts/csv-cell.ts";
import type { Db } from "../ledger/ground/connection.ts";
import type { ListOwner } from "../ledger/campaigns/list-imports.ts";
import { streamRejects } from "../ledger/campaigns/reports.ts";

/** The rows of somebody's lists that were not taken, as CSV, in constant memory however many there are. */
export async function* rejectsCsv(db: Db, of: ListOwner): AsyncGenerator<string> {
  yield csvRow(["line", "code", "reason", "raw"]);
  for await (const page of streamRejects(db, of)) {
    yield page.map(({ line, code, reason, raw }) => csvRow([String(line), code, reason, raw])).join("");
  }
}

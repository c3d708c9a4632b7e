import { z } from "zod";

import { CannotOpenError, DataKeys } from "../../../ledger/ground/data-keys.ts";
import { writeAudit } from "../../../ledger/ground/audit.ts";
import { readInstallation } from "../../../ledger/ground/installation.ts";
import { readRecords, RECORD_TABLES } from "../../../ledger/people/records.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { VERSION } from "../../version.ts";
import { exportPageSchema } from "../../wire/people/forgettings.ts";
import { isoOf } from "../../wire/instant.ts";
import { invalid, requirePhone } from "../../phone.ts";
import type { Routes } from "../../route-scope.ts";

const params = z.object({ phone: z.string().min(1).max(40) });

const exportQuery = z.strictObject({
  /** The country of a number without `+`. */
  default_region: z.string().length(2).optional(),
  /** What the page before gave as `next_after`. */
  after: z.string().min(1).max(300).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(200),
});

const ABOUT =
  "Everything that the ledger holds of one person, over all brands, row by row as it stands: for whoever asks what is known of them. Bodies of deliveries, in which others may stand, are not in it; what was done for the person by them is. That it was read is written into the audit.";

/** All that is known of one person, for that person. */
export function exportRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { db } = deps.ledger;
    app.get(
      "/v1/people/:phone/export",
      {
        schema: { description: ABOUT, params, querystring: exportQuery, response: { 200: exportPageSchema } },
      },
      async (request) => {
        const { default_region: region, after, limit } = request.query;
        const phone = requirePhone(request.params.phone, region);
        const { records, next } = await readRecords(db, { phone, after: cursorOf(after), limit });
        const { dataKeys = new DataKeys() } = deps;
        // Each page: whoever has a cursor, of whatever making, reads.
        await writeAudit(db, {
          nowMs: deps.now(),
          actor: actorOf(request),
          action: "person.export",
          detail: { phone, ...(after !== undefined && { after }) },
        });
        const { installationId } = await readInstallation(db);
        return {
          phone,
          made_at: isoOf(deps.now()),
          installation_id: installationId,
          outdial: VERSION,
          records: records.map(({ table, row }) => ({ table, row: openedRow(row, phone, dataKeys) })),
          next_after: next ? `${next.table} ${next.id}` : null,
        };
      },
    );
  };
}

const sealedSchema = z.object({ sealed: z.record(z.string(), z.string()), sealed_with: z.string() });

/** A row with its sensitive values as they are; where no key opens them, with why. */
function openedRow(row: Record<string, unknown>, phone: string, dataKeys: DataKeys): Record<string, unknown> {
  const { sealed: _values, sealed_with: _key, ...open } = row;
  const read = sealedSchema.safeParse(row);
  if (!read.success) return open;
  try {
    const sealed = { with: read.data.sealed_with, values: read.data.sealed };
    return { ...open, sensitive: dataKeys.open(phone, sealed) };
  } catch (error) {
    if (!(error instanceof CannotOpenError)) throw error;
    return { ...open, sensitive: { unreadable: error.message } };
  }
}

function cursorOf(after: string | undefined): { table: string; id: string } | undefined {
  if (after === undefined) return undefined;
  const [, table, id] = /^([a-z_]+) ([\x20-\x7e]*)$/.exec(after) ?? [];
  if (id !== undefined && RECORD_TABLES.some((name) => name === table)) return { table: table ?? "", id };
  throw invalid("after", "must be what the page before gave as next_after");
}

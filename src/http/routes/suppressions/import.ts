import { createHash, type Hash } from "node:crypto";

import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import type { RejectedRow } from "../../../contacts/contact-row.ts";
import { openNumbers, type NumberRow } from "../../../contacts/read-numbers.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { bodyOf, formatOf, letPass, listQuery, takeLists, listUploadSchema } from "../../list-upload.ts";
import { keepKey } from "../../plugins/idempotency.ts";
import { Problem } from "../../problem.ts";
import { suppress } from "../../../commands/suppressions.ts";
import { suppressionImportSchema, type SuppressionImportWire } from "../../wire/suppressions.ts";
import { brandName, suppressionReason } from "./suppressions.ts";

const importQuery = listQuery.extend({
  /** Absent: for every brand. */
  brand: brandName.optional(),
  reason: suppressionReason.optional(),
  /** What shows that all of it arrived; needed with an Idempotency-Key, which it tells another list by. */
  digest: z
    .string()
    .regex(/^[\da-f]{64}$/i, "must be the file's SHA-256, 64 hexadecimal digits")
    .transform((digest) => digest.toLowerCase())
    .optional(),
});

/** Rows handed back at most: some megabytes, and more than anybody mends by hand. All of them are counted. */
const MAX_REJECTED_SHOWN = 10_000;

const ABOUT =
  "Suppresses every number of a list (text/csv or application/x-ndjson). Nothing but its numbers is read. The same list again is taken again, and changes nothing; another one under an Idempotency-Key is refused before anybody is suppressed. With that header its SHA-256 has to be given as digest.";

/** Taking a file of numbers that must not be dialed. What was taken before a fault of the file stays taken. */
export function suppressionImportRoutes(deps: HttpDeps): FastifyPluginAsyncZod {
  return async (app) => {
    takeLists(app);
    app.post(
      "/v1/suppressions/import",
      {
        // Numbers that must not be dialed are taken whenever they come: an answer of before would suppress nobody.
        config: { requestKey: "list" },
        schema: {
          description: ABOUT,
          querystring: importQuery,
          ...listUploadSchema,
          response: { 200: suppressionImportSchema },
        },
      },
      async (request) => {
        const { brand, source_name, map, default_region, format, digest } = request.query;
        const reason = request.query.reason ?? `on the list ${source_name}`;
        const actor = actorOf(request);
        const result: SuppressionImportWire = {
          added: 0,
          already: 0,
          stopped_batches: 0,
          in_flight: { batches: 0, calls_up: 0, uncertain: 0 },
          rows: { read: 0, rejected: 0, partly_read: 0 },
          rejected: [],
          partly_read: [],
        };
        try {
          const hash = createHash("sha256");
          const { chunks } = await openNumbers(bodyOf(request, hash), {
            ...formatOf(request, format),
            fileName: source_name,
            map,
            ...(default_region !== undefined && { defaultRegion: default_region }),
          });
          for await (const { rows } of chunks) {
            const about = { brand, saidBy: "list" as const, source: `list:${source_name}`, reason };
            const entries = rows.flatMap((row) =>
              row.kind === "numbers" ? row.phones.map((phone) => ({ ...about, phone })) : [],
            );
            noteUnread(result, rows);
            keepKey(request);
            const { added, stoppedBatches, inFlight } = await suppress(deps, { entries, actor });
            result.added += added;
            result.already += entries.length - added;
            result.stopped_batches += stoppedBatches;
            result.in_flight.batches += inFlight.batches;
            result.in_flight.calls_up += inFlight.callsUp;
            result.in_flight.uncertain += inFlight.uncertain;
          }
          checkDigest(hash, digest, source_name);
          if (result.rows.read === 0) throw noRows(source_name);
          return result;
        } finally {
          letPass(request);
        }
      },
    );
  };
}

/** @throws Problem 409 where another list came than was announced: some of its people may still be missing */
function checkDigest(hash: Hash, expected: string | undefined, sourceName: string): void {
  const digest = hash.digest("hex");
  if (expected === undefined || digest === expected) return;
  throw new Problem({
    status: 409,
    code: "digest_mismatch",
    detail:
      `the list ${sourceName} is not the announced one (SHA-256 ${digest}, announced ${expected}): it changed on the way, or while it was sent. ` +
      "Every number that came is suppressed, and some may be missing: send the list again",
    extra: { digest },
  });
}

/** A list of nobody is more often the wrong one, or one that was not written yet, than meant. */
function noRows(sourceName: string): Problem {
  return new Problem({
    status: 422,
    code: "invalid_list",
    detail: `the list ${sourceName} has a header and no rows, and suppressed nobody: send the list that is meant, or none where there is nobody to suppress (outdial recover is told so by --suppressions-complete)`,
    extra: { list_code: "no_rows" },
  });
}

/** Counts rows, and hands back those that hold what can't be read. */
export function noteUnread(
  result: Pick<SuppressionImportWire, "rows" | "rejected" | "partly_read">,
  rows: readonly NumberRow[],
): void {
  result.rows.read += rows.length;
  for (const row of rows) {
    if (row.kind === "rejected") {
      result.rows.rejected += 1;
      hand(result.rejected, row);
    } else if (row.unread) {
      result.rows.partly_read += 1;
      hand(result.partly_read, row.unread);
    }
  }
}

function hand(shown: SuppressionImportWire["rejected"], { line, code, reason, raw }: RejectedRow): void {
  if (shown.length < MAX_REJECTED_SHOWN) shown.push({ line, code, reason, raw });
}

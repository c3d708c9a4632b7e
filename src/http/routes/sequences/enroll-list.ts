import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import type { ContactRow } from "../../../contacts/contact-row.ts";
import { readRowOf } from "../../../contacts/take-list.ts";
import {
  beginEnrolmentImport,
  enrollChunk,
  type EnrolmentRead,
} from "../../../ledger/sequences/enrolment-imports.ts";
import { countEnrolments, readDefinition, type Sequence } from "../../../ledger/sequences/sequences.ts";
import type { HttpDeps } from "../../deps.ts";
import { invalid } from "../../phone.ts";
import { digestQuery, letPass, listQuery, listUploadSchema, takeLists } from "../../list-upload.ts";
import { takeUpload, type UploadTaker } from "../../take-upload.ts";
import { enrolmentListSchema } from "../../wire/sequences.ts";
import { brandQuery } from "../campaigns/lookup.ts";
import { neverDialedView, rowsOf } from "../campaigns/views.ts";
import { requireSequence, sequenceParams } from "./lookup.ts";
import { countsView } from "./views.ts";

const uploadQuery = listQuery
  .extend(brandQuery.shape)
  .extend(digestQuery.shape)
  .extend({
    /** The variable whose value is the enrolment's key, where the sequence's policy is `parallel`. */
    key_column: z.string().min(1).max(100).optional(),
  });

/** Enrolling a list. The enrolments begin at the relay's pace. */
export function enrollListRoutes(deps: HttpDeps): FastifyPluginAsyncZod {
  const { db } = deps.ledger;
  return async (app) => {
    takeLists(app);
    app.post(
      "/v1/sequences/:ref/enrolments/list",
      {
        config: { requestKey: "list" },
        schema: {
          params: sequenceParams,
          querystring: uploadQuery,
          ...listUploadSchema,
          response: { 200: enrolmentListSchema },
        },
      },
      async (request) => {
        try {
          const sequence = await requireSequence(db, request.params.ref, request.query.brand);
          const taker = await uploadOf(deps, sequence, request.query.key_column);
          const { list, already } = await takeUpload(deps, request, request.query, taker);
          return {
            sequence_id: sequence.id,
            digest: list.digest,
            rows: rowsOf(list),
            never_dialed: neverDialedView(list),
            through_line: list.throughLine,
            already,
            enrolments: countsView(await countEnrolments(db, sequence.id)),
          };
        } finally {
          deps.outbox.kick();
          letPass(request);
        }
      },
    );
  };
}

async function uploadOf(
  { ledger, now, dataKeys }: HttpDeps,
  sequence: Sequence,
  keyColumn: string | undefined,
): Promise<UploadTaker> {
  const { default_region, sensitive } = await readDefinition(ledger.db, sequence.id, sequence.version);
  if (keyColumn !== undefined && sensitive?.includes(keyColumn))
    throw invalid("key_column", "is sensitive, and keys can be read: take another column");
  return {
    begin: (list) => beginEnrolmentImport(ledger, { ...list, sequenceId: sequence.id, nowMs: now() }),
    take: (importId, { rows, lastLine }) =>
      enrollChunk(ledger, {
        importId,
        sequence,
        rows: rows.map((row) => readOf(row, keyColumn)),
        throughLine: lastLine,
        dataKeys,
        nowMs: now(),
      }),
    owner: { sequenceId: sequence.id },
    defaultRegion: default_region,
    readBy: { key_column: keyColumn ?? null },
    words: {
      people: "people",
      sameAgain: "mapping, region, format and key column",
      partly:
        "The people in its rows so far are enrolled: send the announced file again, which goes on behind them",
    },
  };
}

function readOf(row: ContactRow, keyColumn: string | undefined): EnrolmentRead {
  const read = readRowOf(row);
  if (read.kind === "rejected" || keyColumn === undefined) return read;
  const key = read.variables[keyColumn];
  if (key !== undefined && key !== "") return { ...read, key };
  return {
    kind: "rejected",
    line: read.line,
    code: "no_key",
    reason: `The row has no ${JSON.stringify(keyColumn)}, which was named as its key: give it one.`,
    raw: read.phone,
  };
}

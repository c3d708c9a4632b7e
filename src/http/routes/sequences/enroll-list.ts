import { createHash, type Hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import type { ContactRow } from "../../../contacts/contact-row.ts";
import { openContacts, type ContactChunk } from "../../../contacts/read-contacts.ts";
import {
  beginEnrolmentImport,
  completeEnrolmentImport,
  enrollChunk,
  findEnrolmentImport,
  type EnrolmentImport,
  type EnrolmentRead,
} from "../../../ledger/sequences/enrolment-imports.ts";
import { countEnrolments, readDefinition, type Sequence } from "../../../ledger/sequences/sequences.ts";
import type { HttpDeps } from "../../deps.ts";
import {
  bodyOf,
  formatOf,
  letPass,
  listQuery,
  readToEnd,
  listUploadSchema,
  takeLists,
} from "../../list-upload.ts";
import { keepKey } from "../../plugins/idempotency.ts";
import { Problem } from "../../problem.ts";
import { enrolmentListSchema, type EnrolmentListWire } from "../../wire/sequences.ts";
import { brandQuery } from "../campaigns/lookup.ts";
import { neverDialedView } from "../campaigns/views.ts";
import { requireSequence, sequenceParams } from "./lookup.ts";
import { countsView, rowsOf } from "./views.ts";

const uploadQuery = listQuery.extend(brandQuery.shape).extend({
  /** What makes it the same list again, and what shows that all of it arrived. */
  digest: z
    .string()
    .regex(/^[\da-f]{64}$/i, "must be the file's SHA-256, 64 hexadecimal digits")
    .transform((digest) => digest.toLowerCase()),
  /** The variable whose value is the enrolment's key, where the sequence's policy is `parallel`. */
  key_column: z.string().min(1).max(100).optional(),
});

type Upload = z.output<typeof uploadQuery>;

/**
 * Enrolling a list. Each chunk is accepted for good once it is in the ledger; whatever cuts an upload off, the same
 * file again goes on behind the last accepted line. The enrolments begin at the relay's pace.
 */
export function enrollListRoutes(deps: HttpDeps): FastifyPluginAsyncZod {
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
          const sequence = await requireSequence(deps.ledger.db, request.params.ref, request.query.brand);
          return await takeList(deps, sequence, request, request.query);
        } finally {
          letPass(request);
        }
      },
    );
  };
}

async function takeList(
  deps: HttpDeps,
  sequence: Sequence,
  request: FastifyRequest,
  upload: Upload,
): Promise<EnrolmentListWire> {
  const { db } = deps.ledger;
  const begun = await findEnrolmentImport(db, sequence.id, upload.digest);
  const hash = createHash("sha256");
  const { default_region } = await readDefinition(db, sequence.id, sequence.version);
  const region = upload.default_region ?? default_region;
  const opened = await openContacts(bodyOf(request, hash), {
    ...formatOf(request, upload.format),
    fileName: upload.source_name,
    map: upload.map,
    ...(region !== undefined && { defaultRegion: region }),
    ...(begun && { startAfterLine: begun.throughLine }),
  });
  const settings = {
    map: upload.map,
    default_region: region ?? null,
    format: opened.layout.format,
    key_column: upload.key_column ?? null,
  };
  try {
    if (begun) refuseOtherSettings(begun, settings);
    if (begun?.completedAtMs !== undefined) {
      await readToEnd(opened.chunks);
      checkDigest(hash, upload.digest, begun);
      return await resultOf(deps, sequence, begun, true);
    }
    const taking = () => keepKey(request);
    const list = await takeChunks(deps, sequence, opened.chunks, begun, { ...upload, settings, taking });
    checkDigest(hash, upload.digest, list);
    await completeEnrolmentImport(deps.ledger, { importId: list.id, nowMs: deps.now() });
  } finally {
    await opened.chunks.return();
    deps.outbox.kick();
  }
  const done = await findEnrolmentImport(db, sequence.id, upload.digest);
  if (!done) throw new Error("the list vanished when it was complete");
  return resultOf(deps, sequence, done, false);
}

/** A list that is read in another way is another list: going on would mix the two. */
function refuseOtherSettings(begun: EnrolmentImport, settings: Record<string, unknown>): void {
  if (isDeepStrictEqual(begun.settings, settings)) return;
  throw new Problem({
    status: 409,
    code: "import_differs",
    detail:
      `the list ${begun.sourceName} was begun with other settings (${JSON.stringify(begun.settings)}, now ${JSON.stringify(settings)}): ` +
      "give the same mapping, region, format and key column as then",
  });
}

async function takeChunks(
  deps: HttpDeps,
  sequence: Sequence,
  chunks: AsyncIterable<ContactChunk>,
  begun: EnrolmentImport | undefined,
  input: {
    digest: string;
    source_name: string;
    settings: Record<string, unknown>;
    key_column?: string | undefined;
    /** Told before rows are taken. */
    taking: () => void;
  },
): Promise<EnrolmentImport> {
  const begin = () =>
    beginEnrolmentImport(deps.ledger, {
      sequenceId: sequence.id,
      digest: input.digest,
      sourceName: input.source_name,
      settings: input.settings,
      nowMs: deps.now(),
    });
  let list = begun;
  for await (const { rows, lastLine } of chunks) {
    input.taking();
    list ??= await begin();
    await enrollChunk(deps.ledger, {
      importId: list.id,
      sequence,
      rows: rows.map((row) => readOf(row, input.key_column)),
      throughLine: lastLine,
      nowMs: deps.now(),
    });
  }
  if (list) return list;
  throw new Problem({
    status: 422,
    code: "invalid_list",
    detail: "the list has a header and no rows: add people to it",
    extra: { list_code: "no_rows" },
  });
}

function readOf(row: ContactRow, keyColumn: string | undefined): EnrolmentRead {
  if (row.kind === "rejected") return row;
  const { line, phone, region, zones, strictZones, variables } = row;
  const key = keyColumn === undefined ? undefined : variables[keyColumn];
  if (keyColumn !== undefined && (key === undefined || key === "")) {
    return {
      kind: "rejected",
      line,
      code: "no_key",
      reason: `The row has no ${JSON.stringify(keyColumn)}, which was named as its key: give it one.`,
      raw: phone,
    };
  }
  return { kind: "contact", line, phone, region, zones, strictZones, variables, key };
}

function checkDigest(hash: Hash, expected: string, list: EnrolmentImport): void {
  const digest = hash.digest("hex");
  if (digest === expected) return;
  throw new Problem({
    status: 409,
    code: "digest_mismatch",
    detail:
      `the list ${list.sourceName} is not the announced one (SHA-256 ${digest}, announced ${expected}): it changed on the way, or while it was sent. ` +
      "The people in its rows so far are enrolled: send the announced file again, which goes on behind them",
    extra: { digest },
  });
}

async function resultOf(
  deps: HttpDeps,
  sequence: Sequence,
  list: EnrolmentImport,
  already: boolean,
): Promise<EnrolmentListWire> {
  return {
    sequence_id: sequence.id,
    digest: list.digest,
    rows: rowsOf(list),
    never_dialed: neverDialedView(list),
    through_line: list.throughLine,
    already,
    enrolments: countsView(await countEnrolments(deps.ledger.db, sequence.id)),
  };
}

import { Readable } from "node:stream";

import { z } from "zod";

import { mermaidOf } from "../../../domain/sequences/diagram.ts";
import { listImports } from "../../../ledger/campaigns/list-imports.ts";
import { readConversion } from "../../../ledger/sequences/conversion.ts";
import {
  countEnrolments,
  listSequences,
  listVersions,
  newestOf,
  readDefinition,
} from "../../../ledger/sequences/sequences.ts";
import type { HttpDeps } from "../../deps.ts";
import { showsEdited } from "../../plugins/etags.ts";
import { rejectsCsv } from "../../rejects-csv.ts";
import { conversionSchema, sequencePageSchema, sequenceSchema } from "../../wire/sequences.ts";
import { unknownVersion } from "../../unknown.ts";
import { brandQuery } from "../campaigns/lookup.ts";
import { requireSequence, sequenceParams } from "./lookup.ts";
import { plainText } from "../../wire/text.ts";
import { countsView, headOf, sequenceView } from "./views.ts";
import { afterQuery, cutPage, namePlaceIn } from "../../cursor.ts";
import type { Routes } from "../../route-scope.ts";

const pageQuery = z.strictObject({
  after: afterQuery,
  // Of each the people in it are counted.
  limit: z.coerce.number().int().min(1).max(100).default(50),
  /** Whether who is in each is counted, by a pass over everybody who ever was. */
  counted: z
    .stringbool()
    .default(true)
    .meta({ enum: ["true", "false"] }),
  /** Undefined: of all brands. */
  brand: plainText(100).optional(),
});

const versionQuery = brandQuery.extend({
  /** Absent: the newest, of a diagram; all of them, of what people did. */
  version: z.coerce.number().int().min(1).max(1_000_000_000).optional(),
});

/** Looking at sequences. */
export function sequenceReadRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { db } = deps.ledger;

    app.get(
      "/v1/sequences",
      { schema: { querystring: pageQuery, response: { 200: sequencePageSchema } } },
      async (request) => {
        const { after, limit, brand, counted } = request.query;
        const { sequences, total } = await listSequences(db, {
          ...(after !== undefined && { after: namePlaceIn(after) }),
          limit: limit + 1,
          brand,
        });
        const { page, next_after } = cutPage(sequences, limit, ({ brand: of, name }) => [of, name]);
        const items = [];
        for (const sequence of page) {
          const counts = counted ? await countEnrolments(db, sequence.id) : undefined;
          items.push({ ...headOf(sequence), enrolments: counts ? countsView(counts) : null });
        }
        return { items, total, next_after };
      },
    );

    app.get(
      "/v1/sequences/:ref",
      {
        config: { etag: "shown" },
        schema: { params: sequenceParams, querystring: brandQuery, response: { 200: sequenceSchema } },
      },
      async (request) => {
        const sequence = await requireSequence(db, request.params.ref, request.query.brand);
        showsEdited(request, newestOf(sequence));
        return sequenceView(sequence, {
          counts: await countEnrolments(db, sequence.id),
          versions: await listVersions(db, sequence.id),
          lists: await listImports(db, { sequenceId: sequence.id }),
          definition: await readDefinition(db, sequence.id, sequence.version),
        });
      },
    );

    app.get(
      "/v1/sequences/:ref/conversion",
      { schema: { params: sequenceParams, querystring: versionQuery, response: { 200: conversionSchema } } },
      async (request) => {
        const { brand, version } = request.query;
        const sequence = await requireSequence(db, request.params.ref, brand);
        if (version !== undefined && version > sequence.version) throw unknownVersion(sequence, version);
        const { people, isSample, steps } = await readConversion(db, { sequenceId: sequence.id, version });
        return {
          version: version ?? null,
          people,
          is_sample: isSample,
          steps: steps.map(({ wentOn, ...step }) => ({ ...step, went_on: wentOn })),
        };
      },
    );

    app.get(
      "/v1/sequences/:ref/diagram",
      { schema: { params: sequenceParams, querystring: versionQuery, produces: ["text/plain"] } },
      async (request, reply) => {
        const { brand, version: asked } = request.query;
        const sequence = await requireSequence(db, request.params.ref, brand);
        const version = asked ?? sequence.version;
        if (version > sequence.version) throw unknownVersion(sequence, version);
        const definition = await readDefinition(db, sequence.id, version);
        return reply.type("text/plain; charset=utf-8").send(mermaidOf(definition));
      },
    );

    app.get(
      "/v1/sequences/:ref/rejects.csv",
      { schema: { params: sequenceParams, querystring: brandQuery, produces: ["text/csv"] } },
      async (request, reply) => {
        const { id } = await requireSequence(db, request.params.ref, request.query.brand);
        return reply.type("text/csv; charset=utf-8").send(Readable.from(rejectsCsv(db, { sequenceId: id })));
      },
    );
  };
}

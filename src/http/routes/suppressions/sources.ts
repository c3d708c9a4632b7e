import { createHash } from "node:crypto";

import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import {
  declaredBy,
  putSource,
  removeSource,
  replaceList,
  type ListReplaced,
} from "../../../commands/suppression-sources.ts";
import { openNumbers } from "../../../contacts/read-numbers.ts";
import { sourceNameSchema } from "../../../domain/policy/source-name.ts";
import { ageOf, staleFromMs } from "../../../domain/policy/suppression-source.ts";
import { formatDurationMs } from "../../../domain/time/duration.ts";
import { listLoads, type SuppressionLoad } from "../../../ledger/ground/listed-numbers.ts";
import {
  declarationOf,
  listSources,
  readSource,
  scrubAddress,
  scrubOf,
  type SuppressionSource,
} from "../../../ledger/ground/suppression-sources.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { inFlightView } from "../../in-flight.ts";
import {
  bodyOf,
  digestQuery,
  formatOf,
  letPass,
  listQuery,
  listUploadSchema,
  takeLists,
} from "../../list-upload.ts";
import { keepKey } from "../../plugins/idempotency.ts";
import { requiredBy, showsEdited } from "../../plugins/etags.ts";
import { Problem } from "../../problem.ts";
import { unknownSource } from "../../unknown.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";
import {
  listReplacedSchema,
  sourceListSchema,
  sourcePutSchema,
  sourceRemovedSchema,
  sourceShownSchema,
  type ListReplacedWire,
  type LoadWire,
  type SourceWire,
} from "../../wire/suppressions.ts";
import { noteUnread } from "./import.ts";
import { refuseUnaskable, sourceBody } from "./source-body.ts";
import { suppressionReason, brandName } from "./suppressions.ts";
import type { Routes } from "../../route-scope.ts";

const nameParams = z.strictObject({ name: sourceNameSchema });

/** Lists that are replaced as a whole, each with a type, a scope and an age. */
export function suppressionSourceRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const path = "/v1/suppressions/sources";
    app.get(
      path,
      {
        schema: {
          querystring: z.strictObject({
            /** Those for every brand are listed with it, since they bind it too. */
            brand: brandName.optional(),
          }),
          response: { 200: sourceListSchema },
        },
      },
      async (request) => {
        const found = await listSources(deps.ledger.db, request.query.brand);
        return { items: found.map((source) => sourceView(source, deps.now())) };
      },
    );

    app.get(
      `${path}/:name`,
      { config: { etag: "shown" }, schema: { params: nameParams, response: { 200: sourceShownSchema } } },
      async (request) => {
        const source = await readSource(deps.ledger.db, request.params.name);
        if (!source) throw unknownSource(request.params.name);
        showsEdited(request, declarationOf(source));
        const loads = await listLoads(deps.ledger.db, source.id, 50);
        return { source: sourceView(source, deps.now()), loads: loads.map(loadView) };
      },
    );

    app.put(
      `${path}/:name`,
      {
        config: { etag: "heeded" },
        schema: {
          description:
            "Declares a source of suppressions, or changes it. From then on one with an age keeps campaigns in its scope from dialing while it has no list, or an older one; one that is asked about numbers (`scrub`) keeps every number in its scope from being dialed that it has not answered for.",
          params: nameParams,
          body: sourceBody,
          response: { 200: sourcePutSchema },
        },
      },
      async (request) => {
        const definition = { name: request.params.name, ...request.body };
        if (definition.scrub) await refuseUnaskable(deps, definition.scrub);
        const put = await putSource(deps, {
          ...declaredBy(definition),
          actor: actorOf(request),
          requireSeen: requiredBy(request, `source ${definition.name}`),
        });
        return {
          source: sourceView(put.source, deps.now()),
          is_new: put.isNew,
          stopped_batches: put.stoppedBatches,
          in_flight: inFlightView(put.inFlight),
        };
      },
    );

    app.delete(
      `${path}/:name`,
      {
        schema: {
          description: "Takes a source back: nobody is suppressed by its list any more. What was is kept.",
          params: nameParams,
          body: z.strictObject({ reason: suppressionReason }),
          response: { 200: sourceRemovedSchema },
        },
      },
      async (request) => {
        const { name } = request.params;
        const { reason } = request.body;
        const removed = await removeSource(deps, { name, reason, actor: actorOf(request) });
        if (!removed) throw unknownSource(name);
        return { removed: sourceView(removed, deps.now()) };
      },
    );
  };
}

const listQuerystring = listQuery.extend({
  ...digestQuery.shape,
  /** As of when the list is; absent: of now. */
  as_of: z.iso.datetime({ offset: true }).optional(),
  /** That it may be empty, or lack more than half of the numbers that were on the one before. */
  allow_shrink: z.enum(["true", "false"]).default("false"),
  /** That it may be older than the one in force. */
  allow_older: z.enum(["true", "false"]).default("false"),
});

const ABOUT =
  "Replaces the whole list of a source (text/csv or application/x-ndjson) in one step: until it has come in whole, and is what its SHA-256 says, the old one is in force. A list that is empty, or lacks more than half of the numbers of the one before, is refused unless allow_shrink says that it is meant, and one that is older unless allow_older does.";

/** How far ahead of ours a clock elsewhere may be. */
const CLOCK_SLACK_MS = 5 * 60_000;

/** Taking the newest list of a source. */
export function suppressionListRoutes(deps: HttpDeps): FastifyPluginAsyncZod {
  return async (app) => {
    takeLists(app);
    app.post(
      "/v1/suppressions/sources/:name/list",
      {
        config: { requestKey: "list" },
        schema: {
          description: ABOUT,
          params: nameParams,
          querystring: listQuerystring,
          ...listUploadSchema,
          response: { 200: listReplacedSchema },
        },
      },
      async (request) => {
        const { name } = request.params;
        const { source_name, map, default_region, format, digest, as_of, allow_shrink, allow_older } =
          request.query;
        const unread: Pick<ListReplacedWire, "rows" | "rejected" | "partly_read"> = {
          rows: { read: 0, rejected: 0, partly_read: 0 },
          rejected: [],
          partly_read: [],
        };
        try {
          const asOfMs = as_of === undefined ? undefined : Math.min(deps.now(), asOfMsOf(as_of, deps.now()));
          if (!(await readSource(deps.ledger.db, name))) throw unknownSource(name);
          const hash = createHash("sha256");
          const { chunks } = await openNumbers(bodyOf(request, hash), {
            ...formatOf(request, format),
            fileName: source_name,
            map,
            ...(default_region !== undefined && { defaultRegion: default_region }),
          });
          const phones = async function* () {
            for await (const { rows } of chunks) {
              noteUnread(unread, rows);
              yield rows.flatMap((row) => (row.kind === "numbers" ? row.phones : []));
            }
            const arrived = hash.digest("hex");
            if (arrived !== digest) throw notWhole(source_name, { digest, arrived });
          };
          const replaced = await replaceList(deps, {
            name,
            sourceName: source_name,
            digest,
            asOfMs,
            actor: actorOf(request),
            chunks: phones(),
            allowShrink: allow_shrink === "true",
            allowOlder: allow_older === "true",
          });
          if (replaced.kind === "taken") keepKey(request);
          return replacedView(replaced, unread, deps.now());
        } finally {
          letPass(request);
        }
      },
    );
  };
}

function asOfMsOf(text: string, nowMs: number): number {
  const asOfMs = Date.parse(text);
  if (asOfMs <= nowMs + CLOCK_SLACK_MS) return asOfMs;
  throw new Problem({
    status: 422,
    code: "invalid_request",
    detail: `as_of: ${text} is to come: give the day that the list is of`,
    errors: [{ field: "as_of", message: "must not be in the future" }],
  });
}

function notWhole(list: string, { digest, arrived }: { digest: string; arrived: string }): Problem {
  return new Problem({
    status: 409,
    code: "digest_mismatch",
    detail: `the list ${list} is not the announced one (SHA-256 ${arrived}, announced ${digest}): it changed on the way, or while it was sent. The list that was in force stays: send it again`,
    extra: { digest: arrived },
  });
}

/** @throws Problem 409 where the list is not taken without a word that it is meant. */
function replacedView(
  replaced: ListReplaced,
  unread: Pick<ListReplacedWire, "rows" | "rejected" | "partly_read">,
  nowMs: number,
): ListReplacedWire {
  const { source } = replaced;
  if (replaced.kind === "shrinks") {
    const { numbers, removed } = replaced.shrinkage;
    const what =
      numbers === 0
        ? `holds no number that can be read (${unread.rows.read} rows)`
        : `lacks ${removed} of the ${source.numbers} numbers that are on the one in force`;
    throw new Problem({
      status: 409,
      code: "list_shrinks",
      detail: `the list ${what}: the one in force stays. See that it is whole, and of this source; if it is meant, say so (--allow-shrink, or allow_shrink=true)`,
      extra: { numbers, removed },
    });
  }
  const { load, stoppedBatches, inFlight } = replaced;
  return {
    source: sourceView(source, nowMs),
    added: load.added,
    kept: load.kept,
    removed: load.removed ?? 0,
    stopped_batches: stoppedBatches,
    in_flight: inFlightView(inFlight),
    ...unread,
  };
}

export function sourceView(source: SuppressionSource, nowMs: number): SourceWire {
  const { name, type, brand, maxAgeMs, renewedAtMs, numbers, createdAtMs } = source;
  const list = maxAgeMs === undefined ? undefined : { source: name, renewedAtMs, maxAgeMs };
  const staleMs = list && staleFromMs(list);
  return {
    name,
    type,
    brand: brand ?? null,
    max_age: maxAgeMs === undefined ? null : formatDurationMs(maxAgeMs),
    renewed_at: isoOrNull(renewedAtMs),
    stale_at: isoOrNull(staleMs !== undefined && Number.isFinite(staleMs) ? staleMs : undefined),
    age: list === undefined ? "fresh" : ageOf(list, nowMs),
    numbers,
    scrub: scrubView(source),
    created_at: isoOf(createdAtMs),
  };
}

function scrubView(source: SuppressionSource): SourceWire["scrub"] {
  const scrub = scrubOf(source);
  if (!scrub) return null;
  const { triedAtMs, failures, trouble, awaySinceMs, askAfterMs } = source;
  return {
    url: scrubAddress(scrub.url),
    secret: scrub.secret,
    cache_for: formatDurationMs(scrub.cacheMs),
    when_away: scrub.whenAway,
    tried_at: isoOrNull(triedAtMs),
    failures,
    trouble: trouble ?? null,
    away_since: isoOrNull(awaySinceMs),
    asked_again_at: isoOrNull(askAfterMs),
  };
}

function loadView(load: SuppressionLoad): LoadWire {
  return {
    id: load.id,
    list: load.sourceName,
    state: load.state,
    as_of: isoOf(load.asOfMs),
    added: load.added,
    kept: load.kept,
    removed: load.removed ?? null,
    actor: load.actor,
    began_at: isoOf(load.beganAtMs),
    ended_at: isoOrNull(load.endedAtMs),
  };
}

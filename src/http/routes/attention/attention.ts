import { z } from "zod";

import { msOfDuration } from "../../../domain/time/duration.ts";
import { durationBetween } from "../../../domain/time/duration-schema.ts";
import {
  acknowledgeAttention,
  listAttention,
  resolveAttentionById,
  type Attention,
} from "../../../ledger/ground/attention.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { unknownAttention } from "../../unknown.ts";
import {
  attentionKind,
  attentionPageSchema,
  attentionSchema,
  type AttentionWire,
} from "../../wire/attention.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";
import { reasonText } from "../../wire/text.ts";
import { afterQuery, cutPage, numberIn } from "../../cursor.ts";
import type { Routes } from "../../route-scope.ts";

const ENTRY = "must be the number of an entry, as `outdial attention list` or GET /v1/attention shows it";

const pageQuery = z.strictObject({
  kind: attentionKind.optional(),
  brand: z.string().min(1).max(100).optional(),
  subject: z.string().min(1).max(200).optional(),
  /** Those that were dealt with, too. */
  resolved: z.enum(["true", "false"]).default("false"),
  after: afterQuery,
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});

const entryParams = z.object({
  id: z.coerce.number({ error: ENTRY }).int(ENTRY).min(1, ENTRY),
});

const resolveBody = z.strictObject({
  reason: reasonText("is needed: it is kept, for whoever asks later"),
});

const acknowledgeBody = z.strictObject({
  /** Who looks after it; absent: whoever asks. */
  by: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .refine((text) => !/\p{Cc}/u.test(text), "must not hold control characters: write it in one line")
    .optional(),
  /** For how long nobody is reminded of it, such as 4h; absent: for as long as it is there. */
  for: durationBetween(60_000, 30 * 86_400_000, "must be a duration from 1m to 30d such as 4h").optional(),
});

/** What needs a person: each thing once, until somebody has dealt with it. */
export function attentionRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { ledger } = deps;

    app.get(
      "/v1/attention",
      { schema: { querystring: pageQuery, response: { 200: attentionPageSchema } } },
      async (request) => {
        const { kind, brand, subject, resolved, after, limit } = request.query;
        const afterId = numberIn(after);
        const { items, total } = await listAttention(ledger.db, {
          ...(kind !== undefined && { kind }),
          ...(brand !== undefined && { brand }),
          ...(subject !== undefined && { subject }),
          resolved: resolved === "true",
          ...(afterId !== undefined && { afterId }),
          limit: limit + 1,
        });
        const { page, next_after } = cutPage(items, limit, (entry) => [entry.id]);
        return { items: page.map(attentionView), total, next_after };
      },
    );

    app.post(
      "/v1/attention/:id/resolve",
      {
        schema: {
          params: entryParams,
          body: resolveBody,
          response: { 200: attentionSchema },
        },
      },
      async (request) => {
        const { id } = request.params;
        const resolved = await ledger.transaction((tx) =>
          resolveAttentionById(tx, {
            id,
            by: actorOf(request),
            resolution: request.body.reason,
            nowMs: deps.now(),
          }),
        );
        if (resolved) return attentionView(resolved);
        throw unknownAttention(id);
      },
    );

    app.post(
      "/v1/attention/:id/acknowledge",
      {
        schema: {
          description:
            "Says that somebody looks after an entry: it stays on the list, and routes remind nobody of it meanwhile.",
          params: entryParams,
          body: acknowledgeBody,
          response: { 200: attentionSchema },
        },
      },
      async (request) => {
        const { id } = request.params;
        const actor = actorOf(request);
        const { by = actor, for: duration } = request.body;
        const nowMs = deps.now();
        const untilMs = duration === undefined ? undefined : nowMs + msOfDuration(duration);
        const acknowledged = await ledger.transaction((tx) =>
          acknowledgeAttention(tx, { id, by, actor, untilMs, nowMs }),
        );
        if (acknowledged) return attentionView(acknowledged);
        throw unknownAttention(id);
      },
    );
  };
}

function attentionView(entry: Attention): AttentionWire {
  return {
    id: entry.id,
    kind: entry.kind,
    subject: entry.subject,
    brand: entry.brand,
    summary: entry.summary,
    remedy: entry.remedy,
    at: isoOf(entry.atMs),
    times: entry.times,
    acknowledged_at: isoOrNull(entry.acknowledgedAtMs),
    acknowledged_by: entry.acknowledgedBy ?? null,
    acknowledged_until: isoOrNull(entry.acknowledgedUntilMs),
    resolved_at: isoOrNull(entry.resolvedAtMs),
    resolved_by: entry.resolvedBy ?? null,
    resolution: entry.resolution ?? null,
  };
}

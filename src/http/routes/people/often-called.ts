import { z } from "zod";

import { readOftenCalled, type OftenAnswer } from "../../../ledger/people/often-called.ts";
import type { HttpDeps } from "../../deps.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";
import { oftenCalledSchema } from "../../wire/people/often-called.ts";
import { shareAnswers } from "../campaigns/shared-answers.ts";
import type { Routes } from "../../route-scope.ts";

const DAY_MS = 86_400_000;

/** It reads half a million calls at most: for all who ask within a minute once. */
const KEPT_MS = 60_000;

const query = z.strictObject({
  brand: z.string().min(1).max(100).optional().describe("Only calls of this brand."),
  days: z.coerce.number().int().min(1).max(31).default(7).describe("Calls of so many days, up to now."),
  calls: z.coerce.number().int().min(2).max(100).default(2).describe("Only who had so many calls, or more."),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

/** Who was called how often of late, whichever campaign called. */
export function oftenCalledRoutes(deps: HttpDeps): Routes {
  const answers = shareAnswers<OftenAnswer & { sinceMs: number }>();
  return async (app) => {
    app.get(
      "/v1/people/called",
      {
        schema: {
          description:
            "Calls that count as dialed, and those under way, over all campaigns and sequences. Where there are more than half a million, the newest are looked at, and `back_to` says since when.",
          querystring: query,
          response: { 200: oftenCalledSchema },
        },
      },
      async (request) => {
        const { brand, days, calls, limit } = request.query;
        const key = JSON.stringify([brand, days, calls, limit]);
        const found = await answers.of(key, KEPT_MS, async () => {
          const sinceMs = deps.now() - days * DAY_MS;
          return {
            sinceMs,
            ...(await readOftenCalled(deps.ledger.db, { brand, sinceMs, calls, limit })),
          };
        });
        return {
          since: isoOf(found.sinceMs),
          items: found.people.map(({ lastMs, ...person }) => ({ ...person, last_at: isoOf(lastMs) })),
          total: found.total,
          looked_through: found.looked,
          back_to: isoOrNull(found.backToMs),
        };
      },
    );
  };
}

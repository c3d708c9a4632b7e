import { z } from "zod";

import { forgetPerson, previewForgetting, type ForgetPreview } from "../../../commands/forget.ts";
import { HOLDINGS } from "../../../domain/people/inventory.ts";
import { elsewhereOf } from "../../../domain/people/forgetting.ts";
import { listForgettings, readForgetting, type Forgetting } from "../../../ledger/people/forgettings.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import { isoOf } from "../../wire/instant.ts";
import {
  forgetAnswerSchema,
  forgettingPageSchema,
  forgettingSchema,
  type ForgetPreviewWire,
  type ForgettingWire,
} from "../../wire/people/forgettings.ts";
import { reasonText } from "../../wire/text.ts";
import { afterQuery, cutPage, limitQuery, readCursor } from "../../cursor.ts";
import { requirePhone } from "../../phone.ts";
import type { Routes } from "../../route-scope.ts";

const params = z.object({ phone: z.string().min(1).max(40) });

const forgetBody = z.strictObject({
  reason: reasonText("is needed: it stands in the certificate"),
  /** Keep the suppression as a digest, from which nobody reads the number. */
  as_hash: z.boolean().default(false),
  /** Only say what would go, what stays and what is waited for. */
  dry_run: z.boolean().default(false),
  /** The country of a number without `+`. */
  default_region: z.string().length(2).optional(),
});

const listQuery = z.strictObject({
  after: afterQuery,
  limit: limitQuery,
});

/** A request's place in its list: when it was made, and its id. */
const placeSchema = z.tuple([z.int().min(0), z.uuid()]);

const ABOUT =
  "Forgets a person: from its answer on nobody calls the number, for any brand. What is in the air is waited for; then recordings, the platform's records of the calls and whatever the ledger has of the person are removed, and a certificate says what went and what stays. What could not be removed yet, such as a call that the platform keeps, is named in it and asked for again until it is gone (`waiting`). Asked again while it is under way it is the same request.";

/** Forgetting people. */
export function forgetRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { db } = deps.ledger;

    app.post(
      "/v1/people/:phone/forget",
      {
        // The same request is known by its number while it is under way; a key would keep the address, and the number in it.
        config: { requestKey: "own" },
        schema: { description: ABOUT, params, body: forgetBody, response: { 200: forgetAnswerSchema } },
      },
      async (request) => {
        const { reason, as_hash: asHash, dry_run: isDry, default_region: region } = request.body;
        const phone = requirePhone(request.params.phone, region);
        const preview = previewView(await previewForgetting(deps.ledger, phone));
        if (isDry) return { preview, forgetting: null };
        const actor = actorOf(request);
        const asked = await forgetPerson(deps, { phone, asHash, reason, actor });
        return { preview, forgetting: forgettingView(asked) };
      },
    );

    app.get(
      "/v1/forgettings",
      { schema: { querystring: listQuery, response: { 200: forgettingPageSchema } } },
      async (request) => {
        const { after, limit } = request.query;
        const found = await listForgettings(db, { before: placeOf(after), limit: limit + 1 });
        const { page, next_after } = cutPage(found, limit, ({ askedAtMs, id }) => [askedAtMs, id]);
        return { items: page.map(forgettingView), next_after };
      },
    );

    app.get(
      "/v1/forgettings/:id",
      { schema: { params: z.object({ id: z.uuid() }), response: { 200: forgettingSchema } } },
      async (request) => {
        const found = await readForgetting(db, request.params.id);
        if (found) return forgettingView(found);
        throw new Problem({
          status: 404,
          code: "not_found",
          detail: `nobody asked to be forgotten under the id ${request.params.id}: GET /v1/forgettings has those that there are`,
        });
      },
    );
  };
}

function placeOf(after: string | undefined): { askedAtMs: number; id: string } | undefined {
  if (after === undefined) return undefined;
  const [askedAtMs, id] = readCursor(after, placeSchema);
  return { askedAtMs, id };
}

function previewView({ rows, recordings, calls, waitsFor, told }: ForgetPreview): ForgetPreviewWire {
  const there = Object.entries(rows).filter(([, n]) => n > 0);
  return {
    rows: Object.fromEntries(there),
    recordings,
    calls,
    waits_for: waitsFor ?? null,
    becomes: Object.fromEntries(
      Object.entries(HOLDINGS).flatMap(([table, { forgotten }]) =>
        there.some(([name]) => name === table) ? [[table, forgotten]] : [],
      ),
    ),
    elsewhere: elsewhereOf(told),
  };
}

function forgettingView(one: Forgetting): ForgettingWire {
  const { id, person, state, reason, removed, certificate } = one;
  return {
    id,
    person,
    last_digits: one.lastDigits,
    state,
    waits_for: one.waitsFor ?? null,
    as_hash: one.asHash,
    reason,
    asked_at: isoOf(one.askedAtMs),
    asked_by: one.askedBy,
    removed,
    certificate: certificate
      ? {
          ...certificate,
          waiting: [...certificate.waiting],
          kept: [...certificate.kept],
          elsewhere: [...certificate.elsewhere],
        }
      : null,
  };
}

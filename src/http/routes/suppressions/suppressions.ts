import { z } from "zod";

import { nationalHome } from "../../../contacts/phone-region.ts";
import { normalisePhone } from "../../../contacts/phone.ts";
import { brandNameSchema } from "../../../domain/ground/brand-name.ts";
import {
  listInForce,
  listSuppressions,
  removeSuppression,
  type NewSuppression,
  type Suppression,
  type TakenBack,
} from "../../../ledger/ground/suppressions.ts";
import { listingsOf } from "../../../ledger/ground/listed-numbers.ts";
import { answersThatList } from "../../../ledger/ground/scrub-answers.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import { suppress } from "../../../commands/suppressions.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";
import type { FieldProblem } from "../../wire/problem.ts";
import {
  suppressionAddedSchema,
  suppressionPageSchema,
  suppressionRemovedSchema,
  type SuppressionWire,
} from "../../wire/suppressions.ts";
import { reasonText } from "../../wire/text.ts";
import { inFlightView } from "../../in-flight.ts";
import { afterQuery, cutPage, numberIn } from "../../cursor.ts";
import type { Routes } from "../../route-scope.ts";

export const brandName = brandNameSchema;

export const suppressionReason = reasonText("is needed: it is kept for good");

const phoneText = z.string().min(1).max(40);

const entrySchema = z.strictObject({
  phone: phoneText,
  /** Absent: for every brand. */
  brand: brandName.optional(),
  reason: suppressionReason,
  expires_at: z.iso.datetime({ offset: true }).optional(),
});

const addBody = z.strictObject({
  // One statement; longer lists go to the import.
  entries: z.array(entrySchema).min(1).max(1_000),
  /** The country of numbers without `+`. */
  default_region: z.string().length(2).optional(),
});

const removeBody = z.strictObject({
  phone: phoneText,
  /** Absent: the suppression for every brand. */
  brand: brandName.optional(),
  /** Only what this source said, as it is listed; absent: whoever said it. */
  source: z.string().min(1).max(500).optional(),
  reason: suppressionReason,
  default_region: z.string().length(2).optional(),
});

const pageQuery = z.strictObject({
  phone: phoneText.optional(),
  /** Those for every brand are listed with it, since they bind it too. */
  brand: brandName.optional(),
  after: afterQuery,
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});

/** Numbers that must not be dialed. */
export function suppressionRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.post(
      "/v1/suppressions",
      { schema: { body: addBody, response: { 200: suppressionAddedSchema } } },
      async (request) => {
        const entries = readEntries(request.body, deps.now());
        const { added, stoppedBatches, inFlight } = await suppress(deps, {
          entries,
          actor: actorOf(request),
        });
        return {
          added,
          already: entries.length - added,
          stopped_batches: stoppedBatches,
          in_flight: inFlightView(inFlight),
        };
      },
    );

    app.delete(
      "/v1/suppressions",
      { schema: { body: removeBody, response: { 200: suppressionRemovedSchema } } },
      async (request) => {
        const { brand, source, reason, default_region } = request.body;
        const phone = requirePhone(request.body.phone, default_region);
        const input = { phone, brand, source, reason, actor: actorOf(request), nowMs: deps.now() };
        const takenBack = await deps.ledger.transaction(async (tx) => {
          const words = await removeSuppression(tx, input);
          if (source === undefined) refuseSeveralWords(words);
          return words;
        });
        if (takenBack.length > 0)
          return {
            phone,
            removed: true as const,
            taken_back: takenBack.map(({ saidBy, ...word }) => ({ said_by: saidBy, ...word })),
            still: await whatStands(deps, phone, brand),
          };
        const scope = brand === undefined ? "for every brand" : `for the brand ${brand}`;
        const by = source === undefined ? "" : ` by ${source}`;
        const lists = await listingsOver(deps, phone, brand);
        if (lists.some((list) => source === undefined || list.source === source))
          throw new Problem({
            status: 409,
            code: "on_a_list",
            detail: `the number is on the list of ${lists.map((list) => list.source).join(", ")}: it is off it once that list is replaced by one without it, or its source removed`,
          });
        throw new Problem({
          status: 404,
          code: "not_suppressed",
          detail: `the number is not suppressed ${scope}${by}: list it to see where it is, and by what, and name that`,
        });
      },
    );

    app.get(
      "/v1/suppressions",
      { schema: { querystring: pageQuery, response: { 200: suppressionPageSchema } } },
      async (request) => {
        const { phone, brand, after, limit } = request.query;
        const afterId = numberIn(after);
        const number = phone === undefined ? undefined : requirePhone(phone, undefined);
        const { items, total } = await listSuppressions(deps.ledger.db, {
          ...(number !== undefined && { phone: number }),
          ...(brand !== undefined && { brand }),
          ...(afterId !== undefined && { afterId }),
          limit: limit + 1,
        });
        const { page, next_after } = cutPage(items, limit, ({ id }) => [id]);
        const listings = number === undefined ? [] : await listingsOf(deps.ledger.db, number);
        return {
          items: page.map(suppressionView),
          listed_by: listings
            .filter((listing) => brand === undefined || (listing.brand ?? brand) === brand)
            .map(({ source, type, brand: of = null, sinceMs }) => ({
              source,
              type,
              brand: of,
              since: isoOf(sinceMs),
            })),
          total,
          next_after,
        };
      },
    );
  };
}

/**
 * Whoever corrects what a list said must not take the person's own word with it. Judged of what was taken back, in the
 * transaction that undoes it then: an opt-out may come at any moment.
 *
 * @throws Problem 409 where both a person and a list or service said it, and nobody says whose word is meant.
 */
function refuseSeveralWords(words: readonly TakenBack[]): void {
  if (new Set(words.map(({ saidBy }) => saidBy === "person")).size < 2) return;
  const told = words.map(({ source, reason }) => `"${source}" (${reason})`).join(", ");
  throw new Problem({
    status: 409,
    code: "several_words",
    detail: `the number is suppressed by several words, the person's own among them: ${told}. Name the source of the one that is to be taken back, and of each further one`,
  });
}

/** Lists of sources that bind a brand, or any, and have the number. */
async function listingsOver({ ledger }: HttpDeps, phone: string, brand: string | undefined) {
  const listings = await listingsOf(ledger.db, phone);
  return listings.filter((listing) => brand === undefined || (listing.brand ?? brand) === brand);
}

/** What keeps a number from being dialed for a brand; without one, for any. */
async function whatStands(deps: HttpDeps, phone: string, brand: string | undefined) {
  const { ledger, now } = deps;
  const words = await listInForce(ledger.db, { phone, brand, nowMs: now() });
  const listings = await listingsOver(deps, phone, brand);
  const answers = await answersThatList(ledger.db, { phone, brand, nowMs: now() });
  return [
    ...words.map(({ brand: of = null, source, reason }) => ({ brand: of, source, reason })),
    ...listings.map(({ brand: of = null, source, type }) => ({
      brand: of,
      source,
      reason: `on the list of type ${type}`,
    })),
    ...answers
      .filter(({ source }) => words.every((word) => word.source !== `scrub ${source}`))
      .map(({ brand: of = null, source, untilMs }) => ({
        brand: of,
        source: `scrub ${source}`,
        reason: `its answer lists the number until ${isoOf(untilMs)}: the service decides`,
      })),
  ];
}

function suppressionView(suppression: Suppression): SuppressionWire {
  return {
    id: suppression.id,
    phone: suppression.phone,
    brand: suppression.brand ?? null,
    said_by: suppression.saidBy,
    source: suppression.source,
    reason: suppression.reason,
    created_at: isoOf(suppression.createdAtMs),
    expires_at: isoOrNull(suppression.expiresAtMs),
  };
}

/** Every entry that can't be, at once: half a list of people who asked not to be called is no list. */
function readEntries({ entries, default_region }: z.output<typeof addBody>, nowMs: number): NewSuppression[] {
  const home = default_region === undefined ? undefined : nationalHome(default_region);
  const errors: FieldProblem[] = [];
  const read = entries.flatMap(({ phone, brand, reason, expires_at }, index): NewSuppression[] => {
    const number = normalisePhone(phone, home);
    if (!number.ok) errors.push({ field: `entries.${index}.phone`, message: number.message });
    const expiresAtMs = expires_at === undefined ? undefined : Date.parse(expires_at);
    if (expiresAtMs !== undefined && expiresAtMs <= nowMs)
      errors.push({ field: `entries.${index}.expires_at`, message: "must be in the future" });
    if (!number.ok) return [];
    return [
      {
        phone: number.phone,
        brand,
        source: "api",
        reason,
        ...(expiresAtMs !== undefined && { expiresAtMs }),
      },
    ];
  });
  if (errors.length === 0) return read;
  const told = errors.map(({ field, message }) => `${field}: ${message}`).join("; ");
  throw new Problem({
    status: 422,
    code: "invalid_request",
    detail: `nothing was suppressed: ${told}`,
    errors,
  });
}

/** @throws Problem 422 where it is no number */
export function requirePhone(text: string, defaultRegion: string | undefined): string {
  const number = normalisePhone(text, defaultRegion === undefined ? undefined : nationalHome(defaultRegion));
  if (number.ok) return number.phone;
  throw new Problem({
    status: 422,
    code: "invalid_request",
    detail: `phone: ${number.message}`,
    errors: [{ field: "phone", message: number.message }],
  });
}

import { z } from "zod";

import { withdraw } from "../../../commands/consents.ts";
import { nationalHome } from "../../../contacts/phone-region.ts";
import { normalisePhone } from "../../../contacts/phone.ts";
import { readConsent, type ConsentCells } from "../../../domain/policy/consent.ts";
import { writeAudit } from "../../../ledger/ground/audit.ts";
import {
  listConsents,
  recordConsents,
  type Consent,
  type NewConsent,
} from "../../../ledger/ground/consents.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { inFlightView } from "../../in-flight.ts";
import { Problem } from "../../problem.ts";
import {
  consentAddedSchema,
  consentListSchema,
  consentWithdrawnSchema,
  type ConsentWire,
} from "../../wire/consents.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";
import type { FieldProblem } from "../../wire/problem.ts";
import { reasonText } from "../../wire/text.ts";
import { brandName, requirePhone } from "../suppressions/suppressions.ts";
import type { Routes } from "../../route-scope.ts";

const phoneText = z.string().min(1).max(40);

/** What was said, as lists have it in their columns. */
export const consentBody = z.strictObject({
  basis: z.string().min(1).max(100),
  /** When it was given: a moment with its offset, or a day. */
  at: z.string().min(1).max(40),
  /** Where it can be seen. */
  proof: z.string().max(1_000).optional(),
  expires_at: z.string().min(1).max(40).optional(),
});

export function consentCells({
  basis,
  at,
  proof = "",
  expires_at = "",
}: z.output<typeof consentBody>): ConsentCells {
  return { basis, at, proof, expiresAt: expires_at };
}

const addBody = z.strictObject({
  brand: brandName.default("default"),
  // One statement; lists bring theirs in columns.
  entries: z
    .array(consentBody.extend({ phone: phoneText }))
    .min(1)
    .max(1_000),
  /** The country of numbers without `+`. */
  default_region: z.string().length(2).optional(),
});

const withdrawBody = z.strictObject({
  phone: phoneText,
  brand: brandName.default("default"),
  reason: reasonText("is needed: it is kept for good"),
  default_region: z.string().length(2).optional(),
});

const listQuery = z.strictObject({
  phone: phoneText,
  brand: brandName.default("default"),
});

/** What was said about calls to a number, in a brand. */
export function consentRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.post(
      "/v1/consents",
      {
        schema: {
          description:
            "Keeps consents of people to be called by a brand: all of them or none. The same again is there once.",
          body: addBody,
          response: { 200: consentAddedSchema },
        },
      },
      async (request) => {
        const nowMs = deps.now();
        const { brand } = request.body;
        const consents = readEntries(request.body, nowMs);
        const added = await deps.ledger.transaction(async (tx) => {
          const fresh = await recordConsents(tx, { brand, consents, source: "api", nowMs });
          const detail = { brand, numbers: consents.length, fresh };
          await writeAudit(tx, { nowMs, actor: actorOf(request), action: "consent.add", detail });
          return fresh;
        });
        return { added, already: consents.length - added };
      },
    );

    app.post(
      "/v1/consents/withdraw",
      {
        schema: {
          description:
            "Notes that somebody does not consent to calls of a brand any more. Batches of it that are dialing the number are stopped. Campaigns that ask for no consent go on calling: who is not to be called at all is suppressed.",
          body: withdrawBody,
          response: { 200: consentWithdrawnSchema },
        },
      },
      async (request) => {
        const { brand, reason, default_region } = request.body;
        const phone = requirePhone(request.body.phone, default_region);
        const { stoppedBatches, inFlight } = await withdraw(deps, {
          brand,
          phone,
          reason,
          source: "api",
          actor: actorOf(request),
        });
        return { phone, brand, stopped_batches: stoppedBatches, in_flight: inFlightView(inFlight) };
      },
    );

    app.get(
      "/v1/consents",
      { schema: { querystring: listQuery, response: { 200: consentListSchema } } },
      async (request) => {
        const phone = requirePhone(request.query.phone, undefined);
        const items = await listConsents(deps.ledger.db, { brand: request.query.brand, phone });
        return { items: items.map(consentView) };
      },
    );
  };
}

/** Every entry that can't be, at once. */
function readEntries({ entries, default_region }: z.output<typeof addBody>, nowMs: number): NewConsent[] {
  const home = default_region === undefined ? undefined : nationalHome(default_region);
  const errors: FieldProblem[] = [];
  const read = entries.flatMap(({ phone, ...said }, index): NewConsent[] => {
    const number = normalisePhone(phone, home);
    if (!number.ok) errors.push({ field: `entries.${index}.phone`, message: number.message });
    const consent = readConsent(consentCells(said), nowMs);
    if (!consent.ok) {
      const field = consent.field.replace("consent_", "");
      errors.push({ field: `entries.${index}.${field}`, message: consent.reason });
    }
    return number.ok && consent.ok && consent.consent ? [{ ...consent.consent, phone: number.phone }] : [];
  });
  if (errors.length === 0) return read;
  const told = errors.map(({ field, message }) => `${field}: ${message}`).join("; ");
  throw new Problem({
    status: 422,
    code: "invalid_request",
    detail: `nothing was recorded: ${told}`,
    errors,
  });
}

function consentView(consent: Consent): ConsentWire {
  return {
    id: consent.id,
    phone: consent.phone,
    brand: consent.brand,
    basis: consent.basis ?? null,
    at: isoOf(consent.atMs),
    proof: consent.proof ?? null,
    expires_at: isoOrNull(consent.expiresAtMs),
    source: consent.source,
    recorded_at: isoOf(consent.recordedAtMs),
  };
}

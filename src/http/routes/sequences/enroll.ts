import { z } from "zod";

import { readContact } from "../../../contacts/one-contact.ts";
import { enroll } from "../../../ledger/sequences/enrolling.ts";
import { requestDigest } from "../../../ledger/ground/request-keys.ts";
import { readDefinition } from "../../../ledger/sequences/sequences.ts";
import type { HttpDeps } from "../../deps.ts";
import { requestKeyOf } from "../../plugins/idempotency.ts";
import { Problem } from "../../problem.ts";
import { enrolledSchema } from "../../wire/sequences.ts";
import { brandQuery } from "../campaigns/lookup.ts";
import { consentBody, consentCells } from "../consents/consents.ts";
import { requireSequence, sequenceParams } from "./lookup.ts";
import { keptText, plainText } from "../../wire/text.ts";
import type { Routes } from "../../route-scope.ts";

/** What lists may bring, too. */
const MAX_VARIABLES = 200;
const MAX_VALUE_CHARS = 10_000;

/** Text; numbers and truth values are written out. */
const variable = z
  .union([keptText(MAX_VALUE_CHARS), z.number(), z.boolean()])
  .transform((value) => String(value));

const enrollBody = z.strictObject({
  phone: z.string().min(1).max(100),
  /** The person's country, for a number without `+`. */
  region: z.string().min(1).max(100).optional(),
  /** The zone that the person is in, where it is known. */
  time_zone: z.string().min(1).max(100).optional(),
  /** Where the person lives, from which their zones are found: a country, a state of it, a ZIP code. */
  country: z.string().min(1).max(100).optional(),
  state: z.string().min(1).max(100).optional(),
  postal_code: z.string().min(1).max(20).optional(),
  /** What was said of consent to be called. */
  consent: consentBody.optional(),
  variables: z
    .record(plainText(100), variable)
    .refine((variables) => Object.keys(variables).length <= MAX_VARIABLES, `may be ${MAX_VARIABLES} at most`)
    .default({}),
  /** Tells several enrolments of one person apart, where the sequence's policy is `parallel`. */
  key: plainText(200).optional(),
  /** Makes it the same enrolment for ever; the header `Idempotency-Key` does so, too. */
  request_key: plainText(200).optional(),
});

/** Enrolling one person. Accepted means durable: the enrolment begins be Temporal there or not. */
export function enrollRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.post(
      "/v1/sequences/:ref/enrolments",
      {
        config: { requestKey: "own" },
        schema: {
          params: sequenceParams,
          querystring: brandQuery,
          body: enrollBody,
          response: { 200: enrolledSchema, 202: enrolledSchema },
        },
      },
      async (request, reply) => {
        const { db } = deps.ledger;
        const sequence = await requireSequence(db, request.params.ref, request.query.brand);
        const { default_region } = await readDefinition(db, sequence.id, sequence.version);
        const { request_key: inBody, ...asked } = request.body;
        const { variables, key } = asked;
        const contact = readPerson(asked, default_region);
        const requestKey = requestKeyOf(request, inBody);
        const result = await deps.ledger.transaction((tx) =>
          enroll(tx, {
            sequenceName: sequence.name,
            brand: sequence.brand,
            phone: contact.phone,
            region: contact.region,
            zones: contact.zones,
            strictZones: contact.strictZones,
            consent: contact.consent,
            places: contact.places,
            strictPlaces: contact.strictPlaces,
            variables,
            key,
            source: "api",
            dataKeys: deps.dataKeys,
            ...(requestKey !== undefined && {
              requestKey: `api:${sequence.id}:${requestKey}`,
              request: { digest: requestDigest(asked), key: requestKey },
            }),
            nowMs: deps.now(),
          }),
        );
        if (result.kind === "refused") {
          throw new Problem({
            status: 409,
            code: "enrolment_refused",
            detail: `nobody was enrolled: ${result.detail}`,
            extra: { reason: result.reason },
          });
        }
        if (result.kind === "enrolled") deps.outbox.kick();
        const answer = { enrolment_id: result.enrolmentId, result: result.kind };
        return reply.code(result.kind === "enrolled" ? 202 : 200).send(answer);
      },
    );
  };
}

/** @throws Problem 422 where a field can't be understood. */
function readPerson(
  body: Omit<z.output<typeof enrollBody>, "request_key">,
  defaultRegion: string | undefined,
) {
  const { phone, region, country, state } = body;
  const contact = readContact(phone, {
    defaultRegion,
    region,
    timeZone: body.time_zone,
    country,
    state,
    postalCode: body.postal_code,
    consent: body.consent && consentCells(body.consent),
  });
  if (!contact.ok) throw invalidField(FIELD_OF[contact.code] ?? "phone", contact.reason);
  const [unread] = contact.unread;
  if (unread === undefined) return contact;
  throw invalidField(
    unread.column,
    `${JSON.stringify(unread.value)} is not known${unread.column === "country" ? "" : " in the country"}: ${PLACE_REMEDIES[unread.column]}, or give time_zone`,
  );
}

const FIELD_OF: Readonly<Record<string, string>> = {
  time_zone_invalid: "time_zone",
  consent_invalid: "consent",
};

const PLACE_REMEDIES = {
  country: "give its two-letter code",
  state: "give its name or its code, and its country if that is not the number's",
  postal_code:
    "give a ZIP code of five digits or a postal code of Canada, and leave those of other countries out",
};

function invalidField(field: string, message: string): Problem {
  return new Problem({
    status: 422,
    code: "invalid_request",
    detail: `${field}: ${message}`,
    errors: [{ field, message }],
  });
}

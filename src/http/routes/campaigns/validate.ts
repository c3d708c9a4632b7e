import { createHash } from "node:crypto";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import { validateContacts, type ContactsValidation } from "../../../contacts/validate-contacts.ts";
import {
  policyOf,
  readCampaignSpec,
  windowInSpec,
  type CampaignSpec,
} from "../../../domain/campaigns/campaign-spec.ts";
import { windowOf } from "../../../domain/campaigns/window-spec.ts";
import { DEFAULT_WINDOW_SPEC } from "../../../domain/policy/calling-window.ts";
import type { Campaign } from "../../../ledger/campaigns/campaigns.ts";
import { countContactsAmong } from "../../../ledger/campaigns/contact-listing.ts";
import { suppressedAmong } from "../../../ledger/ground/suppressions.ts";
import { requireBrand } from "../../caller.ts";
import type { HttpDeps } from "../../deps.ts";
import { bodyOf, formatOf, letPass, listQuery, listUploadSchema, takeLists } from "../../list-upload.ts";
import { Problem } from "../../problem.ts";
import { createSlots } from "../../slots.ts";
import { validationSchema, type ValidationWire } from "../../wire/campaigns/validation.ts";
import { invalidSpec } from "./create.ts";
import { brandQuery, requireCampaign } from "./lookup.ts";

/** Numbers that were seen are kept to tell duplicates: each list takes up to 256 MiB, and a second for 100,000 rows. */
const AT_ONCE = 2;

/** What an address holds beside it: longer ones are given as a campaign. */
export const MOST_SPEC_CHARS = 8_000;

/** More of them say no more. */
const MOST_GROUPS = 100;
const MOST_LINES = 100;

const validateQuery = listQuery.extend({
  ...brandQuery.shape,
  campaign: z.string().min(1).max(100).optional().describe("The campaign that it is for, by its id or name."),
  spec: z
    .string()
    .max(MOST_SPEC_CHARS)
    .optional()
    .describe("Instead of a campaign: the spec of one, as JSON."),
  problems: z.coerce.number().int().min(0).max(1_000).default(100).describe("So many bad rows are shown."),
});

type Query = z.output<typeof validateQuery>;

/** What an import of a list would say. Nothing is written. */
export function validationRoutes(deps: HttpDeps): FastifyPluginAsyncZod {
  const slots = createSlots(AT_ONCE, "as many lists are being looked at as are taken");
  return async (app) => {
    takeLists(app);
    app.post(
      "/v1/contacts/validate",
      {
        // The same again is looked at again, and changes as little.
        config: { requestKey: "own" },
        schema: {
          summary: "Says what an import of a list of contacts would say. Nothing is written.",
          description:
            "The list is the body, as large as it is. With a campaign, or the spec of one, it is held against its hours, zones and consent; without, against weekdays from 9 to 18.",
          querystring: validateQuery,
          ...listUploadSchema,
          response: { 200: validationSchema },
        },
      },
      async (request) => {
        try {
          const { query } = request;
          const looked = await whatFor(deps, query);
          if (looked.spec) requireBrand(request, looked.spec.brand);
          const region = query.default_region ?? looked.spec?.default_region;
          const hash = createHash("sha256");
          return await slots(() =>
            validated(deps, bodyOf(request, hash), {
              looked,
              brand: looked.spec?.brand ?? query.brand,
              reading: {
                ...formatOf(request, query.format),
                fileName: query.source_name,
                map: query.map,
                maxProblems: query.problems,
                ...(region !== undefined && { defaultRegion: region }),
              },
              digest: () => hash.digest("hex"),
            }),
          );
        } finally {
          letPass(request);
        }
      },
    );
  };
}

interface LookedFor {
  campaign: Campaign | undefined;
  spec: CampaignSpec | undefined;
}

/** Whose hours and rules a list is held against. @throws Problem */
export async function whatFor(
  { ledger }: Pick<HttpDeps, "ledger">,
  { campaign: ref, spec, brand }: Pick<Query, "campaign" | "spec" | "brand">,
): Promise<LookedFor> {
  if (ref !== undefined && spec !== undefined) throw unfit("spec", "give a campaign or a spec, not both");
  if (ref !== undefined) {
    const campaign = await requireCampaign(ledger.db, ref, brand);
    return { campaign, spec: campaign.spec };
  }
  if (spec === undefined) return { campaign: undefined, spec: undefined };
  const reading = readCampaignSpec(jsonIn("spec", spec));
  if (!reading.ok) throw invalidSpec(reading.problems);
  return { campaign: undefined, spec: reading.spec };
}

export function jsonIn(field: "spec" | "outcomes", text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unfit(
      field,
      field === "spec"
        ? "must be JSON: a campaign's spec as POST /v1/campaigns takes it"
        : 'must be JSON: a profile of outcomes, such as {"shares":{"answered":30,"no_answer":70}}',
    );
  }
}

export function unfit(field: string, message: string): Problem {
  return new Problem({
    status: 422,
    code: "invalid_request",
    detail: `${field}: ${message}`,
    errors: [{ field, message }],
  });
}

async function validated(
  deps: HttpDeps,
  list: AsyncIterable<Uint8Array>,
  given: {
    looked: LookedFor;
    brand: string;
    reading: Parameters<typeof validateContacts>[1];
    digest: () => string;
  },
): Promise<ValidationWire> {
  const { db } = deps.ledger;
  const { brand } = given;
  const { campaign, spec } = given.looked;
  const nowMs = deps.now();
  let chunk: { phone: string; line: number }[] = [];
  const suppressed = { contacts: 0, lines: [] as number[] };
  const duplicateLines: number[] = [];
  let inCampaign = 0;
  const validation = await validateContacts(list, {
    ...given.reading,
    campaign: {
      window: spec === undefined ? windowOf(DEFAULT_WINDOW_SPEC) : windowInSpec(spec),
      isStrict: spec?.zones === "strict",
      ...(spec && { consent: policyOf(spec, 1), transfers: policyOf(spec, 1).transfers }),
      nowMs,
    },
    onContact: ({ phone, line }, isDuplicate) => {
      if (!isDuplicate) chunk.push({ phone, line });
      else if (duplicateLines.length < MOST_LINES) duplicateLines.push(line);
    },
    // A statement or two for a thousand rows.
    afterChunk: async () => {
      const people = chunk;
      chunk = [];
      if (people.length === 0) return;
      const phones = people.map(({ phone }) => phone);
      const hits = await suppressedAmong(db, { phones, brand, nowMs });
      for (const { phone, line } of people) {
        if (!hits.has(phone)) continue;
        suppressed.contacts += 1;
        if (suppressed.lines.length < MOST_LINES) suppressed.lines.push(line);
      }
      if (campaign) inCampaign += await countContactsAmong(db, campaign.id, phones);
    },
  });
  return {
    ...validationView(validation),
    // What is behind a fault was not read.
    digest: validation.stopped ? null : given.digest(),
    suppressed,
    duplicate_lines: duplicateLines,
    in_campaign: campaign ? inCampaign : null,
    under:
      spec === undefined
        ? "weekdays from 9 to 18, as of a campaign that names no hours"
        : `campaign "${spec.name}"`,
  };
}

function validationView(
  validation: ContactsValidation,
): Omit<ValidationWire, "digest" | "suppressed" | "duplicate_lines" | "in_campaign" | "under"> {
  const { layout, stopped } = validation;
  return {
    layout: {
      format: layout.format,
      encoding: layout.encoding,
      delimiter: layout.delimiter ?? null,
      columns: layout.columns?.map(({ name, role }) => ({ name, role })) ?? null,
    },
    rows: validation.rows,
    rejected_by_code: { ...validation.rejectedByCode },
    problems: validation.problems.map(({ line, code, reason, raw }) => ({ line, code, reason, raw })),
    stopped: stopped && { ...stopped },
    warnings: [...validation.warnings],
    regions: { ...validation.regions },
    zone_sets: validation.zoneSets
      .slice(0, MOST_GROUPS)
      .map(({ zones, contacts }) => ({ zones: [...zones], contacts })),
    placed_by: { ...validation.placedBy },
    never_dialed: validation.neverDialed.map((group) => ({ ...group, zones: [...group.zones] })),
    without_consent: validation.withoutConsent.slice(0, MOST_GROUPS).map((group) => ({ ...group })),
  };
}

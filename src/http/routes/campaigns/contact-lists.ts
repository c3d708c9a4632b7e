import { z } from "zod";

import { CONTACT_STATES } from "../../../domain/campaigns/contact-state.ts";
import { DISPOSITIONS } from "../../../domain/policy/disposition.ts";
import { listAttemptsOfContact } from "../../../ledger/campaigns/attempt-listing.ts";
import {
  findContact,
  listContacts,
  listContactsOfNumber,
  type ContactFilter,
} from "../../../ledger/campaigns/contact-listing.ts";
import { readImpediments } from "../../../ledger/campaigns/explanations.ts";
import { hidesNumbers } from "../../caller.ts";
import { afterQuery, cursorOf, cutPage, limitQuery, noPlace, readCursor } from "../../cursor.ts";
import type { HttpDeps } from "../../deps.ts";
import { requirePhone } from "../../phone.ts";
import { Problem } from "../../problem.ts";
import { unknownContact } from "../../unknown.ts";
import { contactDetailSchema, contactPageSchema } from "../../wire/campaigns/contacts.ts";
import { isoOrNull } from "../../wire/instant.ts";
import { attemptView, contactView } from "./contact-views.ts";
import { brandQuery, campaignParams, requireCampaign } from "./lookup.ts";
import type { Routes } from "../../route-scope.ts";

const word = z.string().min(1).max(100).optional();
const moment = z.iso.datetime({ offset: true }).optional();

const listQuery = z.strictObject({
  ...brandQuery.shape,
  state: z.enum(CONTACT_STATES).optional().describe("Only those in this state."),
  outcome: z.enum(DISPOSITIONS).optional().describe("Only those who are done, and came to this."),
  reason: word.describe("Only those who are excluded, or done, for this reason."),
  last_disposition: z
    .enum(DISPOSITIONS)
    .optional()
    .describe("Only those whose last call came to this, whether or not another follows."),
  attempts: z.coerce.number().int().min(0).max(1_000).optional().describe("Only those with so many calls."),
  due_from: moment.describe("Only those who are open and due from then on."),
  due_before: moment.describe("Only those who are open and due before then."),
  refused_by: word.describe("Only those whom this rule of the gate kept from being called, once or more."),
  phone: z.string().min(1).max(40).optional().describe("Only the one with this number."),
  phone_prefix: z
    .string()
    .regex(/^\+\d{1,14}$/, "must be + and the first digits of the number, such as +1202")
    .optional()
    .describe("Only numbers that begin so, in their order. Not for viewers, who are shown no numbers."),
  after: afterQuery,
  limit: limitQuery,
});

const numberQuery = z.strictObject({
  phone: z.string().min(1).max(40).describe("The number."),
  brand: word.describe("Only in campaigns of this brand."),
  default_region: z.string().length(2).optional().describe("The country of a number without +."),
  after: afterQuery,
  limit: limitQuery,
});

const phoneParams = campaignParams.extend({ phone: z.string().min(1).max(40) });

/** A contact's place in a list: its id, which tells nothing of its number. */
const placeSchema = z.tuple([z.int().min(1)]);

/** Calls of one contact that are shown with it: policies allow some tens. */
const CALLS_SHOWN = 100;

/** Who is in a campaign, and in which campaigns a number is. */
export function contactListRoutes(deps: HttpDeps): Routes {
  const { db } = deps.ledger;
  return async (app) => {
    app.get(
      "/v1/campaigns/:ref/contacts",
      {
        schema: {
          summary: "Lists the contacts of a campaign, in the order in which they came in.",
          description:
            "By state, outcome, reason of exclusion, number or its first digits, a page is read by index. With any other filter it is looked for among the next 2,500 contacts: such a page may have fewer items than its limit, or none, while next_after is not null.",
          params: campaignParams,
          querystring: listQuery,
          response: { 200: contactPageSchema },
        },
      },
      async (request) => {
        const { ref } = request.params;
        const { brand, after, limit, ...asked } = request.query;
        if (asked.phone_prefix !== undefined && hidesNumbers(request)) throw noSearchForViewers();
        const campaign = await requireCampaign(db, ref, brand);
        const found = await listContacts(db, campaign, {
          filter: filterOf(asked),
          after: after === undefined ? 0 : readCursor(after, placeSchema)[0],
          limit: limit + 1,
        });
        if (!found)
          throw noPlace(
            "must be what the page before gave as next_after, of this campaign; where its person was forgotten since, begin anew without it",
          );
        const { contacts, lookedThrough } = found;
        const { page, next_after } = cutPage(contacts, limit, ({ id }) => [id]);
        return {
          items: page.map(contactView),
          next_after: next_after ?? (lookedThrough === undefined ? null : cursorOf([lookedThrough])),
        };
      },
    );

    app.get(
      "/v1/campaigns/:ref/contacts/:phone",
      {
        schema: {
          summary: "Shows a contact of a campaign with its calls, and what keeps it from being called.",
          description:
            "Where several calls are placed to one number: the one that is not over, else the newest.",
          params: phoneParams,
          querystring: brandQuery,
          response: { 200: contactDetailSchema },
        },
      },
      async (request) => {
        const campaign = await requireCampaign(db, request.params.ref, request.query.brand);
        const contact = await findContact(db, campaign.id, requirePhone(request.params.phone));
        if (!contact) throw unknownContact(campaign);
        const calls = await listAttemptsOfContact(db, contact.id, CALLS_SHOWN);
        const impediments = await readImpediments(db, contact.id);
        return {
          ...contactView(contact),
          variables: contact.variables,
          calls: calls.map(attemptView),
          waits_for: impediments.map(({ reason, detail, sinceMs }) => ({
            reason,
            detail,
            since: isoOrNull(sinceMs),
          })),
        };
      },
    );

    app.get(
      "/v1/contacts",
      {
        schema: {
          summary: "Lists the contacts with a number, over all campaigns, the newest first.",
          querystring: numberQuery,
          response: { 200: contactPageSchema },
        },
      },
      async (request) => {
        const { phone, brand, default_region, after, limit } = request.query;
        const contacts = await listContactsOfNumber(db, {
          phone: requirePhone(phone, default_region),
          brand,
          after: after === undefined ? undefined : readCursor(after, placeSchema)[0],
          limit: limit + 1,
        });
        const { page, next_after } = cutPage(contacts, limit, ({ id }) => [id]);
        return { items: page.map(contactView), next_after };
      },
    );
  };
}

function filterOf(asked: Omit<z.output<typeof listQuery>, "brand" | "after" | "limit">): ContactFilter {
  const momentOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
  return {
    state: asked.state,
    outcome: asked.outcome,
    reason: asked.reason,
    lastDisposition: asked.last_disposition,
    attempts: asked.attempts,
    dueFromMs: momentOf(asked.due_from),
    dueBeforeMs: momentOf(asked.due_before),
    refusedBy: asked.refused_by,
    phone: asked.phone === undefined ? undefined : requirePhone(asked.phone),
    phonePrefix: asked.phone_prefix,
  };
}

/** Digit by digit it would tell them the numbers that they are not shown. */
function noSearchForViewers(): Problem {
  return new Problem({
    status: 403,
    code: "role_needed",
    detail:
      "phone_prefix would tell a viewer the numbers that viewers are not shown, digit by digit: search by the whole number (phone), or with a token of an operator",
    extra: { role: "operator" },
  });
}

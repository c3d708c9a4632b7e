import { z } from "zod";

import { normalisePhone } from "../../../contacts/phone.ts";
import { listTags, removeTag, type Tag } from "../../../ledger/campaigns/tags.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import { isoOf } from "../../wire/instant.ts";
import { tagPageSchema, tagRemovedSchema, type TagWire } from "../../wire/tags.ts";
import { reasonText } from "../../wire/text.ts";
import { brandQuery } from "./lookup.ts";
import type { Routes } from "../../route-scope.ts";

const phoneText = z.string().min(1).max(40);
const tagText = z.string().min(1).max(100);

const pageQuery = z.strictObject({
  ...brandQuery.shape,
  phone: phoneText.optional(),
  tag: tagText.optional(),
  /** What the page before gave as `next_after`. */
  after: z.string().min(1).max(200).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});

const removeBody = z.strictObject({
  ...brandQuery.shape,
  phone: phoneText,
  tag: tagText,
  reason: reasonText("must say something, or be left out").optional(),
});

/** Words that follow-ups gave to people. */
export function tagRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.get(
      "/v1/tags",
      { schema: { querystring: pageQuery, response: { 200: tagPageSchema } } },
      async (request) => {
        const { brand, phone, tag, after, limit } = request.query;
        const { items, total } = await listTags(deps.ledger.db, {
          brand,
          ...(phone !== undefined && { phone: requirePhone(phone) }),
          ...(tag !== undefined && { tag }),
          ...(after !== undefined && { after: readCursor(after) }),
          // One more than the page tells whether there is another.
          limit: limit + 1,
        });
        const page = items.slice(0, limit);
        const last = items.length > limit ? page.at(-1) : undefined;
        return { items: page.map(tagView), total, next_after: last ? `${last.phone} ${last.tag}` : null };
      },
    );

    app.delete(
      "/v1/tags",
      { schema: { body: removeBody, response: { 200: tagRemovedSchema } } },
      async (request) => {
        const { brand, tag, reason } = request.body;
        const phone = requirePhone(request.body.phone);
        const input = { brand, phone, tag, reason, actor: actorOf(request), nowMs: deps.now() };
        if (await deps.ledger.transaction((tx) => removeTag(tx, input)))
          return { phone, tag, removed: true as const };
        throw new Problem({
          status: 404,
          code: "unknown_tag",
          detail: `the number does not have the tag "${tag}" within the brand ${brand}: \`outdial tag list --phone ${phone}\` has what it has`,
        });
      },
    );
  };
}

function tagView({ phone, tag, source, atMs }: Tag): TagWire {
  return { phone, tag, source, at: isoOf(atMs) };
}

/** A number and, behind the blank, a word that may hold blanks. */
function readCursor(after: string): { phone: string; tag: string } {
  const at = after.indexOf(" ");
  if (at > 0) return { phone: after.slice(0, at), tag: after.slice(at + 1) };
  throw invalid("after", "must be what the page before gave as next_after");
}

const E164 = /^\+[1-9]\d{6,14}$/;

/** One that is in the ledger already is found, whatever number plans say of it today. */
function requirePhone(text: string): string {
  if (E164.test(text)) return text;
  const number = normalisePhone(text);
  if (number.ok) return number.phone;
  throw invalid("phone", number.message);
}

function invalid(field: string, message: string): Problem {
  return new Problem({
    status: 422,
    code: "invalid_request",
    detail: `${field}: ${message}`,
    errors: [{ field, message }],
  });
}

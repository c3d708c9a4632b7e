import { z } from "zod";

import { normalisePhone } from "../../../contacts/phone.ts";
import { zonesOfPhone } from "../../../contacts/zones.ts";
import { numberKindOf } from "../../../domain/policy/number-kind.ts";
import { SAME_LOOK_MS, writeLook } from "../../../ledger/ground/audit.ts";
import { readInstallation } from "../../../ledger/ground/installation.ts";
import type { Db } from "../../../ledger/ground/connection.ts";
import { listingsOf } from "../../../ledger/ground/listed-numbers.ts";
import { listInForce } from "../../../ledger/ground/suppressions.ts";
import { EVER_MS } from "../../../ledger/people/source.ts";
import {
  countPerson,
  isKnown,
  readStory,
  readWhereabouts,
  type StoryPlace,
  type StoryRequest,
} from "../../../ledger/people/story.ts";
import { actorOf } from "../../actor.ts";
import { callerOf } from "../../caller.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import { VERSION } from "../../version.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";
import { storySchema, type StoryWire } from "../../wire/people.ts";
import { invalid, requirePhone } from "../../phone.ts";
import { storyEntries } from "./story-view.ts";
import type { Routes } from "../../route-scope.ts";

const params = z.object({ phone: z.string().min(1).max(40) });

const storyQuery = z.strictObject({
  /** Absent: of every brand. */
  brand: z.string().min(1).max(100).optional(),
  /** Only what reaches into this stretch of time. */
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  /** The country of a number without `+`. */
  default_region: z.string().length(2).optional(),
  /** What the page before gave as `next_after`. */
  after: z.string().min(1).max(200).optional(),
  // A call has some ten checks: a page is a few hundred kilobytes.
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

/** Everything that is known of one person, in order (I7). */
export function storyRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.get(
      "/v1/people/:phone/story",
      { schema: { params, querystring: storyQuery, response: { 200: storySchema } } },
      async (request) => {
        const { query } = request;
        const phone = requirePhone(request.params.phone, query.default_region);
        // Whoever is for one brand is not told that another knows the number, nor where that takes it to be.
        const only = callerOf(request).brands === undefined ? undefined : query.brand;
        const page = await readPage(deps, phone, { query, only });
        // Who looked at what is known of somebody is written down, once for a story, and for a page that is left open.
        if (query.after === undefined) await noteReading(deps, actorOf(request), phone, query);
        return page;
      },
    );
  };
}

type Query = z.output<typeof storyQuery>;

async function readPage(
  deps: HttpDeps,
  phone: string,
  { query, only }: { query: Query; only: string | undefined },
): Promise<z.output<typeof storySchema>> {
  const { db } = deps.ledger;
  const found = await readStory(db, questionOf(phone, query));
  if (found.length === 0 && !(await isKnown(db, phone, only))) throw unknownNumber(phone);
  const page = found.slice(0, query.limit);
  const last = found.length > query.limit ? page.at(-1) : undefined;
  const number = normalisePhone(phone);
  const nowMs = deps.now();
  const [{ zones, places }, { installationId, simulated }, counts, suppressed] = await Promise.all([
    readWhereabouts(db, phone, only),
    readInstallation(db),
    countPerson(db, phone, query.brand),
    suppressedNow(db, phone, { brand: query.brand, nowMs }),
  ]);
  const { entries, policies } = await storyEntries(db, phone, page, zones);
  return {
    phone,
    brand: query.brand ?? null,
    since: query.since === undefined ? null : isoOf(Date.parse(query.since)),
    until: query.until === undefined ? null : isoOf(Date.parse(query.until)),
    made_at: isoOf(nowMs),
    installation_id: installationId,
    outdial: VERSION,
    simulated: simulated ?? false,
    zone_data: { version: deps.zones.version, released_on: deps.zones.releasedOn ?? null },
    country: numberKindOf(phone).country ?? null,
    zones,
    places,
    zones_of_number: number.ok ? [...zonesOfPhone(number)] : [],
    counts,
    suppressed,
    entries,
    policies,
    next_after: last ? `${last.atMs} ${last.source} ${last.id}` : null,
  };
}

/** By itself, and as it is on the lists of sources. */
async function suppressedNow(
  db: Db,
  phone: string,
  { brand, nowMs }: { brand: string | undefined; nowMs: number },
): Promise<StoryWire["suppressed"]> {
  const own = await listInForce(db, { phone, brand, nowMs });
  const listed = (await listingsOf(db, phone)).filter(
    (one) => brand === undefined || one.brand === undefined || one.brand === brand,
  );
  return [
    ...own.map((one) => ({
      brand: one.brand ?? null,
      source: one.source,
      reason: one.reason,
      since: isoOf(one.createdAtMs),
      expires_at: isoOrNull(one.expiresAtMs),
    })),
    ...listed.map(({ brand: scope, source, type, sinceMs }) => ({
      brand: scope ?? null,
      source,
      reason: `on the list of type ${type}`,
      since: isoOf(sinceMs),
      expires_at: null,
    })),
  ];
}

function questionOf(phone: string, { brand, since, until, after, limit }: Query): StoryRequest {
  const sinceMs = since === undefined ? 0 : Date.parse(since);
  const untilMs = until === undefined ? EVER_MS : Date.parse(until);
  if (untilMs <= sinceMs) throw invalid("until", "must be after since");
  return {
    phone,
    brand,
    sinceMs,
    untilMs,
    after: after === undefined ? undefined : readCursor(after),
    // One more than the page tells whether there is another.
    limit: limit + 1,
  };
}

function noteReading(deps: HttpDeps, actor: string, phone: string, query: Query): Promise<void> {
  const { brand = null, since = null, until = null } = query;
  const detail = { phone, brand, since, until };
  const look = { nowMs: deps.now(), actor, action: "person.story", detail };
  return writeLook(deps.ledger.db, look, SAME_LOOK_MS);
}

/** A moment, a source of stories, and an id. */
function readCursor(after: string): StoryPlace {
  const [, ms, source, id] = /^(\d{1,15}) ([a-z_]+) ([\x21-\x7e]+)$/.exec(after) ?? [];
  if (ms !== undefined && source !== undefined && id !== undefined) return { atMs: Number(ms), source, id };
  throw invalid("after", "must be what the page before gave as next_after");
}

function unknownNumber(phone: string): Problem {
  return new Problem({
    status: 404,
    code: "unknown_number",
    detail: `nothing is known of ${phone}: no list, call, sequence, trigger, suppression, consent or call of theirs to us has named it, in any brand. What was forgotten by age, or is kept by another installation, does not show here`,
  });
}

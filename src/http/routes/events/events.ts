import type { FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import {
  BEGINNING,
  forgottenThrough,
  isBefore,
  MOST_AT_ONCE,
  placeBefore,
  placeOf,
  readEvents,
  type LedgerEvent,
  type Place,
} from "../../../ledger/events/events.ts";
import type { Db } from "../../../ledger/ground/connection.ts";
import { callerText } from "../../../domain/ground/access.ts";
import { callerOf, hidesNumbers } from "../../caller.ts";
import { cursorOf } from "../../cursor.ts";
import type { HttpDeps } from "../../deps.ts";
import {
  eventFilterQuery,
  eventsGone,
  eventView,
  isWanted,
  readPlace,
  type EventFilter,
} from "../../event-view.ts";
import { MOST_LISTENERS, MOST_LISTENERS_A_TOKEN, type LiveEvents } from "../../live-events.ts";
import { Problem } from "../../problem.ts";
import { eventPageSchema } from "../../wire/events.ts";

const pageQuery = z.strictObject({
  ...eventFilterQuery,
  /** What the page before gave as `next_after`, or an event's `id`; absent: from the oldest that is there. */
  after: z.string().min(1).max(400).optional(),
  /** In the place of `after`: from what happened at this moment on. */
  since: z.iso.datetime({ offset: true }).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

const streamQuery = z.strictObject({
  ...eventFilterQuery,
  /** As `Last-Event-ID`, which comes before it; absent: from now on. */
  after: z.string().min(1).max(400).optional(),
});

const streamHeaders = z.object({ "last-event-id": z.string().min(1).max(400).optional() });

/** Reads of the ledger for one page: what is asked for may be rare among what there is. */
const MOST_READS = 10;

/** What happened, in order: page by page for ever, and as it happens. */
export function eventRoutes(deps: HttpDeps, live: LiveEvents): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook("preClose", async () => live.stop());
    app.get(
      "/v1/events",
      {
        schema: {
          description:
            "What happened, in order. Give `next_after` as `after`, at once or later: nothing comes behind it.",
          querystring: pageQuery,
          response: { 200: eventPageSchema },
        },
      },
      async (request) => {
        const { after, since, limit, ...filter } = request.query;
        if (after !== undefined && since !== undefined) throw bothGiven();
        const { db } = deps.ledger;
        const begin = await beginningOf(db, { after, since });
        const { page, through, more } = await readPage(db, {
          after: begin,
          filter,
          sinceMs: since === undefined ? 0 : Date.parse(since),
          limit,
        });
        // Asked afterwards: what was forgotten meanwhile may be missing from the page.
        if (after !== undefined) await refuseGone(db, begin);
        return { items: page.map(eventView), next_after: cursorOf(through), more };
      },
    );
    app.get(
      "/v1/events/stream",
      {
        schema: {
          description:
            "The same as it happens, as server-sent events (text/event-stream): begins behind `Last-Event-ID`, else now. Events without a dot in their names are the stream's own: `listening` first, `still_here` every 15 seconds, `cut_off` or `unauthorized` where it ends; pass over any that you do not know.",
          querystring: streamQuery,
          headers: streamHeaders,
        },
      },
      async (request, reply) => {
        const { after: asked, ...filter } = request.query;
        const after = request.headers["last-event-id"] ?? asked;
        await stream({ deps, live, request, reply }, { after, filter });
      },
    );
  };
}

function bothGiven(): Problem {
  const message = "goes without since: a page begins behind a place or at a moment";
  return new Problem({
    status: 422,
    code: "invalid_request",
    detail: `after ${message}`,
    errors: [{ field: "after", message }],
  });
}

async function beginningOf(
  db: Db,
  { after, since }: { after: string | undefined; since: string | undefined },
): Promise<Place> {
  if (after !== undefined) return readPlace(after);
  if (since !== undefined) return placeBefore(db, Date.parse(since));
  return (await forgottenThrough(db)) ?? BEGINNING;
}

/** @throws Problem 410 where some of what came behind a place was forgotten */
async function refuseGone(db: Db, after: Place): Promise<void> {
  const gone = await forgottenThrough(db);
  if (gone && isBefore(after, gone)) throw eventsGone(gone);
}

async function readPage(
  db: Db,
  { after, filter, sinceMs, limit }: { after: Place; filter: EventFilter; sinceMs: number; limit: number },
): Promise<{ page: LedgerEvent[]; through: Place; more: boolean }> {
  const { types } = filter;
  const isAll = types === undefined && filter.campaign === undefined && filter.brand === undefined;
  const atOnce = isAll ? limit : MOST_AT_ONCE;
  const page: LedgerEvent[] = [];
  let through = after;
  for (let reads = 0; reads < MOST_READS; reads += 1) {
    const found = await readEvents(db, { after: through, types, limit: atOnce });
    for (const event of found) {
      if (event.atMs >= sinceMs && isWanted(event, filter)) page.push(event);
      through = placeOf(event);
      if (page.length === limit)
        return { page, through, more: found.at(-1) !== event || found.length === atOnce };
    }
    if (found.length < atOnce) return { page, through, more: false };
  }
  return { page, through, more: true };
}

async function stream(
  {
    deps,
    live,
    request,
    reply,
  }: { deps: HttpDeps; live: LiveEvents; request: FastifyRequest; reply: FastifyReply },
  { after, filter }: { after: string | undefined; filter: EventFilter },
): Promise<void> {
  const caller = callerOf(request);
  const { all, ofCaller } = live.count(caller.name);
  if (all >= MOST_LISTENERS) throw tooMany(503, `${MOST_LISTENERS} listen to this process already`);
  if (caller.kind !== "system" && ofCaller >= MOST_LISTENERS_A_TOKEN)
    throw tooMany(429, `${MOST_LISTENERS_A_TOKEN} listen with ${callerText(caller)} already`);
  // In the tick of the look: many that come at once are counted one by one.
  const giveBack = live.reserve(caller.name);
  let place: Place;
  try {
    place = after === undefined ? await live.head() : readPlace(after);
    if (after !== undefined) await refuseGone(deps.ledger.db, place);
  } finally {
    // It joins in this tick.
    giveBack();
  }
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    // Proxies that gather answers keep these back otherwise.
    "x-accel-buffering": "no",
  });
  try {
    await live.join({
      raw,
      filter,
      isMasked: hidesNumbers(request),
      callerName: caller.name,
      tokenId: caller.tokenId,
      sessionId: caller.sessionId,
      place,
    });
  } catch (error) {
    deps.log.warn({ error: String(error) }, "a stream of events ended, since the ledger could not be read");
    raw.end();
  }
}

function tooMany(status: 429 | 503, because: string): Problem {
  return new Problem({
    status,
    code: "too_many_streams",
    detail: `${because}: end some of them, or read GET /v1/events every few seconds`,
  });
}

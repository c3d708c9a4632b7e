import { z } from "zod";

import { SAME_LOOK_MS, writeAudit, writeLook } from "../../../ledger/ground/audit.ts";
import { isCallOfPerson, listCallsOfPerson } from "../../../ledger/people/calls-of.ts";
import { NotFoundError, type Call } from "../../../platform/index.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { requirePhone } from "../../phone.ts";
import { Problem } from "../../problem.ts";
import { RECORDING_BOUNDS, recordingSender } from "../../recordings.ts";
import { personCallPageSchema, type PersonCallPageWire } from "../../wire/people/calls.ts";
import type { Routes } from "../../route-scope.ts";

const params = z.object({ phone: z.string().min(1).max(40) });
const regionQuery = z.strictObject({
  /** The country of a number without `+`. */
  default_region: z.string().length(2).optional(),
});

/** A request to the platform for each, one after the other: a page is answered within its bounds. */
const MOST_CALLS = 20;

const callsQuery = regionQuery.extend({
  /** What the page before gave as `next_after`. */
  after: z.string().min(1).max(200).optional(),
  limit: z.coerce.number().int().min(1).max(MOST_CALLS).default(10),
});

/** Of a call's record: whoever has these could have been in it. */
const ENTRANCES: ReadonlySet<string> = new Set(["access_token", "room_name", "room_url"]);

const ABOUT =
  "What the platform holds of each call to and from a person, over all brands: its record with transcript and analysis, asked for now. One request to the platform a call, so that pages are short. That it was read is written into the audit.";

const ABOUT_RECORDING = `The recording of a call to or from that person. ${RECORDING_BOUNDS} That it was read is written into the audit.`;

/** What the platform holds of a person, for that person. */
export function personCallRoutes(deps: HttpDeps): Routes {
  const { db } = deps.ledger;
  const sendRecording = recordingSender(deps);
  const audited = (
    request: Parameters<typeof actorOf>[0],
    detail: { phone: string } & Record<string, unknown>,
  ) => writeAudit(db, { nowMs: deps.now(), actor: actorOf(request), action: "person.export", detail });
  return async (app) => {
    app.get(
      "/v1/people/:phone/calls",
      {
        schema: {
          description: ABOUT,
          params,
          querystring: callsQuery,
          response: { 200: personCallPageSchema },
        },
      },
      async (request) => {
        const { default_region: region, after = "", limit } = request.query;
        const phone = requirePhone(request.params.phone, region);
        const found = await listCallsOfPerson(db, phone, { after, limit });
        // Before anything is asked for: whoever reads half of it has read it.
        await audited(request, { phone, calls: found.map(({ callId }) => callId) });
        const items: PersonCallPageWire["items"] = [];
        for (const { callId, direction } of found) {
          const record = await recordOf(deps, callId);
          items.push({
            call_id: callId,
            direction,
            record: record === undefined ? null : withoutEntrances(record),
            has_recording: Boolean(record?.recording_url),
          });
        }
        const last = found.length === limit ? found.at(-1)?.callId : undefined;
        return { phone, items, next_after: last ?? null };
      },
    );

    app.get(
      "/v1/people/:phone/calls/:call_id/recording",
      {
        schema: {
          description: ABOUT_RECORDING,
          params: params.extend({ call_id: z.string().min(1).max(200) }),
          querystring: regionQuery,
          produces: ["application/octet-stream"],
        },
        exposeHeadRoute: false,
      },
      async (request, reply) => {
        const phone = requirePhone(request.params.phone, request.query.default_region);
        const { call_id: callId } = request.params;
        if (!(await isCallOfPerson(db, phone, callId)))
          throw unknown("no call to or from this number has this id");
        // Whoever reads it part by part has read it once.
        const detail = { phone, recording: callId };
        const look = { nowMs: deps.now(), actor: actorOf(request), action: "person.export", detail };
        await writeLook(db, look, SAME_LOOK_MS);
        return sendRecording(callId, request, reply);
      },
    );
  };
}

/** Undefined: the platform has none, or not any more. */
async function recordOf({ platform }: HttpDeps, callId: string): Promise<Call | undefined> {
  try {
    return await platform.calls.get(callId);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function withoutEntrances(call: Call): Record<string, unknown> {
  return Object.fromEntries(Object.entries(call).filter(([name]) => !ENTRANCES.has(name)));
}

function unknown(detail: string): Problem {
  return new Problem({ status: 404, code: "not_found", detail });
}

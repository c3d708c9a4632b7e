import { z } from "zod";

import { findAttemptOfCall } from "../../../ledger/campaigns/attempt-listing.ts";
import { SAME_LOOK_MS, writeLook } from "../../../ledger/ground/audit.ts";
import { readContact } from "../../../ledger/campaigns/contact-listing.ts";
import type { Db } from "../../../ledger/ground/connection.ts";
import { PlatformError, type Call, type Platform } from "../../../platform/index.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { RECORDING_BOUNDS, recordingSender } from "../../recordings.ts";
import { unknownCall } from "../../unknown.ts";
import { callDetailSchema } from "../../wire/campaigns/contacts.ts";
import { attemptView, contactView } from "./contact-views.ts";
import type { Routes } from "../../route-scope.ts";

const params = z.object({
  id: z.string().min(1).max(200).describe("The platform's id of the call, `call_id` in lists of calls."),
});

const query = z.strictObject({
  ledger_only: z.stringbool().default(false).describe("The platform is not asked."),
});

/** Somebody waits before a page for it. */
const ANSWER_WITHIN_MS = 10_000;

/** One call, as the ledger has it, and as the platform shows it now: what was said, and what was made of that. */
export function callRoutes(deps: HttpDeps): Routes {
  const { db } = deps.ledger;
  const sendRecording = recordingSender(deps);
  return async (app) => {
    app.get(
      "/v1/calls/:id",
      {
        schema: {
          summary: "Shows a call, with what the platform has of it: transcript, analysis, cost.",
          description:
            "The platform is asked each time, with one request. Where it can't tell, `platform` is null and `platform_unknown` says why.",
          params,
          querystring: query,
          response: { 200: callDetailSchema },
        },
      },
      async (request) => {
        const { id } = request.params;
        const { attempt, contact } = await find(db, id);
        const { campaign, run, brand } = contact;
        const shown = request.query.ledger_only ? undefined : await askFor(deps.platform, id);
        return {
          ...attemptView(attempt),
          campaign,
          run,
          brand,
          contact: contactView(contact),
          platform: shown?.call ?? null,
          platform_unknown: shown?.unknown ?? null,
        };
      },
    );

    app.get(
      "/v1/calls/:id/recording",
      {
        schema: {
          description: `${RECORDING_BOUNDS} Who asked for which is written into the audit, once an hour.`,
          params,
          produces: ["application/octet-stream"],
        },
        exposeHeadRoute: false,
      },
      async (request, reply) => {
        const { id } = request.params;
        const { attempt, contact } = await find(db, id);
        const detail = { phone: attempt.phone, brand: contact.brand, campaign: contact.campaign, call: id };
        const look = { nowMs: deps.now(), actor: actorOf(request), action: "call.recording", detail };
        await writeLook(db, look, SAME_LOOK_MS);
        return sendRecording(id, request, reply);
      },
    );
  };
}

async function find(db: Db, callId: string) {
  const attempt = await findAttemptOfCall(db, callId);
  const contact = attempt && (await readContact(db, attempt.contactId));
  if (!attempt || !contact) throw unknownCall();
  return { attempt, contact };
}

type Shown = { call: z.output<typeof callDetailSchema>["platform"]; unknown?: string };

async function askFor(platform: Platform, callId: string): Promise<Shown> {
  try {
    return { call: shownOf(await platform.calls.get(callId, { timeoutMs: ANSWER_WITHIN_MS })) };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return { call: null, unknown: error.message.slice(0, 300) };
  }
}

/** Without what lets somebody into the call. */
function shownOf(call: Call): Shown["call"] {
  const { access_token: _token, room_name: _room, room_url: _url, transcript, status, ...data } = call;
  return {
    status: status ?? null,
    processing_status: call.processing_status ?? null,
    has_recording: Boolean(call.recording_url),
    transcript: [...(transcript ?? [])],
    data: { ...data },
  };
}

import { randomUUID } from "node:crypto";

import { z } from "zod";

import { normalisePhone } from "../../../contacts/phone.ts";
import { followTurn } from "../../../ledger/sequences/after-turn.ts";
import { listActionsOf } from "../../../ledger/follow-ups/actions.ts";
import {
  commandEnrolment,
  EnrolmentOverError,
  type EnrolmentCommandResult,
} from "../../../ledger/sequences/enrolment-commands.ts";
import type { InboxEntry } from "../../../ledger/sequences/enrolment-inbox.ts";
import { listEnrolments, readJourney, type Enrolment } from "../../../ledger/sequences/enrolments.ts";
import { readImpediments } from "../../../ledger/campaigns/explanations.ts";
import { placementOf, readPlacement } from "../../../ledger/campaigns/placements.ts";
import { readSequenceById } from "../../../ledger/sequences/sequences.ts";
import type { Db } from "../../../ledger/ground/connection.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { requestKeyOf } from "../../plugins/idempotency.ts";
import { Problem } from "../../problem.ts";
import { unknownVersion } from "../../unknown.ts";
import { enrolmentCommandSchema, enrolmentPageSchema, enrolmentSchema } from "../../wire/sequences.ts";
import { brandQuery } from "../campaigns/lookup.ts";
import { commandBody } from "./commands.ts";
import { enrolmentParams, requireEnrolment, requireSequence, sequenceParams } from "./lookup.ts";
import { isKept, jsonValueSchema, NOT_STORED, plainText } from "../../wire/text.ts";
import { enrolmentSummaryOf, enrolmentView, type ShownCall } from "./views.ts";
import { afterQuery, cutPage, limitQuery, timePlaceIn } from "../../cursor.ts";
import type { Routes } from "../../route-scope.ts";

const pageQuery = brandQuery.extend({
  after: afterQuery,
  limit: limitQuery,
  state: z.enum(["active", "done"]).optional(),
  step: plainText(100).optional(),
  outcome: plainText(100).optional(),
  /** With `+`. */
  phone: z.string().min(1).max(40).optional(),
});

/** The newest of a way that went round for long, and of its calls. */
const JOURNEY_SHOWN = 1_000;
const CALLS_SHOWN = 100;

/** Looking at enrolments. */
export function enrolmentReadRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { db } = deps.ledger;

    app.get(
      "/v1/sequences/:ref/enrolments",
      { schema: { params: sequenceParams, querystring: pageQuery, response: { 200: enrolmentPageSchema } } },
      async (request) => {
        const { after, limit, brand, state, step, outcome, phone } = request.query;
        const { id } = await requireSequence(db, request.params.ref, brand);
        const { enrolments, total } = await listEnrolments(db, {
          sequenceId: id,
          ...timePlaceIn(after),
          limit: limit + 1,
          ...(state !== undefined && { state }),
          ...(step !== undefined && { step }),
          ...(outcome !== undefined && { outcome }),
          ...(phone !== undefined && { phone: numberOf(phone) }),
        });
        const { page, next_after } = cutPage(enrolments, limit, (one) => [one.createdAtMs, one.id]);
        return { items: page.map(enrolmentSummaryOf), total, next_after };
      },
    );

    app.get(
      "/v1/enrolments/:id",
      { schema: { params: enrolmentParams, response: { 200: enrolmentSchema } } },
      async (request) => {
        const enrolment = await requireEnrolment(db, request.params.id);
        const sequence = await readSequenceById(db, enrolment.sequenceId);
        if (!sequence) throw new Error(`enrolment ${enrolment.id} has no sequence`);
        const after = Math.max(0, enrolment.position.entries - JOURNEY_SHOWN);
        return enrolmentView(enrolment, {
          sequence,
          calls: await callsOf(db, enrolment),
          actions: await listActionsOf(db, { enrolmentId: enrolment.id }),
          journey: await readJourney(db, enrolment.id, { after, limit: JOURNEY_SHOWN }),
        });
      },
    );
  };
}

/** @throws Problem 422 where it is none. */
export function numberOf(text: string): string {
  const number = normalisePhone(text);
  if (number.ok) return number.phone;
  throw new Problem({ status: 422, code: "invalid_request", detail: `phone: ${number.message}` });
}

async function callsOf(db: Db, enrolment: Enrolment): Promise<ShownCall[]> {
  const { calls: made } = enrolment.position.at.counters;
  const calls: ShownCall[] = [];
  for (let n = Math.max(1, made - CALLS_SHOWN + 1); n <= made; n += 1) {
    const placement = await readPlacement(db, placementOf({ enrolmentId: enrolment.id, callNo: n }));
    // One that was refused was never placed.
    if (!placement) continue;
    const heldBy = placement.state === "open" ? await readImpediments(db, placement.contactId) : [];
    calls.push({ ...placement, n, heldBy });
  }
  return calls;
}

const exitBody = commandBody.extend({
  /** What the enrolment ends with; by default `exited`. */
  outcome: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,49}$/, "may hold lower-case letters, digits and underscores")
    .optional(),
});

const moveBody = commandBody.extend({
  /** Of the same sequence. */
  version: z.int().min(1).max(1_000_000_000),
});

/** An event, as people and programs tell it. */
export const eventBody = z.strictObject({
  name: plainText(100).refine(
    (name) => !name.startsWith("outdial."),
    "begins with outdial., which is ours: choose another name",
  ),
  data: z.record(z.string(), jsonValueSchema).refine(isKept, NOT_STORED).default({}),
  /** The same again is taken in once. */
  request_key: plainText(200).optional(),
});

/** What people tell one enrolment. It has taken effect when it is answered. */
export function enrolmentCommandRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    for (const kind of ["pause", "resume", "skip"] as const) {
      app.post(
        `/v1/enrolments/:id/${kind}`,
        { schema: { params: enrolmentParams, body: commandBody, response: { 200: enrolmentCommandSchema } } },
        async (request) => {
          const { reason, command_id = randomUUID() } = request.body;
          const data = reason === undefined ? {} : { reason };
          return give(deps, request.params.id, command_id, {
            kind,
            data,
            requestKey: `command:${command_id}`,
            actor: actorOf(request),
            atMs: deps.now(),
          });
        },
      );
    }

    app.post(
      "/v1/enrolments/:id/move",
      { schema: { params: enrolmentParams, body: moveBody, response: { 200: enrolmentCommandSchema } } },
      async (request) => {
        const { reason, version, command_id = randomUUID() } = request.body;
        const { db } = deps.ledger;
        const { sequenceId } = await requireEnrolment(db, request.params.id);
        const sequence = await readSequenceById(db, sequenceId);
        if (sequence && version > sequence.version) throw unknownVersion(sequence, version);
        return give(deps, request.params.id, command_id, {
          kind: "move",
          data: { version, ...(reason !== undefined && { reason }) },
          requestKey: `command:${command_id}`,
          actor: actorOf(request),
          atMs: deps.now(),
        });
      },
    );

    app.post(
      "/v1/enrolments/:id/exit",
      { schema: { params: enrolmentParams, body: exitBody, response: { 200: enrolmentCommandSchema } } },
      async (request) => {
        const { reason, outcome, command_id = randomUUID() } = request.body;
        return give(deps, request.params.id, command_id, {
          kind: "exit",
          data: { ...(reason !== undefined && { reason }), ...(outcome !== undefined && { outcome }) },
          requestKey: `command:${command_id}`,
          actor: actorOf(request),
          atMs: deps.now(),
        });
      },
    );

    app.post(
      "/v1/enrolments/:id/event",
      {
        config: { requestKey: "own" },
        schema: { params: enrolmentParams, body: eventBody, response: { 200: enrolmentCommandSchema } },
      },
      async (request) => {
        const { name, data } = request.body;
        const request_key = requestKeyOf(request, request.body.request_key) ?? randomUUID();
        return give(deps, request.params.id, request_key, {
          kind: "event",
          name,
          data,
          requestKey: `event:${request_key}`,
          actor: actorOf(request),
          atMs: deps.now(),
        });
      },
    );
  };
}

async function give(deps: HttpDeps, id: string, commandId: string, entry: InboxEntry) {
  await requireEnrolment(deps.ledger.db, id);
  const { enrolment, turn } = await commanded(deps, id, commandId, entry);
  if (turn) await followTurn(deps, id, turn);
  deps.outbox.kick();
  const { state, paused, step, outcome } = enrolment;
  return {
    enrolment_id: id,
    command_id: commandId,
    state,
    paused,
    step: step ?? null,
    outcome: outcome ?? null,
  };
}

async function commanded(
  deps: HttpDeps,
  id: string,
  given: string,
  entry: InboxEntry,
): Promise<EnrolmentCommandResult> {
  try {
    return await deps.ledger.transaction((tx) =>
      commandEnrolment(tx, { enrolmentId: id, entry, given, nowMs: deps.now() }),
    );
  } catch (error) {
    if (!(error instanceof EnrolmentOverError)) throw error;
    throw new Problem({ status: 409, code: "command_refused", detail: error.message }, { cause: error });
  }
}

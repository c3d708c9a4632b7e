import { z } from "zod";

import {
  commandAction,
  UnknownActionError,
  UnreadableTimeError,
} from "../../../ledger/follow-ups/action-commands.ts";
import { listActionsOf, readAction } from "../../../ledger/follow-ups/actions.ts";
import { listFollowUps, readFollowUp } from "../../../ledger/follow-ups/follow-ups.ts";
import { actorOf } from "../../actor.ts";
import { afterQuery, cutPage, limitQuery, readCursor } from "../../cursor.ts";
import type { HttpDeps } from "../../deps.ts";
import { requirePhone } from "../../phone.ts";
import { Problem } from "../../problem.ts";
import { unknownAction, unknownFollowUp } from "../../unknown.ts";
import {
  actionSchema,
  FOLLOW_UP_STATES,
  followUpDetailSchema,
  followUpPageSchema,
} from "../../wire/follow-ups.ts";
import { idParams, reasonText } from "../../wire/text.ts";
import { requireCampaign } from "../campaigns/lookup.ts";
import { actionView, followUpView } from "./views.ts";
import type { Routes } from "../../route-scope.ts";

const pageQuery = z.strictObject({
  state: z.enum(FOLLOW_UP_STATES).optional(),
  /** Only those with an action that failed for good or may have been done, whatever their state. */
  failed: z.enum(["true", "false"]).default("false"),
  /** A campaign's id or name. */
  campaign: z.string().min(1).max(100).optional(),
  /** Only those of calls of this brand; and whose campaign a name is, `default` where nothing is said. */
  brand: z.string().min(1).max(100).optional(),
  phone: z.string().min(1).max(40).optional(),
  after: afterQuery,
  limit: limitQuery,
});

/** A follow-up's place in its list: when it was made, and its id. */
const placeSchema = z.tuple([z.int().min(0), z.uuid()]);

const followUpParams = idParams("a follow-up", "`outdial follow-up list` or GET /v1/follow-ups");
const actionParams = idParams("an action", "`outdial follow-up show` or GET /v1/follow-ups/{id}");

const commandBody = z.strictObject({ reason: reasonText("must say something, or be left out").optional() });
const retryBody = commandBody.extend({
  /** Of a callback: when to call, with its offset, or by the clocks where the person is. */
  at: z.string().min(1).max(100).optional(),
});
const replayBody = commandBody.extend({
  /** Under a key of its own, so that receivers take it for something new. */
  as_new: z.boolean().default(false),
});

/** What follows calls. */
export function followUpRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { db } = deps.ledger;

    app.get(
      "/v1/follow-ups",
      { schema: { querystring: pageQuery, response: { 200: followUpPageSchema } } },
      async (request) => {
        const { state, failed, campaign, brand, phone, after, limit } = request.query;
        const { items, total } = await listFollowUps(db, {
          ...(state !== undefined && { state }),
          failed: failed === "true",
          ...(campaign !== undefined && {
            campaignId: (await requireCampaign(db, campaign, brand ?? "default")).id,
          }),
          ...(brand !== undefined && { brand }),
          ...(phone !== undefined && { phone: requirePhone(phone) }),
          ...(after !== undefined && { after: placeOf(after) }),
          limit: limit + 1,
        });
        const { page, next_after } = cutPage(items, limit, ({ createdAtMs, id }) => [createdAtMs, id]);
        return { items: page.map(followUpView), total, next_after };
      },
    );

    app.get(
      "/v1/follow-ups/:id",
      { schema: { params: followUpParams, response: { 200: followUpDetailSchema } } },
      async (request) => {
        const followUp = await readFollowUp(db, request.params.id);
        if (!followUp) throw unknownFollowUp(request.params.id);
        const actions = await listActionsOf(db, { followUpId: followUp.id });
        return { ...followUpView(followUp), actions: actions.map(actionView) };
      },
    );
  };
}

/** Single actions, of follow-ups and of steps of sequences, and what people tell them. */
export function actionRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.get(
      "/v1/actions/:id",
      { schema: { params: actionParams, response: { 200: actionSchema } } },
      async (request) => {
        const action = await readAction(deps.ledger.db, request.params.id);
        if (!action) throw unknownAction(request.params.id);
        return actionView(action);
      },
    );

    app.post(
      "/v1/actions/:id/retry",
      { schema: { params: actionParams, body: retryBody, response: { 200: actionSchema } } },
      (request) =>
        tell(deps, {
          actionId: request.params.id,
          command: "retry",
          at: request.body.at,
          reason: request.body.reason,
          actor: actorOf(request),
        }),
    );

    app.post(
      "/v1/actions/:id/skip",
      { schema: { params: actionParams, body: commandBody, response: { 200: actionSchema } } },
      (request) =>
        tell(deps, {
          actionId: request.params.id,
          command: "skip",
          reason: request.body.reason,
          actor: actorOf(request),
        }),
    );

    app.post(
      "/v1/actions/:id/replay",
      { schema: { params: actionParams, body: replayBody, response: { 200: actionSchema } } },
      (request) =>
        tell(deps, {
          actionId: request.params.id,
          command: "replay",
          asNew: request.body.as_new,
          reason: request.body.reason,
          actor: actorOf(request),
        }),
    );
  };
}

async function tell(
  deps: HttpDeps,
  input: Omit<Parameters<typeof commandAction>[1], "nowMs">,
): Promise<ReturnType<typeof actionView>> {
  try {
    const action = await deps.ledger.transaction((tx) => commandAction(tx, { ...input, nowMs: deps.now() }));
    deps.outbox.kick();
    return actionView(action);
  } catch (error) {
    if (error instanceof UnknownActionError) throw unknownAction(input.actionId);
    if (error instanceof UnreadableTimeError)
      throw new Problem(
        {
          status: 422,
          code: "invalid_request",
          detail: `at: ${error.message}`,
          errors: [{ field: "at", message: error.message }],
        },
        { cause: error },
      );
    throw error;
  }
}

function placeOf(after: string): { createdAtMs: number; id: string } {
  const [createdAtMs, id] = readCursor(after, placeSchema);
  return { createdAtMs, id };
}

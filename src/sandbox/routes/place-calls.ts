import { organizationOf, requires } from "../auth.ts";
import type { Core } from "../core.ts";
import { notFound, paymentRequired } from "../errors.ts";
import { callResponse, phoneCallBody, testCallBody, webCallBody } from "../schemas/calls.ts";
import { normalizedPhone } from "../schemas/phone.ts";
import { roomAway } from "../schemas/room-away.ts";
import { mergedConfig } from "../state/agents.ts";
import type { AgentRecord } from "../state/agents.ts";
import type { CallRecord, CallRequest } from "../state/calls.ts";
import type { Organization } from "../state/organization.ts";
import { agentOf } from "./agents.ts";
import { checkCanCall, checkCountry, publishedAgentOf } from "./can-call.ts";
import type { Routes } from "../route-scope.ts";

/** Contract 4.2, the three ways to begin a call. */
export function placeCallRoutes(core: Core): Routes {
  return async (app) => {
    await phoneCallRoute(core)(app);
    await browserCallRoutes(core)(app);
  };
}

function phoneCallRoute({ callRun, callViews }: Core): Routes {
  return async (app) => {
    app.post(
      "/v1/calls/phone",
      {
        onRequest: requires("calls:write"),
        schema: { body: phoneCallBody, response: { 201: callResponse } },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const { body } = request;
        const agent = checkCanCall(organization, body.agent_id, body.from_number);
        checkCountry(organization, body.from_number, body.to_number, ["body", "to_number"]);
        const batchId = body.batch_call_id ?? null;
        const batch = batchId === null ? null : organization.batches.find(batchId);
        if (batchId !== null && batch === null) {
          throw notFound("Batch call");
        }
        checkCredits(organization);
        const call = callRun.dial({
          organization,
          agent,
          kind: "outbound",
          fromNumber: normalizedPhone(body.from_number),
          phone: normalizedPhone(body.to_number),
          batch,
          item: null,
          request: {
            metadata: body.metadata ?? null,
            variables: body.dynamic_variables ?? null,
            config: null,
          },
        });
        batch?.calls.push(call);
        reply.code(201).send(callViews.full(call));
      },
    );
  };
}

function browserCallRoutes({ callRun, callViews, rooms }: Core): Routes {
  const open = (
    organization: Organization,
    agent: AgentRecord,
    kind: "web" | "test",
    request: CallRequest,
  ) => {
    checkCredits(organization);
    rooms.checkOffered();
    return callRun.dial({
      organization,
      agent,
      kind,
      inRoom: rooms.kind === "real",
      fromNumber: "",
      phone: `browser-${organization.calls.count}`,
      batch: null,
      item: null,
      request,
    });
  };
  const joinable = async (call: CallRecord) => {
    const joining = await rooms.openCall(call);
    return { ...callViews.full(call), ...joining };
  };
  return async (app) => {
    app.post(
      "/v1/calls/web",
      {
        onRequest: requires("calls:write"),
        schema: { body: webCallBody, response: { 201: callResponse, 503: roomAway } },
      },
      async (request, reply) => {
        const { agent_id: agentId, metadata, dynamic_variables: variables } = request.body;
        const organization = organizationOf(request);
        const call = open(organization, publishedAgentOf(organization, agentId), "web", {
          metadata: metadata ?? null,
          variables: variables ?? null,
          config: null,
        });
        return await reply.code(201).send(await joinable(call));
      },
    );

    app.post(
      "/v1/calls/test",
      {
        onRequest: requires("calls:write"),
        schema: { body: testCallBody, response: { 201: callResponse, 503: roomAway } },
      },
      async (request, reply) => {
        const { agent_id: agentId, temp_config: overrides, dynamic_variables: variables } = request.body;
        const organization = organizationOf(request);
        const agent = agentOf(organization, agentId);
        const call = open(organization, agent, "test", {
          metadata: null,
          variables: variables ?? null,
          config:
            overrides === null || overrides === undefined ? null : mergedConfig(agent.fields, overrides),
        });
        return await reply.code(201).send(await joinable(call));
      },
    );
  };
}

/** Throws 402 once the credits are used up. */
function checkCredits(organization: Organization): void {
  if (organization.billing.exhausted) {
    throw paymentRequired();
  }
}

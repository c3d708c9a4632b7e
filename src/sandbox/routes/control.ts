import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import { organizationOf, recognize } from "../auth.ts";
import type { Core } from "../core.ts";
import { conflict, notFound, unprocessable } from "../errors.ts";
import { faultSchema } from "../faults.ts";
import { forcedOutcomeSchema } from "../prescription.ts";
import { idParams, messageResponse } from "../schemas/page.ts";
import { normalizedPhone, phoneSchema } from "../schemas/phone.ts";
import { scenarioSchema } from "../scenario.ts";
import { callResponse } from "../schemas/calls.ts";
import { isCountryAllowed } from "../countries.ts";
import type { Routes } from "../route-scope.ts";

const dialLogQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(10_000).default(1_000),
});

const outcomesBody = z.object({
  phone_number: phoneSchema,
  outcomes: z.array(forcedOutcomeSchema).max(1_000),
});

/**
 * What tests and people do to the sandbox itself, under `/_sandbox`. No part of the platform, so no fault reaches it
 * and no statistic counts it; answered for any valid key.
 */
export function controlRoutes(core: Core): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook("onRequest", recognize(core.keys));
    await witnessRoutes(core)(app);
    await faultRoutes(core)(app);
    await worldRoutes(core)(app);
    await scenarioRoutes(core)(app);
    await inboundRoutes(core)(app);
  };
}

/** What happened. */
function witnessRoutes({ dialLog, stats, callRun, callViews, streams, webhooks }: Core): Routes {
  return async (app) => {
    app.get("/dial-log", { schema: { querystring: dialLogQuery } }, (request, reply) => {
      const { after, limit } = request.query;
      reply.send({ entries: dialLog.entries(after, limit), total: dialLog.length });
    });

    app.get("/dial-log/counts", (_request, reply) => {
      reply.send(dialLog.counts());
    });

    app.get("/stats", (_request, reply) => {
      reply.send({
        ...stats.read(),
        dials: dialLog.length,
        active_calls: callRun.activeCount,
        peak_active_calls: callRun.peakActive,
        stream_readers: streams.readerCount,
      });
    });

    app.get("/webhooks", (request, reply) => {
      const { calls } = organizationOf(request);
      const own = webhooks.list().filter(({ call_id: id }) => calls.find(id) !== null);
      reply.send({ items: own, total: own.length });
    });

    app.get("/active-calls", (request, reply) => {
      const own = callRun.active().filter((call) => call.organization === organizationOf(request));
      reply.send({ items: own.map((call) => callViews.listed(call)), total: own.length });
    });
  };
}

function faultRoutes({ faults }: Core): Routes {
  return async (app) => {
    app.get("/faults", (_request, reply) => {
      reply.send({ items: faults.list() });
    });

    app.post("/faults", { schema: { body: faultSchema } }, (request, reply) => {
      try {
        reply.code(201).send(faults.add(request.body));
      } catch (error) {
        throw unprocessable(["body"], error instanceof Error ? error.message : String(error), "value_error");
      }
    });

    app.get("/faults/:id", { schema: { params: idParams } }, (request, reply) => {
      const fault = faults.find(request.params.id);
      if (fault === null) {
        throw notFound("Fault");
      }
      reply.send(fault);
    });

    app.delete(
      "/faults/:id",
      { schema: { params: idParams, response: { 200: messageResponse } } },
      (request, reply) => {
        if (!faults.remove(request.params.id)) {
          throw notFound("Fault");
        }
        reply.send({ message: "Fault removed" });
      },
    );

    app.delete("/faults", { schema: { response: { 200: messageResponse } } }, (_request, reply) => {
      faults.clear();
      reply.send({ message: "All faults removed" });
    });
  };
}

/** What the world is like. */
function worldRoutes({ outcomes }: Core): Routes {
  return async (app) => {
    app.post(
      "/outcomes",
      { schema: { body: outcomesBody, response: { 200: messageResponse } } },
      (request, reply) => {
        outcomes.force(normalizedPhone(request.body.phone_number), request.body.outcomes);
        reply.send({ message: "Outcomes set" });
      },
    );

    app.delete("/outcomes", { schema: { response: { 200: messageResponse } } }, (_request, reply) => {
      outcomes.clear();
      reply.send({ message: "All outcomes left to the seed" });
    });

    app.put(
      "/balance",
      { schema: { body: z.object({ usd: z.number() }), response: { 200: messageResponse } } },
      (request, reply) => {
        organizationOf(request).billing.setBalance(request.body.usd);
        reply.send({ message: "Balance set" });
      },
    );
  };
}

/** Faults that come and go (`ScenarioRun`). */
function scenarioRoutes({ scenario }: Core): Routes {
  return async (app) => {
    app.get("/scenario", (_request, reply) => {
      reply.send({ scenario: scenario.current });
    });

    app.put("/scenario", { schema: { body: scenarioSchema } }, (request, reply) => {
      try {
        scenario.load(request.body);
      } catch (error) {
        throw unprocessable(["body"], error instanceof Error ? error.message : String(error), "value_error");
      }
      reply.send({ scenario: scenario.current });
    });

    app.delete("/scenario", { schema: { response: { 200: messageResponse } } }, (_request, reply) => {
      scenario.unload();
      reply.send({ message: "Scenario ended" });
    });
  };
}

const inboundBody = z.object({ from_number: phoneSchema, to_number: phoneSchema });

/** Somebody calls a number of the organization; the contract has no way to make that happen. */
function inboundRoutes({ callRun, callViews }: Core): Routes {
  return async (app) => {
    app.post(
      "/inbound-calls",
      { schema: { body: inboundBody, response: { 201: callResponse } } },
      (request, reply) => {
        const organization = organizationOf(request);
        const from = normalizedPhone(request.body.from_number);
        const number = organization.phoneNumbers.findByPhone(request.body.to_number);
        if (number === null) {
          throw notFound("Phone number");
        }
        const agent = organization.agents.find(number.fields.inbound_agent_id ?? "");
        if (agent === null || agent.publishedVersion === null) {
          throw conflict("The number has no published inbound agent");
        }
        if (!isCountryAllowed(number.fields.allowed_inbound_countries ?? ["*"], from)) {
          throw unprocessable(
            ["body", "from_number"],
            "Calls from this country are not allowed",
            "country_not_allowed",
          );
        }
        const call = callRun.dial({
          organization,
          agent,
          kind: "inbound",
          fromNumber: number.phone,
          phone: from,
          batch: null,
          item: null,
          request: null,
        });
        reply.code(201).send(callViews.full(call));
      },
    );
  };
}

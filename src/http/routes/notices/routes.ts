import { randomUUID } from "node:crypto";
import { z } from "zod";

import { fieldsOf } from "../../../domain/ground/definition-reading.ts";
import type { SpecProblem } from "../../../domain/ground/spec-problems.ts";
import { headlineOf, testNotice, totalOf } from "../../../domain/notices/notice.ts";
import { readRoute, routeNameSchema } from "../../../domain/notices/route.ts";
import { listMessages, type Message } from "../../../ledger/notices/messages.ts";
import {
  findRoute,
  listRoutes,
  putRoute,
  readableRoute,
  removeRoute,
  type StoredRoute,
} from "../../../ledger/notices/routes.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { warningsFor } from "../../missing.ts";
import { requiredBy, showsEdited } from "../../plugins/etags.ts";
import { Problem } from "../../problem.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";
import {
  routeListSchema,
  routePutSchema,
  routeRemovedSchema,
  routeShownSchema,
  routesTestedSchema,
  type RouteWire,
} from "../../wire/notices.ts";
import type { Routes } from "../../route-scope.ts";

const nameParams = z.strictObject({ name: routeNameSchema });

/** Messages that are shown with a route. */
const SHOWN_MESSAGES = 20;

/** Who is told of what waits for people. */
export function noticeRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { ledger } = deps;
    const path = "/v1/attention/routes";

    app.get(path, { schema: { response: { 200: routeListSchema } } }, async () => ({
      items: (await listRoutes(ledger.db)).map(routeView),
    }));

    app.get(
      `${path}/:name`,
      { config: { etag: "shown" }, schema: { params: nameParams, response: { 200: routeShownSchema } } },
      async (request) => {
        const route = await findRoute(ledger.db, request.params.name);
        if (!route) throw unknownRoute(request.params.name);
        showsEdited(request, route.definition);
        const messages = await listMessages(ledger.db, route.id, SHOWN_MESSAGES);
        return {
          route: routeView(route),
          messages: messages.map(messageView),
          warnings: await warningsOf(deps, route),
        };
      },
    );

    app.put(
      path,
      {
        config: { etag: "heeded" },
        schema: {
          description:
            "Declares an attention route, or changes it. A new one is told of all that waits for people and concerns it.",
          body: z.strictObject({ definition: z.unknown() }),
          response: { 200: routePutSchema },
        },
      },
      async (request) => {
        const reading = readRoute(request.body.definition);
        if (!reading.ok) throw invalidRoute(reading.problems);
        const { definition } = reading;
        const requireSeen = requiredBy(request, `attention route ${definition.name}`);
        const input = { definition, requireSeen, actor: actorOf(request), nowMs: deps.now() };
        const { route, change } = await ledger.transaction((tx) => putRoute(tx, input));
        return { route: routeView(route), change, warnings: await warningsOf(deps, route) };
      },
    );

    app.delete(
      `${path}/:name`,
      { schema: { params: nameParams, response: { 200: routeRemovedSchema } } },
      async (request) => {
        const { name } = request.params;
        const input = { name, actor: actorOf(request), nowMs: deps.now() };
        const removed = await ledger.transaction((tx) => removeRoute(tx, input));
        if (!removed) throw unknownRoute(name);
        return { removed: routeView(removed) };
      },
    );

    app.post(
      "/v1/attention/test",
      {
        schema: {
          description: "Sends a test through every route, or one, now, and says what each answered.",
          body: z.strictObject({ route: routeNameSchema.optional() }),
          response: { 200: routesTestedSchema },
        },
      },
      async (request) => {
        const { route: name } = request.body;
        const all = await listRoutes(ledger.db);
        const tested = name === undefined ? all : all.filter((route) => route.name === name);
        if (name !== undefined && tested.length === 0) throw unknownRoute(name);
        return { items: await Promise.all(tested.map((route) => test(deps, route))) };
      },
    );
  };
}

async function test(deps: HttpDeps, stored: StoredRoute) {
  const route = readableRoute(stored);
  if (!route) return { route: stored.name, delivered: false, said: UNREADABLE };
  const sent = await deps.sendNotice(route.definition, testNotice(stored.name, randomUUID(), deps.now()));
  if (!sent.ok) return { route: stored.name, delivered: false, said: sent.error };
  const { answer, trouble } = sent;
  return { route: stored.name, delivered: trouble === undefined, said: trouble ?? answer };
}

const UNREADABLE = "its definition can't be read by this version, and it tells nobody: put it anew";

/** Secrets may be set, and hosts allowed, after the route. */
async function warningsOf(deps: HttpDeps, stored: StoredRoute): Promise<string[]> {
  const route = readableRoute(stored);
  if (!route) return [UNREADABLE];
  const { email } = route.definition.to;
  return [
    ...(await warningsFor(deps, route.definition, "every")),
    ...(email ? deps.mailProblems(email.from !== undefined) : []),
  ];
}

function unknownRoute(name: string): Problem {
  return new Problem({
    status: 404,
    code: "unknown_route",
    detail: `there is no attention route ${name}: list them with \`outdial attention route list\``,
  });
}

function invalidRoute(problems: readonly SpecProblem[]): Problem {
  const told = problems.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  return new Problem({
    status: 422,
    code: "invalid_route",
    detail: `the attention route has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}: ${told}`,
    errors: problems.map(({ field, problem }) => ({ field, message: problem })),
  });
}

function routeView(route: StoredRoute): RouteWire {
  const { name, definition, deliveredAtMs, failures, trouble, nextAtMs, createdAtMs, changedAtMs } = route;
  return {
    name,
    definition: { ...(readableRoute(route)?.definition ?? fieldsOf(definition)) },
    delivered_at: isoOrNull(deliveredAtMs),
    failures,
    trouble: trouble ?? null,
    next_at: isoOrNull(nextAtMs),
    created_at: isoOf(createdAtMs),
    changed_at: isoOf(changedAtMs),
  };
}

function messageView({ id, notice, createdAtMs, tries, outcome, endedAtMs, error }: Message) {
  return {
    id,
    headline: headlineOf(notice),
    entries: totalOf(notice),
    created_at: isoOf(createdAtMs),
    tries,
    outcome: outcome ?? null,
    ended_at: isoOrNull(endedAtMs),
    error: error ?? null,
  };
}

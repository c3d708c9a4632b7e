import { STATUS_CODES } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import Fastify, { LogController } from "fastify";
import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyInstance,
  FastifyRequest,
  RawServerDefault,
} from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { z } from "zod";

import { installAnswerFaults } from "./answer-faults.ts";
import { authenticate } from "./auth.ts";
import type { Core } from "./core.ts";
import { completeDescription, describeRoutes, pageOf, PAGE_POLICY } from "./documentation.ts";
import type { Served } from "./documentation.ts";
import { ApiError, fieldErrors } from "./errors.ts";
import { installRouteFaults, isReplay } from "./fault-hooks.ts";
import type { SandboxSettings } from "./options.ts";
import { checkQueryNames } from "./query-names.ts";
import { agentLinkRoutes } from "./routes/agent-links.ts";
import { agentVersionRoutes } from "./routes/agent-versions.ts";
import { agentRoutes } from "./routes/agents.ts";
import { analyticsRoutes } from "./routes/analytics.ts";
import { apiKeyRoutes } from "./routes/api-keys.ts";
import { batchCallRoutes } from "./routes/batch-calls.ts";
import { billingRoutes } from "./routes/billing.ts";
import { callRoutes } from "./routes/calls.ts";
import { chatSessionRoutes } from "./routes/chat-sessions.ts";
import { configRoutes } from "./routes/config.ts";
import { controlRoutes } from "./routes/control.ts";
import { executionRoutes } from "./routes/executions.ts";
import { hookRoutes } from "./routes/hooks.ts";
import { knowledgeBaseRoutes } from "./routes/knowledge-bases.ts";
import { phoneNumberRoutes } from "./routes/phone-numbers.ts";
import { scheduleRoutes } from "./routes/schedules.ts";
import { workflowBuildRoutes } from "./routes/workflow-build.ts";
import { workflowLinkRoutes } from "./routes/workflow-links.ts";
import { workflowRoutes } from "./routes/workflows.ts";
import { placeCallRoutes } from "./routes/place-calls.ts";
import { recordingRoutes } from "./routes/recordings.ts";
import { sipConnectionRoutes } from "./routes/sip-connections.ts";
import { SOFTWARE } from "./software.ts";
import { UnknownPaths } from "./unknown-paths.ts";
import { dressOf } from "./dialect.ts";

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** Longer than any id that the sandbox makes: what is longer is looked for and not found, as any other. */
const LONGEST_PARAMETER = 2_000;

/** 1,000 contacts with some 10 kB of variables each. */
const LARGEST_BODY_BYTES = 10 * 1024 * 1024;

/** The HTTP side of the sandbox: every route, under the base path. */
export function buildApp(core: Core, settings: SandboxSettings): App {
  let requests = 0;
  const app = Fastify({
    ...(settings.logger === null ? {} : { loggerInstance: settings.logger }),
    bodyLimit: LARGEST_BODY_BYTES,
    exposeHeadRoutes: false,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: LONGEST_PARAMETER },
    // A path that is no path leads nowhere.
    frameworkErrors: (_error, request, reply) => {
      reply.hijack();
      reply.raw
        .writeHead(404, { ...ownHeaders(core, request.id), "content-type": "application/json" })
        .end('{"detail":"Not Found"}');
    },
    genReqId: () => {
      requests += 1;
      return `req-${requests}`;
    },
    clientErrorHandler: (_error, socket) => {
      refuseSocket(socket, 400, core);
    },
  }).withTypeProvider<ZodTypeProvider>();
  app.decorateRequest("caller", null);
  // Handlers are held to their response schemas by their types. At run time nothing stands between a view and its
  // JSON: pages of a thousand items would be checked for nothing.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setValidatorCompiler<z.ZodType>(({ schema, httpPart }) => (data) => {
    const parsed = schema.safeParse(data, { reportInput: true });
    return parsed.success
      ? { value: parsed.data }
      : { error: new ApiError(422, fieldErrors(PARTS[httpPart ?? "body"] ?? "body", parsed.error)) };
  });
  takeEmptyBodies(app);
  const served: Served[] = [];
  const unknownPaths = new UnknownPaths(settings.basePath, served);
  answerErrors(app, unknownPaths);
  app.setNotFoundHandler((request, reply) => unknownPaths.answer(request, reply));
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(ownHeaders(core, request.id));
  });
  void app.register(
    async (scope) => {
      await describeRoutes(scope, settings.dialect);
      await scope.register(platformRoutes(core, settings, served));
      await scope.register(
        async (control) => {
          control.addHook("onRoute", (route) => {
            route.schema = { ...route.schema, hide: true };
          });
          await control.register(controlRoutes(core));
        },
        { prefix: "/_sandbox" },
      );
      await scope.register(async (hooks) => {
        if (settings.dialect === "published") hooks.addHook("preSerialization", dressAnswers());
        await hookRoutes(core)(hooks);
      });
      scope.get("/", { schema: { hide: true } }, (_request, reply) => {
        void reply
          .type("text/html; charset=utf-8")
          .header("content-security-policy", PAGE_POLICY)
          .send(pageOf("Outdial sandbox", settings.basePath, served));
      });
      scope.get("/openapi.json", { schema: { hide: true } }, async () => scope.swagger());
    },
    { prefix: settings.basePath },
  );
  return app;
}

const PARTS: Readonly<Record<string, string>> = { querystring: "query", params: "path", headers: "header" };

/** The routes of the contract: authenticated, counted, and open to faults. */
function platformRoutes(core: Core, { basePath, dialect }: SandboxSettings, served: Served[]) {
  return async (scope: FastifyInstance): Promise<void> => {
    const nameOf = (request: FastifyRequest) =>
      `${request.method} ${(request.routeOptions.url ?? "").slice(basePath.length)}`;
    scope.addHook("onRoute", (route) => {
      const path = route.url.slice(basePath.length);
      core.faults.knowRoute(`${String(route.method)} ${path}`);
      served.push({ method: String(route.method), path });
      completeDescription(route, path);
    });
    installRouteFaults(scope, core.faults, core.clock, nameOf);
    installAnswerFaults(scope, core.faults, nameOf);
    scope.addHook("onRequest", async (request) => {
      if (!isReplay(request)) {
        core.stats.asked(nameOf(request));
      }
    });
    scope.addHook("onRequest", authenticate(core.keys));
    scope.addHook("preValidation", checkQueryNames(dialect));
    if (dialect === "published") {
      scope.addHook("preSerialization", dressAnswers());
    }
    scope.addHook("onSend", async (request, reply) => {
      if (!isReplay(request)) {
        core.stats.answered(nameOf(request), reply.statusCode);
      }
    });
    await agentRoutes(core)(scope);
    await agentVersionRoutes(core)(scope);
    await agentLinkRoutes(core)(scope);
    await phoneNumberRoutes(core)(scope);
    await batchCallRoutes(core)(scope);
    await callRoutes(core)(scope);
    await placeCallRoutes(core)(scope);
    await recordingRoutes(core)(scope);
    await sipConnectionRoutes(core)(scope);
    await billingRoutes(core)(scope);
    await analyticsRoutes(core)(scope);
    await configRoutes()(scope);
    await workflowRoutes(core)(scope);
    await workflowBuildRoutes(core)(scope);
    await executionRoutes(core)(scope);
    await scheduleRoutes(core)(scope);
    await workflowLinkRoutes(core)(scope);
    await knowledgeBaseRoutes(core)(scope);
    await chatSessionRoutes(core)(scope);
    await apiKeyRoutes(core)(scope);
  };
}

/** Clients send `content-type: application/json` with nothing in it, to actions that take no body. */
function takeEmptyBodies(app: App): void {
  const parse = app.getDefaultJsonParser("remove", "remove");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") {
      done(null, undefined);
    } else {
      void parse(request, String(body), done);
    }
  });
}

/** Error bodies as FastAPI writes them: `detail`, a text or a list of field errors. */
function answerErrors(app: App, unknownPaths: UnknownPaths): void {
  app.setErrorHandler((error: FastifyError | ApiError, request, reply) => {
    if (request.is404) {
      // No route took the request, so nothing about its body matters.
      return unknownPaths.answer(request, reply);
    }
    if (error instanceof ApiError) {
      if (error.statusCode === 401) {
        reply.header("www-authenticate", "Bearer");
      }
      return reply.code(error.statusCode).headers(error.headers).send({ detail: error.detail });
    }
    const status = error.statusCode ?? 500;
    if (status >= 500) {
      request.log.error({ err: error }, "the sandbox failed");
      return reply.code(500).send({ detail: "Internal Server Error" });
    }
    if (status === 413) {
      return reply.code(413).send({ detail: "Request body too large" });
    }
    return reply.code(422).send({ detail: [{ loc: ["body"], msg: error.message, type: "json_invalid" }] });
  });
}

/** What every answer carries. */
function ownHeaders(core: Core, requestId: string): Record<string, string> {
  return { date: dateHeader(core), "x-request-id": requestId, "x-powered-by": SOFTWARE };
}

/** The `Date` header, skewed if a fault says so. */
function dateHeader(core: Core): string {
  return new Date(Date.now() + (core.faults.peek("date_skew")?.ms ?? 0)).toUTCString();
}

/** Answers on a bare socket, where no HTTP framework is in charge, and closes it. */
export function refuseSocket(socket: Writable, status: number, core: Core): void {
  const body = JSON.stringify({ detail: STATUS_CODES[status] ?? "Refused" });
  const headers = Object.entries(ownHeaders(core, "req-upgrade")).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  if (socket.writable) {
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Refused"}\r\n${headers.join("")}Connection: close\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }
}

type Dress = ReturnType<typeof dressOf>;

/** The hook that shows answers in the dialect of published clients, by the schema of their route and status. */
function dressAnswers() {
  const dresses = new WeakMap<object, Dress>();
  return async (request: FastifyRequest, reply: { readonly statusCode: number }, payload: unknown) => {
    const responses = request.routeOptions.schema?.response;
    const schema: unknown =
      typeof responses === "object" && responses !== null ? Reflect.get(responses, reply.statusCode) : null;
    if (typeof schema !== "object" || schema === null) {
      return payload;
    }
    let dress = dresses.get(schema);
    if (dress === undefined) {
      dress = dressOf(schema);
      dresses.set(schema, dress);
    }
    return dress === null ? payload : dress(payload);
  };
}

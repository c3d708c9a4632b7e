import { randomUUID } from "node:crypto";

import helmet from "@fastify/helmet";
import rateLimit from "@fastify/rate-limit";
import Fastify, {
  LogController,
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
} from "fastify";
import {
  serializerCompiler,
  type FastifyPluginAsyncZod,
  type ZodTypeProvider,
} from "fastify-type-provider-zod";

import { createLiveEvents } from "./live-events.ts";
import { CONTENT_SECURITY_POLICY, readDashboard, serveDashboard } from "./dashboard.ts";
import type { HttpDeps } from "./deps.ts";
import { describeRoutes } from "./description/document.ts";
import { judgeActors } from "./actor.ts";
import { COUNTED, guardAccess, openDoors } from "./plugins/access.ts";
import { heedBrands } from "./plugins/brands.ts";
import { answerAddressProblems, answerBadRequests, answerProblems } from "./plugins/errors.ts";
import { tagAnswers } from "./plugins/etags.ts";
import { heedKeys } from "./plugins/idempotency.ts";
import { takeJson } from "./plugins/json-bodies.ts";
import { sharePageAnswers } from "./plugins/page-answers.ts";
import { maskForViewers } from "./plugins/masking.ts";
import { traceRequests } from "./plugins/tracing.ts";
import { compileValidator } from "./plugins/validation.ts";
import { createBodyRoom } from "./raw-body.ts";
import type { Routes } from "./route-scope.ts";
import { auditRoutes } from "./routes/access/audit.ts";
import { oidcRoutes } from "./routes/access/oidc.ts";
import { otherSessionRoutes } from "./routes/access/other-sessions.ts";
import { sessionRoutes } from "./routes/access/sessions.ts";
import { tokenRoutes } from "./routes/access/tokens.ts";
import { attentionRoutes } from "./routes/attention/attention.ts";
import { automationExecutionRoutes } from "./routes/automations/executions.ts";
import { automationCommandRoutes, automationRoutes } from "./routes/automations/manage.ts";
import { amendRoutes, commandRoutes } from "./routes/campaigns/commands.ts";
import { attemptListRoutes } from "./routes/campaigns/attempt-lists.ts";
import { amendmentPreviewRoutes } from "./routes/campaigns/amendment-preview.ts";
import { archiveRoutes } from "./routes/campaigns/archive.ts";
import { callRoutes } from "./routes/campaigns/call.ts";
import { callerIdRoutes } from "./routes/campaigns/caller-ids.ts";
import { cloneRoutes } from "./routes/campaigns/clone.ts";
import { contactListRoutes } from "./routes/campaigns/contact-lists.ts";
import { validationRoutes } from "./routes/campaigns/validate.ts";
import { contactRoutes } from "./routes/campaigns/contacts.ts";
import { createRoutes } from "./routes/campaigns/create.ts";
import {
  canaryRoutes,
  estimateRoutes,
  explanationRoutes,
  pastRoutes,
  readRoutes,
} from "./routes/campaigns/read.ts";
import { rehearsalRoutes } from "./routes/campaigns/rehearsals.ts";
import { resultRoutes } from "./routes/campaigns/results.ts";
import { withdrawalRoutes } from "./routes/campaigns/withdrawals.ts";
import { personCallRoutes } from "./routes/people/calls.ts";
import { exportRoutes } from "./routes/people/export.ts";
import { forgetRoutes } from "./routes/people/forget.ts";
import { dataKeyRoutes } from "./routes/keys/data-keys.ts";
import { retentionRoutes } from "./routes/people/retention.ts";
import { oftenCalledRoutes } from "./routes/people/often-called.ts";
import { storyRoutes } from "./routes/people/story.ts";
import { actionRoutes, followUpRoutes } from "./routes/follow-ups/follow-ups.ts";
import { sequenceCommandRoutes } from "./routes/sequences/commands.ts";
import { enrollListRoutes } from "./routes/sequences/enroll-list.ts";
import { noticeRoutes } from "./routes/notices/routes.ts";
import { declaredRoutes } from "./routes/declared/declared.ts";
import { enrollRoutes } from "./routes/sequences/enroll.ts";
import { enrolmentCommandRoutes, enrolmentReadRoutes } from "./routes/sequences/enrolments.ts";
import { sequenceEventRoutes } from "./routes/sequences/events.ts";
import { sequencePutRoutes } from "./routes/sequences/put.ts";
import { sequenceRehearseRoutes } from "./routes/sequences/rehearse.ts";
import { sequenceReadRoutes } from "./routes/sequences/read.ts";
import { presetRoutes } from "./routes/presets/presets.ts";
import { blackoutRoutes } from "./routes/blackouts/blackouts.ts";
import { budgetRoutes } from "./routes/campaigns/budgets.ts";
import { suppressionImportRoutes } from "./routes/suppressions/import.ts";
import { sourceCheckRoutes } from "./routes/suppressions/source-check.ts";
import { suppressionListRoutes, suppressionSourceRoutes } from "./routes/suppressions/sources.ts";
import { suppressionRoutes } from "./routes/suppressions/suppressions.ts";
import { consentRoutes } from "./routes/consents/consents.ts";
import { platformHookRoutes } from "./routes/hooks/platform.ts";
import { keyRoutes } from "./routes/keys/keys.ts";
import { ruleRoutes } from "./routes/rules/test.ts";
import { scheduleRoutes } from "./routes/schedules/manage.ts";
import { scheduleRunRoutes } from "./routes/schedules/runs.ts";
import { doctorRoutes } from "./routes/system/doctor.ts";
import { ledgerCopyRoutes } from "./routes/system/ledger-copies.ts";
import { healthRoutes } from "./routes/system/health.ts";
import { eventRoutes } from "./routes/events/events.ts";
import { eventWebhookRoutes } from "./routes/events/webhooks.ts";
import { stopRoutes } from "./routes/system/stop.ts";
import { systemRoutes } from "./routes/system/system.ts";
import { outlookRoutes } from "./routes/campaigns/outlook.ts";
import { timelineRoutes } from "./routes/campaigns/timeline.ts";
import { tagRoutes } from "./routes/campaigns/tags.ts";
import { deliveryRoutes } from "./routes/triggers/deliveries.ts";
import { triggerTryRoutes } from "./routes/triggers/try.ts";
import { triggerRoutes } from "./routes/triggers/manage.ts";
import { receiveRoutes } from "./routes/triggers/receive.ts";

/** A thousand suppressions with their reasons; lists are streams, with limits of their own. */
const LARGEST_BODY_BYTES = 1024 * 1024;

/** A hundred a second: far above people and their scripts, below what would starve dialing. */
const REQUESTS_A_MINUTE = 6_000;

/** Of what comes from one address: requests to the API, or from other systems to their doors. */
function mostOf({ deliveriesPerMinute }: HttpDeps): (request: FastifyRequest) => number {
  return ({ routeOptions }) =>
    routeOptions.config.authenticatesItself
      ? Math.max(REQUESTS_A_MINUTE, deliveriesPerMinute)
      : REQUESTS_A_MINUTE;
}

/**
 * A browser opens up to six as a page reads what an event told of, and all pages that listen are told in one moment. Each
 * takes some tens of kilobytes, and a file of those that the process may open: Node.js raises that to the hard limit.
 */
const MOST_CONNECTIONS = 3_000;

/** Requests under way when the system stops are answered, within this; then their connections are cut. */
export const CLOSE_WITHIN_MS = 10_000;

/** The HTTP API: every route, guarded, described at /openapi.json. It does not listen yet. */
export async function buildApp(deps: HttpDeps): Promise<FastifyInstance> {
  const app = openServer(deps, {
    bodyLimit: LARGEST_BODY_BYTES,
    // Requests are not logged by their addresses, in which phone numbers stand; failures are, by their routes.
    logController: new LogController({ disableRequestLogging: true }),
    // They are told to others, who look for them in the log: a process that started anew has none twice.
    genReqId: () => randomUUID(),
    frameworkErrors: answerAddressProblems,
    clientErrorHandler: answerBadRequests,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
  });
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(serializerCompiler);
  takeJson(app);
  const dashboard = await readDashboard(deps.dashboardDir);
  answerProblems(app, deps.log, dashboard);
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: CONTENT_SECURITY_POLICY },
  });
  await app.register(rateLimit, { max: mostOf(deps), timeWindow: 60_000, ...COUNTED });
  tellOfAnswers(app, deps);
  traceRequests(app, deps.tracer);
  const doors = openDoors(deps);
  guardAccess(app, deps, doors);
  heedBrands(app, deps);
  judgeActors(app);
  heedKeys(app, deps);
  maskForViewers(app);
  const live = createLiveEvents(deps);
  sharePageAnswers(app, live, deps.monotonicMs);
  // Behind it: whoever is shown something else has another tag.
  tagAnswers(app);
  await describeRoutes(app);
  for (const routes of [
    healthRoutes,
    systemRoutes,
    doctorRoutes,
    ledgerCopyRoutes,
    tokenRoutes,
    auditRoutes,
    eventWebhookRoutes,
    inOwnScope(stopRoutes),
    createRoutes,
    cloneRoutes,
    readRoutes,
    canaryRoutes,
    callerIdRoutes,
    timelineRoutes,
    outlookRoutes,
    pastRoutes,
    estimateRoutes,
    explanationRoutes,
    inOwnScope(contactRoutes),
    contactListRoutes,
    inOwnScope(validationRoutes),
    inOwnScope(rehearsalRoutes),
    attemptListRoutes,
    callRoutes,
    commandRoutes,
    amendRoutes,
    amendmentPreviewRoutes,
    withdrawalRoutes,
    archiveRoutes,
    resultRoutes,
    followUpRoutes,
    actionRoutes,
    tagRoutes,
    storyRoutes,
    oftenCalledRoutes,
    exportRoutes,
    personCallRoutes,
    forgetRoutes,
    retentionRoutes,
    dataKeyRoutes,
    suppressionRoutes,
    consentRoutes,
    blackoutRoutes,
    budgetRoutes,
    presetRoutes,
    inOwnScope(suppressionImportRoutes),
    suppressionSourceRoutes,
    inOwnScope(suppressionListRoutes),
    sourceCheckRoutes,
    sequencePutRoutes,
    sequenceRehearseRoutes,
    sequenceReadRoutes,
    sequenceCommandRoutes,
    sequenceEventRoutes,
    enrollRoutes,
    inOwnScope(enrollListRoutes),
    enrolmentReadRoutes,
    enrolmentCommandRoutes,
    attentionRoutes,
    noticeRoutes,
    triggerRoutes,
    triggerTryRoutes,
    automationRoutes,
    automationCommandRoutes,
    automationExecutionRoutes,
    scheduleRoutes,
    scheduleRunRoutes,
    declaredRoutes,
    ruleRoutes,
    keyRoutes,
    deliveryRoutes,
  ]) {
    await routes(deps)(app);
  }
  await app.register(eventRoutes(deps, live));
  await sessionRoutes(deps, doors)(app);
  await otherSessionRoutes(deps, doors)(app);
  await oidcRoutes(deps, doors)(app);
  serveDashboard(app, dashboard);
  // Doors that are open to everybody share what they may hold.
  const room = createBodyRoom();
  await app.register(receiveRoutes(deps, room));
  await app.register(platformHookRoutes(deps, room));
  app.server.maxConnections = MOST_CONNECTIONS;
  cutLateConnections(app);
  return app;
}

/** For those that read bodies in their own way. */
function inOwnScope(plugin: (deps: HttpDeps) => FastifyPluginAsyncZod): (deps: HttpDeps) => Routes {
  return (deps) => async (scope) => {
    await scope.register(plugin(deps));
  };
}

/** By their routes: addresses hold phone numbers. */
function tellOfAnswers(app: FastifyInstance, { onAnswered }: HttpDeps): void {
  if (!onAnswered) return;
  app.addHook("onResponse", async ({ method, routeOptions }, { statusCode: status, elapsedTime: tookMs }) => {
    onAnswered({ method, route: routeOptions.url, status, tookMs });
  });
}

function openServer({ tls }: HttpDeps, options: FastifyServerOptions) {
  // An app over TLS is another type for its server alone, which nothing here asks for more than both have.
  const served = tls ? { ...options, https: { ...tls, minVersion: "TLSv1.2" } } : options;
  return Fastify(served).withTypeProvider<ZodTypeProvider>();
}

function cutLateConnections(app: FastifyInstance): void {
  app.addHook("preClose", async () => {
    const timer = setTimeout(() => {
      app.server.closeAllConnections();
    }, CLOSE_WITHIN_MS);
    timer.unref();
    app.server.once("close", () => {
      clearTimeout(timer);
    });
  });
}

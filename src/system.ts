import type { WorkerOptions } from "@temporalio/worker";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";

import { paceAt, paceFor, type ActivityDeps } from "./activities/deps.ts";
import { microsOf } from "./domain/campaigns/money.ts";
import { callRate } from "./domain/campaigns/call-rate.ts";
import { createLineWatch } from "./activities/campaigns/follow/line-watch.ts";
import { createSocketBudget } from "./activities/campaigns/follow/socket-budget.ts";
import { haltBatches } from "./activities/campaigns/halt-batches.ts";
import { createActActivities, createActivities, createFollowActivities } from "./activities/index.ts";
import { readKeyStatus, tryRotation } from "./activities/keys/key-in-use.ts";
import { lookAtBalance } from "./chores/campaigns/look-at-balance.ts";
import { recover } from "./chores/recovery/recover.ts";
import { checkAgainstPlatform } from "./activities/campaigns/restore-check.ts";
import { sweepOnTime } from "./chores/recovery/sweep.ts";
import { startChores, type Chores } from "./chores/chores.ts";
import type { Config } from "./config.ts";
import type { ZoneDataFacts } from "./domain/time/zone-age.ts";
import { buildApp } from "./http/app.ts";
import { keepRenewed, readTls, type TlsFiles } from "./http/tls.ts";
import type { Ledger } from "./ledger/ground/connection.ts";
import { keepPresence } from "./ledger/ground/worker-presence.ts";
import { makeDataDir } from "./ledger/ground/data-dir.ts";
import { readInstallation } from "./ledger/ground/installation.ts";
import { createAddressCheck } from "./outbound/address-check.ts";
import { createOutbound } from "./outbound/client.ts";
import { createDownloads } from "./outbound/download.ts";
import { mailProblems } from "./outbound/mail.ts";
import { sendNotice } from "./outbound/notices.ts";
import { sendSigned } from "./outbound/signed.ts";
import type { OutboundRequest } from "./outbound/outbound.ts";
import { askScrubbingService } from "./outbound/scrubbing.ts";
import { createSignInProvider } from "./outbound/sign-in-provider.ts";
import { createSecretStore } from "./outbound/secrets.ts";
import { openLedger, probeLedger, type OpenedLedger } from "./open-ledger.ts";
import { openPlatform, platformKeyOf } from "./open-platform.ts";
import { hooksOf, openTraces } from "./open-traces.ts";
import { VERSION } from "./http/version.ts";
import { createLimiter, givenKey, type Limiter } from "./platform/index.ts";
import { profileInForce } from "./profile-file.ts";
import { keepRehearsalsApart } from "./rehearsals.ts";
import { lookAgain } from "./chores/campaigns/look-again.ts";
import { watchWorkers } from "./chores/campaigns/watch-workers.ts";
import { startRequestBudget } from "./chores/ground/request-budget.ts";
import { startEventWebhooks } from "./chores/events/webhooks.ts";
import { createLedgersClock, keepLedgersClock, type LedgersClock } from "./chores/ground/ledgers-clock.ts";
import { startNotices } from "./chores/notices/notices.ts";
import { startStopKeeping } from "./chores/campaigns/stop-keeping.ts";
import { openTemporal, withoutTemporal, type Temporal } from "./temporal/connection.ts";
import { builtBundle, ownVersion, readDeployment, type WorkerVersion } from "./temporal/deployment.ts";
import { probeTemporal } from "./temporal/probe.ts";
import { readRuntimeMetrics } from "./temporal/runtime.ts";
import { createTelemetry, type Telemetry } from "./telemetry/telemetry.ts";
import { traced } from "./tracing/requests.ts";
import { taskQueuesOf } from "./temporal/task-queues.ts";
import { createWaker, type Waker } from "./temporal/wake.ts";
import { startWorkers, type Workers } from "./temporal/workers.ts";
import { goByZoneDataLoudly } from "./zone-package.ts";

/*
 * What a process of Outdial is made of: ports opened from the settings, and on top of them a worker, the HTTP
 * API, or both. The composition roots (worker.ts, server.ts, cli.ts) choose.
 */

export interface SystemOptions {
  config: Config;
  log: Logger;
  /** Open already, for what was to be written before all else; it is closed with the system. By default it is opened. */
  ledger?: OpenedLedger;
  /** Runs workflows and activities in this process. */
  worker: boolean;
  /** False: neither Temporal nor workflows are there, only what the ledger and the platform can do without. */
  temporal: boolean;
  /** Serves the HTTP API; `token` undefined: nobody is asked for one (loopback only). */
  server: ServedAt | undefined;
  /** Told in one line what takes a while. */
  onProgress: (message: string) => void;
}

/** Where the HTTP API is served, and how. */
interface ServedAt {
  host: string;
  port: number;
  token: string | undefined;
  /** Absent: without TLS. */
  tls?: TlsFiles | undefined;
}

/** A running system. */
export interface System {
  /** Of the HTTP API, where it is served. */
  readonly apiUrl: string | undefined;
  /** What the HTTP API asks for. */
  readonly apiToken: string | undefined;
  /** Of Temporal's web UI, where we know of one. */
  readonly temporalUiUrl: string | undefined;
  readonly ledger: Ledger;
  /** Rejects when a part of the system died by itself. */
  readonly failed: Promise<never>;
  /** Whether the ledger and Temporal answer. @throws where one of them does not. */
  probe(): Promise<void>;
  /** Drains and closes everything in order. A Temporal server that we provided ends with it. */
  stop(): Promise<void>;
}

/** Stream sockets of a process: beyond it batches are followed by one listing for all. */
const MAX_SOCKETS = 100;

/** Opens what the settings name and starts what was asked for. What was opened is closed again if a part fails. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const closing: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    return await assemble(options, closing, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function assemble(
  options: SystemOptions,
  closing: (() => Promise<void>)[],
  stop: () => Promise<void>,
): Promise<System> {
  const { config, log } = options;
  const given = options.ledger;
  if (given) closing.push(() => given.ledger.close());
  const zones = goByZoneDataLoudly(config, log, Date.now());
  const opened = given ?? (await openLedger(config, log));
  if (!given) closing.push(() => opened.ledger.close());
  const profile = profileInForce(config, log);
  const { streamTokenInQuery } = profile;
  const key = platformKeyOf(config);
  const limiter = createLimiter({
    maxConcurrent: config.platform.connections,
    ...(config.requestsPerSecond !== undefined && { maxPerSecond: config.requestsPerSecond }),
    onRefused: (refusal) => budget.tell(refusal),
  });
  const budget = startRequestBudget({
    ledger: opened.ledger,
    limiter,
    perSecond: config.requestsPerSecond,
    log,
    now: Date.now,
  });
  closing.push(() => budget.stop());
  // Whoever ends with its one command, as a stop does, tells nobody, and needs no port that another may have.
  const isWatched = config.metrics !== undefined && options.temporal;
  const telemetry = isWatched ? createTelemetry({ ofLedger: options.server !== undefined }) : undefined;
  const traces = options.temporal ? await openTraces(config, telemetry, log) : undefined;
  if (traces) closing.push(() => traces.close());
  const asClient = { streamTokenInQuery, limiter, hooks: hooksOf(config, telemetry, traces) };
  const platform = openPlatform(config, log, asClient, key);
  closing.push(() => platform.close());
  await keepRehearsalsApart(opened.ledger, platform, config);
  makeDataDir(config.dataDir);
  const temporal = options.temporal
    ? await openTemporal({
        ...config.temporal,
        cacheDir: path.join(config.cacheDir, "temporal"),
        dataDir: config.dataDir,
        isMeasured: telemetry !== undefined,
        log,
        onProgress: options.onProgress,
      })
    : withoutTemporal(config.temporal.namespace);
  closing.push(() => temporal.close());
  const waker = options.temporal ? openWaker(temporal, log) : NOBODY_TO_WAKE;
  closing.push(() => waker.flush());
  const ownOutbound = createOutbound({ allow: config.outboundAllow });
  closing.push(() => ownOutbound.close());
  const ask = (asked: OutboundRequest) => ownOutbound.request(asked);
  const outbound = traces ? { ...ownOutbound, request: traced(ask) } : ownOutbound;
  const downloads = createDownloads({ allow: config.outboundAllow });
  closing.push(() => downloads.close());
  let chores: Chores | undefined;
  const deps: ActivityDeps = {
    ledger: opened.ledger,
    platform,
    profile,
    account: config.account,
    rate: config.callsPerSecond === undefined ? undefined : callRate(config.callsPerSecond, config.speed),
    lowCreditMicros: config.lowCreditUsd === undefined ? undefined : microsOf(config.lowCreditUsd),
    heldForMs: () => limiter.state.heldForMs,
    wake: waker,
    outbox: { kick: () => chores?.kick() },
    secrets: createSecretStore(config.secrets),
    outbound,
    ...(key && {
      keys: {
        inUse: key,
        open: (apiKey: string) => openPlatform(config, log, asClient, givenKey(apiKey)),
      },
    }),
    dataKeys: config.dataKeys,
    recordingsDir: config.recordingsDir,
    lists: { ...config.lists, downloads },
    pace: paceFor(paceAt(config.speed), profile),
    log,
    ...(telemetry && { meter: telemetry.meter }),
    ...(traces && { tracer: traces.tracer }),
    now: Date.now,
  };
  if (telemetry) closing.push(await serveMetrics(telemetry, deps, options, { zones, limiter }));
  // Before anything can dial: does anybody know better than this ledger?
  await checkAgainstPlatform(deps);
  // What others hold against their clocks, and can't wait for ours to be right.
  const clock = createLedgersClock(deps);
  await clock.refresh();
  const clockLooks = keepLedgersClock(clock);
  closing.push(() => clockLooks.stop());
  const onTime = { ...deps, now: () => clock.now() };
  const stops = startStopKeeping({ ...deps, now: () => clock.latest() });
  closing.push(() => stops.stop());
  const notices = startNotices({ ...onTime, smtp: config.smtp }, config.speed);
  closing.push(() => notices.stop());
  const webhooks = startEventWebhooks(onTime, config.speed);
  closing.push(() => webhooks.stop());
  if (options.worker) await lookAgain(deps);
  if (options.temporal) {
    chores = await startChores(deps, temporal.client, {
      zones,
      speed: config.speed,
      sessionIdleMs: config.people.sessionIdleMs,
    });
    closing.push(() => chores?.stop() ?? Promise.resolve());
  }
  const deaths = [temporal.failed, ...(opened.failed ? [opened.failed] : [])];
  if (options.worker) deaths.push((await dial({ ...deps, log }, temporal, config, closing)).failed);
  if (options.worker) closing.push(seeOtherWorkers(deps, config, closing));
  const token = options.server?.token ?? opened.token;
  const apiUrl =
    options.server &&
    (await serve({ ...options.server, token }, deps, config, { clock, zones, temporal, telemetry, closing }));
  if (apiUrl !== undefined) opened.announce(apiUrl);
  const failed = Promise.race(deaths);
  failed.catch(() => {});
  return {
    apiUrl,
    apiToken: token,
    temporalUiUrl: temporal.uiUrl,
    ledger: opened.ledger,
    failed,
    async probe() {
      await probeLedger(opened.ledger);
      await probeTemporal(temporal.client, temporal.address);
    },
    stop,
  };
}

/** Serves metrics from before anything dials until all else has ended. */
async function serveMetrics(
  telemetry: Telemetry,
  { ledger, platform, now }: ActivityDeps,
  { config, log, server, worker }: SystemOptions,
  sources: { zones: ZoneDataFacts; limiter: Limiter },
): Promise<() => Promise<void>> {
  const listen = config.metrics;
  if (!listen) return async () => {};
  // Whoever serves the API reads the ledger for them: one or two processes, however many workers there are.
  const ofLedger = server && { ledger, accountLines: config.account?.limit };
  const served = await telemetry.serve(listen, {
    ...sources,
    ledger: ofLedger,
    temporal: worker ? readRuntimeMetrics : undefined,
    version: VERSION,
    platform,
    log,
    now,
  });
  log.info({ url: served.url }, "metrics are served");
  return () => served.close();
}

/** On the embedded ledger there are no others. */
function seeOtherWorkers(
  deps: ActivityDeps,
  { databaseUrl }: Config,
  closing: (() => Promise<void>)[],
): () => Promise<void> {
  if (databaseUrl === undefined) return async () => {};
  const presence = keepPresence(databaseUrl, randomUUID());
  // Behind the drain, so that the others see for its whole length that this one leaves.
  closing.unshift(() => presence.close());
  const watch = watchWorkers(deps, presence);
  return () => watch.stop();
}

function openWaker(temporal: Temporal, log: Logger): Waker {
  return createWaker(temporal.client, (error, workflowId) =>
    log.warn(
      { workflowId, error: String(error) },
      "a wake-up was not delivered; its workflow looks by itself later",
    ),
  );
}

/** Workflows that somebody else runs look by themselves, later. */
const NOBODY_TO_WAKE: Waker = { campaign: () => {}, batch: () => {}, flush: async () => {} };

/** Runs workflows and activities here. */
async function dial(
  deps: ActivityDeps & { log: Logger },
  temporal: Temporal,
  { isVersioned }: Config,
  closing: (() => Promise<void>)[],
): Promise<Workers> {
  const connection = await temporal.connectWorkers();
  closing.push(() => connection.close());
  const { installationId } = await readInstallation(deps.ledger.db);
  const own = ownVersion(VERSION, installationId);
  const version = isVersioned ? own : undefined;
  const workers = await startWorkers({
    connection,
    version,
    namespace: temporal.namespace,
    queues: taskQueuesOf(installationId),
    workflows: workflowSource(),
    activities: createActivities(deps),
    followActivities: createFollowActivities({
      ...deps,
      sockets: createSocketBudget(MAX_SOCKETS),
      lines: createLineWatch(deps),
    }),
    actActivities: createActActivities(deps),
  });
  closing.push(() => workers.drain());
  await (version
    ? tellWhetherCurrent(temporal, version, deps.log)
    : tellWhetherOthersAre(temporal, own, deps.log));
  return workers;
}

/** A build that nobody made current is given nothing, which looks like an idle one. */
async function tellWhetherCurrent(
  { client }: Temporal,
  { deploymentName, buildId }: WorkerVersion,
  log: Logger,
): Promise<void> {
  try {
    const standing = await readDeployment(client, deploymentName);
    const current = standing?.current;
    if (current === buildId) return log.info({ buildId }, "this build is the current one");
    log.warn(
      { buildId, current },
      "this build is not the current one and is given nothing new: make it current with `outdial deploy current`",
    );
  } catch (error) {
    log.warn({ buildId, error: String(error) }, "whether this build is the current one could not be read");
  }
}

/** Where versioning was turned off here and not on the Temporal server, a worker looks like an idle one, too. */
async function tellWhetherOthersAre(
  { client }: Temporal,
  { deploymentName }: WorkerVersion,
  log: Logger,
): Promise<void> {
  try {
    const current = (await readDeployment(client, deploymentName))?.current;
    if (current === undefined) return;
    log.warn(
      { current },
      "a versioned build is current, and this worker, which is not told apart, is given nothing: set OUTDIAL_WORKER_VERSIONING=true, or turn it off with `outdial deploy current --none`",
    );
  } catch (error) {
    // A server that does not know of builds tells none apart.
    log.debug({ error: String(error) }, "whether a versioned build is current could not be read");
  }
}

/** The bundle that the build makes, or the sources where there is no build. */
function workflowSource(): Pick<WorkerOptions, "workflowBundle" | "workflowsPath"> {
  const bundle = builtBundle();
  if (bundle !== undefined) return { workflowBundle: { codePath: bundle } };
  const extension = path.extname(fileURLToPath(import.meta.url));
  return { workflowsPath: fileURLToPath(new URL(`workflows/index${extension}`, import.meta.url)) };
}

/** Beside the build, or beneath the build that is beside the sources. */
function dashboardDir(): string {
  const isBuilt = path.extname(fileURLToPath(import.meta.url)) === ".js";
  return fileURLToPath(new URL(isBuilt ? "dashboard/" : "../dist/dashboard/", import.meta.url));
}

async function serve(
  server: ServedAt,
  /** By this machine's clock: for what refuses to go on where that is wrong. */
  plain: ActivityDeps,
  config: Config,
  {
    clock,
    zones,
    temporal,
    telemetry,
    closing,
  }: {
    clock: LedgersClock;
    zones: ZoneDataFacts;
    temporal: Temporal;
    telemetry: Telemetry | undefined;
    closing: (() => Promise<void>)[];
  },
): Promise<string> {
  // What is taken here others hold against their clocks.
  const deps = { ...plain, now: () => clock.now() };
  const pair = server.tls && readTls(server.tls);
  const { oidc } = config.people;
  const app = await buildApp({
    tls: pair,
    ledger: deps.ledger,
    client: temporal.client,
    platform: deps.platform,
    platformUrl: config.platform.baseUrl ?? "",
    zones,
    account: deps.account,
    rate: deps.rate,
    wake: deps.wake,
    outbox: deps.outbox,
    secrets: deps.secrets,
    dataKeys: config.dataKeys,
    refusalOf: createAddressCheck({ allow: config.outboundAllow }),
    sendNotice: (route, notice) => sendNotice({ ...deps, smtp: config.smtp }, route, notice),
    sendSigned: (to, message) => sendSigned(deps, to, message),
    mailProblems: (isSenderSaid) => mailProblems(config.smtp, isSenderSaid),
    askScrubber: (service, phones) => askScrubbingService(deps, service, phones),
    hookTokens: config.hookTokens,
    deliveriesPerMinute: config.deliveriesPerMinute,
    log: deps.log,
    tracer: deps.tracer,
    ...(telemetry && { onAnswered: telemetry.answered }),
    now: deps.now,
    token: server.token,
    sessions: {
      idleMs: config.people.sessionIdleMs,
      lifeMs: config.people.sessionLifeMs,
      publicUrl: config.people.publicUrl,
    },
    oidc: oidc && {
      name: oidc.name,
      rights: oidc.rights,
      provider: createSignInProvider(oidc, { outbound: deps.outbound, now: deps.now }),
    },
    dashboardDir: dashboardDir(),
    haltBatches: (batchIds, bounds) => haltBatches(plain, batchIds, bounds),
    pace: deps.pace,
    recover: (actor) => recover(plain, { actor }),
    sweep: () => sweepOnTime(plain),
    // Most processes are never asked for it, and it takes a while to load.
    examine: async () => {
      const { checkServer } = await import("./cli/doctor/check-server.ts");
      // As it is now: a key that was rotated is another one than the settings named.
      const apiKey = deps.keys?.inUse.current() ?? config.platform.apiKey;
      return checkServer(
        { ...config, platform: { ...config.platform, apiKey } },
        {
          ledger: deps.ledger,
          platform: deps.platform,
          probeTemporal: () => probeTemporal(temporal.client, temporal.address),
          temporalAddress: temporal.address ?? "it",
        },
      );
    },
    lookAtBalance: () => lookAtBalance(deps, { isAsked: true }),
    keys: { status: () => readKeyStatus(deps), rotate: (input) => tryRotation(deps, input) },
  });
  closing.push(() => app.close());
  if (server.tls && pair) {
    const renewal = keepRenewed(app.server, server.tls, { pair, log: deps.log });
    closing.push(async () => renewal.stop());
  }
  return app.listen({ host: server.host, port: server.port });
}

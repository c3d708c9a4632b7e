import type { Config } from "../config.ts";
import { isLoopback } from "../http/loopback.ts";
import { createLog } from "../log.ts";
import type { System, SystemOptions } from "../system.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { serveHealth } from "./health-server.ts";
import { until, watchInterrupts } from "./interrupts.ts";
import { leftBehind } from "./campaigns/run/left-behind.ts";
import { speakToSupervisor } from "./up/supervisor-line.ts";
import { startPulse, type DaemonKind } from "./campaigns/run/pulse.ts";
import { DEFAULT_API_PORT } from "./running-system.ts";

type StartSystem = (options: SystemOptions) => Promise<System>;

/**
 * Runs a part of the system until SIGTERM or Ctrl-C, logging to standard error; then drains it.
 *
 * @param options.supervised `outdial up` started it, and listens.
 * @throws whatever keeps it from starting, or ended it by itself.
 */
export async function runDaemon(
  kind: DaemonKind,
  config: Config,
  startSystem: StartSystem,
  { supervised = false }: { supervised?: boolean | undefined } = {},
): Promise<ExitCode> {
  const log = createLog({ level: config.logLevel });
  const health = config.health && (await serveHealth(config.health, Date.now));
  if (health) log.info({ url: health.url }, "probes are answered");
  const interrupts = watchInterrupts(() => {
    log.warn("left at once; what was begun is durable");
    const left = leftBehind(config.dataDir);
    if (left !== undefined) log.warn(left);
  });
  if (kind === "server" && !config.api.tls && !isLoopback(config.api.host)) {
    log.warn(
      { host: config.api.host },
      "the API listens beyond this machine without TLS: set OUTDIAL_API_TLS_CERT and OUTDIAL_API_TLS_KEY",
    );
  }
  try {
    const system = await startSystem({
      config,
      log,
      temporal: true,
      ...partsOf(kind, config),
      onProgress: (message) => log.info(message),
    });
    const line = supervised ? speakToSupervisor() : undefined;
    const pulse = startPulse({
      dataDir: config.dataDir,
      kind,
      probe: () => system.probe(),
      log,
      onBeat: (problem) => health?.tell({ phase: "running", atMs: Date.now(), problem }),
    });
    log.info({ apiUrl: system.apiUrl, temporalUi: system.temporalUiUrl }, `the ${kind} runs`);
    if (kind === "server" && !supervised) await tellDashboardHere(config, system);
    try {
      await Promise.race([until(interrupts.signal), system.failed]);
      log.info(`the ${kind} drains`);
    } finally {
      health?.tell({ phase: "draining" });
      await pulse.stop();
      await system.stop();
      line?.end();
    }
    log.info(`the ${kind} has ended`);
    return EXIT.ok;
  } finally {
    await health?.close();
    interrupts.end();
  }
}

/** On a terminal alone: what goes elsewhere is kept, and a link that signs in is for who starts it now. */
async function tellDashboardHere(config: Config, { apiUrl, apiToken }: System): Promise<void> {
  if (apiUrl === undefined || !process.stderr.isTTY) return;
  const [{ openApi }, { trustOf }, { dashboardLine }] = await Promise.all([
    import("./api/client.ts"),
    import("./api/trust.ts"),
    import("./dashboard-link.ts"),
  ]);
  const api = openApi({ url: apiUrl, token: apiToken, ...trustOf(config) });
  try {
    process.stderr.write(`${await dashboardLine(config, api)}\n`);
  } finally {
    await api.close();
  }
}

function partsOf(kind: DaemonKind, { databaseUrl, api }: Config): Pick<SystemOptions, "worker" | "server"> {
  const isEmbedded = databaseUrl === undefined;
  const { host, port, token, tls } = api;
  switch (kind) {
    case "worker":
      return {
        worker: true,
        // Whoever holds the embedded ledger is whom every other command talks to.
        server: isEmbedded ? { host: "127.0.0.1", port: 0, token } : undefined,
      };
    case "server":
      return { worker: isEmbedded, server: { host, port: port ?? DEFAULT_API_PORT, token, tls } };
  }
}

import { Runtime } from "@temporalio/worker";

/** What the runtime logs through. */
export interface RuntimeLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Where the runtime of this process serves its metrics, once there is one and it does. */
let installed: { readonly metricsAddress: string | undefined } | undefined;

/**
 * Temporal's runtime is one a process: it logs through us, and leaves signals to the roots. The first connection
 * for workers would make one with other manners, so it comes before it.
 *
 * @param metricsAddress where it serves metrics, as Prometheus reads them
 */
export function installRuntime(log: RuntimeLog, metricsAddress?: string): void {
  if (installed) return;
  installed = { metricsAddress };
  const at = {
    TRACE: "debug",
    DEBUG: "debug",
    INFO: "info",
    WARN: "warn",
    ERROR: "error",
  } as const;
  Runtime.install({
    shutdownSignals: [],
    telemetryOptions: {
      // The native part would write to standard output, which belongs to the command.
      logging: { filter: { core: "WARN", other: "ERROR" }, forward: {} },
      ...(metricsAddress !== undefined && {
        metrics: { prometheus: { ...BY_CONVENTION, bindAddress: metricsAddress } },
      }),
    },
    logger: {
      log: (level, message, meta) => log[at[level]](meta ?? {}, message),
      trace: () => {},
      debug: (message, meta) => log.debug(meta ?? {}, message),
      info: (message, meta) => log.info(meta ?? {}, message),
      warn: (message, meta) => log.warn(meta ?? {}, message),
      error: (message, meta) => log.error(meta ?? {}, message),
    },
  });
}

/** Names as Prometheus has them, in its units. */
const BY_CONVENTION = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };

/** They stand in this process: who does not get them at once has something else the matter. */
const METRICS_WITHIN_MS = 2_000;

/**
 * What the runtime of this process has measured; undefined: there is none yet, or it was begun without.
 *
 * @throws where it does not answer.
 */
export async function readRuntimeMetrics(): Promise<string | undefined> {
  if (installed?.metricsAddress === undefined) return undefined;
  const answer = await fetch(`http://${installed.metricsAddress}/metrics`, {
    signal: AbortSignal.timeout(METRICS_WITHIN_MS),
  });
  if (!answer.ok) throw new Error(`Temporal's runtime answers ${answer.status} for its metrics`);
  return answer.text();
}

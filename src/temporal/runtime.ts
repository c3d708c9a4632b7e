import { Runtime } from "@temporalio/worker";

/** What the runtime logs through. */
export interface RuntimeLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

let installed = false;

/**
 * Temporal's runtime is one a process: it logs through us, and leaves signals to the roots. The first connection
 * for workers would make one with other manners, so it comes before it.
 */
export function installRuntime(log: RuntimeLog): void {
  if (installed) return;
  installed = true;
  const at = {
    TRACE: "debug",
    DEBUG: "debug",
    INFO: "info",
    WARN: "warn",
    ERROR: "error",
  } as const;
  Runtime.install({
    shutdownSignals: [],
    // The native part would write to standard output, which belongs to the command.
    telemetryOptions: { logging: { filter: { core: "WARN", other: "ERROR" }, forward: {} } },
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

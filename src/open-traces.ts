import type { Logger } from "pino";

import type { Config } from "./config.ts";
import { VERSION } from "./http/version.ts";
import type { PlatformHooks } from "./platform/index.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import type { Traces } from "./telemetry/traces.ts";
import { traceTries } from "./tracing/requests.ts";

/** Sends spans to where the settings say, and loads what that takes; undefined: nothing is traced. */
export async function openTraces(
  { traces: traceOptions }: Config,
  telemetry: Telemetry | undefined,
  log: Logger,
): Promise<Traces | undefined> {
  if (!traceOptions) return undefined;
  const { createTraces } = await import("./telemetry/traces.ts");
  log.info({ url: traceOptions.url, sampler: traceOptions.sampler }, "traces are sent");
  return createTraces(traceOptions, { version: VERSION, count: telemetry?.spans ?? (() => {}), log });
}

/** Who is told of each request to the platform. */
export function hooksOf(
  { platform }: Config,
  telemetry: Telemetry | undefined,
  traces: Traces | undefined,
): PlatformHooks {
  const trace = traces && traceTries(platform.baseUrl);
  return {
    onResponse(event) {
      telemetry?.platformHooks.onResponse?.(event);
      trace?.(event);
    },
  };
}

import { z } from "zod";

import { setting, type ValuesOf } from "./setting.ts";

const EXAMPLE = "127.0.0.1:9464";

/** `9464` is that port of this machine alone; `[::1]:9464` and `0.0.0.0:9464` say where. */
const listenAddress = z
  .string()
  .transform((text, context) => {
    const [, host = "127.0.0.1", port = ""] =
      /^(?:(\[[0-9a-f:.]+\]|[a-z0-9.-]+):)?(\d{1,5})$/i.exec(text) ?? [];
    if (port !== "" && Number(port) <= 65_535)
      return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
    context.addIssue({ code: "custom", message: "must be an address and a port, or a port from 0 to 65535" });
    return z.NEVER;
  })
  .optional();

export const TELEMETRY_SETTINGS = {
  OUTDIAL_METRICS_LISTEN: setting({
    schema: listenAddress,
    meaning:
      "Address and port that metrics for Prometheus are served at; a port alone is that of this machine, 0 any free one. Nobody is asked for a token there. Each process needs a port of its own. Absent: none are kept.",
    example: EXAMPLE,
  }),
  OUTDIAL_HEALTH_LISTEN: setting({
    schema: listenAddress,
    meaning:
      "Address and port at which a worker or server answers probes: /healthz while it lives, /readyz while it has what it needs and does not drain. A port alone is that of this machine. Each process needs a port of its own.",
    example: "0.0.0.0:9465",
  }),
} as const;

export interface TelemetrySettings {
  /** Where metrics are served; undefined: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** Where probes are answered; undefined: nowhere. */
  readonly health: { readonly host: string; readonly port: number } | undefined;
}

export function readTelemetrySettings(values: ValuesOf<typeof TELEMETRY_SETTINGS>): TelemetrySettings {
  return { metrics: values.OUTDIAL_METRICS_LISTEN, health: values.OUTDIAL_HEALTH_LISTEN };
}

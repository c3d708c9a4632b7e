import { z } from "zod";

import { SAMPLERS, type TraceOptions } from "../telemetry/trace-options.ts";
import { httpUrl, listed, number, setting, type ValuesOf } from "./setting.ts";

/*
 * Traces, by the names that OpenTelemetry has for what every program shares
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/). Nothing is traced unless an
 * endpoint is named.
 */

/** RFC 9110: a header's name, and a value that no line break ends. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

/** `key=value,key=value`, each part percent-encoded where it has to be, as W3C Baggage writes them. */
const pairs = z
  .string()
  .default("")
  .transform((text, context) => {
    const read: Record<string, string> = {};
    for (const part of listed(text, ",")) {
      const at = part.indexOf("=");
      const pair = at > 0 ? decoded(part.slice(0, at).trim(), part.slice(at + 1).trim()) : undefined;
      if (pair === undefined) {
        // Not the part itself: it may be a secret.
        context.addIssue({ code: "custom", message: "must be key=value pairs with commas between them" });
        return z.NEVER;
      }
      read[pair[0]] = pair[1];
    }
    return read;
  });

function decoded(key: string, value: string): [string, string] | undefined {
  try {
    return [decodeURIComponent(key), decodeURIComponent(value)];
  } catch {
    return undefined;
  }
}

const PROTOCOLS = ["http/protobuf", "http/json"] as const;

export const TRACE_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting({
    schema: httpUrl.optional(),
    meaning:
      "Address of a receiver of OpenTelemetry (OTLP over HTTP), to which [traces](traces.md) go, at its /v1/traces. Absent: nothing is traced.",
    example: "http://127.0.0.1:4318",
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting({
    schema: httpUrl.optional(),
    meaning: "The same with its path, for traces alone; goes before it.",
    example: "http://127.0.0.1:4318/v1/traces",
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting({
    schema: z
      .enum(PROTOCOLS, {
        error: "must be http/protobuf or http/json: a receiver that takes grpc takes them at another port",
      })
      .default("http/protobuf"),
    meaning: "How spans are written.",
    example: "http/json",
    default: "http/protobuf",
  }),
  OTEL_EXPORTER_OTLP_HEADERS: setting({
    schema: pairs
      .refine((headers) => Object.keys(headers).every((name) => HEADER_NAME.test(name)), {
        message: "must have names of HTTP headers before its equals signs",
      })
      .refine((headers) => Object.values(headers).every((value) => HEADER_VALUE.test(value)), {
        message: "must have values of printable ASCII characters: they travel in headers",
      }),
    meaning: "Headers that the receiver asks for, such as a key.",
    example: "authorization=Bearer%20a-key",
    secret: true,
  }),
  OTEL_EXPORTER_OTLP_TIMEOUT: setting({
    schema: number.int().min(100, "must be 100 or more").max(60_000, "must be 60000 or less").default(10_000),
    meaning: "How long one request to the receiver may take, in milliseconds. Nothing else waits for it.",
    example: "5000",
    default: "10000",
  }),
  OTEL_EXPORTER_OTLP_COMPRESSION: setting({
    schema: z.enum(["gzip", "none"], { error: "must be gzip or none" }).default("none"),
    meaning: "Whether spans are compressed on their way.",
    example: "gzip",
    default: "none",
  }),
  OTEL_SERVICE_NAME: setting({
    schema: z.string().min(1).max(200).optional(),
    meaning: "As what these processes stand in traces.",
    example: "outdial-eu",
    default: "service.name of OTEL_RESOURCE_ATTRIBUTES, else outdial",
  }),
  OTEL_RESOURCE_ATTRIBUTES: setting({
    schema: pairs,
    meaning: "What else is said of these processes with every span.",
    example: "deployment.environment.name=production",
  }),
  OTEL_TRACES_SAMPLER: setting({
    schema: z
      .enum(SAMPLERS, { error: `must be ${SAMPLERS.slice(0, -1).join(", ")} or ${SAMPLERS.at(-1)}` })
      .default("parentbased_always_on"),
    meaning:
      "Which traces are recorded. With `parentbased_`, what goes on in a trace goes by what its first request was decided to be; what its sender says of that does not count.",
    example: "parentbased_traceidratio",
    default: "parentbased_always_on",
  }),
  OTEL_TRACES_SAMPLER_ARG: setting({
    schema: number.min(0, "must be 0 to 1").max(1, "must be 0 to 1").default(1),
    meaning: "The part of all traces that the samplers by ratio record.",
    example: "0.1",
    default: "1",
  }),
} as const;

export interface TraceSettings {
  /** Where spans go; undefined: nothing is traced. */
  readonly traces: TraceOptions | undefined;
}

export function readTraceSettings(values: ValuesOf<typeof TRACE_SETTINGS>): TraceSettings {
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/\/+$/, "")}/v1/traces`);
  if (url === undefined) return { traces: undefined };
  const resource = values.OTEL_RESOURCE_ATTRIBUTES;
  return {
    traces: {
      url,
      protocol: values.OTEL_EXPORTER_OTLP_PROTOCOL,
      headers: values.OTEL_EXPORTER_OTLP_HEADERS,
      timeoutMs: values.OTEL_EXPORTER_OTLP_TIMEOUT,
      isCompressed: values.OTEL_EXPORTER_OTLP_COMPRESSION === "gzip",
      serviceName: values.OTEL_SERVICE_NAME ?? resource["service.name"] ?? "outdial",
      resource,
      sampler: values.OTEL_TRACES_SAMPLER,
      ratio: values.OTEL_TRACES_SAMPLER_ARG,
    },
  };
}

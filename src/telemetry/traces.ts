import { randomBytes, randomUUID } from "node:crypto";

import {
  ROOT_CONTEXT,
  SpanKind as OtelKind,
  SpanStatusCode,
  TraceFlags,
  createContextKey,
  trace,
  type SpanContext,
  type Tracer as OtelTracer,
} from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from "@opentelemetry/sdk-trace";

import type { TraceParent } from "../tracing/trace-parent.ts";
import type { Span, SpanBegin, SpanKind, Tracer } from "../tracing/work.ts";
import { createOtlpSender } from "./otlp-sender.ts";
import { SpanQueue, type SpanQueueInput } from "./span-queue.ts";
import type { TraceOptions } from "./trace-options.ts";

/*
 * Spans by OpenTelemetry's SDK. Nothing is registered for the whole process and nothing is read from the environment: who
 * is in whose trace is known by tracing/work.ts, and what is set by the settings. This module loads some two hundred
 * files, and is loaded by processes alone that trace.
 */

export interface Traces {
  readonly tracer: Tracer;
  /** Sends what waits, within seconds; what is left is lost and counted. */
  close(): Promise<void>;
}

/** Attributes are ids, words and counts; a longer one is somebody's text, and has no business here. */
const LONGEST_ATTRIBUTE = 256;

const KINDS: Record<SpanKind, OtelKind> = {
  server: OtelKind.SERVER,
  consumer: OtelKind.CONSUMER,
  internal: OtelKind.INTERNAL,
  client: OtelKind.CLIENT,
};

export function createTraces(
  options: TraceOptions,
  { version, count, log }: Pick<SpanQueueInput, "count" | "log"> & { version: string },
): Traces {
  const sender = createOtlpSender(options);
  const queue = new SpanQueue({ send: (spans, signal) => sender.send(spans, signal), count, log });
  const provider = new TracerProvider({
    sampler: samplerOf(options),
    spanLimits: { attributeValueLengthLimit: LONGEST_ATTRIBUTE, attributeCountLimit: 64, linkCountLimit: 32 },
    resource: resourceFromAttributes({
      ...options.resource,
      "service.name": options.serviceName,
      "service.version": version,
      "service.instance.id": randomUUID(),
    }),
    spanProcessors: [queue],
  });
  const tracer = provider.getTracer("outdial", version);
  return {
    tracer: { begin: (span) => begin(tracer, span) },
    async close() {
      await provider.shutdown();
      await sender.close();
    },
  };
}

/** Of a context whose span was sent by somebody whom nobody knows yet. */
const IS_SENT = createContextKey("outdial: the parent was sent");

function begin(
  tracer: OtelTracer,
  { name, kind, startedAtMs, parent, isParentSent, links }: SpanBegin,
): Span {
  const under = parent ? trace.setSpanContext(ROOT_CONTEXT, contextOf(parent)) : ROOT_CONTEXT;
  const context = isParentSent === true ? under.setValue(IS_SENT, true) : under;
  const span = tracer.startSpan(
    name,
    { kind: KINDS[kind], startTime: startedAtMs, links: links.map((link) => ({ context: contextOf(link) })) },
    context,
  );
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceParent: { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 },
    link: (other) => span.addLink({ context: contextOf(other) }),
    end(endedAtMs, attributes, failure) {
      for (const [key, value] of Object.entries(attributes))
        if (value !== undefined) span.setAttribute(key, value);
      if (failure !== undefined) {
        span.setAttribute("error.type", failure);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      // A clock that was set back makes no span that ends before it began.
      span.end(Math.max(startedAtMs, endedAtMs));
    },
  };
}

function contextOf({ traceId, spanId, isSampled }: TraceParent): SpanContext {
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { traceId, spanId, traceFlags, isRemote: true };
}

function samplerOf({ sampler, ratio }: TraceOptions): Sampler {
  switch (sampler) {
    case "always_on":
      return new AlwaysOnSampler();
    case "always_off":
      return new AlwaysOffSampler();
    case "traceidratio":
      return new TraceIdRatioBasedSampler(ratio);
    case "parentbased_always_on":
      return asParentOrRoot(new AlwaysOnSampler());
    case "parentbased_always_off":
      return asParentOrRoot(new AlwaysOffSampler());
    case "parentbased_traceidratio":
      return asParentOrRoot(new TraceIdRatioBasedSampler(ratio));
  }
}

/**
 * What is within a trace goes by what its first span here was decided to be; that by the root, whatever whoever sent the
 * parent says. The id of such a trace is the sender's choice, too, so that a part of all is chosen by one that is not.
 */
function asParentOrRoot(root: Sampler): Sampler {
  const ours = new ParentBasedSampler({ root });
  return {
    shouldSample(context, traceId, ...rest) {
      if (context.getValue(IS_SENT) !== true) return ours.shouldSample(context, traceId, ...rest);
      return root.shouldSample(context, randomBytes(16).toString("hex"), ...rest);
    },
    toString: () => `OwnRoot{${ours.toString()}}`,
  };
}

import type { Meter } from "../activities/deps.ts";
import type { PlatformHooks } from "../platform/index.ts";
import { createInstruments, type Instruments } from "./instruments.ts";
import { createLedgerGauges, type LedgerGaugesInput } from "./ledger-gauges.ts";
import { countAnswer, countRequest, createMeter, type Answered } from "./meter.ts";
import { serveMetrics } from "./metrics-server.ts";
import type { SideServer } from "../side-server.ts";
import type { SpanResult } from "./span-queue.ts";
import { tellProcess, type ProcessGaugesInput } from "./process-gauges.ts";

/** What is measured in one process, and where it is told. */
export interface Telemetry {
  readonly meter: Meter;
  readonly platformHooks: PlatformHooks;
  /** To be told what became of spans. */
  readonly spans: (result: SpanResult, count: number) => void;
  /** To be told of each answer of the HTTP API. */
  readonly answered: (answer: Answered) => void;
  /** Serves it, until it is closed. @throws ListenError */
  serve(listen: { host: string; port: number }, sources: TelemetrySources): Promise<SideServer>;
}

export interface TelemetrySources extends ProcessGaugesInput {
  /** Undefined: this process tells nothing of the ledger. */
  ledger: Pick<LedgerGaugesInput, "ledger" | "accountLines"> | undefined;
  /** The metrics of Temporal's SDK, in the same format; undefined: no worker runs here. */
  temporal: (() => Promise<string | undefined>) | undefined;
  log: { warn(fields: object, message: string): void };
}

/** @param input.ofLedger whether this process will tell of the ledger, too */
export function createTelemetry(input: { ofLedger: boolean }): Telemetry {
  const instruments = createInstruments(input);
  return {
    meter: createMeter(instruments),
    platformHooks: { onResponse: (event) => countRequest(instruments, event) },
    spans: (result, count) => instruments.count("outdial_trace_spans_total", { result }, count),
    answered: (answer) => countAnswer(instruments, answer),
    serve(listen, { ledger, temporal, log, ...process }) {
      const gauges = ledger && createLedgerGauges({ ...ledger, instruments, log, now: process.now });
      const ofTemporal = temporal && readTemporal(temporal, instruments, log);
      return serveMetrics(listen, async () => {
        tellProcess(instruments, process);
        const [sdk] = await Promise.all([ofTemporal?.(), gauges?.refresh()]);
        return `${await instruments.text()}${sdk ?? ""}`;
      });
    },
  };
}

/** Their loss is told by a gauge, and keeps nobody from the others. */
function readTemporal(
  read: () => Promise<string | undefined>,
  instruments: Instruments,
  log: TelemetrySources["log"],
): () => Promise<string | undefined> {
  return async () => {
    try {
      const text = await read();
      if (text !== undefined) instruments.set("outdial_temporal_metrics_up", {}, 1);
      return text;
    } catch (error) {
      log.warn({ error: String(error) }, "the metrics of Temporal's SDK could not be read");
      instruments.set("outdial_temporal_metrics_up", {}, 0);
      return undefined;
    }
  };
}

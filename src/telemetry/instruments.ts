import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

import {
  METRICS,
  type LabelsOf,
  type MetricDefinition,
  type MetricName,
  type NameOf,
} from "./metric-table.ts";

/** The metrics of one process, each by its row of the table. None of them throws. */
export interface Instruments {
  count<Name extends NameOf<"counter">>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  observe<Name extends NameOf<"histogram">>(name: Name, labels: LabelsOf<Name>, value: number): void;
  set<Name extends NameOf<"gauge">>(name: Name, labels: LabelsOf<Name>, value: number): void;
  /** Forgets all that gauges of that kind say: what is not said anew is not served. */
  forget(from: MetricDefinition["from"]): void;
  /** As Prometheus reads it (text format 0.0.4). */
  text(): Promise<string>;
}

/** What such a text is called in an answer. */
export const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/**
 * Of prom-client's own: gauges that are named as counters, and what is no number, or not one of the loop, while nothing was
 * measured yet.
 */
const NOT_OF_THE_FORMAT = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
  "nodejs_eventloop_lag_mean_seconds",
  "nodejs_eventloop_lag_stddev_seconds",
  "nodejs_eventloop_lag_min_seconds",
];

/** What can't be counted, such as no number, is told as a warning of the process: no call is begun or settled otherwise for it. */
function harmless(counting: () => void): void {
  try {
    counting();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : new Error("a metric could not be counted"));
  }
}

/** @param ofLedger whether this process tells of the ledger, too */
export function createInstruments({ ofLedger }: { ofLedger: boolean }): Instruments {
  const registry = new Registry();
  // Of the process itself: CPU, memory, open files, how late its loop is.
  collectDefaultMetrics({ register: registry });
  for (const name of NOT_OF_THE_FORMAT) registry.removeSingleMetric(name);
  const counters = new Map<MetricName, Counter>();
  const gauges = new Map<MetricName, Gauge>();
  const histograms = new Map<MetricName, Histogram>();
  for (const [name, definition] of Object.entries(METRICS) as [MetricName, MetricDefinition][]) {
    if (definition.from === "ledger" && !ofLedger) continue;
    const { type, help, labels, buckets } = definition;
    const common = { name, help, labelNames: Object.keys(labels), registers: [registry] };
    switch (type) {
      case "counter":
        counters.set(name, new Counter(common));
        break;
      case "gauge":
        gauges.set(name, new Gauge(common));
        break;
      case "histogram":
        histograms.set(name, new Histogram({ ...common, ...(buckets && { buckets: [...buckets] }) }));
        break;
    }
  }
  const forget = (from: MetricDefinition["from"]) => {
    for (const [name, gauge] of gauges) {
      if (METRICS[name].from !== from) continue;
      gauge.reset();
      // Without labels a gauge says 0 then, of which nobody knows.
      if (Object.keys(METRICS[name].labels).length === 0) gauge.remove();
    }
  };
  forget("process");
  forget("ledger");
  return {
    count: (name, labels, by = 1) => harmless(() => counters.get(name)?.inc(labels, by)),
    observe: (name, labels, value) => harmless(() => histograms.get(name)?.observe(labels, value)),
    set: (name, labels, value) => harmless(() => gauges.get(name)?.set(labels, value)),
    forget,
    text: () => registry.metrics(),
  };
}

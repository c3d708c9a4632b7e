import { setImmediate } from "node:timers/promises";

import { Conversation } from "../conversation.ts";
import type { Percentiles } from "../conversation.ts";
import type { CallRecord } from "./calls.ts";

/** Contract 2.9, in seconds and shares. */
export interface CallTotals {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly totalSeconds: number;
  /** Over completed calls; 0 without any. */
  readonly averageSeconds: number;
  readonly successRate: number;
}

/** Counts calls. Those that are up count in the total alone; seconds are as each call shows them. */
export function totalsOf(calls: readonly CallRecord[]): CallTotals {
  let [completed, failed, totalSeconds] = [0, 0, 0];
  for (const call of calls) {
    if (call.phase === "ended" && call.connectedAt === null) {
      failed += 1;
    } else if (call.phase === "ended") {
      completed += 1;
      totalSeconds += Math.round(call.talkMs / 1000);
    }
  }
  return {
    total: calls.length,
    completed,
    failed,
    totalSeconds,
    averageSeconds: completed === 0 ? 0 : totalSeconds / completed,
    successRate: completed === 0 ? 0 : completed / (completed + failed),
  };
}

const PARTS = ["e2e", "stt", "llm", "tts"] as const;
type Part = (typeof PARTS)[number];

/** So many calls are measured before other requests get a turn: some milliseconds of work. */
const CALLS_A_TURN = 500;

/**
 * The spread of latency over calls, in milliseconds: percentiles of the calls' medians (each call's own `p50`), by
 * nearest rank, so each of them is the value of some call. Calls that are not processed yet have no latency.
 */
export async function latencyOver(
  seed: number,
  calls: readonly CallRecord[],
): Promise<Readonly<Record<Part, { readonly [K in keyof Percentiles]: number | null }>>> {
  const samples: Record<Part, number[]> = { e2e: [], stt: [], llm: [], tts: [] };
  for (const [nth, call] of calls.entries()) {
    if (nth % CALLS_A_TURN === CALLS_A_TURN - 1) {
      await setImmediate();
    }
    const isProcessed = call.organization.calls.processingStatusOf(call) === "completed";
    const latency = isProcessed ? new Conversation(seed, call).latency() : null;
    if (latency !== null) {
      for (const part of PARTS) {
        samples[part].push(latency[part].p50);
      }
    }
  }
  return {
    e2e: spreadOf(samples.e2e),
    stt: spreadOf(samples.stt),
    llm: spreadOf(samples.llm),
    tts: spreadOf(samples.tts),
  };
}

function spreadOf(values: readonly number[]) {
  const sorted = values.toSorted((one, other) => one - other);
  return {
    p50: percentileOf(sorted, 50),
    p90: percentileOf(sorted, 90),
    p95: percentileOf(sorted, 95),
    p99: percentileOf(sorted, 99),
  };
}

/** Nearest rank: the smallest value that at least so many percent of all do not exceed; null of none. */
export function percentileOf(sorted: readonly number[], percent: number): number | null {
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? null;
}

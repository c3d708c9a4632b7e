import { formatDurationMs } from "../../domain/time/duration.ts";
import type { InFlightWire } from "../../http/wire/campaigns.ts";

/** 12345 as 12,345. */
export function numberText(value: number): string {
  return value.toLocaleString("en-US");
}

/** How long something took or takes, in whole seconds. */
export function durationText(ms: number): string {
  return formatDurationMs(Math.max(1_000, Math.round(ms / 1_000) * 1_000));
}

/** `3 contacts`, `1 contact`. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${numberText(count)} ${count === 1 ? noun : plural}`;
}

/**
 * A moment of the day that it is on UTC; with its date where that is another one. On UTC, and it says so: who reads it
 * is not always where the machine is. What is to prove something is told by the person's clocks: local-times.ts.
 */
export function momentText(iso: string, nowMs: number): string {
  const text = new Date(iso).toISOString();
  const day = text.slice(0, 10);
  return new Date(nowMs).toISOString().startsWith(day)
    ? `${text.slice(11, 19)} UTC`
    : `${day} ${text.slice(11, 16)} UTC`;
}

/** `answered 12 · busy 3`, most first. */
export function tallyText(tallies: Readonly<Record<string, number>>, separator = " · "): string {
  return byCount(tallies)
    .map(([name, count]) => `${name} ${numberText(count)}`)
    .join(separator);
}

/** Entries that count something, most first. */
export function byCount(tallies: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(tallies)
    .filter(([, count]) => count > 0)
    .sort(([nameA, a], [nameB, b]) => b - a || (nameA < nameB ? -1 : 1));
}

/** What goes on for a while after a stop. */
export function inFlightText({ batches, calls_up, uncertain }: InFlightWire): string {
  if (batches === 0) return "no batch was dialing";
  const up = `${countText(calls_up, "call")} up in ${countText(batches, "batch", "batches")}`;
  return uncertain === 0
    ? `${up}; no other begins`
    : `${up}; of ${countText(uncertain, "more attempt")} it could not be seen that no call begins`;
}

import type { CallFacts } from "./call-outcome.ts";
import { toldMicrosOf } from "./money.ts";

/*
 * What the platform says of a call, made fit once: times are moments, numbers are finite and within what a call can
 * last, texts and data are of a size that rules are evaluated over in no time. What makes no sense is not known, and
 * never a reason to lose the rest.
 */

/** A call as the platform shows it. */
export interface RawCall {
  readonly [field: string]: unknown;
  readonly call_id: string;
}

/** Words for a state are short. Longer ones are cut. */
const LONGEST_WORD = 100;
const LONGEST_SUMMARY = 4_000;
/** Where it is a text: some hours of talk. */
const LONGEST_TRANSCRIPT = 500_000;

/** No call lasts for longer: agents are cut off after minutes, carriers after some hours. */
const LONGEST_CALL_SECONDS = 24 * 60 * 60;

/** @param momentOf reads the platform's times. */
export function factsOfCall(
  call: RawCall,
  momentOf: (value: string | number | null | undefined) => number | undefined,
): CallFacts {
  const { call_analysis: analysis } = call;
  const timeOf = (value: unknown) =>
    typeof value === "string" || typeof value === "number" ? momentOf(value) : undefined;
  return {
    callId: call.call_id,
    status: wordOf(call["status"]) ?? "",
    durationSeconds: durationOf(call["duration_seconds"]),
    startedAtMs: timeOf(call["start_time"]),
    endedAtMs: timeOf(call["end_time"]),
    processingStatus: wordOf(call["processing_status"]),
    analysis: isRecord(analysis) ? boundedAnalysis(analysis) : undefined,
    summary: summaryOf(call["call_summary"]),
    transcriptLength: transcriptLength(call["transcript"]),
    direction: directionOf(call["call_type"]),
    costMicros: costOf(call["call_cost"]),
  };
}

/** A number, or the total of an object: platforms have both. US dollars. */
function costOf(cost: unknown): number | undefined {
  if (!isRecord(cost)) return toldMicrosOf(cost);
  return toldMicrosOf(["total_usd", "total", "total_cost"].map((name) => cost[name]).find(isNumber));
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function wordOf(value: unknown): string | undefined {
  return typeof value === "string" ? cut(value, LONGEST_WORD) : undefined;
}

function durationOf(seconds: unknown): number | undefined {
  return typeof seconds === "number" && seconds >= 0 && seconds <= LONGEST_CALL_SECONDS ? seconds : undefined;
}

/** `phone` and the like are calls of ours. */
function directionOf(type: unknown): string | undefined {
  if (typeof type !== "string") return undefined;
  if (/inbound/i.test(type)) return "inbound";
  return /web|test/i.test(type) ? "web" : "outbound";
}

/** A text, or the text of an object: platforms have both. */
function summaryOf(summary: unknown): string | undefined {
  if (typeof summary === "string") return cut(summary, LONGEST_SUMMARY);
  if (!isRecord(summary)) return undefined;
  const text = ["text", "summary", "content"]
    .map((name) => summary[name])
    .find((one) => typeof one === "string");
  return typeof text === "string" ? cut(text, LONGEST_SUMMARY) : undefined;
}

/** Lines of a transcript, which is a list of them, or a text. */
function transcriptLength(transcript: unknown): number | undefined {
  if (Array.isArray(transcript)) return transcript.length;
  if (typeof transcript !== "string") return undefined;
  return transcript
    .slice(0, LONGEST_TRANSCRIPT)
    .split("\n")
    .filter((line) => line.trim() !== "").length;
}

/** Analyses have some twenty short answers. Twenty rules are evaluated over one, in the midst of dialing. */
const MOST_VALUES = 1_000;
const DEEPEST = 6;
const LONGEST_TEXT = 2_000;
const LONGEST_KEY = 100;
/** Of all texts together. */
const MOST_CHARS = 50_000;

const NO_ROOM = Symbol("no room");

/**
 * An analysis without what is beyond every bound: long texts are cut; values behind the thousandth, nested deeper than
 * any answer, or texts for which there is no room any more are left out, and nothing else for their sake but the lists
 * that they are in: a part of a list would say of what is left out that it is not in it. Texts are such as a database
 * keeps.
 */
function boundedAnalysis(analysis: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const left = { values: MOST_VALUES, chars: MOST_CHARS };
  const taken = (value: unknown, depth: number): unknown => {
    left.values -= 1;
    if (left.values < 0) return NO_ROOM;
    if (depth > DEEPEST) return NO_ROOM;
    if (typeof value === "string") return textOf(value);
    if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
    if (typeof value === "boolean" || value === null) return value;
    if (Array.isArray(value)) return listOf(value, depth);
    return isRecord(value) ? recordOf(value, depth) : undefined;
  };
  const textOf = (text: string) => {
    const chars = Math.min(text.length, LONGEST_TEXT);
    if (chars > left.chars) return NO_ROOM;
    left.chars -= chars;
    return cut(text, LONGEST_TEXT);
  };
  const listOf = (list: readonly unknown[], depth: number) => {
    const kept: unknown[] = [];
    const { chars } = left;
    for (const item of list) {
      const one = taken(item, depth + 1);
      if (one === NO_ROOM) {
        left.chars = chars;
        return NO_ROOM;
      }
      if (one !== undefined) kept.push(one);
    }
    return kept;
  };
  const recordOf = (record: Readonly<Record<string, unknown>>, depth: number) => {
    const fields: [string, unknown][] = [];
    for (const key in record) {
      if (!Object.hasOwn(record, key) || key.length > LONGEST_KEY) continue;
      const one = taken(record[key], depth + 1);
      if (one !== undefined && one !== NO_ROOM) fields.push([fit(key), one]);
      if (left.values < 0) break;
    }
    // Makes a key of `__proto__`, and no prototype.
    return Object.fromEntries(fields);
  };
  return recordOf(analysis, 0);
}

/** The beginning of a text, as a database keeps it. Half a character at its end is none. */
function cut(text: string, longest: number): string {
  return fit(text.length <= longest ? text : text.slice(0, longest));
}

/** PostgreSQL keeps no NUL, and half a pair of UTF-16 is no character. */
function fit(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

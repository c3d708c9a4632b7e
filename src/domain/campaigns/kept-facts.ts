import { z } from "zod";

import type { JsonValue } from "../expressions/expressions.ts";
import { isProcessed, type CallFacts } from "./call-outcome.ts";
import { needOfPaths, type Need } from "./call-rules.ts";
import { normaliseWord } from "../ground/normalise-word.ts";

/*
 * What of a call is kept beside its outcome, for whoever asks later: a sequence's branches. Named one by one, since
 * answers of people are kept only where somebody asks for them, and bounded, since they stand in every turn.
 */

const ANALYSIS = "analysis.";

/** `status`, `duration_seconds`, `processed`, `summary`, `transcript_length`, `analysis`, or one answer of it as `analysis.interested`. */
export const keptFieldSchema = z
  .string()
  .max(110)
  .regex(
    /^(?:status|duration_seconds|processed|summary|transcript_length|analysis|analysis\.[^\p{Cc}]+)$/u,
    "must be status, duration_seconds, processed, summary, transcript_length, analysis, or an answer of it such as analysis.interested",
  );

/** More than this is all of it. */
export const MOST_KEPT_FIELDS = 50;

export interface KeptFacts {
  status?: string;
  duration_seconds?: number;
  processed?: boolean;
  analysis?: Record<string, JsonValue>;
  summary?: string;
  transcript_length?: number;
}

const MOST_SUMMARY_CHARS = 1_000;
/** Of one answer, as JSON: words and short sentences. */
const MOST_ANSWER_CHARS = 1_000;
/** Of all answers. */
const MOST_ANSWERS_CHARS = 8_000;

/** What has to be known before it can be kept. */
export function needOfKept(fields: readonly string[]): Need {
  return needOfPaths(fields.map((field) => [field.split(".")[0] ?? field]));
}

/** What is kept of a call. An answer that is too long, or one too many, is left out. */
export function keptOf(fields: readonly string[], call: CallFacts | undefined): KeptFacts {
  if (!call) return {};
  const kept: KeptFacts = {};
  for (const field of fields) {
    if (field === "status") kept.status = normaliseWord(call.status);
    else if (field === "duration_seconds") {
      if (call.durationSeconds !== undefined) kept.duration_seconds = call.durationSeconds;
    } else if (field === "processed") kept.processed = isProcessed(call);
    else if (field === "summary")
      kept.summary = call.summary?.slice(0, MOST_SUMMARY_CHARS).toWellFormed() ?? "";
    else if (field === "transcript_length") kept.transcript_length = call.transcriptLength ?? 0;
  }
  const answers = answersOf(fields, call.analysis ?? {});
  return answers === undefined ? kept : { ...kept, analysis: answers };
}

function answersOf(
  fields: readonly string[],
  analysis: Readonly<Record<string, unknown>>,
): Record<string, JsonValue> | undefined {
  const isAll = fields.includes("analysis");
  const named = fields
    .filter((field) => field.startsWith(ANALYSIS))
    .map((field) => field.slice(ANALYSIS.length));
  if (!isAll && named.length === 0) return undefined;
  const answers: [string, JsonValue][] = [];
  let left = MOST_ANSWERS_CHARS;
  // Those that are asked for by name come before all the others.
  for (const key of new Set([...named, ...(isAll ? Object.keys(analysis) : [])])) {
    if (!Object.hasOwn(analysis, key)) continue;
    const answer = analysis[key] as JsonValue;
    const chars = JSON.stringify(answer).length + key.length;
    if (chars > MOST_ANSWER_CHARS || chars > left) continue;
    left -= chars;
    answers.push([key, answer]);
  }
  return Object.fromEntries(answers);
}

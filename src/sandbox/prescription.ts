import { z } from "zod";

import type { Prescribed } from "./prescribed.ts";
import { OUTCOMES } from "./simulator.ts";

/*
 * What somebody says that calls come to, instead of the seed: for rehearsals of rules over calls. Over HTTP for the next
 * dials of a number, or by the contact's own variables, which a list for a rehearsal has as columns.
 */

const MOST_LINES = 10_000;
/** A day: longer, it is `never`. */
const LATEST_MS = 86_400_000;
const PROCESSING_ENDS = ["completed", "failed", "never"] as const;

/** An outcome that is prescribed: its word, or with details that differ from what the seed would give. */
export const forcedOutcomeSchema = z.union([
  z.enum(OUTCOMES),
  z.strictObject({
    outcome: z.enum(OUTCOMES),
    /** Simulated milliseconds. */
    ring_ms: z.int().min(0).optional(),
    talk_ms: z.int().min(0).optional(),
    error: z.string().min(1).max(500).optional(),
    opted_out: z.boolean().optional(),
    callback_requested: z.boolean().optional(),
    /** Put beside what the sandbox says of every call; null: the call has no analysis. */
    analysis: z.record(z.string().min(1).max(200), z.json()).nullable().optional(),
    summary: z.string().max(10_000).nullable().optional(),
    transcript_lines: z.int().min(0).max(MOST_LINES).optional(),
    processing: z.enum(PROCESSING_ENDS).optional(),
    processing_late_ms: z.int().min(0).max(LATEST_MS).optional(),
  }),
]);

export type ForcedOutcome = z.output<typeof forcedOutcomeSchema>;
export type ForcedDetails = Exclude<ForcedOutcome, string>;

export function prescribedIn(forced: ForcedDetails): Prescribed | null {
  const { analysis, summary, transcript_lines: transcriptLines, processing } = forced;
  const { processing_late_ms: processingLateMs } = forced;
  const parts = { analysis, summary, transcriptLines, processing, processingLateMs };
  return Object.values(parts).every((part) => part === undefined) ? null : parts;
}

const PREFIX = "sandbox_";
const ANSWER = "sandbox_analysis.";

/** What a contact's variables may prescribe, by the field of a forced outcome that they are. */
const VARIABLES = {
  sandbox_outcome: "outcome",
  sandbox_talk_ms: "talk_ms",
  sandbox_error: "error",
  sandbox_analysis: "analysis",
  sandbox_summary: "summary",
  sandbox_transcript_lines: "transcript_lines",
  sandbox_processing: "processing",
  sandbox_processing_late_ms: "processing_late_ms",
} as const;

type Field = (typeof VARIABLES)[keyof typeof VARIABLES];

/** Fields whose value is JSON; the others are text as it stands. */
const AS_JSON: ReadonlySet<Field> = new Set<Field>([
  "analysis",
  "talk_ms",
  "transcript_lines",
  "processing_late_ms",
]);

export type VariablesReading =
  | { ok: true; outcome: ForcedOutcome | undefined }
  | { ok: false; variable: string; problem: string };

/**
 * What a contact's variables prescribe for a dial.
 *
 * @param nth the how manieth dial of the number: `sandbox_outcome` may be several words, `busy, answered`, one a dial,
 * of which the last stands for every later one.
 */
export function outcomeIn(variables: Readonly<Record<string, string>> | null, nth: number): VariablesReading {
  const given = Object.entries(variables ?? {}).filter(
    ([name, text]) => name.startsWith(PREFIX) && text.trim() !== "",
  );
  if (given.length === 0) return { ok: true, outcome: undefined };
  const forced: Record<string, unknown> = { outcome: "answered" };
  const answers: [string, unknown][] = [];
  for (const [variable, text] of given) {
    if (variable.startsWith(ANSWER) && variable !== ANSWER) {
      answers.push([variable.slice(ANSWER.length), answerOf(text)]);
      continue;
    }
    const field = Object.hasOwn(VARIABLES, variable)
      ? VARIABLES[variable as keyof typeof VARIABLES]
      : undefined;
    if (field === undefined)
      return {
        ok: false,
        variable,
        problem: `prescribes nothing: there are ${Object.keys(VARIABLES).join(", ")}`,
      };
    const value = field === "outcome" ? wordFor(text, nth) : AS_JSON.has(field) ? jsonOf(text) : text;
    const reading = forcedOutcomeSchema.safeParse({ outcome: "answered", [field]: value });
    if (value === undefined || !reading.success) return { ok: false, variable, problem: problemOf(field) };
    forced[field] = value;
  }
  const analysis = forced["analysis"];
  if (answers.length > 0)
    forced["analysis"] = {
      ...(typeof analysis === "object" ? analysis : {}),
      ...Object.fromEntries(answers),
    };
  return { ok: true, outcome: forcedOutcomeSchema.parse(forced) };
}

function problemOf(field: Field): string {
  switch (field) {
    case "outcome":
      return `must be one of ${OUTCOMES.join(", ")}, or several with commas between them, one a dial`;
    case "processing":
      return `must be one of ${PROCESSING_ENDS.join(", ")}`;
    case "analysis":
      return 'must be a JSON object such as {"interested": true}, or null';
    case "talk_ms":
    case "processing_late_ms":
    case "transcript_lines":
      return "must be a whole number from 0";
    case "error":
    case "summary":
      return "is too long";
  }
}

function wordFor(text: string, nth: number): string | undefined {
  const words = text.split(",").map((word) => word.trim());
  // One that is wrong is refused whenever it would be its turn.
  if (!words.every((word) => (OUTCOMES as readonly string[]).includes(word))) return undefined;
  return words[Math.min(Math.max(nth, 1), words.length) - 1];
}

/** `true`, `3` and JSON are what they are; everything else is the text itself. */
function answerOf(text: string): unknown {
  return jsonOf(text) ?? (text.trim() === "null" ? null : text);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

import type { Disposition } from "../policy/disposition.ts";
import type { CallField } from "../expressions/call-fields.ts";
import type { JsonValue } from "../expressions/expressions.ts";
import type { SequenceDefinition } from "./definition.ts";

/*
 * Where one person stands in a sequence, and what is known on the way: plain JSON, read and written by turns alone.
 * Everything in it is bounded: it is written at every turn.
 */

/** Expressions see the newest ones. */
export const MAX_EVENTS = 50;
/** Of one event's data, as JSON; larger data is there for the step that waits for it, and is not kept. */
export const MAX_EVENT_CHARS = 2_000;
/** Of the value of a variable. */
export const MAX_VARIABLE_CHARS = 4_000;
/** Variables of one person, those that they came with included. */
export const MAX_VARIABLES = 200;
/** Different problems of goals and exit conditions that are told; each is told once. */
export const MAX_TOLD = 20;

export interface SequenceEvent {
  name: string;
  data: JsonValue;
  at: string;
}

/**
 * What expressions know of the last call: what every call has (call-fields.ts), and how many were made for its step.
 * Before the first one its disposition is `none`. Of its processing there is what the definition asks for.
 */
export interface LastCall extends Record<CallField, JsonValue> {
  disposition: Disposition | "none";
  attempts: number;
}

/** What a withdrawn call was withdrawn for. */
export type Withdrawal = "give_up" | "skip" | "called_back";

/** What a position waits for. */
export type Waiting =
  | { for: "time"; untilMs: number }
  | { for: "event"; untilMs: number }
  | { for: "call"; callNo: number; untilMs: number }
  /** It has to be withdrawn, and what came of that is not told yet. */
  | { for: "withdrawal"; callNo: number; why: Withdrawal }
  /** It was too late to withdraw it. */
  | { for: "call_in_flight"; callNo: number; why: Withdrawal }
  /** A call that was withdrawn is placed once more. */
  | { for: "call_again"; untilMs: number }
  | { for: "action"; n: number };

export interface Position {
  v: 1;
  /** The step that it is at; null where it is past the last one. */
  step: string | null;
  /** Null where the step is not begun yet. */
  waiting: Waiting | null;
  /** How often the present step's call was put off because the person called; absent: never. */
  rescheduled?: number;
  variables: Record<string, string>;
  last_call: LastCall;
  events: SequenceEvent[];
  /** Steps begun, calls placed and actions asked for in this life. */
  counters: { steps: number; calls: number; actions: number };
  /** Which way each split was taken. */
  splits: Record<string, string>;
  /** Problems of goals and exit conditions that its journey has told. */
  told: string[];
  ended: { outcome: string; reason: string } | null;
}

export const NO_CALL: LastCall = {
  call_id: "",
  status: "",
  direction: "outbound",
  attempt: 0,
  attempts: 0,
  duration_seconds: 0,
  error: "",
  disposition: "none",
  reason: "",
  started_at: "",
  ended_at: "",
  processed: false,
  analysis: {},
  summary: "",
  transcript_length: 0,
};

/** The beginning of a sequence, for somebody who comes with these variables; the sequence's own stand in for others. */
export function startPosition(
  definition: SequenceDefinition,
  variables: Readonly<Record<string, string>>,
): Position {
  return {
    v: 1,
    step: definition.steps[0]?.id ?? null,
    waiting: null,
    variables: { ...definition.variables, ...variables },
    last_call: NO_CALL,
    events: [],
    counters: { steps: 0, calls: 0, actions: 0 },
    splits: {},
    told: [],
    ended: null,
  };
}

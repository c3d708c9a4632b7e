import type { KeptFacts } from "../campaigns/kept-facts.ts";
import type { ActionSpec } from "../follow-ups/actions.ts";
import type { Disposition } from "../policy/disposition.ts";
import type { JsonValue } from "../expressions/expressions.ts";
import type { SequenceDefinition } from "./definition.ts";
import type { Position } from "./position.ts";

/** Something that happened since the last turn. */
export type TurnInput =
  /** From a trigger, the API or a person. `outdial.inbound_call` is what the sequence's `inbound` is about. */
  | { kind: "event"; name: string; data: JsonValue; atMs: number }
  | { kind: "skip"; actor: string; reason?: string | undefined }
  | { kind: "exit"; actor: string; reason?: string | undefined; outcome?: string | undefined }
  /** The call that was asked for was not placed. */
  | { kind: "call_refused"; callNo: number; reason: string; detail: string }
  /** A placed call is over: done with a disposition, or excluded with a reason and none. */
  | {
      kind: "call_over";
      callNo: number;
      disposition: Disposition | undefined;
      reason: string | undefined;
      attempts: number;
      callId?: string | undefined;
      durationSeconds?: number | undefined;
      endedAtMs?: number | undefined;
      startedAtMs?: number | undefined;
      itemStatus?: string | undefined;
      errorText?: string | undefined;
      /** What of its last call was kept, since the definition asks for it. */
      kept?: KeptFacts | undefined;
    }
  /** What came of a withdrawal. */
  | { kind: "withdrawal"; callNo: number; result: "withdrawn" | "in_flight" | "over" | "unknown" }
  | { kind: "action_over"; n: number; state: "done" | "failed" | "unknown" | "skipped" };

/** What a turn needs to know besides. */
export interface TurnFacts {
  sequenceId: string;
  enrolmentId: string;
  phone: string;
  region: string | undefined;
  zones: readonly string[];
  /** Tells several enrolments of one person apart; empty where there is one. */
  key: string;
}

export interface TurnRequest {
  definition: SequenceDefinition;
  position: Position;
  inputs: readonly TurnInput[];
  facts: TurnFacts;
  nowMs: number;
}

/** What happened on the way (I7). */
export interface JourneyEntry {
  step: string | undefined;
  what: string;
  detail: Record<string, JsonValue>;
}

/** To be done in the transaction of the turn, in order; nothing is waited for. */
export type Effect =
  /** The call is not wanted any more; one that is in flight ends by itself, and its outcome is ignored. */
  | { kind: "withdraw"; callNo: number; reason: string }
  /** The action is not wanted any more. */
  | { kind: "drop_action"; n: number; reason: string }
  | { kind: "suppress"; stepId: string; scope: "brand" | "global"; reason: string }
  /** A person has to look at it. */
  | { kind: "attention"; about: "call_unknown" | "enrolment_stuck"; summary: string; remedy: string }
  /** Of everybody in the sequence: the condition is one. */
  | { kind: "attention"; about: "sequence_problem"; condition: string; summary: string; remedy: string };

export type Next =
  /** Until then, or until there is an input. */
  | { kind: "wait"; untilMs: number | undefined }
  | { kind: "call"; stepId: string; callNo: number; variables: Record<string, string> }
  | { kind: "withdraw"; callNo: number; reason: string }
  | { kind: "action"; stepId: string; n: number; spec: ActionSpec }
  | { kind: "done"; outcome: string; reason: string };

export interface Turn {
  position: Position;
  journey: JourneyEntry[];
  effects: Effect[];
  next: Next;
  /** How many of the inputs were taken; the others are for the next turn, which is due at once. */
  taken: number;
}

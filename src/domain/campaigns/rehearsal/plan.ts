import type { Disposition } from "../../policy/disposition.ts";
import type { DialingPolicy } from "../../policy/dialing-policy.ts";
import type { NeverReason, WaitReason } from "../../policy/gate-reasons.ts";
import type { FinalReason } from "../../policy/retry.ts";
import { DAY_MS } from "../../time/local-day.ts";
import type { CallRate } from "../call-rate.ts";
import type { LaneState, WindowBook } from "./lane-hours.ts";
import type { OutcomeModel } from "./outcome-model.ts";
import type { People } from "./people.ts";

/* What a run of a rehearsal is given, and what it comes to. */

/** Who is called, under what, with what. */
export interface Plan {
  people: People;
  policy: DialingPolicy;
  /** Of the policy's window. */
  windows: WindowBook;
  /** Calls at once: of the campaign, or of the account where that has fewer. */
  lines: number;
  rampMs: number;
  /** Among first calls of one priority the last of the list is the first. */
  isNewestFirst: boolean;
  /** Calls that may begin in any stretch of time. */
  rate: CallRate | undefined;
  model: OutcomeModel;
  /** When it is started. Unix milliseconds. */
  fromMs: number;
  /** By whose clocks days and hours are counted. */
  shownIn: string;
  /** Of a campaign that has called people already: where each stands. Absent: nobody was called yet. */
  standing?: Standing;
  /**
   * Each of the people stands for so many, and `lines` are as much fewer: a call keeps its line so many times longer than
   * that leaves over. 1 where it is absent.
   */
  lineFactor?: number;
  /** Told of each call as it begins. */
  onCall?: (call: RehearsedCall) => void;
}

/** Of each person, by their place in the list. */
export interface Standing {
  /** Calls that they had. */
  calls: Uint8Array;
  /** What the last of those came to. */
  cameTo: readonly (Disposition | undefined)[];
  /** When they may be called again by what their calls came to. Unix milliseconds. */
  dueMs: Float64Array;
}

export interface RehearsedCall {
  person: number;
  /** From 1. */
  nth: number;
  disposition: Disposition;
  beganMs: number;
  endedMs: number;
  /** When its line is free again. */
  freeMs: number;
}

/** Why people waited, in words of the gate and of planning. */
export type HeldBy = Exclude<LaneState, "open"> | WaitReason | "slots";

export interface RunResult {
  /** When everybody was through: the last call over, the last one left out. */
  endMs: number;
  calls: number;
  /** All calls by what they came to. */
  dispositions: Partial<Record<Disposition, number>>;
  /** People who are done, by what their last call came to, and by why no other followed. */
  done: Partial<Record<Disposition, number>>;
  doneBecause: Partial<Record<FinalReason, number>>;
  excluded: Partial<Record<NeverReason, number>>;
  /** What one of the excluded was told, by reason. */
  excludedDetail: Partial<Record<NeverReason, string>>;
  /** Those who were not through when the clock ran out. */
  open: number;
  talkMs: number;
  /** Time that lines were in use, and the most of them at once. */
  lineMs: number;
  mostLines: number;
  /** Calls by the hour in which they began: hours of a clock in the plan's zone since 1970. */
  callsByHour: Map<number, number>;
  /** Time that people waited, by what for. Milliseconds. */
  heldMs: Partial<Record<HeldBy, number>>;
}

/** A rehearsal that is not over by then has its answer: not with these lines. */
export const HORIZON_MS = 366 * DAY_MS;

/**
 * Of the time of lines while anybody waits, so much is calls: the rest goes into gathering lines for a batch, its start,
 * and hearing of its calls' ends. Held against the simulation of batches, docs/performance.md, by a test.
 */
export const LINE_FILL = 0.97;

/**
 * Nobody is put on a batch whose window closes sooner than this: what a stop may take (a minute), and a first call (half
 * a minute). As the engine's pace has it; a test holds the two together.
 */
export const LEAST_LEAD_MS = 90_000;

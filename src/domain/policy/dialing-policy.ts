import type { NumberPolicy } from "./number-kind.ts";
import type { CallingWindow } from "./calling-window.ts";
import type { Disposition, RetryableDisposition } from "./disposition.ts";
import type { Territory } from "./presets/whereabouts.ts";

/** An answer word of the agent's own analysis that decides what a call came to. */
export interface AnalysisRule {
  key: string;
  equals: string | boolean | number;
  disposition: Disposition;
}

/** The part of a spec that decides who may be dialed when. Versioned: every dial cites its version (I7). */
export interface DialingPolicy {
  version: number;
  window: CallingWindow;
  maxAttempts: number;
  delaysMs: Partial<Record<RetryableDisposition, number>>;
  maxPerDisposition: Partial<Record<Disposition, number>>;
  startsAtMs: number | undefined;
  endsAtMs: number | undefined;
  /** Rules over a call's analysis; any at all means that an answered call is only settled once processed. */
  analysisRules: readonly AnalysisRule[];
  analysisWaitMs: number;
  inbound: InboundPolicy;
  notCalledWithinMs: number | undefined;
  leastGapMs: number;
  frequency: readonly FrequencyCap[];
  numbers: NumberPolicy;
}

/** How often a number may be called in any stretch of so many milliseconds, whoever of the campaigns calls. */
export interface FrequencyCap {
  /** Every call that counts as dialed, or those in which somebody was, or may have been, spoken with. */
  counts: "attempts" | "conversations";
  atMost: number;
  withinMs: number;
  /** Calls of the brand, or of every brand. */
  across: "brand" | "everything";
  /** Who is at the cap is left out for good, and does not wait. */
  thenEnd: boolean;
  /** Rules of presets whose cap it is, each for whoever may be there; absent: it is the campaign's own, for everybody. */
  of?: readonly { text: string; territory: Territory }[];
}

/** A contact who called us since they were accepted: goes on, is through, or is left alone for a while. */
export type InboundPolicy = { kind: "ignore" } | { kind: "close" } | { kind: "reschedule"; delayMs: number };

import type { NumberPolicy } from "./number-kind.ts";
import type { CallingWindow } from "./calling-window.ts";
import type { ConsentPolicy } from "./consent.ts";
import type { Disposition, RetryableDisposition } from "./disposition.ts";
import type { RetryDelay } from "./retry-delay.ts";
import type { Territory } from "./presets/whereabouts.ts";

/**
 * What decides what a call came to: an answer word of the agent's own analysis (`key`, `equals`), or a condition over
 * the call (`when`). It has one of both.
 */
export interface AnalysisRule {
  key?: string | undefined;
  equals?: string | boolean | number | undefined;
  when?: string | undefined;
  disposition: Disposition;
}

/** A call whose analysis is asked for in vain for so long, since nothing answers, is decided without it (I6). */
export const ANALYSIS_SILENT_FOR_MS = 24 * 60 * 60_000;

/** The part of a spec that decides who may be dialed when. Versioned: every dial cites its version (I7). */
export interface DialingPolicy {
  version: number;
  window: CallingWindow;
  maxAttempts: number;
  delays: Partial<Record<RetryableDisposition, RetryDelay>>;
  maxPerDisposition: Partial<Record<Disposition, number>>;
  startsAtMs: number | undefined;
  endsAtMs: number | undefined;
  /** Rules over a call's analysis; any at all means that an answered call is only settled once processed. */
  analysisRules: readonly AnalysisRule[];
  analysisWaitMs: number;
  /** What of a call is kept beside its outcome (kept-facts.ts); absent: nothing. */
  keptFields?: readonly string[];
  inbound: InboundPolicy;
  notCalledWithinMs: number | undefined;
  leastGapMs: number;
  frequency: readonly FrequencyCap[];
  numbers: NumberPolicy;
  /** Whose consent is needed; undefined: nobody's is asked for. */
  consent: ConsentPolicy | undefined;
  /** Sources of suppressions without which nobody is called; absent: none. */
  requiredSources?: readonly string[];
  /** Where presets ask for it besides, for calls by an artificial voice. */
  presetConsents: readonly { text: string; territory: Territory }[];
  /** Absent: calls are transferred to nobody, or whoever takes them bounds nothing. */
  transfers?: TransferPolicy;
}

/** Those who take calls that an agent transfers. */
export interface TransferPolicy {
  /** Nobody is called outside of these; absent: they take calls whenever some are made. */
  hours?: { window: CallingWindow; zone: string };
  /** Absent: there are as many of them as it takes. */
  capacity?: TransferCapacity;
}

export interface TransferCapacity {
  /** How many transferred calls they can be in at once. */
  people: number;
  /** Which share of the conversations is transferred, as long as the campaign's own calls do not say. */
  expectedShare: number;
  /** How long one keeps a person. */
  talkMs: number;
  /** The answer of a call's analysis by which that is learned, such as `analysis.transferred`. */
  answer: string | undefined;
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

/** Whether anybody's consent is asked for, and what was said of it is to be read. */
export function asksConsent({
  consent,
  presetConsents = [],
}: Partial<Pick<DialingPolicy, "consent" | "presetConsents">>): boolean {
  return consent !== undefined || presetConsents.length > 0;
}

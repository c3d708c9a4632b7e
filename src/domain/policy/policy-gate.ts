import type { WindowStatus } from "./calling-window.ts";
import { isRetryable, type Disposition } from "./disposition.ts";
import { formatDurationMs } from "../time/duration.ts";
import type { DialingPolicy } from "./dialing-policy.ts";

/**
 * The policy gate: the one place that says whether a contact may be dialed (I2).
 *
 * It is asked twice for every dial, when attempts are leased and again in the transaction that permits the
 * start, with facts read in that same transaction. A new rule is a function in `RULES`, the fact that it needs
 * in `ContactFacts` (and in the ledger's facts query), and its tests.
 */

/** What the ledger knows of one contact at the moment of asking. */
export interface ContactFacts {
  zones: readonly string[];
  suppression: { scope: "brand" | "global"; source: string; reason: string } | undefined;
  /** Attempts that count as dialed. */
  attempts: number;
  attemptsByDisposition: Readonly<Partial<Record<Disposition, number>>>;
  lastDisposition: Disposition | undefined;
  /** Somebody else's attempt on the same number is open, in any campaign. */
  openElsewhere: boolean;
  dueAtMs: number;
  /** When the person last called us since the contact was accepted. */
  calledBackAtMs: number | undefined;
  /**
   * When the number was last called by another campaign of the brand, or another run of this one, as far as that is
   * within what the policy asks for.
   */
  calledAtMs: number | undefined;
  /**
   * When the number was last called by the brand for any other contact, of whichever campaign, as far as that is
   * within what the policy asks for.
   */
  lastCallAtMs: number | undefined;
  /** When the contact itself was last called, as far as that is within the same. */
  ownLastCallAtMs: number | undefined;
  /**
   * Another call of the brand to the number is over, or there was one from it, and its analysis, by which the person may
   * have opted out, is still to come: until when that is waited for.
   */
  undecidedUntilMs: number | undefined;
  /** No phone rings. */
  isSimulated: boolean;
}

/** Why a contact is not dialed now. The ledger's refusals and holds use the same words (I7). */
export const WAIT_REASONS = [
  "before_start",
  "window",
  "not_due",
  "open_attempt",
  "undecided_call",
  "called_back_lately",
  "called_just_now",
] as const;
export const NEVER_REASONS = [
  "suppressed",
  "after_end",
  "max_attempts",
  "max_per_disposition",
  "no_common_window",
  "called_back",
  "called_lately",
] as const;

export type WaitReason = (typeof WAIT_REASONS)[number];
export type NeverReason = (typeof NEVER_REASONS)[number];

export type GateDecision =
  /** May be dialed, as long as the dial happens before `untilMs`. */
  | { kind: "dial"; untilMs: number }
  | { kind: "wait"; reason: WaitReason; untilMs: number }
  | { kind: "never"; reason: NeverReason; detail: string };

export interface GateQuestion {
  facts: ContactFacts;
  policy: DialingPolicy;
  nowMs: number;
  /** How long a contact whose number another campaign is calling, or has called and knows no more of, waits before it is looked at again. */
  openAttemptWaitMs: number;
  /** Answers for the policy's own window; shared between questions because it remembers. */
  windowOf: (zones: readonly string[], nowMs: number) => WindowStatus;
}

type Rule = (question: GateQuestion) => GateDecision;

const MAY: GateDecision = { kind: "dial", untilMs: Number.POSITIVE_INFINITY };

/** Rules that end a contact stand before those that make it wait: nobody waits for a dial that never comes. */
const RULES: readonly Rule[] = [
  function suppression({ facts }) {
    if (!facts.suppression) return MAY;
    const { scope, source, reason } = facts.suppression;
    return { kind: "never", reason: "suppressed", detail: `${scope} suppression (${source}): ${reason}` };
  },
  function attemptsPerContact({ facts, policy }) {
    if (facts.attempts < policy.maxAttempts) return MAY;
    return {
      kind: "never",
      reason: "max_attempts",
      detail: `${facts.attempts} of ${policy.maxAttempts} attempts made`,
    };
  },
  function attemptsPerDisposition({ facts, policy }) {
    const disposition = facts.lastDisposition;
    if (disposition === undefined) return MAY;
    const cap = policy.maxPerDisposition[disposition];
    const made = facts.attemptsByDisposition[disposition] ?? 0;
    if (cap === undefined || made < cap) return MAY;
    return {
      kind: "never",
      reason: "max_per_disposition",
      detail: `${made} of ${cap} attempts came to ${disposition}`,
    };
  },
  function closedByTheirCall({ facts, policy }) {
    if (policy.inbound.kind !== "close" || facts.calledBackAtMs === undefined) return MAY;
    const at = new Date(facts.calledBackAtMs).toISOString();
    return { kind: "never", reason: "called_back", detail: `the contact called us at ${at}` };
  },
  function calledLately({ facts, policy, nowMs }) {
    const { notCalledWithinMs } = policy;
    const { calledAtMs } = facts;
    if (notCalledWithinMs === undefined || calledAtMs === undefined) return MAY;
    if (nowMs - calledAtMs >= notCalledWithinMs) return MAY;
    return {
      kind: "never",
      reason: "called_lately",
      detail: `called at ${new Date(calledAtMs).toISOString()}, which is within ${formatDurationMs(notCalledWithinMs)}`,
    };
  },
  campaignDates,
  callingWindow,
  function spaceAfterTheirCall({ facts, policy, nowMs }) {
    if (policy.inbound.kind !== "reschedule" || facts.calledBackAtMs === undefined) return MAY;
    const untilMs = facts.calledBackAtMs + policy.inbound.delayMs;
    return nowMs >= untilMs ? MAY : { kind: "wait", reason: "called_back_lately", untilMs };
  },
  spaceBetweenCalls,
  function due({ facts, nowMs }) {
    return facts.dueAtMs <= nowMs ? MAY : { kind: "wait", reason: "not_due", untilMs: facts.dueAtMs };
  },
  function oneOpenAttemptPerNumber({ facts, nowMs, openAttemptWaitMs }) {
    return facts.openElsewhere
      ? { kind: "wait", reason: "open_attempt", untilMs: nowMs + openAttemptWaitMs }
      : MAY;
  },
  function afterAnUndecidedCall({ facts, nowMs, openAttemptWaitMs }) {
    const { undecidedUntilMs } = facts;
    if (undecidedUntilMs === undefined || nowMs >= undecidedUntilMs) return MAY;
    const untilMs = Math.min(undecidedUntilMs, nowMs + openAttemptWaitMs);
    return { kind: "wait", reason: "undecided_call", untilMs };
  },
];

/** The rules that depend on the zones and the policy alone, so that whole groups of contacts are asked at once. */
const ZONE_RULES: readonly ((question: ZoneQuestion) => GateDecision)[] = [campaignDates, callingWindow];

export type ZoneQuestion = Omit<GateQuestion, "facts" | "openAttemptWaitMs"> & {
  facts: Pick<ContactFacts, "zones">;
};

/** Dial, wait (why, until when) or never (why). The first rule that objects decides; else the earliest limit. */
export function decide(question: GateQuestion): GateDecision {
  return firstObjection(RULES, question);
}

/** The same for everyone in one set of zones, before anything is known of a single contact. */
export function decideZones(question: ZoneQuestion): GateDecision {
  return firstObjection(ZONE_RULES, question);
}

function firstObjection<Q>(rules: readonly ((question: Q) => GateDecision)[], question: Q): GateDecision {
  let untilMs = Number.POSITIVE_INFINITY;
  for (const rule of rules) {
    const decision = rule(question);
    if (decision.kind !== "dial") return decision;
    untilMs = Math.min(untilMs, decision.untilMs);
  }
  return { kind: "dial", untilMs };
}

/**
 * Between any two calls to a number there is at least this, whatever a spec says: whoever has just hung up, or not taken
 * the call, is not called by mistake, nor over and over. In rehearsals the spec alone decides.
 */
export const SHORTEST_GAP_MS = 60_000;

function spaceBetweenCalls({ facts, policy, nowMs }: GateQuestion): GateDecision {
  const { lastCallAtMs, ownLastCallAtMs, lastDisposition, isSimulated } = facts;
  const { leastGapMs, delaysMs } = policy;
  const after = (calledMs: number | undefined, gapMs: number): number =>
    calledMs === undefined
      ? Number.NEGATIVE_INFINITY
      : // No call was in the future, whatever a clock elsewhere says.
        Math.min(calledMs, nowMs) + (isSimulated ? gapMs : Math.max(gapMs, SHORTEST_GAP_MS));
  // A campaign that says a shorter delay of its retries means it.
  const delayMs = lastDisposition !== undefined && isRetryable(lastDisposition) && delaysMs[lastDisposition];
  const ownGapMs = typeof delayMs === "number" ? Math.min(leastGapMs, delayMs) : leastGapMs;
  const untilMs = Math.max(after(lastCallAtMs, leastGapMs), after(ownLastCallAtMs, ownGapMs));
  return nowMs >= untilMs ? MAY : { kind: "wait", reason: "called_just_now", untilMs };
}

function campaignDates({ policy, nowMs }: ZoneQuestion): GateDecision {
  if (policy.endsAtMs !== undefined && nowMs >= policy.endsAtMs) {
    return {
      kind: "never",
      reason: "after_end",
      detail: `the campaign ended at ${new Date(policy.endsAtMs).toISOString()}`,
    };
  }
  if (policy.startsAtMs !== undefined && nowMs < policy.startsAtMs) {
    return { kind: "wait", reason: "before_start", untilMs: policy.startsAtMs };
  }
  return { kind: "dial", untilMs: policy.endsAtMs ?? Number.POSITIVE_INFINITY };
}

function callingWindow({ facts, policy, nowMs, windowOf }: ZoneQuestion): GateDecision {
  if (policy.window.kind === "always") return MAY;
  const status = windowOf(facts.zones, nowMs);
  if (status.open) return { kind: "dial", untilMs: status.untilMs };
  if (status.opensAtMs === undefined) {
    const where =
      facts.zones.length === 0 ? "no time zone is known for the number" : `zones ${facts.zones.join(", ")}`;
    return {
      kind: "never",
      reason: "no_common_window",
      detail: `${where}: no common opening within 14 days`,
    };
  }
  return { kind: "wait", reason: "window", untilMs: status.opensAtMs };
}

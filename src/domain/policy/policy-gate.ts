import {
  consentStanding,
  type ConsentPolicy,
  type ConsentRequirement,
  type ConsentStanding,
} from "./consent.ts";
import type { DialingPolicy, FrequencyCap } from "./dialing-policy.ts";
import { isRetryable } from "./disposition.ts";
import {
  MAY,
  type ContactFacts,
  type GateDecision,
  type GateQuestion,
  type ZoneQuestion,
} from "./gate-question.ts";
import { numberProblem } from "./number-kind.ts";
import { mayBeIn } from "./presets/whereabouts.ts";
import { waitAfter } from "./retry-delay.ts";
import { scrubbedUntil, unscrubbedText } from "./scrubbing.ts";
import { scrubbersOf } from "./suppression-source.ts";
import { formatDurationMs } from "../time/duration.ts";
import { STALE_LOOK_MS, ZONE_RULES } from "./zone-rules.ts";

/**
 * The policy gate: the one place that says whether a contact may be dialed (I2).
 *
 * It is asked twice for every dial, when attempts are leased and again in the transaction that permits the
 * start, with facts read in that same transaction. A new rule is a function in `RULES`, or in `ZONE_RULES`
 * (zone-rules.ts) where it depends on zones and policy alone; its word is in gate-reasons.ts, and the fact that it needs
 * in `ContactFacts` (gate-question.ts) and the ledger's facts query.
 */

type Rule = (question: GateQuestion) => GateDecision;

/** What presets ask for: their rules speak of consent that was given, by word or in writing. */
const OF_PRESETS: ConsentPolicy = { require: "express", maxAgeMs: undefined };

/** Rules that end a contact stand before those that make it wait: nobody waits for a dial that never comes. */
const RULES: readonly Rule[] = [
  function suppression({ facts }) {
    if (!facts.suppression) return MAY;
    const { scope, source, reason } = facts.suppression;
    return { kind: "never", reason: "suppressed", detail: `${scope} suppression (${source}): ${reason}` };
  },
  function allowedNumber({ facts, policy }) {
    const detail = numberProblem(facts.number, policy.numbers);
    return detail === undefined ? MAY : { kind: "never", reason: "number_not_allowed", detail };
  },
  function consent({ facts, policy, nowMs }) {
    let untilMs = Number.POSITIVE_INFINITY;
    for (const { standing } of consentStandings(facts, policy, nowMs)) {
      if (standing.kind !== "given") return { kind: "never", reason: standing.kind, detail: standing.detail };
      untilMs = Math.min(untilMs, standing.untilMs);
    }
    return { kind: "dial", untilMs };
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
  function calledOften({ facts, policy, nowMs }) {
    const cap = reachedCaps(facts.cappedSinceMs, { facts, policy, nowMs }).find(({ thenEnd }) => thenEnd);
    return cap ? { kind: "never", reason: "called_often", detail: cap.text } : MAY;
  },
  ...ZONE_RULES,
  function spaceAfterTheirCall({ facts, policy, nowMs }) {
    if (policy.inbound.kind !== "reschedule" || facts.calledBackAtMs === undefined) return MAY;
    const untilMs = facts.calledBackAtMs + policy.inbound.delayMs;
    return nowMs >= untilMs ? MAY : { kind: "wait", reason: "called_back_lately", untilMs };
  },
  spaceBetweenCalls,
  function frequency({ facts, policy, nowMs, openAttemptWaitMs }) {
    const certain = longestCap(facts.cappedSinceMs, { facts, policy, nowMs });
    if (certain) return { kind: "wait", reason: "frequency", untilMs: certain.untilMs, detail: certain.text };
    const perhaps = longestCap(facts.perhapsCappedSinceMs, { facts, policy, nowMs });
    if (!perhaps) return MAY;
    const untilMs = Math.min(perhaps.untilMs, nowMs + openAttemptWaitMs);
    return { kind: "wait", reason: "undecided_call", untilMs, detail: `perhaps ${perhaps.text}` };
  },
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
  /** Behind what holds whatever a service says: it is paid for each number. */
  function scrubbing({ facts, lists, nowMs, openAttemptWaitMs }) {
    const scrubbers = scrubbersOf(lists);
    if (scrubbers.length === 0) return MAY;
    const scrubbed = scrubbedUntil(scrubbers, facts.scrubbed ?? [], nowMs);
    if ("untilMs" in scrubbed) return { kind: "dial", untilMs: scrubbed.untilMs };
    const { standing } = scrubbed;
    // Whoever brings the answer makes the contact due; a source that is removed or set up otherwise brings none.
    const untilMs =
      standing.kind === "unasked"
        ? nowMs + openAttemptWaitMs
        : Math.min(standing.untilMs, nowMs + STALE_LOOK_MS);
    return { kind: "wait", reason: "not_scrubbed", untilMs, detail: unscrubbedText(scrubbed) };
  },
];

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
  const { lastCallAtMs, ownLastCallAtMs, isSimulated } = facts;
  const { leastGapMs } = policy;
  const after = (calledMs: number | undefined, gapMs: number): number =>
    calledMs === undefined
      ? Number.NEGATIVE_INFINITY
      : // No call was in the future, whatever a clock elsewhere says.
        Math.min(calledMs, nowMs) + (isSimulated ? gapMs : Math.max(gapMs, SHORTEST_GAP_MS));
  // A campaign that says a shorter delay of its retries means it.
  const ownGapMs = Math.min(leastGapMs, saidDelayMs(facts, policy) ?? leastGapMs);
  const untilMs = Math.max(after(lastCallAtMs, leastGapMs), after(ownLastCallAtMs, ownGapMs));
  return nowMs >= untilMs ? MAY : { kind: "wait", reason: "called_just_now", untilMs };
}

/** How long after its last call a contact may be called again by what `retry` says; undefined where it says no time. */
export function saidDelayMs(
  { lastDisposition, attemptsByDisposition }: Pick<ContactFacts, "lastDisposition" | "attemptsByDisposition">,
  { delays }: Pick<DialingPolicy, "delays">,
): number | undefined {
  if (lastDisposition === undefined || !isRetryable(lastDisposition)) return undefined;
  const delay = delays[lastDisposition];
  const wait = delay && waitAfter(delay, Math.max(1, attemptsByDisposition[lastDisposition] ?? 0));
  // The next window may open at any moment: it says no shorter gap.
  return wait?.kind === "next_window" && wait.afterMs === 0 ? undefined : wait?.afterMs;
}

/** What a policy asks of somebody's consent, its own demand before that of a preset, and how what was said stands to it. */
export function consentStandings(
  { consents, places, zones }: Pick<ContactFacts, "consents" | "places" | "zones">,
  { consent, presetConsents }: Pick<DialingPolicy, "consent" | "presetConsents">,
  nowMs: number,
): { require: ConsentRequirement; rule: string | undefined; standing: ConsentStanding }[] {
  const preset = presetConsents.find(({ territory }) => mayBeIn(territory, places, zones));
  const asked = [
    ...(consent ? [{ policy: consent, rule: undefined }] : []),
    ...(preset ? [{ policy: OF_PRESETS, rule: preset.text }] : []),
  ];
  return asked.map(({ policy, rule }) => {
    const standing = consentStanding(consents, policy, nowMs);
    const said =
      rule === undefined || standing.kind === "given"
        ? standing
        : { ...standing, detail: `${standing.detail}, by ${rule}` };
    return { require: policy.require, rule, standing: said };
  });
}

/** The caps that a number is at, each with when it lets go. One of presets counts for whoever may be where it holds. */
function reachedCaps(
  sinceMs: readonly (number | undefined)[],
  { facts, policy, nowMs }: Pick<GateQuestion, "policy" | "nowMs"> & { facts: ContactFacts },
): (FrequencyCap & { untilMs: number; text: string })[] {
  return policy.frequency.flatMap((cap, index) => {
    // No call was in the future, whatever a clock elsewhere says.
    const untilMs = Math.min(sinceMs[index] ?? Number.NEGATIVE_INFINITY, nowMs) + cap.withinMs;
    if (nowMs >= untilMs) return [];
    if (cap.of === undefined) return [{ ...cap, untilMs, text: capText(cap) }];
    const rule = cap.of.find(({ territory }) => mayBeIn(territory, facts.places, facts.zones));
    return rule === undefined ? [] : [{ ...cap, untilMs, text: rule.text }];
  });
}

function longestCap(...reached: Parameters<typeof reachedCaps>) {
  const [last] = reachedCaps(...reached).sort((a, b) => b.untilMs - a.untilMs);
  return last;
}

function capText({ atMost, counts, withinMs, across }: FrequencyCap): string {
  const what = atMost === 1 ? counts.slice(0, -1) : counts;
  const whose = across === "brand" ? "of the brand" : "of every brand";
  return `${atMost} ${what} ${whose} within ${formatDurationMs(withinMs)}`;
}

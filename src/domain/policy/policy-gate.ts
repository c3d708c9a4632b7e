import { createWindowMemo, type CallingWindow, type WindowOf } from "./calling-window.ts";
import { numberProblem, type NumberKind } from "./number-kind.ts";
import { isRetryable, type Disposition } from "./disposition.ts";
import { formatDurationMs } from "../time/duration.ts";
import type { DialingPolicy, FrequencyCap } from "./dialing-policy.ts";
import { waitAfter } from "./retry-delay.ts";
import {
  consentStanding,
  type ConsentPolicy,
  type ConsentRecord,
  type ConsentRequirement,
  type ConsentStanding,
} from "./consent.ts";
import { meetsTransferHours, neverMeetText } from "./common-hours.ts";
import { scrubbedUntil, unscrubbedText, type ScrubAnswer } from "./scrubbing.ts";
import {
  firstStale,
  hasAge,
  lackOfSources,
  scrubbersOf,
  staleFromMs,
  staleText,
  type SourceInScope,
} from "./suppression-source.ts";
import { mayBeIn } from "./presets/whereabouts.ts";

/**
 * The policy gate: the one place that says whether a contact may be dialed (I2).
 *
 * It is asked twice for every dial, when attempts are leased and again in the transaction that permits the
 * start, with facts read in that same transaction. A new rule is a function in `RULES`, the fact that it needs
 * in `ContactFacts` (and in the ledger's facts query), and its tests.
 */

/** What the ledger knows of one contact at the moment of asking. */
export interface ContactFacts {
  number: NumberKind;
  zones: readonly string[];
  /** Where the contact may be, as rules of places ask for it (presets/whereabouts.ts); none: wherever the zones are. */
  places: readonly string[];
  suppression: { scope: "brand" | "global"; source: string; reason: string } | undefined;
  /** What was said about calls to the number, the newest last, where the policy asks for consent. */
  consents: readonly ConsentRecord[];
  /** What scrubbing services said of the number that the campaign is in the scope of; absent: nothing. */
  scrubbed?: readonly ScrubAnswer[];
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
   * For each frequency cap of the policy, in their order: when the oldest of the calls ended that together are as many
   * as it allows, within its time. Undefined: there were fewer.
   */
  cappedSinceMs: readonly (number | undefined)[];
  /** The same, if every call of which nobody knows yet what it came to was a conversation. */
  perhapsCappedSinceMs: readonly (number | undefined)[];
  /**
   * Another call of the brand to the number is over, or there was one from it, and its analysis, by which the person may
   * have opted out, is still to come: until when that is waited for.
   */
  undecidedUntilMs: number | undefined;
  /** No phone rings. */
  isSimulated: boolean;
}

/**
 * Why a contact is not dialed now, each with what it means (Markdown), in the order of the rules. The ledger's refusals
 * and holds use the same words (I7), and `docs/policies.md` has its table from here.
 */
export const NEVER_REASONS = {
  suppressed: "the number is suppressed, for the brand or everywhere",
  number_not_allowed: "its kind or its country is none that [`numbers`](#which-numbers-may-be-called) allows",
  no_consent:
    "`consent`, or a [preset](presets.md), asks for consent, and none such is known of the number, or it was [withdrawn](contacts.md#consent)",
  consent_expired: "consent was given, and has ended, or ends within minutes",
  max_attempts: "it has had its attempts",
  max_per_disposition: "its last disposition has come as often as the cap allows",
  called_back: "the contact called us, and `inbound` is `close`",
  called_lately:
    "another campaign of the brand, or another run of this one, called the number within `not_called_within`",
  called_often: "the number is at a cap of `frequency` that ends contacts",
  after_end: "the campaign's `ends_at` has passed",
  no_common_window: "no opening in all its zones within 14 days, days off aside",
  no_transfer_hours:
    "its window and the hours of those who take [transferred calls](#transfers) are not open at once within 14 days, days off aside; the detail names both",
} as const;
export const WAIT_REASONS = {
  before_start: "the campaign's `starts_at` is to come",
  window:
    "closed now in one of its zones, or closing too soon for a call to begin; the detail names the rule of a [preset](presets.md), where one is why",
  day_off:
    "it would be open now, or sooner, but for a date in one of its zones: a blackout, an exception or a holiday, the campaign's own or one of a [preset](presets.md)",
  missing_source:
    "a source that [`requires_sources`](suppressions.md#required-sources) names is not there for the campaign's brand, or has no list yet; whoever puts it right lets the campaign go on at once",
  transfer_closed:
    "those who take [transferred calls](#transfers) are not there now, or go too soon for a call to begin",
  stale_list:
    "a [source of suppressions](suppressions.md#age) in the campaign's scope has a list that is older than it may be, or none yet; whoever renews it lets the campaign go on at once",
  called_back_lately: "the contact called us, and `inbound` leaves them alone for a while",
  called_just_now:
    "the brand called the number less than `least_gap` ago, or the contact itself less than that and its retry's delay",
  frequency: "the number is at a cap of `frequency` or of a [preset](presets.md)",
  not_due: "its retry is not due",
  open_attempt: "another attempt on the number is open, in any campaign; looked at again a minute later",
  undecided_call:
    "another call of the brand to the number is over, or the person called us, and the analysis of that, by which the person may have [opted out](dispositions.md), is still to come; looked at again every minute, an hour beyond that campaign's `analysis.wait` at most (an hour after a call to us). The same of one that would be a conversation too many for `frequency`, if it was one, until it is known",
  not_scrubbed:
    "a [scrubbing service](suppressions.md#scrubbing-services) in the campaign's scope has not said that the number may be dialed, or too long ago; it is asked, and its answer lets the contact go on at once",
} as const;

export type WaitReason = keyof typeof WAIT_REASONS;
export type NeverReason = keyof typeof NEVER_REASONS;

/** Reasons to wait that hold for everyone in a set of zones, by the campaign and the clock alone. */
export const ZONE_WAITS: ReadonlySet<WaitReason> = new Set([
  "before_start",
  "window",
  "day_off",
  "transfer_closed",
  "stale_list",
  "missing_source",
]);

export type GateDecision =
  /** May be dialed, as long as the dial happens before `untilMs`. */
  | { kind: "dial"; untilMs: number }
  /** `detail` says more than until when, where there is more to say. */
  | { kind: "wait"; reason: WaitReason; untilMs: number; detail?: string }
  | { kind: "never"; reason: NeverReason; detail: string };

/** Until when, and why beyond the reason's own word. */
export function waitText({ reason, untilMs, detail }: Extract<GateDecision, { kind: "wait" }>): string {
  // What somebody has to do has no time of its own.
  if ((reason === "stale_list" || reason === "missing_source") && detail !== undefined) return detail;
  const until = `until ${new Date(untilMs).toISOString()}`;
  return detail === undefined ? until : `${until}: ${detail}`;
}

export interface GateQuestion {
  facts: ContactFacts;
  policy: DialingPolicy;
  nowMs: number;
  /** How long a contact whose number another campaign is calling, or has called and knows no more of, waits before it is looked at again. */
  openAttemptWaitMs: number;
  /** Answers for the policy's own window; shared between questions because it remembers. */
  windowOf: WindowOf;
  /** Sources of numbers not to be dialed that the campaign is in the scope of. */
  lists: readonly SourceInScope[];
}

type Rule = (question: GateQuestion) => GateDecision;

/** What presets ask for: their rules speak of consent that was given, by word or in writing. */
const OF_PRESETS: ConsentPolicy = { require: "express", maxAgeMs: undefined };

const MAY: GateDecision = { kind: "dial", untilMs: Number.POSITIVE_INFINITY };

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
  campaignDates,
  commonHours,
  callingWindow,
  requiredSources,
  transferHours,
  freshLists,
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

/** The rules that depend on the zones and the policy alone, so that whole groups of contacts are asked at once. */
const ZONE_RULES: readonly ((question: ZoneQuestion) => GateDecision)[] = [
  campaignDates,
  commonHours,
  callingWindow,
  requiredSources,
  transferHours,
  freshLists,
];

export type ZoneQuestion = Omit<GateQuestion, "facts" | "openAttemptWaitMs"> & {
  facts: Pick<ContactFacts, "zones" | "places">;
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

/** Somebody whom no window opens for is told of by that. */
function commonHours({ facts, policy, nowMs, windowOf }: ZoneQuestion): GateDecision {
  const hours = policy.transfers?.hours;
  if (hours === undefined) return MAY;
  const status = windowOf(facts.zones, nowMs, facts.places);
  const opens = status.open || status.opensAtMs !== undefined;
  if (!opens || meetsTransferHours(policy, facts, nowMs)) return MAY;
  return { kind: "never", reason: "no_transfer_hours", detail: neverMeetText(facts.zones, hours) };
}

function callingWindow({ facts, nowMs, windowOf }: ZoneQuestion): GateDecision {
  const status = windowOf(facts.zones, nowMs, facts.places);
  if (status.open) return { kind: "dial", untilMs: status.untilMs };
  if (status.opensAtMs === undefined) {
    const where =
      facts.zones.length === 0 ? "no time zone is known for the number" : `zones ${facts.zones.join(", ")}`;
    return {
      kind: "never",
      reason: "no_common_window",
      detail: `${where}: no common opening within 14 days${status.rule === undefined ? "" : `, by ${status.rule}`}`,
    };
  }
  const { opensAtMs: untilMs, dayOff, rule } = status;
  if (dayOff !== undefined) return { kind: "wait", reason: "day_off", untilMs, detail: dayOff };
  return { kind: "wait", reason: "window", untilMs, ...(rule !== undefined && { detail: rule }) };
}

/** By the window itself: one policy asks for whole lists, and an answer holds until the window turns. */
const transferWindows = new WeakMap<CallingWindow, WindowOf>();

function transferHours({ policy, nowMs }: ZoneQuestion): GateDecision {
  const hours = policy.transfers?.hours;
  if (hours === undefined) return MAY;
  const { window, zone } = hours;
  const windowOf = transferWindows.get(window) ?? createWindowMemo(window);
  transferWindows.set(window, windowOf);
  const status = windowOf([zone], nowMs);
  if (status.open) return { kind: "dial", untilMs: status.untilMs };
  // Hours of a week open within a week.
  const untilMs = status.opensAtMs ?? nowMs + STALE_LOOK_MS;
  return { kind: "wait", reason: "transfer_closed", untilMs, detail: `by the clocks of ${zone}` };
}

/** Nothing is known of when a list is renewed: whoever does that wakes the campaign up. */
const STALE_LOOK_MS = 60 * 60_000;

function requiredSources({ lists, policy, nowMs }: ZoneQuestion): GateDecision {
  const detail = lackOfSources(policy.requiredSources ?? [], lists);
  if (detail === undefined) return MAY;
  return { kind: "wait", reason: "missing_source", untilMs: nowMs + STALE_LOOK_MS, detail };
}

function freshLists({ lists, nowMs }: ZoneQuestion): GateDecision {
  const first = firstStale(lists.filter(hasAge));
  if (first === undefined) return MAY;
  const untilMs = staleFromMs(first);
  if (nowMs < untilMs) return { kind: "dial", untilMs };
  return { kind: "wait", reason: "stale_list", untilMs: nowMs + STALE_LOOK_MS, detail: staleText(first) };
}

import { usdText } from "../campaigns/money.ts";
import type { DialingPolicy, FrequencyCap } from "../policy/dialing-policy.ts";
import { numberKindOf, numberProblem } from "../policy/number-kind.ts";
import { consentStandings, saidDelayMs, SHORTEST_GAP_MS } from "../policy/policy-gate.ts";
import { mayBeIn } from "../policy/presets/whereabouts.ts";
import { firstStale, staleFromMs, type ListAge } from "../policy/suppression-source.ts";
import { formatDurationMs } from "../time/duration.ts";
import type { DialCheck, DialFacts } from "./dial-facts.ts";
import { transferHours, windows } from "./dial-hours.ts";

/*
 * Whether a call was allowed, for whoever asks afterwards: the rules of the gate, each held against what the ledger
 * shows of the moment. A second reading, not the gate itself: it says of each rule what it saw, where the gate says who
 * objects first.
 */

/** Each rule, in the order of the gate, with what it saw. */
export function checkDial(facts: DialFacts, policy: DialingPolicy): DialCheck[] {
  return [
    suppressed(facts),
    number(facts, policy),
    ...consent(facts, policy),
    attempts(facts, policy),
    ...perDisposition(facts, policy),
    ...calledBack(facts, policy),
    ...calledLately(facts, policy),
    ...policy.frequency.flatMap((cap, index) => frequency(cap, facts.counted[index] ?? 0, facts)),
    ...campaignDates(facts, policy),
    ...windows(facts, policy),
    ...requiredSources(facts, policy),
    ...transferHours(facts, policy),
    ...freshLists(facts),
    gap(facts, policy),
    ...scrubbing(facts),
    money(facts),
  ];
}

function suppressed({ suppression }: DialFacts): DialCheck {
  if (!suppression) return { rule: "suppressed", allowed: true, says: "no suppression was in force" };
  const { source, reason, sinceMs, isSure } = suppression;
  const says = `suppressed since ${isoOf(sinceMs)} (${source}: ${reason})`;
  if (isSure) return { rule: "suppressed", allowed: false, says };
  return {
    rule: "suppressed",
    allowed: undefined,
    says: `${says}, if the source bound the brand then: its scope or its age was changed later`,
  };
}

function number({ phone }: DialFacts, { numbers }: DialingPolicy): DialCheck {
  const kind = numberKindOf(phone);
  const problem = numberProblem(kind, numbers);
  const says = problem ?? `a number of ${kind.country ?? "no one country"}, which its policy allows`;
  return { rule: "number_not_allowed", allowed: problem === undefined, says };
}

/** By what had been recorded then: what came in later, of whichever day it speaks, was not known. */
function consent(facts: DialFacts, policy: DialingPolicy): DialCheck[] {
  return consentStandings(facts, policy, facts.permittedMs).map(({ require, rule, standing }) => {
    if (standing.kind !== "given") return { rule: standing.kind, allowed: false, says: standing.detail };
    const by = rule === undefined ? "" : `, by ${rule}`;
    return {
      rule: "no_consent",
      allowed: true,
      says: `consent had been given (${require} is asked for)${by}`,
    };
  });
}

function attempts({ before }: DialFacts, { maxAttempts }: DialingPolicy): DialCheck {
  const made = Object.values(before).reduce((sum, count) => sum + count, 0);
  return {
    rule: "max_attempts",
    allowed: made < maxAttempts,
    says: `call ${made + 1} of ${maxAttempts} at most`,
  };
}

function perDisposition({ before, lastDisposition: last }: DialFacts, policy: DialingPolicy): DialCheck[] {
  const cap = last === undefined ? undefined : policy.maxPerDisposition[last];
  if (last === undefined || cap === undefined) return [];
  const made = before[last] ?? 0;
  const says = `${made} of ${cap} calls before it came to ${last}`;
  return [{ rule: "max_per_disposition", allowed: made < cap, says }];
}

function calledBack({ calledUsMs, permittedMs }: DialFacts, { inbound }: DialingPolicy): DialCheck[] {
  if (inbound.kind === "ignore") return [];
  const rule = inbound.kind === "close" ? "called_back" : "called_back_lately";
  if (calledUsMs === undefined)
    return [{ rule, allowed: true, says: "the person had not called us since they were accepted" }];
  const says = `the person had called us at ${isoOf(calledUsMs)}`;
  return [
    { rule, allowed: inbound.kind === "reschedule" && permittedMs >= calledUsMs + inbound.delayMs, says },
  ];
}

function calledLately(facts: DialFacts, { notCalledWithinMs: withinMs }: DialingPolicy): DialCheck[] {
  if (withinMs === undefined) return [];
  const { lastOfOtherCampaignsMs: lastMs, permittedMs } = facts;
  const within = formatDurationMs(withinMs);
  const rule = "called_lately";
  if (lastMs === undefined || permittedMs - lastMs >= withinMs)
    return [{ rule, allowed: true, says: `no other campaign of the brand had called within ${within}` }];
  return [
    {
      rule,
      allowed: false,
      says: `another campaign of the brand had called at ${isoOf(lastMs)}, within ${within}`,
    },
  ];
}

/** A cap of presets is asked about for whoever may be where one of them holds, as in the gate. */
function frequency(
  { atMost, counts, withinMs, across, thenEnd, of }: FrequencyCap,
  counted: number,
  { places, zones }: DialFacts,
): DialCheck[] {
  const preset = of?.find(({ territory }) => mayBeIn(territory, places, zones));
  if (of !== undefined && preset === undefined) return [];
  const whose = across === "brand" ? "of the brand" : "of every brand";
  // No more of them are counted than tell.
  const told = counted > atMost ? `more than ${atMost}` : String(counted);
  const what = (counted > atMost ? atMost : counted) === 1 ? counts.slice(0, -1) : counts;
  const says = `${told} ${what} ${whose} in the ${formatDurationMs(withinMs)} before it, ${atMost} at most${preset === undefined ? "" : `, by ${preset.text}`}`;
  return [{ rule: thenEnd ? "called_often" : "frequency", allowed: counted < atMost, says }];
}

function campaignDates({ permittedMs }: DialFacts, { startsAtMs, endsAtMs }: DialingPolicy): DialCheck[] {
  return [
    ...(endsAtMs === undefined
      ? []
      : [
          {
            rule: "after_end" as const,
            allowed: permittedMs < endsAtMs,
            says: `the campaign's end is ${isoOf(endsAtMs)}`,
          },
        ]),
    ...(startsAtMs === undefined
      ? []
      : [
          {
            rule: "before_start" as const,
            allowed: permittedMs >= startsAtMs,
            says: `the campaign's start is ${isoOf(startsAtMs)}`,
          },
        ]),
  ];
}

function requiredSources(
  { sources }: DialFacts,
  { requiredSources: required = [] }: DialingPolicy,
): DialCheck[] {
  const rule = "missing_source";
  return required.map((name) => {
    const found = sources.find(({ source }) => source === name);
    if (found?.isSure === false)
      return {
        rule,
        allowed: undefined,
        says: `whether the required source ${name} bound the brand then is not known, since it was changed later`,
      };
    if (found?.hasList === true)
      return {
        rule,
        allowed: true,
        says: `the required source ${name} was there, and had a list or was asked`,
      };
    const lack = found ? "had no list yet" : "was not there for the brand";
    return { rule, allowed: false, says: `the required source ${name} ${lack}` };
  });
}

/** What services had said of the number by then: whether one was away at that moment stands in the audit alone. */
function scrubbing({ scrubbers, permittedMs }: DialFacts): DialCheck[] {
  const rule = "not_scrubbed";
  return scrubbers.map(({ source, cacheMs, whenAway, isSure, last }) => {
    const service = `the scrubbing service ${source}`;
    const said =
      last === undefined
        ? `${service} had not answered for the number`
        : `${service} had ${last.listed ? "listed" : "cleared"} the number at ${isoOf(last.askedAtMs)}`;
    if (!isSure)
      return {
        rule,
        allowed: undefined,
        says: `${said}; how it was set up then is not known, since it was changed later`,
      };
    const holds = `an answer holds for ${formatDurationMs(cacheMs)}`;
    if (last?.listed === false && permittedMs < last.askedAtMs + cacheMs)
      return { rule, allowed: true, says: `${said}, and ${holds}` };
    if (whenAway === "dial" && last?.listed !== true)
      return {
        rule,
        allowed: undefined,
        says: `${said}, and ${holds}; without one it may be dialed while the service is away, of which the audit log tells (suppression_source.away)`,
      };
    return { rule, allowed: false, says: `${said}, and ${holds}` };
  });
}

/** Those that were too old keep everybody in their scope from being dialed, whoever is on them. */
function freshLists({ lists, changedSources, permittedMs }: DialFacts): DialCheck[] {
  const rule = "stale_list";
  const first = firstStale(lists);
  if (first !== undefined && permittedMs >= staleFromMs(first))
    return [{ rule, allowed: false, says: `${listText(first)}, which was too old` }];
  if (changedSources.length > 0)
    return [
      {
        rule,
        allowed: undefined,
        says: `how old the lists of these sources might be then is not known, since it was changed later: ${changedSources.join(", ")}`,
      },
    ];
  if (first === undefined) return [];
  return [{ rule, allowed: true, says: `${listText(first)}; no list that bound the brand was too old` }];
}

function listText({ source, renewedAtMs, maxAgeMs }: ListAge): string {
  const allowed = formatDurationMs(maxAgeMs);
  return renewedAtMs === undefined
    ? `the source ${source} had no list yet, and must have one of at most ${allowed}`
    : `the list of the source ${source} was of ${isoOf(renewedAtMs)}, and may be ${allowed} old`;
}

function gap(facts: DialFacts, policy: DialingPolicy): DialCheck {
  const { leastGapMs } = policy;
  const { lastOfOthersMs, lastOfOwnMs, lastDisposition, before, permittedMs, isSimulated } = facts;
  const lastMs = Math.max(lastOfOthersMs ?? -Infinity, lastOfOwnMs ?? -Infinity);
  const rule = "called_just_now";
  if (!Number.isFinite(lastMs))
    return { rule, allowed: true, says: "the brand had not called the number within a day" };
  const atLeast = (gapMs: number) => (isSimulated ? gapMs : Math.max(gapMs, SHORTEST_GAP_MS));
  const delayMs = saidDelayMs({ lastDisposition, attemptsByDisposition: before }, policy);
  const ownGapMs = delayMs === undefined ? leastGapMs : Math.min(leastGapMs, delayMs);
  const allowed =
    permittedMs >= Math.min(lastOfOthersMs ?? -Infinity, permittedMs) + atLeast(leastGapMs) &&
    permittedMs >= Math.min(lastOfOwnMs ?? -Infinity, permittedMs) + atLeast(ownGapMs);
  const sinceMs = Math.max(0, permittedMs - lastMs);
  const needed = lastMs === lastOfOwnMs ? atLeast(ownGapMs) : atLeast(leastGapMs);
  const says = `${formatDurationMs(sinceMs)} since the last call of the brand, ${formatDurationMs(needed)} at least`;
  return { rule, allowed, says };
}

/** No lease holds more than every budget and the account have left: that it was held is what allowed it. */
function money({ money: { heldMicros, costMicros, isTold } }: DialFacts): DialCheck {
  const cost =
    costMicros === undefined
      ? "what it cost is not known yet"
      : isTold
        ? `it cost ${usdText(costMicros)}, as the platform told`
        : `it is taken to have cost ${usdText(costMicros)}: the platform has not told`;
  if (heldMicros <= 0) return { rule: "money", allowed: undefined, says: `nothing was held for it; ${cost}` };
  return { rule: "money", allowed: true, says: `${usdText(heldMicros)} was held for it; ${cost}` };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

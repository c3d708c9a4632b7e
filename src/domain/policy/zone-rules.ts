import { createWindowMemo, type CallingWindow, type WindowOf } from "./calling-window.ts";
import { meetsTransferHours, neverMeetText } from "./common-hours.ts";
import { MAY, type GateDecision, type ZoneQuestion } from "./gate-question.ts";
import { firstStale, hasAge, lackOfSources, staleFromMs, staleText } from "./suppression-source.ts";

/** The rules that depend on the zones and the policy alone, so that whole groups of contacts are asked at once. */
export const ZONE_RULES: readonly ((question: ZoneQuestion) => GateDecision)[] = [
  campaignDates,
  commonHours,
  callingWindow,
  requiredSources,
  transferHours,
  freshLists,
];

/** What ends the time in which people of a set of zones may be dialed. */
export type ZoneEnd = "window" | "transfer_closed" | "stale_list" | "after_end";

const ENDS: readonly (readonly [ZoneEnd, (question: ZoneQuestion) => GateDecision])[] = [
  ["after_end", campaignDates],
  ["window", callingWindow],
  ["transfer_closed", transferHours],
  ["stale_list", freshLists],
];

/** Where all rules allow a dial: which of them allows it for the shortest time. */
export function endsFirst(question: ZoneQuestion): ZoneEnd {
  let [first, firstMs]: [ZoneEnd, number] = ["window", Number.POSITIVE_INFINITY];
  for (const [end, rule] of ENDS) {
    const decision = rule(question);
    if (decision.kind === "dial" && decision.untilMs < firstMs) [first, firstMs] = [end, decision.untilMs];
  }
  return first;
}

/** Nothing is known of when a list is renewed: whoever does that wakes the campaign up. */
export const STALE_LOOK_MS = 60 * 60_000;

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

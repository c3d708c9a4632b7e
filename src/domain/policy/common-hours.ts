import { DAY_MS } from "../time/local-day.ts";
import { findOpenings, OPENING_HORIZON_DAYS, type CallingWindow } from "./calling-window.ts";
import type { TransferPolicy } from "./dialing-policy.ts";
import { rulesKeyFor } from "./presets/rules-by-zone.ts";

/*
 * Whether the window of somebody who is called and the hours of those who take transferred calls are ever open at once.
 * Where they are not, each of them opens and closes for ever, and nobody would be called nor given up.
 */

type Hours = NonNullable<TransferPolicy["hours"]>;

/** Answers for many sets of zones, each of them once a while. */
type MeetingOf = (zones: readonly string[], places: readonly string[], nowMs: number) => boolean;

/** The prefix data of the whole world makes fewer zone sets than this. */
const MEMO_LIMIT = 5_000;

function createMeetingMemo(window: CallingWindow, hours: Hours): MeetingOf {
  const known = new Map<string, { fromMs: number; untilMs: number; meets: boolean }>();
  const { presets = [] } = window;
  return (zones, places, nowMs) => {
    const key = `${zones.join()} ${presets.length === 0 ? "" : rulesKeyFor(presets, zones, places)}`;
    const memo = known.get(key);
    if (memo && nowMs >= memo.fromMs && nowMs < memo.untilMs) return memo.meets;
    const commonMs = lastCommonMoment(window, hours, { zones, places, nowMs });
    const answer = { fromMs: nowMs, untilMs: commonMs ?? nowMs + DAY_MS, meets: commonMs !== undefined };
    if (known.size >= MEMO_LIMIT) known.clear();
    known.set(key, answer);
    return answer.meets;
  };
}

/**
 * When the first time at which both are open ends; undefined: there is none within the horizon. Days off and holidays
 * put off and never exclude: without them is enough.
 */
function lastCommonMoment(
  { dates, presets = [], ...usual }: CallingWindow,
  hours: Hours,
  asked: { zones: readonly string[]; places: readonly string[]; nowMs: number },
): number | undefined {
  const common = firstCommon({ ...usual, ...(dates && { dates }), presets }, hours, asked);
  if (common !== undefined) return common;
  const always = presets.filter(({ holidays }) => holidays === undefined);
  if (dates === undefined && always.length === presets.length) return undefined;
  return firstCommon({ ...usual, presets: always }, hours, asked);
}

function firstCommon(
  window: CallingWindow,
  hours: Hours,
  { zones, places, nowMs }: { zones: readonly string[]; places: readonly string[]; nowMs: number },
): number | undefined {
  const untilMs = nowMs + OPENING_HORIZON_DAYS * DAY_MS;
  for (const { startMs, endMs } of findOpenings(window, zones, nowMs, untilMs, places)) {
    const [first] = findOpenings(hours.window, [hours.zone], startMs, endMs);
    if (first !== undefined) return first.endMs;
  }
  return undefined;
}

/** By their hours themselves: one policy asks for whole lists. */
const meetings = new WeakMap<Hours, { window: CallingWindow; meetingOf: MeetingOf }>();

/**
 * Whether there is a time within the horizon, days off aside, at which somebody may be called and those who take
 * transferred calls are there; true where no hours of theirs are said.
 *
 * @throws UnknownZoneError for a name that the zone data does not have.
 */
export function meetsTransferHours(
  { window, transfers }: { window: CallingWindow; transfers?: TransferPolicy | undefined },
  { zones, places = [] }: { zones: readonly string[]; places?: readonly string[] | undefined },
  nowMs: number,
): boolean {
  const hours = transfers?.hours;
  if (hours === undefined) return true;
  const known = meetings.get(hours);
  const { meetingOf } = known?.window === window ? known : { meetingOf: createMeetingMemo(window, hours) };
  if (known?.meetingOf !== meetingOf) meetings.set(hours, { window, meetingOf });
  return meetingOf(zones, places, nowMs);
}

/** Why somebody whose window never meets their hours is given up. */
export function neverMeetText(zones: readonly string[], { zone }: Hours): string {
  const where = zones.length === 0 ? "" : `zones ${zones.join(", ")}: `;
  return `${where}no time within ${OPENING_HORIZON_DAYS} days at which the window is open and those who take transferred calls are there, by the clocks of ${zone}`;
}

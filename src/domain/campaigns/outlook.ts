import { type Opening, type CallingWindow, findOpenings } from "../policy/calling-window.ts";
import { DISPOSITIONS, type Disposition } from "../policy/disposition.ts";
import { DAY_MS } from "../time/local-day.ts";
import type { LaneOfPeople } from "./rehearsal/people.ts";

/*
 * What is to come of a campaign, out of where its people stand: counted in groups, so that a million of them is some
 * hundreds of groups.
 */

export const HOUR_MS = 3_600_000;

/** So far ahead what falls due is told by the hour; behind that, groups have whole days. */
export const HOURS_AHEAD = 48;

/** Nobody is due later: what is, is in the last of the groups. */
export const DAYS_AHEAD = 60;

/** Contacts that stand alike. */
export interface ContactGroup {
  state: "open" | "leased" | "done" | "excluded";
  /** What it came to, or why it was left out; empty: neither yet. */
  came: string;
  /** Calls that counted as dialed. */
  attempts: number;
  /** Of those who are open: what the last call came to. */
  last: string | null;
  /** Of those who are open. */
  lane: LaneOfPeople | undefined;
  /** Of those who are open: whole hours from now, days behind `HOURS_AHEAD`; -1: they are due. */
  dueHours: number | null;
  contacts: number;
}

/** Those who had an n-th call, and what became of them with it. */
export interface FunnelStep {
  /** Which of their calls: 0 are those before the first. */
  call: number;
  /** Everybody who came that far. */
  contacts: number;
  /** It was their last one, by what they came to. */
  done: Record<string, number>;
  excluded: number;
  /** They wait for another one, or are being called. */
  open: number;
}

/** How far people came, call by call. Each step is those before it less those who went there (I3). */
export function funnelOf(groups: readonly ContactGroup[]): FunnelStep[] {
  const most = groups.reduce((all, { attempts }) => Math.max(all, attempts), 0);
  const steps: FunnelStep[] = Array.from({ length: most + 1 }, (_, call) => ({
    call,
    contacts: 0,
    done: {},
    excluded: 0,
    open: 0,
  }));
  for (const { state, came, attempts, contacts } of groups) {
    for (const step of steps.slice(0, attempts + 1)) step.contacts += contacts;
    const last = steps[attempts];
    if (!last) continue;
    if (state === "done") last.done[came] = (last.done[came] ?? 0) + contacts;
    else if (state === "excluded") last.excluded += contacts;
    else last.open += contacts;
  }
  return steps;
}

/** People who fall due. */
export interface Due {
  first: number;
  retries: number;
}

export interface DueAhead {
  /** They may be called as far as their last call goes; hours, lines and rules of their own may hold them back. */
  now: Due;
  /** The next `HOURS_AHEAD` hours, from now on. */
  hours: Due[];
  later: Due;
}

/** Who falls due when. Those who are being called are not among them: what follows is not known yet. */
export function dueOf(groups: readonly ContactGroup[]): DueAhead {
  const none = (): Due => ({ first: 0, retries: 0 });
  const ahead: DueAhead = {
    now: none(),
    hours: Array.from({ length: HOURS_AHEAD }, none),
    later: none(),
  };
  for (const { state, attempts, dueHours, contacts } of groups) {
    if (state !== "open" || dueHours === null) continue;
    const due = dueHours < 0 ? ahead.now : (ahead.hours[dueHours] ?? ahead.later);
    due[attempts === 0 ? "first" : "retries"] += contacts;
  }
  return ahead;
}

export interface ZoneOutlook {
  zones: readonly string[];
  places: readonly string[];
  /** Those who are open, or being called. */
  contacts: number;
  /** When the window is open for them within the next 24 hours. */
  open: Opening[];
}

/** The sets of zones that have most people first, with their hours. */
export function zonesOf(
  groups: readonly ContactGroup[],
  { window, nowMs, most }: { window: CallingWindow; nowMs: number; most: number },
): { zones: ZoneOutlook[]; more: boolean } {
  const sets = new Map<string, Omit<ZoneOutlook, "open">>();
  for (const { lane, contacts } of groups) {
    if (!lane) continue;
    const key = `${lane.zones.join()}|${lane.places.join()}`;
    const known = sets.get(key) ?? { zones: lane.zones, places: lane.places, contacts: 0 };
    sets.set(key, { ...known, contacts: known.contacts + contacts });
  }
  const sorted = [...sets.entries()].sort(
    ([keyA, a], [keyB, b]) => b.contacts - a.contacts || (keyA < keyB ? -1 : 1),
  );
  const zones = sorted.slice(0, most).map(([, set]) => ({
    ...set,
    open: findOpenings(window, set.zones, nowMs, nowMs + DAY_MS, set.places),
  }));
  return { zones, more: sorted.length > most };
}

/** What a last call came to, where that is a word of ours. */
export function lastOf({ last }: ContactGroup): Disposition | undefined {
  return DISPOSITIONS.find((word) => word === last);
}

import {
  createWindowMemo,
  OPENING_HORIZON_DAYS,
  type CallingWindow,
  type WindowOf,
} from "./calling-window.ts";
import { meetsTransferHours } from "./common-hours.ts";
import type { TransferPolicy } from "./dialing-policy.ts";
import { zoneOf } from "../time/zone-data.ts";

/** Why somebody can never be dialed under a window, and hours of those who take transferred calls, whenever that is. */
export type NeverReason = "no_time_zone" | "no_common_window" | "no_transfer_hours";

/** Contacts that can never be dialed, for one reason. */
export interface NeverDialed {
  reason: NeverReason;
  /** ISO 3166-1 alpha-2 of their numbers; null for numbers of no one country, and for what is beyond the bound. */
  region: string | null;
  /** Sorted; they may be in each of them. */
  zones: readonly string[];
  contacts: number;
}

/** Groups that are told apart. A list has a handful; one that has more is no easier to mend by knowing them. */
const MAX_GROUPS = 100;

/**
 * Judges sets of zones by a window, each once. Undefined: an opening comes, in which those who take transferred calls
 * are there, where their hours are said.
 */
export function createNeverMemo(
  window: CallingWindow,
  nowMs: number,
  transfers?: TransferPolicy,
): (zones: readonly string[], places?: readonly string[]) => NeverReason | undefined {
  const known = new Map<string, NeverReason | undefined>();
  const windowOf = createWindowMemo(window);
  return (zones, places = []) => {
    const key = `${zones.join()} ${places.join()}`;
    if (!known.has(key))
      known.set(key, neverReason(windowOf, { window, transfers }, { zones, places }, nowMs));
    return known.get(key);
  };
}

function neverReason(
  windowOf: WindowOf,
  hours: { window: CallingWindow; transfers: TransferPolicy | undefined },
  { zones, places }: { zones: readonly string[]; places: readonly string[] },
  nowMs: number,
): NeverReason | undefined {
  const status = windowOf(zones, nowMs, places);
  if (status.open || status.opensAtMs !== undefined)
    return meetsTransferHours(hours, { zones, places }, nowMs) ? undefined : "no_transfer_hours";
  return zones.length === 0 ? "no_time_zone" : "no_common_window";
}

/** Counts those who can never be dialed, in groups. */
export class NeverDialedGroups {
  readonly #groups: NeverDialed[];

  /** @param before what was counted before, to go on from. */
  constructor(before: readonly NeverDialed[] = []) {
    this.#groups = before.map((group) => ({ ...group }));
  }

  add(reason: NeverReason, region: string | undefined, zones: readonly string[]): void {
    const own = this.#find(reason, region ?? null, zones);
    if (own !== undefined) own.contacts += 1;
    else if (this.#groups.length < MAX_GROUPS)
      this.#groups.push({ reason, region: region ?? null, zones: [...zones], contacts: 1 });
    else this.#addToRest(reason);
  }

  /** What is beyond the bound, for each reason in one group. */
  #addToRest(reason: NeverReason): void {
    const rest = this.#find(reason, null, []);
    if (rest !== undefined) rest.contacts += 1;
    else this.#groups.push({ reason, region: null, zones: [], contacts: 1 });
  }

  #find(reason: NeverReason, region: string | null, zones: readonly string[]): NeverDialed | undefined {
    const key = zones.join();
    return this.#groups.find(
      (group) => group.reason === reason && group.region === region && group.zones.join() === key,
    );
  }

  /** Largest first. */
  all(): readonly NeverDialed[] {
    return this.#groups.toSorted((a, b) => b.contacts - a.contacts);
  }
}

const HOUR_MS = 3_600_000;

/** How far apart the clocks of zones are at this moment, in hours. */
function hoursApart(zones: readonly string[], nowMs: number): number {
  const offsets = zones.map((zone) => zoneOf(zone).offsetMs(nowMs));
  return (Math.max(...offsets) - Math.min(...offsets)) / HOUR_MS;
}

/** Why, and what would help, in one sentence each. */
export function whyNever(
  group: Pick<NeverDialed, "reason" | "zones">,
  nowMs: number,
): { why: string; remedy: string } {
  const { reason, zones } = group;
  if (reason === "no_time_zone") {
    return {
      why: "nothing tells a time zone of theirs, and the window is kept in the contact's own",
      remedy: "give a time_zone, or a country and state, in the list",
    };
  }
  if (reason === "no_transfer_hours") {
    const where =
      zones.length === 0
        ? ""
        : ` in ${zones.length === 1 ? zones.join() : `any of ${zones.length} time zones`}`;
    return {
      why: `the window${where} is never open while those who take transferred calls are there, within ${OPENING_HORIZON_DAYS} days`,
      remedy: "widen the window, or the hours of transfers",
    };
  }
  const [only] = zones;
  if (zones.length < 2 && only !== undefined) {
    return {
      why: `the window does not open in ${only} within ${OPENING_HORIZON_DAYS} days`,
      remedy: "widen the window",
    };
  }
  const spread = zones.length === 0 ? "" : `, whose clocks are ${hours(hoursApart(zones, nowMs))} apart`;
  const many = zones.length === 0 ? "many time zones" : `any of ${zones.length} time zones`;
  return {
    why: `their numbers may be in ${many}${spread}: the window is never open in all of them at once`,
    remedy:
      "give a time_zone, or a country and state, for each in the list, or widen the window until it is longer than the clocks are apart",
  };
}

function hours(count: number): string {
  return `${Number.isInteger(count) ? count : count.toFixed(2).replace(/0$/, "")} h`;
}

import { clock, clockIn, wallClock } from "../../format.ts";
import { words } from "../../words.ts";

const say = words.ahead;

/** A place, as the outlook has it. */
export interface Place {
  open: readonly { from: string; until: string }[];
  /** What its clocks showed at that moment, with their offset from UTC, and whose they are. */
  local: readonly { at: string; zones: readonly string[] }[];
}

/**
 * What is said beside a place: what its clock shows, and until or from when people there may be called by the same
 * clock, where there are several by the first of them.
 *
 * @param at the moment of the outlook
 * @returns `yours` has the same stretch by the browser's clock; undefined: there is none
 */
export function openingOf(
  { open, local: [local] }: Place,
  at: string,
): { now: string | undefined; opening: string; yours: string | undefined } {
  const [first] = open;
  const now = local && words.timeline.now(wallClock(local.at));
  if (!first) return { now, opening: say.closedAllDay, yours: undefined };
  const theirs = (moment: string) => (local ? clockOf(moment, local) : clock(moment));
  const isOpen = Date.parse(first.from) <= Date.parse(at);
  return {
    now,
    opening: isOpen ? say.openNow(theirs(first.until)) : say.opens(theirs(first.from)),
    yours: say.yours(clock(first.from), clock(first.until)),
  };
}

/** By its zone, which may change its clocks until then; by the present offset where the browser does not know the zone. */
function clockOf(moment: string, { at, zones: [zone = "UTC"] }: Place["local"][number]): string {
  try {
    return clockIn(moment, zone);
  } catch {
    return wallClock(new Date(Date.parse(moment) + offsetMsOf(at)).toISOString());
  }
}

function offsetMsOf(local: string): number {
  return Date.parse(`${local.slice(0, 19)}Z`) - Date.parse(local);
}

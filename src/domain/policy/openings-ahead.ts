import { DAY_MS } from "../time/local-day.ts";
import { findOpenings, type CallingWindow, type Opening } from "./calling-window.ts";
import { LONGEST_DAYS_OFF } from "./window-dates.ts";

/** A stretch in which the window is open, or the part of one that was asked for. */
export interface OpeningAhead extends Opening {
  /** Whether the window opens at its start; otherwise it was open before. */
  opens: boolean;
}

/** The openings from a moment on, in order, as far as days off can reach; a long one may come in several pieces. */
export type OpeningsAhead = (zones: readonly string[], fromMs: number) => Generator<OpeningAhead>;

/** Openings are worked out in stretches of so long, on a grid of their own: people called together share them. */
const STRETCH_MS = 4 * DAY_MS;

/** As far as an opening behind days off is looked for. */
const MOST_STRETCHES = Math.ceil((LONGEST_DAYS_OFF * DAY_MS) / STRETCH_MS) + 1;

/**
 * Answers for many contacts of one batch: each stretch is worked out once for a set of zones.
 *
 * @param window with the blackouts that are in force.
 */
export function createOpeningsAhead(window: CallingWindow): OpeningsAhead {
  const known = new Map<string, readonly OpeningAhead[]>();
  function stretch(zones: readonly string[], index: number): readonly OpeningAhead[] {
    const key = `${index} ${zones.join(",")}`;
    const memo = known.get(key);
    if (memo) return memo;
    const startMs = index * STRETCH_MS;
    // Windows open at whole minutes: what is open a millisecond earlier did not open at the start of the stretch.
    const openings = findOpenings(window, zones, startMs - 1, startMs + STRETCH_MS).map((opening) => ({
      startMs: Math.max(opening.startMs, startMs),
      endMs: opening.endMs,
      opens: opening.startMs >= startMs,
    }));
    known.set(key, openings);
    return openings;
  }
  return function* openingsAhead(zones, fromMs) {
    const first = Math.floor(fromMs / STRETCH_MS);
    for (let index = first; index < first + MOST_STRETCHES; index += 1) {
      for (const { startMs, endMs, opens } of stretch(zones, index)) {
        if (endMs <= fromMs) continue;
        yield { startMs: Math.max(startMs, fromMs), endMs, opens: opens && startMs >= fromMs };
      }
    }
  };
}

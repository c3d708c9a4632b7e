import { DAY_MS } from "../time/local-day.ts";
import { findOpenings, type CallingWindow, type Opening } from "./calling-window.ts";
import { piecesOf, type PieceOfDay } from "./parts-of-day.ts";
import { LONGEST_DAYS_OFF } from "./window-dates.ts";

/** A stretch in which the window is open, or the part of one that was asked for. */
export interface OpeningAhead extends Opening {
  /** Whether the window opens at its start; otherwise it was open before. */
  opens: boolean;
}

/** Where a contact may be: whose hours are asked for. */
export interface Whereabouts {
  zones: readonly string[];
  /** Countries and states; none: wherever the zones are (presets/whereabouts.ts). */
  places: readonly string[];
}

/** From a moment on, in order, as far as days off can reach. */
export interface OpeningsAhead {
  /** When the window is open. A long opening may come in several stretches. */
  openings(where: Whereabouts, fromMs: number): Generator<OpeningAhead>;
  /** The same, cut into parts of the day. */
  pieces(where: Whereabouts, fromMs: number): Generator<PieceOfDay>;
}

/** Openings are worked out in stretches of so long, on a grid of their own: people called together share them. */
const STRETCH_MS = 4 * DAY_MS;

/** As far as an opening behind days off is looked for. */
const MOST_STRETCHES = Math.ceil((LONGEST_DAYS_OFF * DAY_MS) / STRETCH_MS) + 1;

/**
 * Answers for many contacts of one batch: each stretch is worked out once for all who may be in the same places.
 *
 * @param window with the blackouts that are in force.
 */
export function createOpeningsAhead(window: CallingWindow): OpeningsAhead {
  const openingsIn = remembering(({ zones, places }, index) => {
    const startMs = index * STRETCH_MS;
    // Windows open at whole minutes: what is open a millisecond earlier did not open at the start of the stretch.
    const found = findOpenings(window, zones, startMs - 1, startMs + STRETCH_MS, places);
    return found.map((opening): OpeningAhead => ({
      startMs: Math.max(opening.startMs, startMs),
      endMs: opening.endMs,
      opens: opening.startMs >= startMs,
    }));
  });
  const piecesIn = remembering((where, index) =>
    openingsIn(where, index).flatMap(({ startMs, endMs }) => piecesOf(where.zones, startMs, endMs)),
  );
  return {
    *openings(where, fromMs) {
      for (const one of from(openingsIn, where, fromMs))
        yield { ...one, startMs: Math.max(one.startMs, fromMs), opens: one.opens && one.startMs >= fromMs };
    },
    *pieces(where, fromMs) {
      for (const one of from(piecesIn, where, fromMs))
        yield { ...one, startMs: Math.max(one.startMs, fromMs) };
    },
  };
}

type Stretches<T> = (where: Whereabouts, index: number) => readonly T[];

function remembering<T>(workOut: Stretches<T>): Stretches<T> {
  const known = new Map<string, readonly T[]>();
  return (where, index) => {
    const key = `${index} ${where.zones.join(",")} ${where.places.join(",")}`;
    const found = known.get(key) ?? workOut(where, index);
    known.set(key, found);
    return found;
  };
}

function* from<T extends Opening>(stretches: Stretches<T>, where: Whereabouts, fromMs: number): Generator<T> {
  const first = Math.floor(fromMs / STRETCH_MS);
  for (let index = first; index < first + MOST_STRETCHES; index += 1)
    for (const one of stretches(where, index)) if (one.endMs > fromMs) yield one;
}

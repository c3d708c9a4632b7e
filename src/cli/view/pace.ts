import type { ProgressWire } from "../../http/wire/campaigns.ts";

/** How fast a campaign has been going lately. */
export interface Pace {
  /** Attempts that ended. Undefined before there is anything to say. */
  callsAMinute: number | undefined;
  /** Until every contact is through, if it goes on like this. Milliseconds. */
  leftMs: number | undefined;
}

interface Sample {
  atMs: number;
  attempts: number;
  through: number;
}

/** Rates are of the last minute: long enough to be steady, short enough to see a change. */
const WINDOW_MS = 60_000;

/** Less than this says nothing. */
const SHORTEST_MS = 3_000;

/** Watches a campaign's progress go by and says how fast it is. */
export function watchPace(): (progress: ProgressWire) => Pace {
  const samples: Sample[] = [];
  return ({ now, attempts, contacts, state }) => {
    const newest: Sample = { atMs: Date.parse(now), attempts, through: contacts.done + contacts.excluded };
    samples.push(newest);
    while (samples.length > 2 && newest.atMs - (samples[1]?.atMs ?? newest.atMs) >= WINDOW_MS)
      samples.shift();
    const oldest = samples[0] ?? newest;
    const spanMs = newest.atMs - oldest.atMs;
    if (spanMs < SHORTEST_MS) return { callsAMinute: undefined, leftMs: undefined };
    const throughPerMs = (newest.through - oldest.through) / spanMs;
    const isGoing = state === "running" && contacts.open > 0 && throughPerMs > 0;
    return {
      callsAMinute: ((newest.attempts - oldest.attempts) / spanMs) * 60_000,
      leftMs: isGoing ? contacts.open / throughPerMs : undefined,
    };
  };
}

import { windowStatus, type CallingWindow, type WindowStatus } from "../../policy/calling-window.ts";
import { createOpeningsAhead, type OpeningsAhead } from "../../policy/openings-ahead.ts";
import { DAY_MS } from "../../time/local-day.ts";

interface Stretch {
  fromMs: number;
  untilMs: number;
  status: WindowStatus;
}

const NO_PLACES: readonly string[] = [];

/**
 * Answers `windowStatus` for the lanes of a list, over and over and by several runs: what was once worked out of a stretch
 * of time holds for the next run, too.
 */
export class WindowBook {
  /** The openings of the window, by which retries are due that look ahead. */
  readonly ahead: OpeningsAhead;
  readonly #window: CallingWindow;
  readonly #ask: typeof windowStatus;
  /** In order, without overlap; by the zones and places themselves, of which each lane has its own. */
  readonly #known = new Map<readonly string[], Map<readonly string[], Stretch[]>>();

  constructor(window: CallingWindow, ask = windowStatus) {
    this.#window = window;
    this.#ask = ask;
    this.ahead = createOpeningsAhead(window);
  }

  readonly statusOf = (zones: readonly string[], nowMs: number, places = NO_PLACES): WindowStatus => {
    let inZones = this.#known.get(zones);
    if (!inZones) this.#known.set(zones, (inZones = new Map()));
    let known = inZones.get(places);
    if (!known) inZones.set(places, (known = []));
    const index = lastFrom(known, nowMs);
    const found = known[index];
    if (found && nowMs < found.untilMs) return found.status;
    const status = this.#ask(this.#window, zones, nowMs, places);
    const untilMs = status.open ? status.untilMs : (status.opensAtMs ?? nowMs + DAY_MS);
    const next = known[index + 1];
    // The same stretch, of which a later moment was asked about before.
    if (next && next.untilMs === untilMs && next.status.open === status.open) next.fromMs = nowMs;
    else
      known.splice(index + 1, 0, {
        fromMs: nowMs,
        untilMs: Math.min(untilMs, next?.fromMs ?? untilMs),
        status,
      });
    return status;
  };
}

/** The last one that begins at or before a moment; -1 where none does. */
function lastFrom(stretches: readonly Stretch[], atMs: number): number {
  let low = -1;
  let high = stretches.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((stretches[middle]?.fromMs ?? Infinity) <= atMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What a lane may be: open, or what keeps it closed, in the words of the gate. */
export const LANE_STATES = ["open", "window", "day_off", "before_start", "transfer_closed"] as const;
export type LaneState = (typeof LANE_STATES)[number];

/** How long a lane has been what, up to any moment that was. */
export class LaneTimes {
  readonly #turns: { atMs: number; state: LaneState; before: Readonly<Record<LaneState, number>> }[] = [];

  turn(state: LaneState, atMs: number): void {
    const last = this.#turns.at(-1);
    if (last?.state === state) return;
    const before = { open: 0, window: 0, day_off: 0, before_start: 0, transfer_closed: 0, ...last?.before };
    if (last) before[last.state] += atMs - last.atMs;
    this.#turns.push({ atMs, state, before });
  }

  /** Milliseconds from its first turn until then. */
  spent(state: LaneState, untilMs: number): number {
    // Most questions are about now or a retry ago.
    for (let index = this.#turns.length - 1; index >= 0; index -= 1) {
      const turn = this.#turns[index];
      if (turn && turn.atMs <= untilMs)
        return turn.before[state] + (turn.state === state ? untilMs - turn.atMs : 0);
    }
    return 0;
  }
}

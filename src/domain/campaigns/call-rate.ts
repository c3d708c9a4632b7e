/*
 * How many calls may begin in any stretch of time, over all campaigns of an account: carriers bind numbers and trunks
 * to such a rate, and refuse what comes faster.
 *
 * The platform begins as many calls of a batch at once as it has slots, and another whenever one of them ends, which
 * nobody can foresee. So a batch has no more contacts than slots under a rate, no more of them than may begin at once,
 * and starts wait for their turn. When a call begins is known to lie between its start and the answer to that: until it
 * is answered a start counts as if it were just being made, and from its answer on for as long as the stretch is.
 */

/** So many calls in any stretch of so many milliseconds. */
export interface CallRate {
  calls: number;
  withinMs: number;
}

/** Calls that were let begin together. */
export interface SentStart {
  calls: number;
  sentAtMs: number;
  /** When it was known to have taken effect; undefined: not yet. */
  seenAtMs: number | undefined;
}

/** A start that is not answered within that is not in the air any more: it was made soon after it was sent, or never. */
export const IN_THE_AIR_MS = 10_000;

/** So many stretches of calls at most wait for their turn in one campaign: they hold slots, and policy was asked. */
const STRETCHES_AHEAD = 10;

/**
 * In whole calls: 2.5 a second are three in any 1.2 seconds, and 0.5 are one in any two.
 *
 * @param speed how much faster than real time all goes
 */
export function callRate(perSecond: number, speed = 1): CallRate {
  const calls = Math.ceil(perSecond);
  return { calls, withinMs: (calls * 1_000) / perSecond / speed };
}

/**
 * How long so many calls have to wait for their turn. 0: they may begin now.
 *
 * @param turn.ahead calls that have waited for longer
 */
export function waitForTurn(
  { calls: atOnce, withinMs }: CallRate,
  turn: { sent: readonly SentStart[]; ahead: number; calls: number; nowMs: number },
): number {
  const { sent, ahead, calls, nowMs } = turn;
  const counted = sent
    .map((start) => ({ calls: start.calls, untilMs: begunAtMs(start, nowMs) + withinMs }))
    .filter(({ untilMs }) => untilMs > nowMs)
    .sort((a, b) => a.untilMs - b.untilMs);
  let room = atOnce - counted.reduce((sum, start) => sum + start.calls, 0);
  let atMs = nowMs;
  for (const start of counted) {
    if (room >= calls) break;
    room += start.calls;
    atMs = start.untilMs;
  }
  return Math.ceil(atMs - nowMs + (ahead * withinMs) / atOnce);
}

/** The last moment at which its calls may have begun. */
function begunAtMs({ sentAtMs, seenAtMs }: SentStart, nowMs: number): number {
  if (seenAtMs !== undefined) return seenAtMs;
  return Math.min(nowMs, sentAtMs + IN_THE_AIR_MS);
}

/** How many more calls of a campaign may be made ready, of which so many wait for their turn. */
export function roomForTurns({ calls }: CallRate, waiting: number): number {
  return Math.max(0, calls * STRETCHES_AHEAD - waiting);
}

/** Until half of the calls that may be made ready have begun, at the earliest. */
export function untilHalfBegun({ calls, withinMs }: CallRate, waiting: number): number {
  return Math.max(0, ((waiting - (calls * STRETCHES_AHEAD) / 2) * withinMs) / calls);
}

export function rateInWords({ calls, withinMs }: CallRate): string {
  return withinMs === 1_000 ? `${calls} a second` : `${calls} in ${withinMs / 1_000} s`;
}

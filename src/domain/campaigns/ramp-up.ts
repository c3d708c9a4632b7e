/**
 * How many lines a campaign may hold so soon after it began, or went on: they grow evenly, so that what is wrong with a
 * list or an agent is seen while few phones ring.
 */
export interface RampUp {
  /** All that it may hold in the end. */
  concurrency: number;
  /** In milliseconds; 0: all at once. */
  rampMs: number;
  /** When it began, or went on last. Unix milliseconds. */
  sinceMs: number;
}

/** One at least, and all from the end of the ramp on. A clock that went back leaves one. */
export function rampedLines({ concurrency, rampMs, sinceMs }: RampUp, nowMs: number): number {
  if (rampMs <= 0 || nowMs >= sinceMs + rampMs) return concurrency;
  return Math.max(1, Math.ceil((concurrency * (nowMs - sinceMs)) / rampMs));
}

/** When it may hold so many lines. Unix milliseconds. */
export function rampedAtMs({ concurrency, rampMs, sinceMs }: RampUp, lines: number): number {
  const before = Math.min(lines, concurrency) - 1;
  // One millisecond after the line before it is whole.
  return before <= 0 ? sinceMs : Math.floor(sinceMs + (rampMs * before) / concurrency) + 1;
}

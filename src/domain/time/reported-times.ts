/**
 * The platform's times are its own: clocks differ, and what is garbled may still look like a time. What is told of an
 * attempt happened after it was planned and before now. Anything else would move retries, end calls that have just
 * begun, or never let go of what waits. Unix milliseconds.
 */
export function withinReason(toldMs: number, plannedAtMs: number, nowMs: number): number {
  return Math.max(plannedAtMs, Math.min(nowMs, toldMs));
}

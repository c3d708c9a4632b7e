/** A machine whose clock is not the ledger's reckons its time anew now and then: it may lie before the last by a little. */
const LITTLE_MS = 500;

/** Since a moment of the same machine; for ever, where its clock was set back since: nothing waits until it is there again. */
export function elapsedMs(nowMs: number, sinceMs: number): number {
  if (nowMs >= sinceMs) return nowMs - sinceMs;
  return sinceMs - nowMs <= LITTLE_MS ? 0 : Number.POSITIVE_INFINITY;
}

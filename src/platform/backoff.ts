export interface BackoffBounds {
  /** The wait after the first failure, before jitter. */
  readonly baseMs: number;
  /** No wait is longer than this. */
  readonly maxMs: number;
}

/**
 * How long to wait after the n-th failure in a row (n from 1): doubling from `baseMs` to `maxMs`, then
 * somewhere in the upper half of that. Half is kept so that a wait never shrinks to nothing, half is random
 * so that clients which failed together do not come back together.
 */
export function backoffMs(failures: number, { baseMs, maxMs }: BackoffBounds, random = Math.random): number {
  const ceilingMs = Math.min(maxMs, baseMs * 2 ** (failures - 1));
  return Math.round(ceilingMs / 2 + random() * (ceilingMs / 2));
}

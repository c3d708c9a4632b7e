import type { ActivityDeps } from "../../activities/deps.ts";

/** Of each kind in one pass; the next one goes on. */
export const A_PASS = 500;

/** When something is late: no clock of ours is further apart than this. */
export function lateBefore({ now, pace }: ActivityDeps): number {
  return now() - 2 * pace.batchLookMs;
}

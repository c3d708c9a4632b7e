/** Since a moment of the same machine; for ever, where its clock was set back since: nothing waits until it is there again. */
export function elapsedMs(nowMs: number, sinceMs: number): number {
  return nowMs >= sinceMs ? nowMs - sinceMs : Number.POSITIVE_INFINITY;
}

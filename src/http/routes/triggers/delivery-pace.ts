/**
 * Deliveries that one trigger takes, by process: a CRM that tells of its whole database at once is slowed down, and
 * the others are not. A burst of a minute's worth passes. Only those who proved who they are count, so that nobody can
 * shut a trigger for its sender.
 */
export function createDeliveryPace(now: () => number, perMinute: number): (triggerId: string) => number {
  const buckets = new Map<string, { tokens: number; filledAtMs: number }>();
  /** 0: it is taken. Else after how many seconds to come back. */
  return (triggerId) => {
    const nowMs = now();
    const bucket = buckets.get(triggerId) ?? { tokens: perMinute, filledAtMs: nowMs };
    const gained = (Math.max(0, nowMs - bucket.filledAtMs) * perMinute) / 60_000;
    const tokens = Math.min(perMinute, bucket.tokens + gained);
    const taken = tokens >= 1;
    // One entry for each trigger that there is.
    buckets.set(triggerId, { tokens: taken ? tokens - 1 : tokens, filledAtMs: nowMs });
    return taken ? 0 : Math.max(1, Math.ceil(60 / perMinute));
  };
}

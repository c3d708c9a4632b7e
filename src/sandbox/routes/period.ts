import type { Clock } from "../clock.ts";
import { boundsIn } from "../schemas/period.ts";
import type { Period } from "../schemas/period.ts";

/** A period in terms of the clock's `now()`, ends included. */
export function boundsOf(clock: Clock, period: Period): { fromMs: number; toMs: number } {
  const { from, to } = boundsIn(period, clock.wallMs());
  return {
    fromMs: from === null ? 0 : clock.since(from.wallMs),
    toMs: to === null ? Number.POSITIVE_INFINITY : clock.since(to.wallMs),
  };
}

/** A period as it was asked for; null where it has no bound. */
export function shownPeriod(clock: Clock, period: Period) {
  const { from, to } = boundsIn(period, clock.wallMs());
  return { from_date: from?.text ?? null, to_date: to?.text ?? null };
}

/** The same where nothing may be null: from the beginning of the sandbox, until now. */
export function wholePeriod(clock: Clock, period: Period) {
  // One moment for both ends: `days` are counted back from the end that is shown.
  const nowMs = clock.now();
  const { from, to } = boundsIn(period, clock.epochMs + nowMs);
  return { from_date: from?.text ?? clock.iso(0), to_date: to?.text ?? clock.iso(nowMs) };
}

import {
  DAY_MS,
  durationMs,
  isBusinessDay,
  MINUTE_MS,
  wallOf,
  type Dial,
  type Person,
} from "./dial-oracle.ts";
import type { Enrolled, PlacedCall, Rest, Told } from "./dial-sequences.ts";

/* A second reading of a sequence of two calls: when the second one may be made after the first, and when it has to be. */

/** What is known of it from the ledger alone: how it ended, and when each call of it was over for good. */
export interface Journey {
  enrolled: Enrolled;
  isOver: boolean;
  calls: readonly (PlacedCall & { endedMs: number | undefined })[];
}

export function journeyObjections(
  { enrolled, isOver, calls }: Journey,
  { log, turnsMs }: { log: readonly Dial[]; turnsMs: readonly number[] },
): object[] {
  const { person, sequence, enrolledMs } = enrolled;
  const found: string[] = [];
  if (!isOver) found.push("it never ends");
  const [first, second] = [1, 2].map((no) => calls.find((call) => call.no === no));
  const firstTurnFrom = (atMs: number) =>
    turnsMs.find((turnMs) => turnMs >= atMs) ?? Number.POSITIVE_INFINITY;
  const isUndisturbed = !enrolled.wasResting && !sequence.wasPaused;
  if (first && isUndisturbed && first.placedMs > firstTurnFrom(enrolledMs))
    found.push("its first call is placed late");
  const lastOfFirst = log.findLast(({ contact }) => contact === first?.contact);
  const firstOfSecond = log.find(({ contact }) => contact === second?.contact);
  if (first && lastOfFirst && firstOfSecond) {
    // Its rest begins when it is known that no other attempt follows.
    const restsUntilMs = restEndMs(Math.max(lastOfFirst.endMs, first.endedMs ?? 0), person, sequence);
    if (firstOfSecond.atMs < restsUntilMs)
      found.push(
        `its second call is made at ${shown(firstOfSecond.atMs)}, and not to be before ${shown(restsUntilMs)}`,
      );
  }
  if (first?.endedMs !== undefined && second && isUndisturbed) {
    const dueMs = firstTurnFrom(restEndMs(firstTurnFrom(first.endedMs), person, sequence));
    if (second.placedMs > dueMs)
      found.push(`its second call is placed at ${shown(second.placedMs)}, and was to be at ${shown(dueMs)}`);
  }
  return found.map((objection) => ({
    sequence: sequence.name,
    phone: person.phone,
    rest: sequence.rest,
    objection,
  }));
}

const shown = (atMs: number) => (Number.isFinite(atMs) ? new Date(atMs).toISOString() : "no time");

/** When a rest that begins then is over, where the person is: in the last of the zones that they may be in. */
function restEndMs(fromMs: number, { zones }: Person, { rest, definition }: Told): number {
  if ("for" in rest) return fromMs + durationMs(rest.for);
  return Math.max(...zones.map((zone) => restEndIn(zone, fromMs, rest, definition)));
}

function restEndIn(
  zone: string,
  fromMs: number,
  rest: Exclude<Rest, { for: string }>,
  definition: Told["definition"],
): number {
  const from = wallOf(zone, fromMs);
  const isBusiness = (atMs: number) => isBusinessDay(zone, atMs, definition);
  const days = new Set<string>();
  for (
    let atMs = Math.floor(fromMs / MINUTE_MS) * MINUTE_MS;
    atMs < fromMs + 30 * DAY_MS;
    atMs += MINUTE_MS
  ) {
    const { date, day, time } = wallOf(zone, atMs);
    if ("until" in rest) {
      if (atMs <= fromMs || time < rest.until) continue;
      const isDay = rest.days === "business" ? isBusiness(atMs) : day !== "saturday" && day !== "sunday";
      // Behind that time on the day on which it began there is none any more.
      if (isDay && (date !== from.date || from.time < rest.until)) return atMs;
      continue;
    }
    if (date !== from.date && isBusiness(atMs)) days.add(date);
    if (days.size >= rest.business_days && days.has(date) && time >= (rest.at ?? from.time)) return atMs;
  }
  return Number.POSITIVE_INFINITY;
}

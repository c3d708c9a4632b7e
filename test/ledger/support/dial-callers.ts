import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { Planned } from "./dial-records.ts";
import { DAY_MS, durationMs, HOUR_MS, type Dial } from "./dial-oracle.ts";

/* A second reading of which of our numbers somebody is called from, by the log of dials and what was planned alone. */

type CallerIds = NonNullable<CampaignSpecInput["caller_ids"]>;

/** Calls that nobody took; of one whose end nobody knows, nobody can say so. */
const UNANSWERED: ReadonlySet<string> = new Set([
  "no_answer",
  "busy",
  "voicemail",
  "failed",
  "invalid_number",
]);

/** From when to when a number rests since hardly anybody answers it, written down as calls are settled. */
export class Rests {
  readonly #newest = new Map<string, boolean[]>();
  readonly #rests: { number: string; fromMs: number; untilMs: number }[] = [];

  /** Calls from one number that were written down together. */
  settle(over: readonly Dial[], spec: CampaignSpecInput, nowMs: number): void {
    const [first] = over;
    if (first === undefined || spec.caller_ids === undefined) return;
    const { from: number } = first;
    if (this.isResting(number, nowMs)) return;
    const newest = this.#newest.get(number) ?? [];
    newest.push(...over.map(({ disposition }) => !UNANSWERED.has(disposition)));
    this.#newest.set(number, newest);
    const { health } = spec.caller_ids;
    if (health === undefined) return;
    const seen = newest.slice(-(health.newest ?? 100));
    const answered = seen.filter((isAnswered) => isAnswered).length;
    if (seen.length < (health.at_least ?? 50) || answered >= health.answered * seen.length) return;
    this.#newest.set(number, []);
    this.#rests.push({ number, fromMs: nowMs, untilMs: nowMs + durationMs(health.rest ?? "24h") });
  }

  isResting(number: string, atMs: number): boolean {
    return this.#rests.some((one) => one.number === number && one.fromMs <= atMs && atMs < one.untilMs);
  }
}

/** Calls that a number begins at most in an hour and in a day. */
function capsOf({
  per_hour: perHour,
  per_day: perDay,
}: CallerIds): readonly [withinMs: number, most: number][] {
  return [
    [HOUR_MS, perHour ?? Number.POSITIVE_INFINITY],
    [DAY_MS, perDay ?? Number.POSITIVE_INFINITY],
  ];
}

const countryOf = (number: string) =>
  number.startsWith("+44") ? "GB" : number.startsWith("+49") ? "DE" : "US";

/** Whether any number of a campaign has a call left, with what it planned so far. */
export function hasCaller(
  spec: CampaignSpecInput,
  atMs: number,
  { planned, rests }: { planned: readonly Planned[]; rests: Rests },
): boolean {
  const callers = spec.caller_ids;
  if (callers === undefined) return true;
  const last = { planning: Number.POSITIVE_INFINITY, plannedMs: atMs };
  return spec.from_numbers.some(
    (number) =>
      !rests.isResting(number, atMs) &&
      capsOf(callers).every(([withinMs, most]) => takenFrom(number, last, planned, withinMs) < most),
  );
}

/** What speaks against the numbers that a batch's people were called from. */
export function callerObjections(
  batch: Planned,
  dials: readonly Dial[],
  { log, planned, rests }: { log: readonly Dial[]; planned: readonly Planned[]; rests: Rests },
): string[] {
  const { spec, from, plannedMs, planning } = batch;
  const callers = spec.caller_ids;
  if (!spec.from_numbers.includes(from)) return [`${from} is no number of the campaign`];
  if (callers === undefined || dials.length === 0) return [];
  const found: string[] = [];
  if (rests.isResting(from, plannedMs)) found.push(`${from} rests`);
  const begunOf = new Map(planned.map((one) => [one.id, one]));
  for (const [withinMs, most] of capsOf(callers)) {
    const counted = log.filter((dial) => {
      const { begunMs = 0, planning: of = 0 } = begunOf.get(dial.batch) ?? {};
      return dial.from === from && of <= planning && begunMs > plannedMs - withinMs;
    }).length;
    if (counted > most) found.push(`${counted} calls from ${from} where ${most} may be`);
  }
  // With caps, numbers that are nearer may have been meant for others who then got no line.
  const isCapped = callers.per_hour !== undefined || callers.per_day !== undefined;
  if (callers.match !== "country" || isCapped) return found;
  for (const { person } of dials) {
    if (countryOf(from) === person.country) continue;
    const hadRoom = spec.from_numbers.some(
      (number) => countryOf(number) === person.country && !rests.isResting(number, plannedMs),
    );
    if (hadRoom) found.push(`${person.phone} is called from ${from}, and a number nearer could call`);
  }
  return found;
}

/** Everybody who was on a batch from this number that was begun, or was to be. */
function takenFrom(
  number: string,
  { planning, plannedMs }: Pick<Planned, "planning" | "plannedMs">,
  planned: readonly Planned[],
  withinMs: number,
): number {
  return planned
    .filter(
      (one) =>
        one.from === number &&
        one.planning <= planning &&
        (one.begunMs ?? Number.POSITIVE_INFINITY) > plannedMs - withinMs,
    )
    .reduce((sum, { size }) => sum + size, 0);
}

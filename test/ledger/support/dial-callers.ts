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
  readonly #firstMs = new Map<string, number>();

  /** Calls from one number that were written down together. */
  settle(over: readonly Dial[], spec: CampaignSpecInput, nowMs: number): void {
    const [first] = over;
    if (first === undefined || spec.caller_ids === undefined) return;
    const { from: number } = first;
    if (!this.#firstMs.has(number)) this.#firstMs.set(number, nowMs);
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

  /** Since when it is known what calls from it came to, where somebody said how it is used. */
  firstUsedMs(number: string): number | undefined {
    return this.#firstMs.get(number);
  }

  isResting(number: string, atMs: number): boolean {
    return this.#rests.some((one) => one.number === number && one.fromMs <= atMs && atMs < one.untilMs);
  }
}

/** Calls that a number begins at most in an hour and in a day. */
function capsOf(
  { per_hour: perHour, per_day: perDay, warm_up: warmUp }: CallerIds,
  { number, atMs, rests }: { number: string; atMs: number; rests: Rests },
): readonly [withinMs: number, most: number][] {
  const endless = Number.POSITIVE_INFINITY;
  let today = perDay ?? endless;
  if (perDay !== undefined && warmUp !== undefined) {
    // A tenth on its first day, and evenly more up to all of them.
    const agedMs = atMs - (rests.firstUsedMs(number) ?? atMs);
    const warmth = Math.min(1, agedMs / durationMs(warmUp));
    today = Math.max(1, Math.round(perDay / 10 + warmth * (perDay - perDay / 10)));
  }
  return [
    [HOUR_MS, perHour ?? endless],
    [DAY_MS, today],
  ];
}

/** Whether a number has no call left, with all that was planned so far. */
function isFull(
  number: string,
  last: Pick<Planned, "planning" | "plannedMs" | "spec">,
  { planned, rests }: { planned: readonly Planned[]; rests: Rests },
): boolean {
  const { spec, plannedMs: atMs } = last;
  if (rests.isResting(number, atMs)) return true;
  return capsOf(spec.caller_ids ?? { sticky: false, match: "none" }, { number, atMs, rests }).some(
    ([withinMs, most]) => takenFrom(number, last, planned, withinMs) >= most,
  );
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
  const last = { planning: Number.POSITIVE_INFINITY, plannedMs: atMs, spec };
  return spec.from_numbers.some((number) => !isFull(number, last, { planned, rests }));
}

/**
 * What speaks against numbers that somebody is called from where each time it is to be the same one. Which one that is
 * nobody says: but of two from which they were called, the one that goes before the other had no call left when the
 * other was taken.
 */
export function stickyObjections(
  dials: readonly Dial[],
  { planned, rests }: { planned: readonly Planned[]; rests: Rests },
): string[] {
  const batches = new Map(planned.map((one) => [one.id, one]));
  const found: string[] = [];
  const own = dials.flatMap(({ batch, from }) => {
    const one = batches.get(batch);
    return one?.spec.caller_ids?.sticky === true ? [{ one, from }] : [];
  });
  for (const [index, later] of own.entries()) {
    for (const earlier of own.slice(0, index)) {
      if (earlier.from === later.from) continue;
      if (earlier.one.spec.caller_ids?.match !== later.one.spec.caller_ids?.match) continue;
      const isFair =
        isFull(earlier.from, later.one, { planned, rests }) ||
        isFull(later.from, earlier.one, { planned, rests });
      if (!isFair)
        found.push(`called from ${earlier.from}, and then from ${later.from}, and neither was at its calls`);
    }
  }
  return found;
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
  for (const [withinMs, most] of capsOf(callers, { number: from, atMs: plannedMs, rests })) {
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

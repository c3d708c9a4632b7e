import type { MoneyDay } from "./money-day.ts";

/*
 * Money, in whole millionths of a US dollar: sums of them are exact, and a number holds nine billion dollars of them.
 *
 * 1. A call is paid for out of a hold that is taken when it is leased, by what a call is expected to cost. No lease takes
 *    more than a budget has left: spent + held stays within each cap at each lease.
 * 2. When the call is over, what it cost takes the hold's place: what the platform says, and until it does, what the
 *    call's length makes likely. What is told later corrects it.
 * 3. Calls belong to the day on which they were leased, of UTC or of the zone that a budget names (money-day.ts), so that
 *    a day that is over takes nothing from the next.
 * 4. What a call costs more than was held for it is spent beyond the cap: nobody can hang up on a person for that. So
 *    much at most is overspent, and the next lease waits for it.
 */

const MICROS = 1_000_000;

/** Of an amount in US dollars, as a number or as its decimals are written. */
export function microsOf(amount: string | number): number {
  if (typeof amount === "number") return Math.round(amount * MICROS);
  const [whole = "0", decimals = ""] = amount.split(".");
  return Number(whole) * MICROS + Number(decimals.padEnd(6, "0").slice(0, 6));
}

/** In US dollars, to be told: cents, and more of it only where cents say nothing. */
export function usdText(micros: number): string {
  const small = micros !== 0 && Math.abs(micros) < MICROS / 100;
  return `USD ${(micros / MICROS).toFixed(small ? 4 : 2)}`;
}

/** In US dollars, as answers have it. */
export function usdOf(micros: number): number {
  return micros / MICROS;
}

/** Until the platform has said what a minute of the agent costs: more than usual agents do, so that no cap is missed. */
export const ASSUMED_MINUTE_MICROS = 200_000;

/** Unanswered calls counted in; a call that reaches somebody lasts a minute or two, and half of them reach nobody. */
const EXPECTED_MINUTES = 1;

/** What is said of a call, or its price, counts as so many calls at first, and as none once ten times as many are over. */
const PRIOR_CALLS = 20;
const PRIOR_FADES_BY = 10;

/** However many calls cost nothing: the next is taken to cost this part of its price at least. */
const LEAST_OF_PRICE = 1 / 10;

/** What is known of what calls of a campaign cost. */
export interface CallPast {
  /** Over, of the campaign and its callbacks. */
  calls: number;
  spentMicros: number;
  /** Leased, and not over. */
  underWay: number;
  /** What its spec says of a call. */
  saidMicros: number | undefined;
  /** What the platform says of a minute of its agent, and of what is paid once a call. */
  perMinuteMicros: number | undefined;
  perCallMicros: number | undefined;
}

/**
 * What one more call is expected to cost, unanswered ones counted in: the average of those that are over, beside what
 * is said or priced. The first to be over are those that nobody answered, which cost nothing: as long as more are under
 * way than over, the others count by what is said. Never nothing, so that no budget is endless.
 */
export function expectedCallMicros(past: CallPast): number {
  const { calls, spentMicros, underWay, saidMicros } = past;
  const { perMinuteMicros = ASSUMED_MINUTE_MICROS, perCallMicros = 0 } = past;
  const byPrice = perMinuteMicros * EXPECTED_MINUTES + perCallMicros;
  const prior = saidMicros ?? byPrice;
  const weight = Math.max(0, PRIOR_CALLS - calls / PRIOR_FADES_BY, underWay - calls);
  const expected = (spentMicros + weight * prior) / (calls + weight);
  return Math.max(1, Math.ceil(Math.max(expected, Math.min(byPrice, prior) * LEAST_OF_PRICE)));
}

/** A call that is over, as far as its cost depends on it. */
export interface PaidCall {
  disposition: string;
  /** Of talk. */
  durationSeconds: number | undefined;
  startedAtMs: number | undefined;
  endedAtMs: number;
  /** What the platform said that it cost; undefined: nothing yet. */
  toldMicros: number | undefined;
}

/** What a call that is over cost, or is taken to have cost until the platform says it. */
export function costOfCall(
  { disposition, durationSeconds, startedAtMs, endedAtMs, toldMicros }: PaidCall,
  { callMicros, minuteMicros }: { callMicros: number; minuteMicros: number },
): { micros: number; isTold: boolean } {
  const isUnpaid = UNPAID.has(disposition);
  // Of a call that somebody answered, nothing is what stands there until its cost is reckoned.
  if (toldMicros !== undefined && (toldMicros > 0 || isUnpaid)) return { micros: toldMicros, isTold: true };
  const ofSeconds = (seconds: number) => Math.ceil((seconds * minuteMicros) / 60);
  const assumed = (): number => {
    if (durationSeconds !== undefined) return ofSeconds(durationSeconds);
    // Nobody answered, and no talk is known of: platforms take nothing for that.
    if (isUnpaid) return 0;
    // Its ringing counted in.
    if (startedAtMs !== undefined && endedAtMs > startedAtMs)
      return ofSeconds((endedAtMs - startedAtMs) / 1_000);
    return Math.max(callMicros, minuteMicros);
  };
  return { micros: assumed(), isTold: false };
}

const UNPAID: ReadonlySet<string> = new Set(["no_answer", "busy", "failed", "invalid_number"]);

/** No call costs more: what is told beyond that is no price of a call. */
const MOST_USD_A_CALL = 10_000;

/** Of an amount in US dollars that somebody else tells; undefined where it makes no sense. */
export function toldMicrosOf(usd: unknown): number | undefined {
  return typeof usd === "number" && usd >= 0 && usd <= MOST_USD_A_CALL ? microsOf(usd) : undefined;
}

/** One limit that a lease has to stay within. */
export interface Cap {
  /** Whose it is, such as `the campaign` or `brand acme`. */
  of: string;
  /** The day that it is about; undefined: all of them. */
  day: MoneyDay | undefined;
  limitMicros: number;
  spentMicros: number;
  heldMicros: number;
}

export function leftMicros({ limitMicros, spentMicros, heldMicros }: Cap): number {
  return limitMicros - spentMicros - heldMicros;
}

/** How many calls may be leased within all caps, and which of them binds. */
export function callsWithin(
  caps: readonly Cap[],
  callMicros: number,
): { calls: number; by: Cap | undefined } {
  let calls = Number.POSITIVE_INFINITY;
  let by: Cap | undefined;
  for (const cap of caps) {
    const within = Math.max(0, Math.floor(leftMicros(cap) / callMicros));
    if (within < calls) [calls, by] = [within, cap];
  }
  return { calls, by };
}

/** Why nobody is called by a cap, until when, and what helps. */
export function capText(cap: Cap, callMicros: number): string {
  const { of, day, limitMicros, spentMicros, heldMicros } = cap;
  const what = day
    ? `${usdText(limitMicros)} a day for ${of} (${day.date}, ${day.zone})`
    : `${usdText(limitMicros)} for ${of}`;
  const until = day ? `until ${new Date(day.endsAtMs).toISOString()}: ` : "";
  const goesOn = day ? "sooner if it is raised" : "raise it, and it goes on";
  return `${until}the budget of ${what} has ${usdText(Math.max(0, leftMicros(cap)))} left, and a call is expected to cost ${usdText(callMicros)}: ${usdText(spentMicros)} spent, ${usdText(heldMicros)} held for calls under way; ${goesOn}`;
}

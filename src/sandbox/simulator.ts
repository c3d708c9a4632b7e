import type { Prescribed } from "./prescribed.ts";
import { Random } from "./random.ts";

/** What a dial comes to. `unreachable` is a number that no attempt will ever reach. */
export const OUTCOMES = ["answered", "voicemail", "no_answer", "busy", "failed", "unreachable"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Everything that is settled about a dial when it begins. Durations are simulated milliseconds. */
export interface DialPlan {
  readonly outcome: Outcome;
  /** From the dial to the answer, or to the end of an attempt that nobody answers. */
  readonly ringMs: number;
  /** From the answer to the end; 0 if nobody answers. */
  readonly talkMs: number;
  /** What the platform says of a dial that failed, SIP code included; null if somebody or a machine answered. */
  readonly error: string | null;
  readonly optedOut: boolean;
  readonly callbackRequested: boolean;
  /** What somebody said that its processing shows; null: what the seed makes of it. */
  readonly prescribed: Prescribed | null;
}

/** How often the dial of a reachable number comes to each outcome; relative weights, they need no sum. */
export type OutcomeWeights = Readonly<Record<Exclude<Outcome, "unreachable">, number>>;

export interface SimulatorOptions {
  readonly weights?: Partial<OutcomeWeights>;
  /** The share of numbers that are unreachable, 0 to 1. */
  readonly unreachableShare?: number;
}

/** Per hundred dials, with 5 more of every hundred numbers unreachable. */
const DEFAULT_WEIGHTS: OutcomeWeights = { answered: 45, voicemail: 15, no_answer: 20, busy: 10, failed: 5 };
const DEFAULT_UNREACHABLE_SHARE = 0.05;

/** Of answered calls, as campaigns of this kind see them: rare, but in any list of some hundred contacts. */
const OPT_OUT_CHANCE = 0.02;
const CALLBACK_CHANCE = 0.05;

export const UNREACHABLE_ERROR = "SIP 404 Not Found";

/**
 * What happens on a dial, as a pure function of (seed, phone number, n-th dial of that number). Neither time nor
 * order nor what else is going on enters into it, so a run that crashed and one that did not see the same world.
 */
export class Simulator {
  readonly #seed: number;
  readonly #weights: OutcomeWeights;
  readonly #unreachableShare: number;

  constructor(seed: number, options: SimulatorOptions = {}) {
    this.#seed = seed;
    this.#weights = { ...DEFAULT_WEIGHTS, ...options.weights };
    this.#unreachableShare = options.unreachableShare ?? DEFAULT_UNREACHABLE_SHARE;
  }

  plan(phone: string, nth: number): DialPlan {
    const random = new Random(this.#seed, "dial", phone, nth);
    const unreachable = new Random(this.#seed, "reachable", phone).chance(this.#unreachableShare);
    return planOf(unreachable ? "unreachable" : this.#draw(random), random);
  }

  /** The plan of a dial whose outcome is given: durations still come from the seed, what was said does not. */
  planWith(outcome: Outcome, phone: string, nth: number): DialPlan {
    const plan = planOf(outcome, new Random(this.#seed, "forced", phone, nth));
    return { ...plan, optedOut: false, callbackRequested: false };
  }

  #draw(random: Random): Outcome {
    const weights = Object.values(this.#weights);
    let mark = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
    for (const outcome of OUTCOMES) {
      const weight = outcome === "unreachable" ? 0 : this.#weights[outcome];
      if (mark < weight) {
        return outcome;
      }
      mark -= weight;
    }
    return "answered";
  }
}

function planOf(outcome: Outcome, random: Random): DialPlan {
  const nobody = { outcome, talkMs: 0, optedOut: false, callbackRequested: false, prescribed: null };
  switch (outcome) {
    case "answered": {
      const optedOut = random.chance(OPT_OUT_CHANCE);
      return {
        outcome,
        ringMs: random.between(5_000, 25_000),
        talkMs: clamp(random.logNormal(55_000, 0.6), 20_000, 180_000),
        error: null,
        optedOut,
        callbackRequested: !optedOut && random.chance(CALLBACK_CHANCE),
        prescribed: null,
      };
    }
    case "voicemail":
      return {
        ...nobody,
        ringMs: random.between(15_000, 25_000),
        talkMs: random.between(20_000, 40_000),
        error: null,
      };
    case "no_answer":
      return {
        ...nobody,
        ringMs: random.between(25_000, 40_000),
        error: random.chance(0.7) ? "SIP 480 Temporarily Unavailable" : "SIP 408 Request Timeout",
      };
    case "busy":
      return {
        ...nobody,
        ringMs: random.between(1_000, 3_000),
        error: random.chance(0.9) ? "SIP 486 Busy Here" : "SIP 600 Busy Everywhere",
      };
    case "failed":
      return {
        ...nobody,
        ringMs: random.between(1_000, 4_000),
        error: random.pick("SIP 603 Decline", "SIP 503 Service Unavailable", "SIP 500 Server Internal Error"),
      };
    case "unreachable":
      return { ...nobody, ringMs: random.between(1_000, 2_000), error: UNREACHABLE_ERROR };
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.round(Math.min(high, Math.max(low, value)));
}

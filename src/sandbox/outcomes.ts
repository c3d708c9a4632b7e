import { outcomeIn, prescribedIn, type ForcedOutcome } from "./prescription.ts";
export type { ForcedOutcome } from "./prescription.ts";
import type { DialPlan, Simulator } from "./simulator.ts";

interface Forced {
  /** The dial that the first outcome is for. */
  readonly fromNth: number;
  readonly outcomes: readonly ForcedOutcome[];
}

/** Counts the dials of each number and says what each comes to: as forced, else as the seed has it. */
export class Outcomes {
  readonly #simulator: Simulator;
  readonly #dials = new Map<string, number>();
  readonly #forced = new Map<string, Forced>();

  constructor(simulator: Simulator) {
    this.#simulator = simulator;
  }

  /**
   * Prescribes the next dials of a number, one outcome each; the last one then stands for every later dial. An empty
   * list gives the number back to the seed.
   */
  force(phone: string, outcomes: readonly ForcedOutcome[]): void {
    if (outcomes.length === 0) {
      this.#forced.delete(phone);
    } else {
      this.#forced.set(phone, { fromNth: this.dialsOf(phone) + 1, outcomes });
    }
  }

  /** Gives every number back to the seed. */
  clear(): void {
    this.#forced.clear();
  }

  dialsOf(phone: string): number {
    return this.#dials.get(phone) ?? 0;
  }

  /**
   * Books one more dial of a number. `nth` counts from 1 over the whole life of the sandbox. What was forced goes before
   * what the contact's variables say, and these before the seed.
   */
  next(
    phone: string,
    variables: Readonly<Record<string, string>> | null = null,
  ): { readonly nth: number; readonly plan: DialPlan } {
    const nth = this.dialsOf(phone) + 1;
    this.#dials.set(phone, nth);
    const forced = this.#forced.get(phone);
    const told = forced ? undefined : outcomeIn(variables, nth);
    const outcome = forced
      ? forced.outcomes[Math.min(nth - forced.fromNth, forced.outcomes.length - 1)]
      : told?.ok
        ? told.outcome
        : undefined;
    if (outcome === undefined) {
      return { nth, plan: this.#simulator.plan(phone, nth) };
    }
    return { nth, plan: this.#forcedPlan(outcome, phone, nth) };
  }

  /** A call that is answered for sure, since the other side began it. Counts as no dial. */
  answered(phone: string, nth: number): DialPlan {
    return this.#simulator.planWith("answered", phone, nth);
  }

  /** Books a dial of before a restart. */
  book(phone: string): void {
    this.#dials.set(phone, this.dialsOf(phone) + 1);
  }

  #forcedPlan(forced: ForcedOutcome, phone: string, nth: number): DialPlan {
    if (typeof forced === "string") {
      return this.#simulator.planWith(forced, phone, nth);
    }
    const plan = this.#simulator.planWith(forced.outcome, phone, nth);
    return {
      outcome: plan.outcome,
      ringMs: forced.ring_ms ?? plan.ringMs,
      talkMs: forced.talk_ms ?? plan.talkMs,
      error: forced.error ?? plan.error,
      optedOut: forced.opted_out ?? plan.optedOut,
      callbackRequested: forced.callback_requested ?? plan.callbackRequested,
      prescribed: prescribedIn(forced),
    };
  }
}

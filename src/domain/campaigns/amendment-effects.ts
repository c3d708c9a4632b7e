import type { GateDecision } from "../policy/gate-question.ts";
import type { NeverReason, WaitReason } from "../policy/gate-reasons.ts";

/** What the gate says of somebody, in two words: `called` where they may be called now. */
export type Answer =
  | { kind: "called" }
  | { kind: "waits"; reason: WaitReason }
  | { kind: "excluded"; reason: NeverReason };

/** What an amendment makes of people of whom one thing was said before it and another is after it. */
export interface AmendmentEffect {
  before: Answer;
  after: Answer;
  contacts: number;
  /** Until when they wait after it: the first and the last of them. Unix milliseconds; undefined where none waits. */
  untilMs: { first: number; last: number } | undefined;
  /** A few of their numbers. */
  samples: string[];
}

/** Of each effect. */
const SAMPLES = 3;

/** Counts what two policies say of the same people. */
export class AmendmentEffects {
  asked = 0;
  unchanged = 0;
  readonly #effects = new Map<string, AmendmentEffect>();

  /** Whoever may be called now under both is unchanged, however soon that ends. */
  add(phone: string, before: GateDecision, after: GateDecision): void {
    this.asked += 1;
    const [was, is] = [answerOf(before), answerOf(after)];
    const isLater = before.kind === "wait" && after.kind === "wait" && before.untilMs !== after.untilMs;
    if (wordOf(was) === wordOf(is) && !isLater) {
      this.unchanged += 1;
      return;
    }
    const key = `${wordOf(was)} ${wordOf(is)}`;
    const effect = this.#effects.get(key) ?? {
      before: was,
      after: is,
      contacts: 0,
      untilMs: undefined,
      samples: [],
    };
    this.#effects.set(key, effect);
    effect.contacts += 1;
    if (effect.samples.length < SAMPLES) effect.samples.push(phone);
    if (after.kind !== "wait") return;
    const { untilMs } = after;
    const { first, last } = effect.untilMs ?? { first: untilMs, last: untilMs };
    effect.untilMs = { first: Math.min(first, untilMs), last: Math.max(last, untilMs) };
  }

  /** The largest first. */
  all(): AmendmentEffect[] {
    return [...this.#effects.values()].sort((a, b) => b.contacts - a.contacts);
  }
}

function answerOf(decision: GateDecision): Answer {
  switch (decision.kind) {
    case "dial":
      return { kind: "called" };
    case "wait":
      return { kind: "waits", reason: decision.reason };
    case "never":
      return { kind: "excluded", reason: decision.reason };
  }
}

function wordOf(answer: Answer): string {
  return answer.kind === "called" ? "called" : `${answer.kind} ${answer.reason}`;
}

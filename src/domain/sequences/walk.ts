import type { JsonValue, ScopeValues } from "../expressions/expressions.ts";
import type { Step } from "./definition.ts";
import { NO_CALL, type SequenceEvent, type Withdrawal } from "./position.ts";
import type { Effect, JourneyEntry, TurnRequest } from "./turn-types.ts";

/** A turn under way. What it changes is its own: the position is a copy. */
export interface Walk extends TurnRequest {
  journey: JourneyEntry[];
  effects: Effect[];
  /** What was begun in this turn has to be asked of the ledger before anything else is done. */
  asks: boolean;
  /** It has begun as many steps as a turn may. */
  tired: boolean;
  begun: number;
  /** Events of this turn that nothing waited for when they were taken in. */
  passed: HeardEvent[];
  /** Those of them that came when a step was over by the clock already: what comes behind it by itself hears them. */
  missed: HeardEvent[];
}

export interface HeardEvent {
  event: SequenceEvent;
  atMs: number;
}

export function walkOf(request: TurnRequest): Walk {
  const position = structuredClone(request.position);
  const fresh = { journey: [], effects: [], asks: false, tired: false, begun: 0, passed: [], missed: [] };
  return { ...request, position, ...fresh };
}

/** Writes down what happened at the present step. */
export function tell(walk: Walk, what: string, detail: Record<string, JsonValue> = {}): void {
  walk.journey.push({ step: walk.position.step ?? undefined, what, detail });
}

/** Ends the way. What is still waited for is not wanted any more. */
export function end(walk: Walk, outcome: string, reason: string): void {
  dropWaiting(walk, outcome);
  walk.position.waiting = null;
  walk.position.ended = { outcome, reason };
  tell(walk, "ended", { outcome, reason });
}

/** Ends the way for a reason that people have to see to. */
export function fail(walk: Walk, problem: string): void {
  tell(walk, "problem", { problem });
  walk.effects.push({
    kind: "attention",
    about: "enrolment_stuck",
    summary: `Step ${walk.position.step ?? "(none)"} of sequence ${walk.definition.name} failed: ${problem}`,
    remedy: "Correct the definition or the variables, and enroll the person again.",
  });
  end(walk, "failed", problem);
}

/** What was asked for and is not over is not wanted any more. */
export function dropWaiting(walk: Walk, reason: string): void {
  const { waiting } = walk.position;
  if (waiting?.for === "call" || waiting?.for === "withdrawal")
    walk.effects.push({ kind: "withdraw", callNo: waiting.callNo, reason });
  if (waiting?.for === "action") walk.effects.push({ kind: "drop_action", n: waiting.n, reason });
}

/** Leaves the present step. Past the last one the way is complete. */
export function goTo(walk: Walk, target: string | undefined): void {
  walk.position.waiting = null;
  walk.position.step = target ?? null;
  delete walk.position.rescheduled;
}

/** The step that comes after a step where nothing else is said. */
export function nextOf(walk: Walk, step: Step): string | undefined {
  const { steps } = walk.definition;
  return step.next ?? steps[steps.indexOf(step) + 1]?.id;
}

export function stepOf(walk: Walk): Step {
  const step = walk.definition.steps.find(({ id }) => id === walk.position.step);
  if (!step) throw new Error(`no step ${walk.position.step ?? "(none)"} in sequence ${walk.definition.name}`);
  return step;
}

/** What expressions are evaluated over. */
export function valuesOf(walk: Walk): ScopeValues {
  const { variables, last_call: lastCall, events } = walk.position;
  const { phone, region } = walk.facts;
  return {
    variables,
    // A way that was begun before a field was there has it empty.
    last_call: { ...NO_CALL, ...lastCall },
    events,
    contact: { phone, region: region ?? "" },
    now: new Date(walk.nowMs),
  };
}

/** Asks for the present call to be withdrawn; what comes next depends on whether it still can be. */
export function withdraw(walk: Walk, callNo: number, why: Withdrawal): void {
  walk.position.waiting = { for: "withdrawal", callNo, why };
  walk.asks = true;
}

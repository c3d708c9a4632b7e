import { evaluateCondition } from "../expressions/expressions.ts";
import { actionOf, beginWork, callVariables } from "./beginnings.ts";
import { overSince } from "./hearing.ts";
import { takeInput } from "./inputs.ts";
import { MAX_TOLD } from "./position.ts";
import type { Next, Turn, TurnRequest } from "./turn-types.ts";
import { end, fail, goTo, nextOf, stepOf, tell, valuesOf, walkOf, withdraw, type Walk } from "./walk.ts";

export { startPosition, type Position } from "./position.ts";
export type { Effect, JourneyEntry, Next, Turn, TurnFacts, TurnInput, TurnRequest } from "./turn-types.ts";

/*
 * One turn of one person's way through a sequence: everything that can be done at this moment, up to something that
 * has to be waited for or asked of the ledger. Pure: the same input gives the same result.
 *
 * 1. Inputs are taken in order, and before the clock: an event that is there when a timeout is looked at has come.
 *    One that came when a step was over by the clock already is heard by the one behind it.
 * 2. Goals are looked at before every step and after every input, and win over whatever is being waited for.
 * 3. A turn ends with what it asks for. Where that is a call, an action or a withdrawal, do it in the same
 *    transaction and take another turn at once, with what came of it (if anything) before the inputs not yet taken;
 *    go on until a turn that took all of its inputs says `wait` or `done`.
 */

/** Steps begun in one turn: a way without a wait has 200 at most, and a turn may take several inputs. */
const MAX_STEPS_A_TURN = 1_000;
/** Steps begun in one life: an hourly round for more than a year. Beyond that it is a mistake. */
const MAX_STEPS_A_LIFE = 10_000;

/** Takes a turn. Never throws over what people wrote or sent: that ends the way, with words, for a person to see. */
export function takeTurn(request: TurnRequest): Turn {
  const walk = walkOf(request);
  let taken = 0;
  const [first] = request.inputs;
  // Who ends or skips it means what is not done yet.
  if (!first || (first.kind === "event" && isUnderWay(walk))) settle(walk);
  for (const input of request.inputs) {
    if (walk.asks || walk.tired) break;
    takeInput(walk, input);
    settle(walk);
    taken += 1;
  }
  const { position, journey, effects } = walk;
  return { position, journey, effects, next: whatIsNext(walk), taken };
}

/**
 * Whether the turn before had no time for all that could be done. Events wait for it to be done, as they would have in
 * one turn: a step that is not come to yet would not hear them.
 */
function isUnderWay({ position }: Walk): boolean {
  return position.waiting === null && position.counters.steps > 0;
}

/** Goes on until something has to be waited for or asked, or it is over. */
function settle(walk: Walk): void {
  const { position } = walk;
  while (!position.ended && !walk.asks && !walk.tired) {
    if (reachesGoal(walk)) return;
    if (position.waiting) {
      if (!isTimeUp(walk)) return;
      timeIsUp(walk);
    } else beginStep(walk);
  }
}

/** What the turn ends with. Asked again, it is the same: nothing is lost with an answer. */
function whatIsNext(walk: Walk): Next {
  const { position } = walk;
  const { ended, waiting, step } = position;
  if (ended) return { kind: "done", ...ended };
  if (!waiting) return { kind: "wait", untilMs: walk.nowMs };
  if (waiting.for === "withdrawal") return { kind: "withdraw", callNo: waiting.callNo, reason: waiting.why };
  if (walk.asks && step !== null) {
    if (waiting.for === "call")
      return { kind: "call", stepId: step, callNo: waiting.callNo, variables: callVariables(walk).values };
    if (waiting.for === "action") return actionOf(walk, stepOf(walk), waiting.n);
  }
  return { kind: "wait", untilMs: "untilMs" in waiting ? waiting.untilMs : undefined };
}

/** Goals first, then exit conditions, each in order. One that has no value holds for nobody. */
function reachesGoal(walk: Walk): boolean {
  const { goals, exit_when: exits } = walk.definition;
  if (goals.length === 0 && exits.length === 0) return false;
  const values = valuesOf(walk);
  for (const { when, outcome, kind } of [
    ...goals.map((goal) => ({ ...goal, kind: "goal" })),
    ...exits.map((exit) => ({ ...exit, kind: "exit condition" })),
  ]) {
    const result = evaluateCondition(when, "sequence", values);
    if (!result.ok) tellOnce(walk, `${kind} ${outcome}`, result.problem);
    else if (result.value) {
      tell(walk, kind === "goal" ? "goal" : "exit_condition", { outcome });
      end(walk, outcome, kind);
      return true;
    }
  }
  return false;
}

/** They are asked at every step: a condition that never has a value is told once, to whoever keeps the sequence, too. */
function tellOnce(walk: Walk, condition: string, what: string): void {
  const problem = `${condition}: ${what}`;
  const { told } = walk.position;
  if (told.includes(problem) || told.length >= MAX_TOLD) return;
  told.push(problem);
  tell(walk, "problem", { problem });
  walk.effects.push({
    kind: "attention",
    about: "sequence_problem",
    condition,
    summary: `Sequence ${walk.definition.name}, ${problem}: it holds for nobody without a value`,
    remedy:
      'Give what may be missing a default, as in variables.?plan.orValue(""), and put the sequence; those who are in it keep their version.',
  });
}

function isTimeUp(walk: Walk): boolean {
  const { waiting } = walk.position;
  return waiting !== null && "untilMs" in waiting && waiting.untilMs <= walk.nowMs;
}

function timeIsUp(walk: Walk): void {
  const { waiting } = walk.position;
  const step = stepOf(walk);
  if (waiting?.for === "time" || waiting?.for === "event") overSince(walk, waiting.untilMs);
  if (waiting?.for === "time") goTo(walk, nextOf(walk, step));
  if (waiting?.for === "event") {
    tell(walk, "timeout");
    goTo(walk, step.on?.["timeout"] ?? nextOf(walk, step));
  }
  if (waiting?.for === "call") {
    tell(walk, "call_gave_up", { call: waiting.callNo });
    withdraw(walk, waiting.callNo, "give_up");
  }
  // It is begun again from its beginning: the same call would be the same placement.
  if (waiting?.for === "call_again") walk.position.waiting = null;
}

function beginStep(walk: Walk): void {
  const { position } = walk;
  if (position.step === null) return end(walk, "completed", "past the last step");
  if (position.counters.steps >= MAX_STEPS_A_LIFE)
    return fail(walk, `it has begun ${MAX_STEPS_A_LIFE} steps: it goes round and round`);
  if (walk.begun >= MAX_STEPS_A_TURN) {
    walk.tired = true;
    return;
  }
  walk.begun += 1;
  position.counters.steps += 1;
  beginWork(walk, stepOf(walk));
}

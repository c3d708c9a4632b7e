import { evaluateCondition } from "../expressions/expressions.ts";
import type { SequenceEvent } from "./position.ts";
import { goTo, nextOf, stepOf, tell, valuesOf, type Walk } from "./walk.ts";

/*
 * Which events a step that waits for one hears: those that come while it waits. It waits from the moment on at which
 * the step before was over by the clock, however much later a turn is taken: whether somebody is heard is not a matter
 * of how much there was to do.
 */

/** Whether the present step waits for that event: then its way goes on. */
export function hears(walk: Walk, event: SequenceEvent): boolean {
  if (walk.position.waiting?.for !== "event") return false;
  const step = stepOf(walk);
  const { wait_for: wait } = step;
  if (wait?.event !== event.name) return false;
  if (wait.when !== undefined) {
    const result = evaluateCondition(wait.when, "event", { ...valuesOf(walk), event });
    if (!result.ok) tell(walk, "problem", { problem: `wait_for.when ${result.problem}` });
    if (!result.ok || !result.value) return false;
  }
  goTo(walk, step.on?.["event"] ?? nextOf(walk, step));
  return true;
}

/** The present step was over by the clock then: what came since is heard by what comes behind it. */
export function overSince(walk: Walk, atMs: number): void {
  walk.missed = walk.passed.filter((one) => one.atMs >= atMs);
}

/** A step that waits from now on hears what it would have heard, had it begun in time. Each is heard once. */
export function hearMissed(walk: Walk): void {
  for (let one = walk.missed.shift(); one !== undefined; one = walk.missed.shift())
    if (hears(walk, one.event)) return;
}

import { fillAutomation, fillWebhook, STEP_WEBHOOK_DELAYS_MS } from "../follow-ups/action-templates.ts";
import { stableShare } from "../ground/stable-share.ts";
import { datesOf } from "../campaigns/window-spec.ts";
import { parseDurationMs } from "../time/duration.ts";
import { evaluateCondition, evaluateText } from "../expressions/expressions.ts";
import { workOf, type Step } from "./definition.ts";
import { hearMissed } from "./hearing.ts";
import { afterBusinessDays, nextLocalTime, readDateWait, type DateReading } from "./local-time.ts";
import { MAX_VARIABLE_CHARS, MAX_VARIABLES } from "./position.ts";
import type { Next } from "./turn-types.ts";
import { end, fail, goTo, nextOf, stepOf, tell, valuesOf, type Walk } from "./walk.ts";

/** Does what a step does, or begins what has to be waited for. */
export function beginWork(walk: Walk, step: Step): void {
  const work = workOf(step);
  switch (work.kind) {
    case "call":
      return beginCall(walk, step, work.spec.give_up_after);
    case "wait":
      return beginWait(walk, step, work.spec);
    case "wait_for": {
      const untilMs = walk.nowMs + msOf(work.spec.timeout);
      tell(walk, "waits_for_event", { event: work.spec.event, until: isoOf(untilMs) });
      walk.position.waiting = { for: "event", untilMs };
      return hearMissed(walk);
    }
    case "branch":
      return takeBranch(walk, work.spec);
    case "split":
      return takeWay(walk, step, work.spec);
    case "automation":
    case "webhook":
      return beginAction(walk, work.kind);
    case "set":
      return setVariables(walk, step, work.spec);
    case "suppress":
      walk.effects.push({ kind: "suppress", stepId: step.id, ...work.spec });
      tell(walk, "suppressed", work.spec);
      return goTo(walk, nextOf(walk, step));
    case "exit":
      return end(walk, work.spec.outcome, work.spec.reason ?? `step ${step.id}`);
  }
}

function beginCall(walk: Walk, step: Step, giveUpAfter: string): void {
  const { position } = walk;
  const { problem } = callVariables(walk);
  if (problem !== undefined) return stumble(walk, step, problem);
  position.counters.calls += 1;
  const callNo = position.counters.calls;
  position.waiting = { for: "call", callNo, untilMs: walk.nowMs + msOf(giveUpAfter) };
  walk.asks = true;
  tell(walk, "call", { call: callNo });
}

/** What the agent is told: the person's variables, and those that the step makes of what is known. */
export function callVariables(walk: Walk): { values: Record<string, string>; problem: string | undefined } {
  const { variables = {} } = stepOf(walk).call ?? {};
  const made = textsOf(walk, variables, "call.variables");
  return { values: { ...walk.position.variables, ...made.values }, problem: made.problem };
}

/** Evaluates all, or tells of the first that has no value. */
function textsOf(
  walk: Walk,
  sources: Readonly<Record<string, string>>,
  field: string,
): { values: Record<string, string>; problem: string | undefined } {
  const values: Record<string, string> = {};
  const scope = valuesOf(walk);
  for (const [name, source] of Object.entries(sources)) {
    const result = evaluateText(source, "sequence", scope);
    if (!result.ok) return { values, problem: `${field}.${name} ${result.problem}` };
    if (result.value.length > MAX_VARIABLE_CHARS)
      return { values, problem: `${field}.${name} comes to more than ${MAX_VARIABLE_CHARS} characters` };
    values[name] = result.value;
  }
  return { values, problem: undefined };
}

function beginWait(walk: Walk, step: Step, wait: NonNullable<Step["wait"]>): void {
  const { nowMs } = walk;
  const read = readWait(walk, wait);
  if (!read.ok) return stumble(walk, step, read.problem);
  const { untilMs } = read;
  tell(walk, "waits", { until: isoOf(untilMs) });
  if (untilMs <= nowMs) return goTo(walk, nextOf(walk, step));
  walk.position.waiting = { for: "time", untilMs };
}

function readWait(walk: Walk, wait: NonNullable<Step["wait"]>): DateReading {
  const { nowMs } = walk;
  const { zones } = walk.facts;
  if (wait.for !== undefined) return { ok: true, untilMs: nowMs + msOf(wait.for) };
  if (wait.until !== undefined) {
    const dates = datesOf(walk.definition);
    return named("wait.until", nextLocalTime(wait.until, wait.days, zones, nowMs, dates));
  }
  if (wait.business_days !== undefined) {
    const dates = datesOf(walk.definition);
    return named("wait.business_days", afterBusinessDays(wait.business_days, wait.at, zones, nowMs, dates));
  }
  const text = evaluateText(wait.until_date ?? "", "sequence", valuesOf(walk));
  return named(
    "wait.until_date",
    text.ok ? readDateWait({ text: text.value, clock: wait.at, offset: wait.offset, zones, nowMs }) : text,
  );
}

function named(field: string, read: DateReading): DateReading {
  return read.ok ? read : { ok: false, problem: `${field} ${read.problem}` };
}

function takeBranch(walk: Walk, ways: NonNullable<Step["branch"]>): void {
  const values = valuesOf(walk);
  for (const way of ways) {
    if ("otherwise" in way) {
      tell(walk, "branch", { to: way.otherwise });
      return goTo(walk, way.otherwise);
    }
    const result = evaluateCondition(way.when, "sequence", values);
    if (!result.ok) tell(walk, "problem", { problem: `${way.when}: ${result.problem}` });
    else if (result.value) {
      tell(walk, "branch", { to: way.to, when: way.when });
      return goTo(walk, way.to);
    }
  }
}

function takeWay(walk: Walk, step: Step, ways: NonNullable<Step["split"]>): void {
  const { sequenceId, phone, key } = walk.facts;
  const { splits } = walk.position;
  const before = Object.hasOwn(splits, step.id) ? splits[step.id] : undefined;
  // Whoever came from another version may remember a way that this one does not have.
  const known = ways.find((way) => way.to === before)?.to;
  const to = known ?? takeSplit(ways, [sequenceId, step.id, phone, key]);
  splits[step.id] = to;
  tell(walk, "split", { to });
  goTo(walk, to);
}

function beginAction(walk: Walk, kind: "automation" | "webhook"): void {
  const { counters } = walk.position;
  counters.actions += 1;
  walk.position.waiting = { for: "action", n: counters.actions };
  walk.asks = true;
  tell(walk, kind, { action: counters.actions });
}

/** What a step of that kind asks for, with its expressions filled in. */
export function actionOf(walk: Walk, step: Step, n: number): Extract<Next, { kind: "action" }> {
  const { sequenceId, enrolmentId, phone } = walk.facts;
  const subject = {
    enrolment_id: enrolmentId,
    sequence_id: sequenceId,
    sequence: walk.definition.name,
    step: step.id,
    phone,
  };
  const values = valuesOf(walk);
  const work = workOf(step);
  if (work.kind === "automation")
    return {
      kind: "action",
      stepId: step.id,
      n,
      spec: fillAutomation(work.spec, "sequence", values, subject),
    };
  if (work.kind !== "webhook") throw new Error(`step ${step.id} asks for no action`);
  const type = `sequence.${step.id}`;
  return {
    kind: "action",
    stepId: step.id,
    n,
    spec: fillWebhook(work.spec, "sequence", values, {
      brand: walk.definition.brand,
      subject,
      type,
      delaysMs: STEP_WEBHOOK_DELAYS_MS,
    }),
  };
}

function setVariables(walk: Walk, step: Step, sources: Readonly<Record<string, string>>): void {
  const { values, problem } = textsOf(walk, sources, "set");
  if (problem !== undefined) return stumble(walk, step, problem);
  const variables = { ...walk.position.variables, ...values };
  if (Object.keys(variables).length > MAX_VARIABLES)
    return stumble(walk, step, `set makes more than ${MAX_VARIABLES} variables`);
  walk.position.variables = variables;
  tell(walk, "set", { variables: Object.keys(values) });
  goTo(walk, nextOf(walk, step));
}

/** A value that a step can't do without is missing: it goes the way for that, or fails. */
function stumble(walk: Walk, step: Step, problem: string): void {
  const target = step.on?.["problem"];
  if (target === undefined) return fail(walk, problem);
  tell(walk, "problem", { problem });
  goTo(walk, target);
}

function msOf(duration: string): number {
  return parseDurationMs(duration) ?? 0;
}

function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/**
 * Which way of a split somebody takes: the same for the same person, step and sequence, whenever and however often
 * it is asked, and in proportion to the weights over many people.
 */
export function takeSplit(ways: readonly { weight: number; to: string }[], about: readonly string[]): string {
  const total = ways.reduce((sum, { weight }) => sum + weight, 0);
  let point = stableShare(about) * total;
  for (const { weight, to } of ways) {
    point -= weight;
    if (point < 0) return to;
  }
  const last = ways.at(-1);
  if (!last) throw new Error("a split without ways: its definition was never read");
  return last.to;
}

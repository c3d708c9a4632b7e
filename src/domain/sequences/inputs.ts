import type { JsonValue } from "../expressions/expressions.ts";
import { normaliseWord } from "../ground/normalise-word.ts";
import { isRetryable, type Disposition } from "../policy/disposition.ts";
import { parseDurationMs } from "../time/duration.ts";
import type { Step } from "./definition.ts";
import {
  MAX_EVENT_CHARS,
  MAX_EVENTS,
  NO_CALL,
  type LastCall,
  type Position,
  type SequenceEvent,
  type Withdrawal,
} from "./position.ts";
import type { TurnInput } from "./turn-types.ts";
import { hears } from "./hearing.ts";
import { dropWaiting, end, goTo, nextOf, stepOf, tell, withdraw, type Walk } from "./walk.ts";

/** What a person's own call to us comes in as. */
const INBOUND_CALL = "outdial.inbound_call";
/** Where the sequence says nothing else. */
const INBOUND_OUTCOME = "called_back";
const INBOUND_DELAY = "24h";
/** Each time begins the call's tries anew: whoever calls again and again is not called again and again for it. */
const INBOUND_TIMES = 3;

type InputOf<Kind extends TurnInput["kind"]> = Extract<TurnInput, { kind: Kind }>;

/** Takes one input in. Whoever has reached the end takes none any more. */
export function takeInput(walk: Walk, input: TurnInput): void {
  if (walk.position.ended) return;
  switch (input.kind) {
    case "event":
      return takeEvent(walk, input);
    case "skip":
      return skip(walk, input);
    case "exit":
      tell(walk, "exit", { by: input.actor, ...(input.reason !== undefined && { reason: input.reason }) });
      return end(walk, input.outcome ?? "exited", input.reason ?? `by ${input.actor}`);
    case "call_refused":
      return callRefused(walk, input);
    case "call_over":
      return callOver(walk, input);
    case "withdrawal":
      return withdrawn(walk, input);
    case "action_over":
      return actionOver(walk, input);
  }
}

function takeEvent(walk: Walk, input: InputOf<"event">): void {
  const { position } = walk;
  const event: SequenceEvent = {
    name: input.name,
    data: input.data,
    at: new Date(input.atMs).toISOString(),
  };
  const fits = JSON.stringify(event.data).length <= MAX_EVENT_CHARS;
  position.events = [...position.events, fits ? event : { ...event, data: {} }].slice(-MAX_EVENTS);
  tell(walk, "event", { event: event.name, ...(!fits && { data: "too large to be kept" }) });
  if (event.name === INBOUND_CALL && calledBack(walk)) return;
  if (!hears(walk, event)) walk.passed.push({ event, atMs: input.atMs });
}

/** Whether that is the end of it. */
function calledBack(walk: Walk): boolean {
  const { inbound } = walk.definition;
  const { waiting } = walk.position;
  if (inbound.do === "close") {
    end(walk, inbound.outcome ?? INBOUND_OUTCOME, "the person called");
    return true;
  }
  if (inbound.do !== "reschedule") return false;
  if (waiting?.for === "call_again") waitToCallAgain(walk);
  if (waiting?.for !== "call") return false;
  const { rescheduled = 0 } = walk.position;
  if (rescheduled < (inbound.times ?? INBOUND_TIMES)) withdraw(walk, waiting.callNo, "called_back");
  else tell(walk, "call_stays", { call: waiting.callNo, rescheduled });
  return false;
}

function callAgainLater(walk: Walk): void {
  walk.position.rescheduled = (walk.position.rescheduled ?? 0) + 1;
  waitToCallAgain(walk);
}

function waitToCallAgain(walk: Walk): void {
  const untilMs = walk.nowMs + (parseDurationMs(walk.definition.inbound.delay ?? INBOUND_DELAY) ?? 0);
  walk.position.waiting = { for: "call_again", untilMs };
  tell(walk, "call_rescheduled", { until: new Date(untilMs).toISOString() });
}

/** Leaves the present step by its usual way. A call that can't be withdrawn any more is waited for. */
function skip(walk: Walk, input: InputOf<"skip">): void {
  const { position } = walk;
  const { waiting } = position;
  tell(walk, "skip", { by: input.actor, ...(input.reason !== undefined && { reason: input.reason }) });
  if (position.step === null) return;
  if (waiting?.for === "call" || waiting?.for === "withdrawal") return withdraw(walk, waiting.callNo, "skip");
  if (waiting?.for === "call_in_flight") {
    position.waiting = { ...waiting, why: "skip" };
    return;
  }
  dropWaiting(walk, "skipped");
  goTo(walk, usualWay(walk, stepOf(walk)));
}

function usualWay(walk: Walk, step: Step): string | undefined {
  const { on = {} } = step;
  return step.next ?? on["otherwise"] ?? on["timeout"] ?? on["done"] ?? firstWay(step) ?? nextOf(walk, step);
}

/** Of a branch or a split that a turn had no time for any more. */
function firstWay(step: Step): string | undefined {
  const way = step.branch?.at(-1);
  if (way) return "otherwise" in way ? way.otherwise : way.to;
  return step.split?.[0]?.to;
}

/** The call that is waited for, in whatever way: outcomes of others are told and change nothing. */
function isAwaited(position: Position, callNo: number): boolean {
  const { waiting } = position;
  return waiting !== null && "callNo" in waiting && waiting.callNo === callNo;
}

function callRefused(walk: Walk, input: InputOf<"call_refused">): void {
  if (!isAwaited(walk.position, input.callNo)) return;
  const step = stepOf(walk);
  tell(walk, "call_refused", { call: input.callNo, reason: input.reason, detail: input.detail });
  leaveCall(walk, step, "refused", input.reason);
}

/** A way that a call step need not name: where it does not, that is the end, with the outcome of that name. */
function leaveCall(walk: Walk, step: Step, way: "refused" | "not_reached_in_time", reason: string): void {
  const target = step.on?.[way];
  if (target !== undefined) return goTo(walk, target);
  // It is over: nothing is left that would have to be withdrawn.
  walk.position.waiting = null;
  end(walk, way, reason);
}

function callOver(walk: Walk, input: InputOf<"call_over">): void {
  const { position } = walk;
  const { callNo, disposition, reason = "" } = input;
  const detail: Record<string, JsonValue> = {
    call: callNo,
    disposition: disposition ?? "none",
    attempts: input.attempts,
    ...(reason !== "" && { reason }),
    ...(input.callId !== undefined && { call_id: input.callId }),
  };
  if (!isAwaited(position, callNo)) {
    // One that was withdrawn is excluded, too: that is no news.
    if (disposition !== undefined) tell(walk, "late_outcome", detail);
    return;
  }
  tell(walk, "call_over", detail);
  const step = stepOf(walk);
  const { waiting } = position;
  const why = waiting && "why" in waiting ? waiting.why : undefined;
  if (why === "skip") return goTo(walk, usualWay(walk, step));
  if (disposition === undefined) {
    // It turned out that nobody was dialed: it is withdrawn after all.
    if (why !== undefined && reason === why) return goOnWithout(walk, step, why);
    return leaveCall(walk, step, "refused", reason || "excluded");
  }
  position.last_call = lastCallOf(input, disposition);
  position.waiting = null;
  // It rang while they called us, and did not come to them: as if it had been withdrawn in time.
  if (why === "called_back" && isRetryable(disposition)) return callAgainLater(walk);
  if (disposition === "unknown") {
    walk.effects.push({
      kind: "attention",
      about: "call_unknown",
      summary: `Call ${callNo} of step ${step.id} of sequence ${walk.definition.name} may have reached the person: nothing tells`,
      remedy:
        "Look at the call on the platform. It is not made again by itself; enroll the person again if it should be.",
    });
  }
  const { on } = step;
  if (on) return goTo(walk, on[disposition] ?? on["otherwise"] ?? nextOf(walk, step));
  if (disposition === "unknown") return end(walk, "unknown", `call ${callNo} of step ${step.id}`);
  // Nobody who asked not to be called is led to the next step by default.
  if (disposition === "opted_out") return end(walk, "opted_out", `call ${callNo} of step ${step.id}`);
  goTo(walk, nextOf(walk, step));
}

function lastCallOf(input: InputOf<"call_over">, disposition: Disposition): LastCall {
  const { kept: { status = input.itemStatus ?? "", ...kept } = {} } = input;
  const isoOf = (momentMs: number | undefined) =>
    momentMs === undefined ? "" : new Date(momentMs).toISOString();
  return {
    ...NO_CALL,
    call_id: input.callId ?? "",
    status: normaliseWord(status),
    attempt: input.attempts,
    attempts: input.attempts,
    duration_seconds: input.durationSeconds ?? 0,
    error: input.errorText ?? "",
    disposition,
    reason: input.reason ?? "",
    started_at: isoOf(input.startedAtMs),
    ended_at: isoOf(input.endedAtMs),
    ...kept,
  };
}

function withdrawn(walk: Walk, input: InputOf<"withdrawal">): void {
  const { position } = walk;
  const { waiting } = position;
  if (waiting?.for !== "withdrawal" || waiting.callNo !== input.callNo) return;
  const { callNo, why } = waiting;
  if (input.result === "in_flight" || input.result === "over") {
    position.waiting = { for: "call_in_flight", callNo, why };
    tell(walk, "call_in_flight", { call: callNo });
    return;
  }
  tell(walk, "call_withdrawn", { call: callNo, reason: why });
  goOnWithout(walk, stepOf(walk), why);
}

/** The call was withdrawn, and nobody was dialed. */
function goOnWithout(walk: Walk, step: Step, why: Withdrawal): void {
  if (why === "called_back") return callAgainLater(walk);
  if (why === "skip") return goTo(walk, usualWay(walk, step));
  leaveCall(walk, step, "not_reached_in_time", `not called within ${step.call?.give_up_after ?? ""}`);
}

/** Failed and unknown actions are shown to people by whoever tried them. */
function actionOver(walk: Walk, input: InputOf<"action_over">): void {
  const { position } = walk;
  const { n, state } = input;
  if (position.waiting?.for !== "action" || position.waiting.n !== n)
    return tell(walk, "late_action", { action: n, state });
  tell(walk, "action_over", { action: n, state });
  const step = stepOf(walk);
  const { on } = step;
  const done = state === "done" || state === "skipped";
  position.waiting = null;
  if (on) {
    // A webhook of which nothing is known is as good as not delivered: its receiver knows the repetition by its key.
    const way = done ? "done" : state;
    return goTo(walk, on[way] ?? on["failed"] ?? nextOf(walk, step));
  }
  if (done) return goTo(walk, nextOf(walk, step));
  end(walk, state, `the action of step ${step.id}`);
}

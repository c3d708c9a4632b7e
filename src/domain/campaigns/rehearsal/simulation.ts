import { rampedAtMs, rampedLines, type RampUp } from "../ramp-up.ts";
import { transferPace } from "../transfer-pacing.ts";
import { CONVERSATIONS, type Disposition } from "../../policy/disposition.ts";
import type { GateDecision } from "../../policy/gate-question.ts";
import type { NeverReason, WaitReason } from "../../policy/gate-reasons.ts";
import { decide, decideZones } from "../../policy/policy-gate.ts";
import { afterAttempt } from "../../policy/retry.ts";
import { zoneOf } from "../../time/zone-data.ts";
import { CallMemory } from "./call-memory.ts";
import { DueHeap } from "./due-heap.ts";
import type { LaneOfPeople } from "./people.ts";
import { LaneHeads } from "./lane-heads.ts";
import { LANE_STATES, LaneTimes, type LaneState } from "./lane-hours.ts";
import { RunOutcomes } from "./outcome-model.ts";
import { HORIZON_MS, LEAST_LEAD_MS, LINE_FILL, type Plan, type RunResult } from "./plan.ts";

/*
 * One run of a rehearsal: a campaign over its real list on a simulated clock.
 *
 * 1. Who may be called, and when again, is said by the engine's own code: `decide`, `decideZones`, `windowStatus`,
 *    `afterAttempt`, `rampedLines`. Nothing of a policy is decided here.
 * 2. A line is taken for as long as a call rings and is talked on, and a little longer (`LINE_FILL`). People are taken
 *    in the planner's order: by priority, then retries that are due, longest first, then first calls in the order of the
 *    list or, where the newest are first, from its end.
 * 3. Everybody ends as done, excluded or, where the clock runs out, open: the three add up to the list (I3).
 * 4. The clock goes from event to event: calls that end, lanes that open or close, retries that fall due, lines that a
 *    ramp adds. Time without any costs nothing.
 */

/** In a run of the engine a number that another call is open on is looked at again after this; here there is none. */
const OPEN_ATTEMPT_WAIT_MS = 60_000;

/** Between two pauses of `run`, some milliseconds apart. */
const CALLS_A_STRETCH = 2_000;

/** Sources of suppressions that have an age are of a ledger: a rehearsal knows of none. */
const NO_LISTS: readonly never[] = [];

interface Lane extends LaneOfPeople {
  /** Still to be called for the first time, in the order in which they are: `firsts[next]` and behind it. */
  firsts: number[];
  next: number;
  retries: DueHeap;
  times: LaneTimes;
  state: LaneState;
  /** Nobody of it is ever called again. */
  never: { reason: NeverReason; detail: string } | undefined;
}

export class Simulation {
  readonly #plan: Plan;
  readonly #outcomes: RunOutcomes;
  readonly #memory: CallMemory;
  readonly #ramp: RampUp;
  readonly #lanes: Lane[];
  /** Of the lanes that are open. */
  readonly #heads: LaneHeads;
  readonly #laneTurns = new DueHeap();
  /** People whose lines come free. */
  readonly #up = new DueHeap();
  readonly #zone;
  /** Of everybody: since when they wait, until when that is of their own, and for what. */
  readonly #sinceMs: Float64Array;
  readonly #dueMs: Float64Array;
  readonly #waitsFor = new Map<number, WaitReason>();
  /** Of each call that is up, by person. */
  readonly #cameTo = new Map<number, { disposition: Disposition; beganMs: number; endedMs: number }>();
  /** When calls began, oldest first; where a rate counts them. */
  readonly #begun: number[] = [];
  #waiting: number;
  #nowMs: number;
  readonly #result: RunResult;

  constructor(plan: Plan, seed: number) {
    this.#plan = plan;
    const { people, policy, fromMs, lines, rampMs } = plan;
    this.#outcomes = new RunOutcomes(plan.model, seed);
    this.#memory = new CallMemory(people, policy);
    this.#ramp = { concurrency: lines, rampMs, sinceMs: fromMs };
    this.#zone = zoneOf(plan.shownIn);
    this.#nowMs = fromMs;
    this.#waiting = people.count;
    this.#sinceMs = new Float64Array(people.count).fill(fromMs);
    this.#dueMs = new Float64Array(people.count).fill(fromMs);
    this.#lanes = people.lanes.map((lane) => ({
      ...lane,
      firsts: [],
      next: 0,
      retries: new DueHeap(),
      times: new LaneTimes(),
      state: "window",
      never: undefined,
    }));
    for (let person = 0; person < people.count; person += 1) this.#begin(person);
    if (plan.isNewestFirst) for (const { firsts } of this.#lanes) firsts.reverse();
    this.#heads = new LaneHeads(this.#lanes.map(({ priority }) => priority));
    for (const index of this.#lanes.keys()) this.#laneTurns.push(fromMs, index);
    this.#result = {
      endMs: fromMs,
      calls: 0,
      dispositions: {},
      done: {},
      doneBecause: {},
      excluded: {},
      excludedDetail: {},
      open: 0,
      talkMs: 0,
      lineMs: 0,
      mostLines: 0,
      callsByHour: new Map(),
      heldMs: {},
    };
  }

  /** For the first time, or with the calls that somebody had before. */
  #begin(person: number): void {
    const { standing, fromMs } = this.#plan;
    const lane = this.#laneOf(person);
    const calls = standing?.calls[person] ?? 0;
    const dueMs = standing?.dueMs[person] ?? fromMs;
    this.#dueMs[person] = dueMs;
    this.#memory.bookEarlier(person, {
      calls,
      cameTo: standing?.cameTo[person],
      beforeMs: Math.min(fromMs, dueMs),
    });
    if (calls > 0 || dueMs > fromMs) {
      this.#waitsFor.set(person, "not_due");
      lane.retries.push(dueMs, person);
    } else lane.firsts.push(person);
  }

  /**
   * Goes on to the end, and pauses now and then, so that whoever runs it is not held up.
   *
   * @param untilMs who is not through by then stays open, for those who want to know no more
   */
  *run(untilMs = Number.POSITIVE_INFINITY): Generator<void, RunResult> {
    const lastMs = Math.min(untilMs, this.#plan.fromMs + HORIZON_MS);
    let told = 0;
    while (this.#waiting + this.#up.size > 0) {
      this.#turnLanes();
      this.#endCalls();
      this.#dial();
      const nextMs = this.#nextMs();
      if (nextMs > lastMs) break;
      this.#nowMs = nextMs;
      if (this.#result.calls - told < CALLS_A_STRETCH) continue;
      told = this.#result.calls;
      yield;
    }
    // Whoever hung up in time is through, though the line is not free again by then.
    for (const [person, { endedMs }] of this.#cameTo) if (endedMs <= lastMs) this.#end(person);
    this.#result.open = this.#waiting + this.#cameTo.size;
    if (this.#result.open > 0) this.#leaveOpen(lastMs);
    return this.#result;
  }

  /** The clock ran out. What they waited for is told all the same. */
  #leaveOpen(lastMs: number): void {
    this.#result.endMs = lastMs;
    this.#nowMs = lastMs;
    for (const { firsts, next, retries } of this.#lanes) {
      for (let at = next; at < firsts.length; at += 1) this.#bookWait(given(firsts[at]));
      for (let person = retries.pop(); person !== undefined; person = retries.pop()) this.#bookWait(person);
    }
  }

  #laneIndexOf(person: number): number {
    return this.#plan.people.laneOf[person] ?? 0;
  }

  #laneOf(person: number): Lane {
    return given(this.#lanes[this.#laneIndexOf(person)]);
  }

  /** Asks the gate for whole lanes, where its answer may have changed. */
  #turnLanes(): void {
    while (this.#laneTurns.firstMs <= this.#nowMs) {
      const index = given(this.#laneTurns.pop());
      const lane = given(this.#lanes[index]);
      const { policy, windows } = this.#plan;
      const question = {
        facts: lane,
        policy,
        lists: NO_LISTS,
        nowMs: this.#nowMs,
        windowOf: windows.statusOf,
      };
      this.#turnLane(index, lane, decideZones(question));
    }
  }

  #turnLane(index: number, lane: Lane, decision: GateDecision): void {
    switch (decision.kind) {
      case "never":
        this.#turnTo(index, lane, "window");
        lane.never = decision;
        return this.#excludeLane(lane, decision);
      case "wait":
        this.#turnTo(index, lane, stateOf(decision.reason));
        return this.#laneTurns.push(Math.max(decision.untilMs, this.#nowMs + 1), index);
      case "dial": {
        const { untilMs } = decision;
        const isLong = untilMs - this.#nowMs >= LEAST_LEAD_MS;
        this.#turnTo(index, lane, isLong ? "open" : "window");
        if (Number.isFinite(untilMs))
          this.#laneTurns.push(isLong ? untilMs - LEAST_LEAD_MS + 1 : untilMs, index);
      }
    }
  }

  #turnTo(index: number, lane: Lane, state: LaneState): void {
    lane.state = state;
    lane.times.turn(state, this.#nowMs);
    this.#showHeads(index, lane);
  }

  #showHeads(index: number, lane: Lane): void {
    const isOpen = lane.state === "open";
    const first = isOpen ? lane.firsts[lane.next] : undefined;
    const firstKey = first !== undefined && this.#plan.isNewestFirst ? -first : first;
    this.#heads.show(index, firstKey, isOpen ? lane.retries.firstMs : Number.POSITIVE_INFINITY);
  }

  /** Lines of calls that are over come free. */
  #endCalls(): void {
    while (this.#up.firstMs <= this.#nowMs) this.#end(given(this.#up.pop()));
  }

  /** Somebody's call is over, and the policy says what follows. */
  #end(person: number): void {
    const call = given(this.#cameTo.get(person));
    const { disposition, endedMs } = call;
    this.#cameTo.delete(person);
    this.#memory.book(person, call);
    const attempts = this.#memory.callsOf(person);
    const sameDisposition = this.#memory.cameTo(person, disposition);
    const where = this.#laneOf(person);
    const calledMs = this.#memory.calledMs(person);
    const next = afterAttempt(
      { disposition, endedAtMs: endedMs, attempts, sameDisposition, where, calledMs },
      this.#plan.policy,
      this.#plan.windows.ahead,
    );
    if (next.kind === "final") {
      count(this.#result.done, disposition);
      count(this.#result.doneBecause, next.reason);
      this.#result.endMs = Math.max(this.#result.endMs, endedMs);
      return;
    }
    this.#waiting += 1;
    const { never } = where;
    if (never) this.#exclude(person, never);
    else this.#waitAgain(person, next.dueAtMs, "not_due", endedMs);
  }

  #waitAgain(person: number, dueMs: number, reason: WaitReason, sinceMs: number): void {
    const index = this.#laneIndexOf(person);
    const lane = this.#laneOf(person);
    this.#sinceMs[person] = sinceMs;
    this.#dueMs[person] = dueMs;
    this.#waitsFor.set(person, reason);
    lane.retries.push(dueMs, person);
    this.#showHeads(index, lane);
  }

  /** Takes people as long as there are lines for them, and asks the gate for each. */
  #dial(): void {
    const { policy, windows } = this.#plan;
    while (this.#freeLines() > 0 && this.#rateOpensMs() <= this.#nowMs) {
      const index = this.#heads.next(this.#nowMs);
      if (index === undefined) return;
      const person = this.#take(index);
      const nowMs = this.#nowMs;
      const facts = this.#memory.factsOf(person, { dueAtMs: this.#dueMs[person] ?? 0, nowMs });
      const decision = decide({
        facts,
        policy,
        nowMs,
        windowOf: windows.statusOf,
        openAttemptWaitMs: OPEN_ATTEMPT_WAIT_MS,
        lists: NO_LISTS,
      });
      this.#bookWait(person);
      if (decision.kind === "dial") this.#call(person);
      else if (decision.kind === "never") this.#exclude(person, decision);
      else this.#waitAgain(person, Math.max(decision.untilMs, nowMs + 1), decision.reason, nowMs);
    }
  }

  #take(index: number): number {
    const lane = given(this.#lanes[index]);
    let person: number;
    if (lane.retries.firstMs <= this.#nowMs) person = given(lane.retries.pop());
    else {
      person = given(lane.firsts[lane.next]);
      lane.next += 1;
    }
    this.#showHeads(index, lane);
    return person;
  }

  #call(person: number): void {
    const result = this.#result;
    const outcomes = this.#outcomes;
    const nowMs = this.#nowMs;
    const nth = this.#memory.callsOf(person) + 1;
    outcomes.draw(person, nth);
    const lengthMs = outcomes.ringMs + outcomes.talkMs;
    this.#waiting -= 1;
    const { disposition } = outcomes;
    const endedMs = nowMs + lengthMs;
    const freeMs = Math.ceil(nowMs + (lengthMs * (this.#plan.lineFactor ?? 1)) / LINE_FILL);
    this.#cameTo.set(person, { disposition, beganMs: nowMs, endedMs });
    this.#up.push(freeMs, person);
    this.#plan.onCall?.({ person, nth, disposition, beganMs: nowMs, endedMs, freeMs });
    if (this.#plan.rate) this.#begun.push(nowMs);
    result.calls += 1;
    result.talkMs += outcomes.talkMs;
    result.lineMs += lengthMs;
    result.mostLines = Math.max(result.mostLines, this.#up.size);
    count(result.dispositions, disposition);
    const hour = Math.floor(this.#zone.localMs(nowMs) / HOUR_MS);
    result.callsByHour.set(hour, (result.callsByHour.get(hour) ?? 0) + 1);
  }

  #exclude(person: number, { reason, detail }: { reason: NeverReason; detail: string }): void {
    this.#waiting -= 1;
    this.#waitsFor.delete(person);
    count(this.#result.excluded, reason);
    this.#result.excludedDetail[reason] ??= detail;
    this.#result.endMs = Math.max(this.#result.endMs, this.#nowMs);
  }

  /** What waits for nothing any more. Those whose calls are up follow as they end. */
  #excludeLane(lane: Lane, never: { reason: NeverReason; detail: string }): void {
    for (; lane.next < lane.firsts.length; lane.next += 1) this.#leave(given(lane.firsts[lane.next]), never);
    for (let person = lane.retries.pop(); person !== undefined; person = lane.retries.pop())
      this.#leave(person, never);
  }

  #leave(person: number, never: { reason: NeverReason; detail: string }): void {
    this.#bookWait(person);
    this.#exclude(person, never);
  }

  /** Books for what somebody has waited: for their lane, for a time of their own, and the rest for a line. */
  #bookWait(person: number): void {
    const { times } = this.#laneOf(person);
    const sinceMs = this.#sinceMs[person] ?? 0;
    const ownMs = Math.min(this.#nowMs, Math.max(sinceMs, this.#dueMs[person] ?? 0));
    const { heldMs } = this.#result;
    for (const state of LANE_STATES) {
      if (state === "open") continue;
      const waitedMs = times.spent(state, this.#nowMs) - times.spent(state, sinceMs);
      if (waitedMs > 0) count(heldMs, state, waitedMs);
    }
    const openMs = (untilMs: number) => times.spent("open", untilMs) - times.spent("open", sinceMs);
    const ownOpenMs = openMs(ownMs);
    const reason = this.#waitsFor.get(person);
    if (reason !== undefined && ownOpenMs > 0) count(heldMs, reason, ownOpenMs);
    const forLinesMs = openMs(this.#nowMs) - ownOpenMs;
    if (forLinesMs > 0) count(heldMs, "slots", forLinesMs);
  }

  #freeLines(): number {
    return Math.min(rampedLines(this.#ramp, this.#nowMs), this.#transferLines()) - this.#up.size;
  }

  /** What those who take transferred calls leave it, as its calls so far have it. None is known to be transferred. */
  #transferLines(): number {
    const capacity = this.#plan.policy.transfers?.capacity;
    if (!capacity) return Number.POSITIVE_INFINITY;
    const { calls, dispositions, lineMs } = this.#result;
    const conversations = CONVERSATIONS.reduce((sum, one) => sum + (dispositions[one] ?? 0), 0);
    const meanHoldMs = calls === 0 ? undefined : lineMs / calls;
    const past = { calls, conversations, known: 0, transfers: 0, meanHoldMs };
    return transferPace({ ...capacity, answer: undefined }, past).lines;
  }

  /** When one more call may begin. */
  #rateOpensMs(): number {
    const { rate } = this.#plan;
    const oldest = rate && this.#begun[this.#begun.length - rate.calls];
    return rate && oldest !== undefined ? oldest + rate.withinMs : Number.NEGATIVE_INFINITY;
  }

  #nextMs(): number {
    const nextMs = Math.min(this.#up.firstMs, this.#laneTurns.firstMs);
    if (this.#freeLines() <= 0) {
      const ramped = rampedLines(this.#ramp, this.#nowMs);
      // Lines that a ramp adds are of use where nothing else bounds them.
      const isGrowing = ramped < this.#plan.lines && ramped <= this.#up.size;
      return isGrowing ? Math.min(nextMs, rampedAtMs(this.#ramp, this.#up.size + 1)) : nextMs;
    }
    const rateMs = this.#rateOpensMs();
    const dueMs = this.#heads.dueMs(this.#nowMs);
    return Math.min(nextMs, Math.max(dueMs, rateMs, this.#nowMs + 1));
  }
}

const HOUR_MS = 3_600_000;

function stateOf(reason: WaitReason): Exclude<LaneState, "open"> {
  return reason === "day_off" || reason === "before_start" || reason === "transfer_closed"
    ? reason
    : "window";
}

function count<Key extends string>(counts: Partial<Record<Key, number>>, key: Key, by = 1): void {
  counts[key] = (counts[key] ?? 0) + by;
}

function given<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("a rehearsal lost track of somebody");
  return value;
}

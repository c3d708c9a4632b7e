import { sql } from "drizzle-orm";
import { isDeepStrictEqual } from "node:util";

import type { SequenceDefinition } from "../../domain/sequences/definition.ts";
import type { Position, Waiting } from "../../domain/sequences/position.ts";
import {
  takeTurn,
  type JourneyEntry,
  type Next,
  type TurnFacts,
  type TurnInput,
} from "../../domain/sequences/turn.ts";
import { noteWork } from "../../tracing/work.ts";
import { rows, type Db } from "../ground/connection.ts";
import { GRACE_MS, lookedAt } from "../ground/look-by.ts";
import { enrolmentsFinished } from "./enrolment-ends.ts";
import { INBOX_PAGE, readExit, readInbox, type InboxRow } from "./enrolment-inbox.ts";
import { lockEnrolment, presentAction, presentCall, type Enrolment } from "./enrolments.ts";
import { holdPlacement, releasePlacement } from "../campaigns/placement-changes.ts";
import { readPlacement } from "../campaigns/placements.ts";
import { readDefinition, shareSequence, type Sequence } from "./sequences.ts";
import { at, atOrNull, json, ms } from "../ground/sql.ts";
import { carryOut, lockCalls, type Step } from "./turn-effects.ts";
import { inputsOf, lookAtAction, lookAtCall } from "./turn-inputs.ts";

/*
 * Turns: an enrolment takes in what happened since its last one, goes as far as it can, and says what it waits for.
 *
 * 1. A turn is one transaction under the enrolment's row lock; everything that it decides stands in the ledger when
 *    it is committed, and a turn with nothing new changes nothing: taking one too many is harmless.
 * 2. What a call or an action came to is read from its own row, not from whoever says that it is over: a lost
 *    wake-up makes a turn late, never different.
 * 3. Of an enrolment that is paused, or whose sequence is, nothing moves on. It can be taken out all the same.
 */

export interface TurnResult {
  /** wait: until then, or until it is told something. act: an action is to be tried. done: nothing is left to do. */
  next: "wait" | "act" | "done";
  /** Unix milliseconds; undefined: only something that is told makes it go on. */
  untilMs: number | undefined;
  /** Of `wait`: for what, in words for people who look into Temporal. Nothing that a definition or a person says. */
  waitsFor: string | undefined;
  /** Of `act`. */
  actionId: string | undefined;
  /** The action is what the enrolment waits for, and nothing else is to be tried; otherwise it looks after each try. */
  isAwaited: boolean;
  /** It waits for a call, whose end it is told: it looks now and then all the same. */
  looksAgain: boolean;
  /** There is more in its inbox than one turn takes in: the next one is due at once. */
  hasMore: boolean;
  /** Campaigns that have somebody to call now: to be woken once this is committed. */
  campaignIds: string[];
  /** Batches that dial this number are to be stopped once this is committed: see `clearStop`. */
  stop: { phone: string; brand: string | undefined } | undefined;
}

const DONE: TurnResult = {
  next: "done",
  untilMs: undefined,
  waitsFor: undefined,
  actionId: undefined,
  isAwaited: false,
  looksAgain: false,
  hasMore: false,
  campaignIds: [],
  stop: undefined,
};

const WAITS_FOR = {
  time: "a time",
  event: "an event",
  call: "a call to end",
  withdrawal: "a call to be taken back",
  call_in_flight: "a call to end that could not be taken back",
  call_again: "a call to be placed again",
  action: "an action to be done",
} as const satisfies Record<Waiting["for"], string>;

function waitsForOf({ waiting, step }: Position): string {
  return `${waiting ? WAITS_FOR[waiting.for] : "its next turn"}, at step ${step ?? "none"}`;
}

/** Bounds a transaction; the interpreter's own bounds are far below. */
const MAX_STEPS = 5_000;

export interface TurnInputs {
  enrolmentId: string;
  /** Its workflow takes the turn, and tries what that leaves. Whoever else does hands that on, and may do so in vain. */
  isTrying?: boolean;
  nowMs: number;
}

/** Takes an enrolment's turn. Undefined where there is none: the ledger was restored. */
export async function takeEnrolmentTurn(tx: Db, input: TurnInputs): Promise<TurnResult | undefined> {
  const { isTrying = false, nowMs } = input;
  const enrolment = await lockEnrolment(tx, input.enrolmentId);
  if (!enrolment) return undefined;
  noteWork({ enrolmentId: enrolment.id }, enrolment.traceParent);
  if (enrolment.state === "done") return leftOver(tx, enrolment, { isTrying, nowMs });
  const sequence = await shareSequence(tx, enrolment.sequenceId);
  if (!sequence) throw new Error(`enrolment ${enrolment.id} has no sequence`);
  const isParked = sequence.state === "paused";
  if (enrolment.paused || isParked) {
    const exit = await readExit(tx, enrolment.id, enrolment.inboxSeen);
    if (!exit) return rest(tx, enrolment, isParked, nowMs);
    // What came before it stays unread: of somebody who rests, nothing but the end is done.
    return goOn(tx, { enrolment, sequence, inbox: [exit], isTrying, nowMs });
  }
  const inbox = await readInbox(tx, enrolment.id, enrolment.inboxSeen);
  return goOn(tx, { enrolment, sequence, inbox, isTrying, nowMs });
}

/** Of one that is over, an action may still be tried, which a person asked for. */
async function leftOver(
  tx: Db,
  enrolment: Enrolment,
  { isTrying, nowMs }: Pick<Going, "isTrying" | "nowMs">,
): Promise<TurnResult> {
  const due = await dueActions(tx, enrolment);
  const next = actOrWait(due, { otherwise: "done", untilMs: undefined, nowMs });
  const lookByMs = lookByOf({ ...DONE, ...next }, nowMs);
  if (!isToldInVain(enrolment, next, { isTrying, nowMs }) && !isSaid(enrolment, lookByMs, nowMs))
    await rows(tx, sql`update enrolments set ${lookedAt(lookByMs)} where id = ${enrolment.id}::uuid`);
  return { ...DONE, ...next, stop: stopOf(enrolment) };
}

/** Stays where it is; a call that is not being dialed yet waits, too. */
async function rest(tx: Db, enrolment: Enrolment, isParked: boolean, nowMs: number): Promise<TurnResult> {
  const position = { ...enrolment.position };
  const placement = enrolment.paused ? presentCall(enrolment) : undefined;
  if (placement !== undefined && position.heldDueMs === undefined) {
    const before = await readPlacement(tx, placement);
    const held = await holdPlacement(tx, { placement, nowMs });
    if (held === "held" || held === "in_flight") position.heldDueMs = before?.dueAtMs ?? nowMs;
  }
  await rows(
    tx,
    sql`update enrolments set parked = ${isParked}, wake_at = null, ${lookedAt(undefined)}, position = ${json(position)}, turn = turn + 1
        where id = ${enrolment.id}::uuid`,
  );
  const waitsFor = isParked ? "its sequence to be resumed" : "itself to be resumed";
  return { ...DONE, next: "wait", waitsFor, stop: stopOf(enrolment) };
}

interface Going {
  enrolment: Enrolment;
  sequence: Sequence;
  inbox: readonly InboxRow[];
  isTrying: boolean;
  nowMs: number;
}

async function goOn(tx: Db, going: Going): Promise<TurnResult> {
  const { enrolment, sequence, inbox, isTrying, nowMs } = going;
  const definition = await readDefinition(tx, sequence.id, enrolment.version);
  const campaignIds = new Set<string>();
  const call = await lookAtCall(tx, enrolment);
  const { position } = enrolment;
  const base = { tx, definition, sequence, enrolment, campaignIds, nowMs, entries: [] };
  const step: Step = { ...base, position, hasCallsLocked: false };
  await release(step);
  const inputs = inputsOf(inbox, [...call, ...(await lookAtAction(tx, enrolment))]);
  const end = await walk(step, definition, inputs);
  const isOver = end.kind === "done";
  const hasMore = !isOver && inbox.length === INBOX_PAGE;
  const untilMs = isOver ? undefined : hasMore ? nowMs : end.untilMs;
  // What is still in the inbox may take its action back: it is read before anything is tried.
  const due = hasMore ? [] : await dueActions(tx, enrolment);
  const result = {
    ...DONE,
    hasMore,
    ...actOrWait(due, {
      otherwise: isOver ? "done" : "wait",
      awaited: isOver ? undefined : presentAction({ position: step.position }),
      untilMs,
      nowMs,
    }),
    waitsFor: waitsForOf(step.position.at),
    looksAgain: presentCall({ id: enrolment.id, position: step.position }) !== undefined,
    campaignIds: [...campaignIds],
    stop: stopOf({ ...enrolment, position: step.position }),
  };
  const inboxSeen = inbox.at(-1)?.id ?? enrolment.inboxSeen;
  const lookByMs = lookByOf(result, nowMs);
  const isLookSaid =
    isToldInVain(enrolment, result, { isTrying, nowMs }) || isSaid(enrolment, lookByMs, nowMs);
  await save(step, { end, inboxSeen, untilMs, lookByMs, isLookSaid });
  return result;
}

/** An action is tried for so long by a workflow before another turn is taken: polls of a few minutes are none. */
const TRIES_MS = 5 * 60_000;

/** Whoever waits for a call is told of its end. This is for what nobody foresaw: no call waits for it. */
const CALL_LOOK_MS = 6 * 60 * 60_000;

/** By when the next turn is taken. Who waits for a moment sleeps without a workflow: that moment itself. */
function lookByOf({ next, untilMs, looksAgain }: TurnResult, nowMs: number): number | undefined {
  switch (next) {
    case "done":
      return undefined;
    case "act":
      return nowMs + TRIES_MS + GRACE_MS;
    case "wait":
      return looksAgain ? Math.min(untilMs ?? Number.POSITIVE_INFINITY, nowMs + CALL_LOOK_MS) : untilMs;
  }
}

/** Its action was left to be tried before, and was not: until it is, or something else moves it, its grace doubles. */
function isToldInVain(
  { lookByMs, unmoved }: Enrolment,
  { next }: Pick<TurnResult, "next">,
  { isTrying, nowMs }: Pick<Going, "isTrying" | "nowMs">,
): boolean {
  return next === "act" && !isTrying && unmoved > 0 && lookByMs !== undefined && lookByMs > nowMs;
}

/** Whether that stands in the ledger, give or take a sixth of the time: a turn that changes nothing else writes nothing. */
function isSaid({ lookByMs, unmoved }: Enrolment, wantedMs: number | undefined, nowMs: number): boolean {
  if (unmoved > 0 || lookByMs === undefined || wantedMs === undefined)
    return unmoved === 0 && lookByMs === wantedMs;
  return lookByMs <= wantedMs && wantedMs - lookByMs <= (wantedMs - nowMs) / 6;
}

/** Goes on until there is something to wait for. */
async function walk(
  step: Step,
  definition: SequenceDefinition,
  inputs: readonly TurnInput[],
): Promise<Extract<Next, { kind: "wait" | "done" }>> {
  const { tx, enrolment, nowMs } = step;
  const facts: TurnFacts = {
    sequenceId: enrolment.sequenceId,
    enrolmentId: enrolment.id,
    phone: enrolment.phone,
    region: enrolment.region,
    zones: enrolment.zones,
    key: enrolment.key,
  };
  let pending = [...inputs];
  for (let turns = 0; turns < MAX_STEPS; turns += 1) {
    const turn = takeTurn({ definition, position: step.position.at, inputs: pending, facts, nowMs });
    pending = pending.slice(turn.taken);
    step.position = { ...step.position, at: turn.position };
    const answers = await carryOut(step, turn);
    if (turn.next.kind === "done") return turn.next;
    if (turn.next.kind === "wait" && pending.length === 0) return turn.next;
    pending.unshift(...answers);
    if (turn.next.kind === "withdraw") {
      // It may have come to its end since it was looked at, or have been found so: that is told once.
      const call = await lookAtCall(tx, { ...enrolment, position: step.position });
      const { callNo } = turn.next;
      if (call.length > 0)
        pending = pending.filter((one) => one.kind !== "call_over" || one.callNo !== callNo);
      pending.splice(answers.length, 0, ...call.map(({ input }) => input));
    }
  }
  throw new Error(`enrolment ${enrolment.id} takes one step after the other without an end`);
}

/** Writes down where the turn came to. One that changed nothing writes nothing. */
async function save(
  step: Step,
  to: {
    end: Extract<Next, { kind: "wait" | "done" }>;
    inboxSeen: number;
    untilMs: number | undefined;
    lookByMs: number | undefined;
    isLookSaid: boolean;
  },
): Promise<void> {
  const { tx, enrolment, position, entries, nowMs } = step;
  const isOver = to.end.kind === "done";
  position.entries = enrolment.position.entries + entries.length;
  const isNew =
    isOver ||
    enrolment.startedAtMs === undefined ||
    enrolment.parked ||
    to.inboxSeen !== enrolment.inboxSeen ||
    !to.isLookSaid ||
    !isDeepStrictEqual(position, enrolment.position);
  if (!isNew) return;
  const waitsCall = presentCall({ id: enrolment.id, position });
  const { outcome, reason } = to.end.kind === "done" ? to.end : { outcome: undefined, reason: undefined };
  await rows(
    tx,
    sql`with moved as (
        update enrolments set position = ${json(position)}, step = ${position.at.step}, turn = turn + 1,
          waits_call = ${waitsCall ?? null}, inbox_seen = ${to.inboxSeen}, wake_at = ${atOrNull(to.untilMs)}, ${lookedAt(to.lookByMs)}, parked = false,
          started_at = coalesce(started_at, ${at(nowMs)}), state = ${isOver ? "done" : "active"},
          outcome = ${outcome ?? null}, reason = ${reason ?? null}, ended_at = ${isOver ? at(nowMs) : sql`null`}
        where id = ${enrolment.id}::uuid returning *)
        ${enrolmentsFinished(nowMs)}`,
  );
  await writeJourney(tx, enrolment, entries, nowMs);
}

async function writeJourney(
  tx: Db,
  { id, position }: Enrolment,
  entries: readonly JourneyEntry[],
  nowMs: number,
): Promise<void> {
  if (entries.length === 0) return;
  const written = entries.map((entry, index) => ({ ...entry, n: position.entries + 1 + index }));
  await rows(
    tx,
    sql`insert into journeys (enrolment_id, n, at, step, what, detail)
        select ${id}::uuid, r.n, ${at(nowMs)}, r.step, r.what, r.detail
        from jsonb_to_recordset(${json(written)}) as r(n int, step text, what text, detail jsonb)`,
  );
}

interface DueAction {
  id: string;
  nextTryAtMs: number;
}

/**
 * Its actions that are tried until they are over: the one that it waits for, and those of earlier steps that a
 * person had done again. The next one to be tried, and the one after it if there is one.
 */
function dueActions(tx: Db, enrolment: Enrolment): Promise<DueAction[]> {
  return rows<DueAction>(
    tx,
    sql`select id, ${ms(sql`coalesce(next_try_at, created_at)`)} as "nextTryAtMs" from actions
        where enrolment_id = ${enrolment.id}::uuid and state = 'due'
        order by coalesce(next_try_at, created_at), id limit 2`,
  );
}

/** Tries the one whose time came first, or sleeps until a time comes. */
function actOrWait(
  [next, other]: readonly DueAction[],
  input: {
    otherwise: "wait" | "done";
    awaited?: string | undefined;
    untilMs: number | undefined;
    nowMs: number;
  },
): Pick<TurnResult, "next" | "untilMs" | "actionId" | "isAwaited"> {
  const { otherwise, awaited, untilMs, nowMs } = input;
  const waiting = { actionId: undefined, isAwaited: false };
  if (!next) return { next: otherwise, untilMs, ...waiting };
  if (next.nextTryAtMs > nowMs)
    return { next: "wait", untilMs: Math.min(untilMs ?? next.nextTryAtMs, next.nextTryAtMs), ...waiting };
  return { next: "act", untilMs, actionId: next.id, isAwaited: next.id === awaited && other === undefined };
}

function stopOf({ phone, position: { stop } }: Pick<Enrolment, "phone" | "position">): TurnResult["stop"] {
  return stop && { phone, brand: stop.brand ?? undefined };
}

/** The batches that dialed the number were asked to stop. */
export async function clearStop(db: Db, enrolmentId: string): Promise<void> {
  await rows(db, sql`update enrolments set position = position - 'stop' where id = ${enrolmentId}::uuid`);
}

/** A call that was held for a pause is due again, when it was due before at the earliest. */
async function release(step: Step): Promise<void> {
  const { tx, enrolment, campaignIds, nowMs } = step;
  const { heldDueMs, ...position } = enrolment.position;
  step.position = position;
  const placement = presentCall(enrolment);
  if (heldDueMs === undefined || placement === undefined) return;
  const dueAtMs = Math.max(nowMs, heldDueMs);
  await lockCalls(step);
  const campaignId = await releasePlacement(tx, { placement, dueAtMs, nowMs });
  if (campaignId !== undefined) campaignIds.add(campaignId);
}

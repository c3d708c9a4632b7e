import { sql, type SQL } from "drizzle-orm";
import { randomUUID } from "node:crypto";

import type { ActionSpec, ActionState, SpecOf } from "../../domain/follow-ups/actions.ts";
import { latenessOf, readCallbackTime } from "../../domain/follow-ups/callback-time.ts";
import { lockAction, readAction, type Action } from "./actions.ts";
import { resolveAttention } from "../ground/attention.ts";
import { writeAudit } from "../ground/audit.ts";
import { rows, type Db } from "../ground/connection.ts";
import { advanceFollowUp, lockFollowUp } from "./follow-ups.ts";
import { putOutbox } from "../ground/outbox.ts";
import { readCallee } from "../campaigns/placements.ts";
import { at, json } from "../ground/sql.ts";
import { CommandRefusedError } from "../ground/command-refused.ts";

export type ActionCommand = "retry" | "skip" | "replay";

/** There is no such action. */
export class UnknownActionError extends Error {
  override readonly name = "UnknownActionError";
}

/** The time that a person gave for a callback is none, or can't be read for certain. */
export class UnreadableTimeError extends Error {
  override readonly name = "UnreadableTimeError";
}

/**
 * What a person tells one action: `retry` one that failed (or is waiting for its next try) now, in a new round of
 * tries; `skip` what is not done, so that those behind it go on; `replay` one that was done. A replay keeps its key,
 * so that a receiver may tell that it is the same, unless it is to be done as something new.
 *
 * @param input.at of a callback that is retried: when to call, as callback-time.ts reads it.
 * @throws UnknownActionError, CommandRefusedError where it does not fit the action's state, UnreadableTimeError.
 */
export async function commandAction(
  tx: Db,
  input: {
    actionId: string;
    command: ActionCommand;
    asNew?: boolean;
    at?: string | undefined;
    actor: string;
    reason: string | undefined;
    nowMs: number;
  },
): Promise<Action> {
  const { actionId, command, actor, nowMs } = input;
  const known = await readAction(tx, actionId);
  if (!known) throw new UnknownActionError(`there is no action ${actionId}`);
  if (known.scheduleRunId !== undefined)
    throw new CommandRefusedError("the action belongs to a schedule's run: run the schedule again instead");
  if (known.followUpId !== undefined) await lockFollowUp(tx, known.followUpId);
  const action = await lockAction(tx, actionId);
  if (!action) throw new UnknownActionError(`there is no action ${actionId}`);
  const objection = action.spec.forgotten
    ? "nothing is left of whom the action was about, since they were forgotten or it is older than it is kept: it can't be done again"
    : objectionTo(command, action.state);
  if (objection !== undefined) throw new CommandRefusedError(objection);
  const spec = await timed(tx, action, input);
  await rows(
    tx,
    sql`update actions set ${changeOf({ ...action, spec }, input)} where id = ${actionId}::uuid`,
  );
  await resolveBoth(tx, actionId, { by: actor, resolution: command, nowMs });
  await writeAudit(tx, {
    nowMs,
    actor,
    action: `action.${command}`,
    detail: {
      action: actionId,
      from: action.state,
      reason: input.reason ?? null,
      as_new: input.asNew ?? false,
      ...(input.at !== undefined && { at: input.at }),
    },
  });
  if (action.followUpId !== undefined) await advanceFollowUp(tx, action.followUpId, nowMs);
  await putOutbox(tx, [
    action.followUpId === undefined
      ? { kind: "enrolment", subject: action.enrolmentId ?? "", dueAtMs: nowMs }
      : { kind: "follow_up", subject: action.followUpId, dueAtMs: nowMs },
  ]);
  return (await readAction(tx, actionId)) ?? action;
}

/** The spec of a callback with the time that a person gave; one that has none is not done without. */
async function timed(
  tx: Db,
  { spec, state }: Action,
  input: { command: ActionCommand; at?: string | undefined; nowMs: number },
): Promise<ActionSpec> {
  const { command, at: said, nowMs } = input;
  if (command === "skip") return spec;
  // Whoever tries it now has read its time.
  if (said !== undefined && state === "due")
    throw new CommandRefusedError("the action is tried by itself: a time is given to one that failed");
  if (spec.kind !== "callback") {
    if (said === undefined) return spec;
    throw new CommandRefusedError(`only a callback is done at a time, and this is of kind ${spec.kind}`);
  }
  if (said === undefined) {
    const objection = objectionToTime(spec, nowMs);
    // What goes on by itself, or is there already, is looked at when it is its turn.
    const isLookedAt = spec.atMs !== undefined && (command === "replay" || state === "due");
    if (objection === undefined || isLookedAt) return spec;
    throw new CommandRefusedError(
      `when to call back ${objection}: retry it with a time, --at "2026-12-01 10:00", or skip it`,
    );
  }
  const zones = (await readCallee(tx, spec.contactId))?.zones ?? [];
  const time = readCallbackTime({ said, zones, saidAtMs: nowMs, nowMs });
  if (time.kind !== "at")
    throw new UnreadableTimeError(
      time.kind === "nothing"
        ? "is no time: such as 2026-12-01 10:00, by the clocks where the person is, or 2026-12-01T10:00:00Z"
        : time.why,
    );
  const { unreadable: _, ...rest } = spec;
  return { ...rest, atMs: time.atMs };
}

function objectionToTime({ atMs, unreadable }: SpecOf<"callback">, nowMs: number): string | undefined {
  if (atMs === undefined) return `is not known (${unreadable ?? "nobody said"})`;
  const late = latenessOf(atMs, nowMs);
  return late === undefined ? undefined : `was ${late}`;
}

function changeOf(
  action: Action,
  { command, asNew = false, nowMs }: { command: ActionCommand; asNew?: boolean; nowMs: number },
): SQL {
  if (command === "skip") {
    return sql`state = 'skipped', next_try_at = null, ended_at = ${at(nowMs)}`;
  }
  // What may still be under way is waited for; it is only looked at sooner.
  const insisted = sql`next_try_at = ${at(nowMs)}, insisted_at = ${at(nowMs)}`;
  if (action.state === "due") return insisted;
  const spec = { ...action.spec, triesBefore: action.tries, ...(asNew && { key: randomUUID() }) };
  return sql`state = 'due', ${insisted}, sent_at = null, external_id = null, error = null, ended_at = null,
    spec = ${json(spec)}`;
}

function objectionTo(command: ActionCommand, state: ActionState): string | undefined {
  switch (command) {
    case "retry":
      if (state === "failed" || state === "unknown" || state === "due") return undefined;
      if (state === "waiting") return "the action waits for the one before it: retry or skip that one";
      return `the action is ${state}: replay does it again`;
    case "skip":
      return state === "done" || state === "skipped" ? `the action is ${state} already` : undefined;
    case "replay":
      return state === "done" || state === "skipped"
        ? undefined
        : `the action is ${state}: retry tries it again, skip lets it be`;
  }
}

async function resolveBoth(
  tx: Db,
  actionId: string,
  how: { by: string; resolution: string; nowMs: number },
): Promise<void> {
  await resolveAttention(tx, { kind: "action_failed", subject: actionId, ...how });
  await resolveAttention(tx, { kind: "action_unknown", subject: actionId, ...how });
}

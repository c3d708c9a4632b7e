import { isActionOver } from "../../domain/follow-ups/actions.ts";
import type { TurnInput } from "../../domain/sequences/turn.ts";
import { readAction } from "../follow-ups/actions.ts";
import type { Db } from "../ground/connection.ts";
import type { InboxRow } from "./enrolment-inbox.ts";
import { presentAction, type Enrolment } from "./enrolments.ts";
import { placementOf, readPlacement, type Placement } from "../campaigns/placements.ts";

/** What an enrolment's turn takes in, and when it happened. */
export interface TimedInput {
  atMs: number;
  input: TurnInput;
}

/** What its call came to, if that is known by now. */
export async function lookAtCall(tx: Db, enrolment: Enrolment): Promise<TimedInput[]> {
  const { waiting } = enrolment.position.at;
  if (!waiting || !("callNo" in waiting)) return [];
  const { callNo } = waiting;
  const placement = await readPlacement(tx, placementOf({ enrolmentId: enrolment.id, callNo }));
  if (placement?.state !== "done" && placement?.state !== "excluded") return [];
  return [{ atMs: placement.endedAtMs ?? 0, input: callOver(callNo, placement) }];
}

function callOver(callNo: number, placement: Placement): TurnInput {
  const { lastCall } = placement;
  return {
    kind: "call_over",
    callNo,
    disposition: placement.outcome,
    reason: placement.reason ?? lastCall?.reason,
    attempts: placement.attempts,
    callId: lastCall?.callId,
    durationSeconds: lastCall?.durationSeconds,
    endedAtMs: lastCall?.endedAtMs ?? placement.endedAtMs,
    startedAtMs: lastCall?.startedAtMs,
    itemStatus: lastCall?.itemStatus,
    errorText: lastCall?.errorText,
    kept: lastCall?.kept,
  };
}

export async function lookAtAction(tx: Db, enrolment: Enrolment): Promise<TimedInput[]> {
  const { waiting } = enrolment.position.at;
  const actionId = presentAction(enrolment);
  if (waiting?.for !== "action" || actionId === undefined) return [];
  const action = await readAction(tx, actionId);
  // One that a restored ledger does not have comes to nothing.
  const state = action?.state ?? "unknown";
  if (!isActionOver(state)) return [];
  const over = state as Extract<TurnInput, { kind: "action_over" }>["state"];
  return [{ atMs: action?.endedAtMs ?? 0, input: { kind: "action_over", n: waiting.n, state: over } }];
}

/** In the order in which things happened: what it was told, and where its call or action ended in between. */
export function inputsOf(inbox: readonly InboxRow[], ends: readonly TimedInput[]): TurnInput[] {
  const told = inbox.flatMap((row): TimedInput[] => {
    const input = inputOf(row);
    return input ? [{ atMs: row.atMs, input }] : [];
  });
  for (const end of ends) {
    const before = told.findIndex(({ atMs }) => atMs > end.atMs);
    told.splice(before === -1 ? told.length : before, 0, end);
  }
  return told.map(({ input }) => input);
}

function inputOf({ kind, name = "", data, actor, atMs }: InboxRow): TurnInput | undefined {
  const reason = typeof data["reason"] === "string" ? data["reason"] : undefined;
  switch (kind) {
    case "event":
      return { kind, name, data: data as Extract<TurnInput, { kind: "event" }>["data"], atMs };
    case "skip":
      return { kind, actor, reason };
    case "exit": {
      const outcome = typeof data["outcome"] === "string" ? data["outcome"] : undefined;
      return { kind, actor, reason, outcome };
    }
    case "pause":
    case "resume":
    case "move":
      // Took effect when it was given.
      return undefined;
  }
}

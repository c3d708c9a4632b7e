import { followTurn } from "../../ledger/sequences/after-turn.ts";
import { takeEnrolmentTurn, type TurnResult } from "../../ledger/sequences/enrolment-turns.ts";
import type { ActivityDeps } from "../deps.ts";
import { haltBatches } from "../campaigns/halt-batches.ts";
import { holdAsUnknown } from "../campaigns/restore-check.ts";

export interface AdvanceInput {
  enrolmentId: string;
  /** When its workflow was started. Unix milliseconds. */
  startedAtMs: number;
}

/** What the enrolment's workflow does next. */
export type EnrolmentStep =
  /** Look again then, or when it is woken; undefined: only when it is woken. */
  | { next: "wait"; waitMs: number | undefined; waitsFor: string | undefined }
  /** Try an action, then look again. `isAwaited`: there is nothing else to look for meanwhile. */
  | { next: "act"; actionId: string; isAwaited: boolean }
  | { next: "done" };

/**
 * Whoever waits for a call is told of its end; one that was not told looks by itself. Six hours cost four looks a
 * day, and no call waits for that: it is for what nobody foresaw.
 */
const BACKSTOP_MS = 6 * 60 * 60_000;

/** A timer of Temporal is set for no longer than this: it looks, and waits on. */
const LONGEST_WAIT_MS = 366 * 24 * 60 * 60_000;

/**
 * Takes an enrolment's turn, then does what has to wait for its commit.
 *
 * Safe to retry: where it stands is in the ledger; a turn with nothing new changes nothing, and what a lost answer
 * left to do is found there again.
 */
export async function advanceEnrolment(deps: ActivityDeps, input: AdvanceInput): Promise<EnrolmentStep> {
  const nowMs = deps.now();
  const turn = await deps.ledger.transaction((tx) =>
    takeEnrolmentTurn(tx, { enrolmentId: input.enrolmentId, nowMs }),
  );
  if (!turn) {
    await holdAsUnknown(deps, { what: `enrolment ${input.enrolmentId}`, startedAtMs: input.startedAtMs });
    return { next: "done" };
  }
  await followTurn(
    { ...deps, haltBatches: (batchIds) => haltBatches(deps, batchIds) },
    input.enrolmentId,
    turn,
  );
  return stepOf(turn, nowMs);
}

function stepOf(turn: TurnResult, nowMs: number): EnrolmentStep {
  switch (turn.next) {
    case "done":
      return { next: "done" };
    case "act":
      return turn.actionId === undefined
        ? { next: "wait", waitMs: BACKSTOP_MS, waitsFor: turn.waitsFor }
        : { next: "act", actionId: turn.actionId, isAwaited: turn.isAwaited };
    case "wait":
      return { next: "wait", waitMs: waitOf(turn, nowMs), waitsFor: turn.waitsFor };
  }
}

function waitOf({ untilMs, looksAgain }: TurnResult, nowMs: number): number | undefined {
  const longest = looksAgain ? BACKSTOP_MS : LONGEST_WAIT_MS;
  if (untilMs === undefined) return looksAgain ? BACKSTOP_MS : undefined;
  return Math.min(longest, Math.max(0, untilMs - nowMs));
}

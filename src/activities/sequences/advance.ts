import { followTurn } from "../../ledger/sequences/after-turn.ts";
import { takeEnrolmentTurn, type TurnResult } from "../../ledger/sequences/enrolment-turns.ts";
import type { ActivityDeps } from "../deps.ts";
import { haltBatches } from "../campaigns/halt-batches.ts";
import { holdAsUnknown } from "../campaigns/restore-check.ts";

export interface AdvanceInput {
  enrolmentId: string;
  /** When its workflow was started. Unix milliseconds. Absent: it is no workflow that asks. */
  startedAtMs?: number;
}

/** What a turn leaves to be done. */
export type EnrolmentStep =
  /** Try an action, then look again. `isAwaited`: there is nothing else to look for meanwhile. */
  | { next: "act"; actionId: string; isAwaited: boolean }
  /** Nothing, until its time comes or it is told something: the ledger has it looked at then. */
  | { next: "sleep"; untilMs: number | undefined; waitsFor: string | undefined }
  | { next: "done" };

/** Each takes in two hundred events: whoever was told more goes on when everybody else has had a turn. */
const MOST_TURNS = 50;

/**
 * Takes an enrolment's turn, then does what has to wait for its commit.
 *
 * Safe to retry: where it stands is in the ledger; a turn with nothing new changes nothing, and what a lost answer
 * left to do is found there again.
 */
export async function advanceEnrolment(deps: ActivityDeps, input: AdvanceInput): Promise<EnrolmentStep> {
  for (let turns = 1; ; turns += 1) {
    const turn = await takeTurn(deps, input);
    if (!turn) return { next: "done" };
    if (!turn.hasMore || turns === MOST_TURNS) return stepOf(turn);
  }
}

async function takeTurn(deps: ActivityDeps, input: AdvanceInput): Promise<TurnResult | undefined> {
  const { enrolmentId, startedAtMs } = input;
  const turn = await deps.ledger.transaction((tx) =>
    takeEnrolmentTurn(tx, { enrolmentId, isTrying: startedAtMs !== undefined, nowMs: deps.now() }),
  );
  if (!turn) {
    if (startedAtMs !== undefined)
      await holdAsUnknown(deps, { what: `enrolment ${enrolmentId}`, startedAtMs });
    return undefined;
  }
  await followTurn({ ...deps, haltBatches: (batchIds) => haltBatches(deps, batchIds) }, enrolmentId, turn);
  return turn;
}

function stepOf({ next, actionId, isAwaited, untilMs, waitsFor }: TurnResult): EnrolmentStep {
  if (next === "done") return { next };
  return next === "act" && actionId !== undefined
    ? { next, actionId, isAwaited }
    : { next: "sleep", untilMs, waitsFor };
}

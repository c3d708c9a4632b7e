import type { ActionState } from "../../../domain/follow-ups/actions.ts";
import type { Action } from "../../../ledger/follow-ups/actions.ts";
import type { TryOutcome } from "../../../ledger/follow-ups/action-tries.ts";

/** What a step came to, with the action as it was when that became known. */
export interface Step {
  action: Action;
  outcome: TryOutcome;
}

export interface PerformedAction {
  state: ActionState;
  /** When to call again, relative; undefined where it is over, or waits for its turn. */
  waitMs: number | undefined;
  /** Its follow-up has come to its end with it. */
  isLast?: true;
}

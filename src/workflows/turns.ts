import {
  condition,
  isCancellation,
  log,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";

import { wakeSignal } from "./messages.ts";

/** What a look came to. */
export type Turn =
  /**
   * Nothing is left to do. `unless_woken`: what came during the last look is looked at, too. `leaves`: what goes on
   * without it, for people who look into Temporal.
   */
  | { over: "for_good" | "unless_woken"; leaves?: string }
  | {
      /** Look again then, or when it is woken. */
      waitMs: number;
      /** What it waits for, in words for people who look into Temporal. */
      waitsFor?: string | undefined;
    };

interface Turns {
  /** Takes one turn. `isWoken`: somebody spoke since it began. */
  look: (isWoken: () => boolean) => Promise<Turn>;
  /** What failed, where a look did in a way that retrying does not mend. */
  failure: string;
  /** For its log line: ids alone. */
  ids: Record<string, string>;
  /** How long it waits then. People mend it meanwhile. */
  afterFailureMs?: number;
  /** Begins the next run. A wake-up says only "look", and that one begins by looking: none is lost with this one. */
  goOn: () => Promise<never>;
}

const AFTER_FAILURE_MS = 60_000;

/**
 * The life of a workflow whose state is the ledger's: look, wait until it is due again or somebody wakes it up, look
 * again, until nothing is left to do. It holds no state but ids and waits; asleep it is one timer.
 *
 * @returns what goes on without it, if anything.
 */
export async function takeTurns(turns: Turns): Promise<string | undefined> {
  let woken = false;
  setHandler(wakeSignal, () => {
    woken = true;
  });
  const isWoken = () => woken;
  for (;;) {
    woken = false;
    const turn = await take(turns, isWoken);
    if ("over" in turn) {
      if (turn.over === "for_good" || !isWoken()) return turn.leaves;
    } else await wait(turn, isWoken);
    if (workflowInfo().continueAsNewSuggested) return turns.goOn();
  }
}

async function take(turns: Turns, isWoken: () => boolean): Promise<Turn> {
  try {
    return await turns.look(isWoken);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.error(turns.failure, { ...turns.ids, error });
    return {
      waitMs: turns.afterFailureMs ?? AFTER_FAILURE_MS,
      waitsFor: `the next try, since ${turns.failure}`,
    };
  }
}

/** Waits, and says for what: where somebody looks into Temporal, it stands at the workflow and at its timer. */
async function wait(
  { waitMs, waitsFor }: Extract<Turn, { waitMs: unknown }>,
  isWoken: () => boolean,
): Promise<void> {
  if (waitMs <= 0) return;
  const summary = waitsFor ?? "its next look";
  setCurrentDetails(
    `waits for ${summary}, until ${new Date(Date.now() + waitMs).toISOString()} at the latest`,
  );
  await condition(isWoken, waitMs, { summary });
  setCurrentDetails("looks what is to be done");
}

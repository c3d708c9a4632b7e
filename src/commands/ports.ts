import type { Ledger } from "../ledger/ground/connection.ts";
import type { PlanningPace } from "../ledger/ground/planning-pace.ts";

/** What batches that were told to stop still have in flight. */
export interface InFlight {
  /** Batches that may have been dialing. */
  batches: number;
  /** Calls that are up; they end by themselves. */
  callsUp: number;
  /** Attempts of batches of which it could not be seen that they take no new dial. They may still ring; no others will. */
  uncertain: number;
}

/** What a command stands on. */
export interface CommandPorts {
  ledger: Ledger;
  /** Wakes workflows up; one that is gone or away is no error. */
  wake: { campaign(campaignId: string): void; batch(batchId: string): void };
  /** To be kicked after a transaction that wrote to the outbox. */
  outbox: { kick(): void };
  /**
   * Makes sure that batches which were asked to stop start no new call, and counts what is in flight.
   *
   * @param bounds.withinMs when it says what it has seen by then; what is left goes on behind it
   */
  haltBatches: (batchIds: readonly string[], bounds?: { withinMs?: number }) => Promise<InFlight>;
  pace: Pick<PlanningPace, "dialByMarginMs" | "openAttemptWaitMs">;
  /** Unix milliseconds. */
  now: () => number;
}

import { stopBatchesDialing } from "../campaigns/batches.ts";
import type { Ledger } from "../ground/connection.ts";
import { clearStop, type TurnResult } from "./enrolment-turns.ts";

/** What a turn leaves to be done once it is committed. */
export interface TurnPorts {
  ledger: Ledger;
  wake: { campaign(campaignId: string): void };
  outbox: { kick(): void };
  haltBatches: (batchIds: readonly string[]) => Promise<unknown>;
  now: () => number;
}

/** Wakes the campaigns that have somebody to call, and stops the batches that dial a number which is suppressed now. */
export async function followTurn(ports: TurnPorts, enrolmentId: string, turn: TurnResult): Promise<void> {
  for (const campaignId of turn.campaignIds) ports.wake.campaign(campaignId);
  if (turn.campaignIds.length > 0) ports.outbox.kick();
  const { stop } = turn;
  if (!stop) return;
  const batchIds = await stopBatchesDialing(ports.ledger, {
    phones: [stop.phone],
    brand: stop.brand,
    nowMs: ports.now(),
  });
  if (batchIds.length > 0) await ports.haltBatches(batchIds);
  await clearStop(ports.ledger.db, enrolmentId);
}

import { setTimeout } from "node:timers/promises";

import { listToHalt, recordStop, stopWhatIsFree, type Unstopped } from "../ledger/campaigns/stopping.ts";
import type { CommandPorts, InFlight } from "./ports.ts";

/** People are told within five seconds; writing the stop down and the way to them take some of it. */
const HALT_WITHIN_MS = 3_500;

/** A row that planning or an import holds is free within milliseconds: it is worth another look before the answer. */
const HELD_FOR_A_MOMENT_MS = 1_000;
const LOOK_AGAIN_MS = 100;

type StopPorts = Pick<CommandPorts, "ledger" | "haltBatches" | "now"> & {
  log: { warn(fields: object, message: string): void };
};

export interface StopAllResult {
  inFlight: InFlight;
  /** Campaigns that somebody held: their batches are asked to stop later (stop-keeping.ts). */
  waiting: Unstopped[];
}

/**
 * Stops all dialing. The stop is written down first, and holds from then on (ledger/campaigns/stopping.ts); then what may be
 * dialing is paused on the platform, while each campaign's batches are asked to stop. Neither waits for the other,
 * for a lock, for Temporal or for a worker, and no failure of one keeps another from it. What is not seen to have
 * stopped in time is told, and goes on being stopped.
 *
 * @throws LedgerUnavailableError where the stop could not be written down.
 */
export async function stopAll(
  deps: StopPorts,
  { actor, reason }: { actor: string; reason: string },
): Promise<StopAllResult> {
  const { ledger, log, now } = deps;
  await recordStop(ledger, { actor, reason, nowMs: now() });
  log.warn({ actor }, "all dialing is stopped, everywhere");
  const toHalt = await listToHalt(ledger.urgent.db);
  const [inFlight, waiting] = await Promise.all([
    deps.haltBatches(toHalt, { withinMs: HALT_WITHIN_MS }),
    stopCampaigns(deps),
  ]);
  for (const { id, why } of waiting) log.warn({ campaignId: id, why }, "a campaign is stopped later");
  return { inFlight, waiting };
}

async function stopCampaigns({ ledger, now }: StopPorts): Promise<Unstopped[]> {
  const begunMs = now();
  for (;;) {
    const left = await stopWhatIsFree(ledger, { now, untilMs: begunMs + HALT_WITHIN_MS });
    if (left.length === 0 || now() - begunMs >= HELD_FOR_A_MOMENT_MS) return left;
    await setTimeout(LOOK_AGAIN_MS);
  }
}

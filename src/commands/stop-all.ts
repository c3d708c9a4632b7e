import { setTimeout } from "node:timers/promises";

import { listToHalt, recordStop, stopWhatIsFree, type Unstopped } from "../ledger/campaigns/stopping.ts";
import { LedgerUnavailableError } from "../ledger/ground/connection.ts";
import { inTime } from "./in-time.ts";
import type { CommandPorts, InFlight } from "./ports.ts";

/** People are told within five seconds. A form that comes slowly takes one of them (http/routes/system/stop.ts). */
const ANSWER_WITHIN_MS = 3_900;

/** Of that: for the count of what could not be seen (`HaltBounds`). */
const COUNT_MS = 600;

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
 * @throws LedgerUnavailableError where the stop could not be written down, as far as is known by when it has to be told.
 */
export async function stopAll(
  deps: StopPorts,
  { actor, reason }: { actor: string; reason: string },
): Promise<StopAllResult> {
  const { ledger, log, now } = deps;
  const leftMs = countdown(ANSWER_WITHIN_MS);
  const written = recordStop(ledger, { actor, reason, nowMs: now() }).then(() => "written" as const);
  if ((await inTime(written, leftMs())) === undefined) throw unanswered("whether the stop is written down");
  log.warn({ actor }, "all dialing is stopped, everywhere");
  const toHalt = await inTime(listToHalt(ledger.urgent.db), leftMs());
  if (toHalt === undefined) throw unanswered("the stop holds, but what is still in flight");
  const withinMs = Math.max(0, leftMs() - COUNT_MS);
  const [inFlight, waiting] = await Promise.all([
    deps.haltBatches(toHalt, { withinMs }),
    stopCampaigns(deps, withinMs),
  ]);
  for (const { id, why } of waiting) log.warn({ campaignId: id, why }, "a campaign is stopped later");
  return { inFlight, waiting };
}

function unanswered(what: string): LedgerUnavailableError {
  return new LedgerUnavailableError(
    `the ledger does not answer in time, ${what} is not known: stop everything once more, which does no harm`,
  );
}

/** What is left of so many milliseconds, by the clock that nobody sets. */
function countdown(ms: number): () => number {
  const begunMs = performance.now();
  return () => ms - (performance.now() - begunMs);
}

/** Returns within that, whatever a statement waits for. */
async function stopCampaigns({ ledger, now }: StopPorts, withinMs: number): Promise<Unstopped[]> {
  const leftMs = countdown(withinMs);
  const lookForMs = countdown(Math.min(withinMs, HELD_FOR_A_MOMENT_MS));
  const left = new Map<string, Unstopped>();
  const work = async () => {
    for (;;) {
      await stopWhatIsFree(ledger, { now, forMs: leftMs() }, left);
      if (left.size === 0 || lookForMs() <= 0) return;
      await setTimeout(LOOK_AGAIN_MS);
    }
  };
  await inTime(work(), withinMs);
  return [...left.values()];
}

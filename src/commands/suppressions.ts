import { suppressAndStop } from "../ledger/campaigns/suppressing.ts";
import type { NewSuppression } from "../ledger/ground/suppressions.ts";
import type { InFlight, CommandPorts } from "./ports.ts";

export interface SuppressInput {
  entries: readonly NewSuppression[];
  actor: string;
}

export interface SuppressResult {
  /** Numbers that were not suppressed before. */
  added: number;
  stoppedBatches: number;
  /** What those batches still have in flight: calls that are up end by themselves. */
  inFlight: InFlight;
}

const NOTHING: InFlight = { batches: 0, callsUp: 0, uncertain: 0 };

/** Suppresses numbers, and answers when the batches that were dialing one of them start no new call. */
export async function suppress(
  ports: CommandPorts,
  { entries, actor }: SuppressInput,
): Promise<SuppressResult> {
  const { added, stoppedBatches } = await suppressAndStop(ports.ledger, {
    entries,
    actor,
    nowMs: ports.now(),
  });
  const inFlight = stoppedBatches.length === 0 ? NOTHING : await ports.haltBatches(stoppedBatches);
  return { added, stoppedBatches: stoppedBatches.length, inFlight };
}

import { stopBatchesDialing } from "./batches.ts";
import type { Ledger } from "../ground/connection.ts";
import { addSuppressions, type NewSuppression } from "../ground/suppressions.ts";

/**
 * Suppresses numbers, then asks the batches that are dialing one of them to stop. In this order: once the
 * suppression is committed no start is permitted on its number, and what was started before is found and stopped.
 * Whoever calls this makes sure that those batches are tended to.
 *
 * @returns how many numbers were not suppressed before, and the batches that were asked to stop.
 */
export async function suppressAndStop(
  ledger: Ledger,
  input: { entries: readonly NewSuppression[]; actor: string; nowMs: number },
): Promise<{ added: number; stoppedBatches: string[] }> {
  const { entries, nowMs } = input;
  const added = await ledger.transaction((tx) => addSuppressions(tx, input));
  const phonesByBrand = new Map<string | undefined, string[]>();
  for (const { phone, brand } of entries) {
    phonesByBrand.set(brand, [...(phonesByBrand.get(brand) ?? []), phone]);
  }
  const stopped = new Set<string>();
  for (const [brand, phones] of phonesByBrand) {
    for (const batchId of await stopBatchesDialing(ledger, { phones, brand, nowMs })) stopped.add(batchId);
  }
  return { added, stoppedBatches: [...stopped] };
}

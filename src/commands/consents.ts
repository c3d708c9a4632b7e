import { stopBatchesDialing } from "../ledger/campaigns/batches.ts";
import { withdrawConsent } from "../ledger/ground/consents.ts";
import type { CommandPorts, InFlight } from "./ports.ts";

export interface ConsentWithdrawn {
  stoppedBatches: number;
  inFlight: InFlight;
}

/**
 * Notes that somebody does not consent to being called any more; answers when batches of the brand that were dialing the
 * number start no new call. Whoever killed it behind the note leaves that to the next reading of such a batch.
 */
export async function withdraw(
  ports: CommandPorts,
  input: { brand: string; phone: string; reason: string; source: string; actor: string },
): Promise<ConsentWithdrawn> {
  const { ledger, now } = ports;
  const { brand, phone } = input;
  const nowMs = now();
  await ledger.transaction((tx) => withdrawConsent(tx, { ...input, nowMs }));
  const stopped = await stopBatchesDialing(ledger, { phones: [phone], brand, nowMs });
  return { stoppedBatches: stopped.length, inFlight: await ports.haltBatches(stopped) };
}

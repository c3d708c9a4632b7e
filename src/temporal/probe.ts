import type { Client } from "@temporalio/client";

import { TemporalUnavailableError } from "./server/errors.ts";
import { temporalWords } from "./words.ts";

/** A probe that waits longer than this counts as failed with whoever sends it. */
const PROBE_MS = 2_000;

/**
 * Asks the Temporal server for a sign of life: one request that is no action.
 *
 * @param address where the client looks for it, for the words
 * @throws TemporalUnavailableError where it gives none.
 */
export async function probeTemporal(client: Client, address?: string): Promise<void> {
  try {
    await client.withDeadline(Date.now() + PROBE_MS, () => client.workflowService.getSystemInfo({}));
  } catch (error) {
    const where = address === undefined ? "" : ` at ${address}`;
    throw new TemporalUnavailableError(
      `Temporal${where} does not answer (${temporalWords(error)}): see that it runs, and that the settings TEMPORAL_... name it; what is under way goes on once it does`,
      [],
      { cause: error },
    );
  }
}

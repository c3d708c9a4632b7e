import type { Client } from "@temporalio/client";

/** A probe that waits longer than this counts as failed with whoever sends it. */
const PROBE_MS = 2_000;

/** Asks the Temporal server for a sign of life: one request that is no action. @throws where it gives none. */
export async function probeTemporal(client: Client): Promise<void> {
  await client.withDeadline(Date.now() + PROBE_MS, () => client.workflowService.getSystemInfo({}));
}

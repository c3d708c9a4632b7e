import { sleep } from "@temporalio/workflow";

/** Gives the milliseconds of the server's time that passed. */
export async function sleepWorkflow(durationMs: number): Promise<number> {
  const startedAt = Date.now();
  await sleep(durationMs);
  return Date.now() - startedAt;
}

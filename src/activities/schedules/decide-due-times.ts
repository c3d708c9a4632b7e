import { decideDueTimes, type Decided } from "../../ledger/schedules/scheduling.ts";
import type { ActivityDeps } from "../deps.ts";

/**
 * Decides what becomes of every due time of a schedule that has come, and has those begin whose turn it is.
 *
 * Safe to retry: a due time is decided once.
 *
 * @param input `dueAtMs`: for which due time this was started, Unix milliseconds
 */
export async function decideDueTimesActivity(
  deps: ActivityDeps,
  input: { scheduleId: string; dueAtMs: number | undefined },
): Promise<Decided> {
  const decided = await deps.ledger.transaction((tx) => decideDueTimes(tx, { ...input, nowMs: deps.now() }));
  if (decided.begun > 0) deps.outbox.kick();
  return decided;
}

import { workflowInfo } from "@temporalio/workflow";

import { engine } from "./proxies.ts";

export interface ScheduleDueWorkflowInput {
  scheduleId: string;
}

/**
 * What Temporal starts when a schedule is due: has the ledger decide everything that has come due by now, this due
 * time and whatever was left before it. Runs are workflows of their own.
 */
export async function scheduleDueWorkflow({ scheduleId }: ScheduleDueWorkflowInput): Promise<void> {
  // By the calendar, without jitter: the ledger knows the due time under it.
  const [due] = workflowInfo().searchAttributes["TemporalScheduledStartTime"] ?? [];
  await engine.decideDueTimes({ scheduleId, dueAtMs: due instanceof Date ? due.getTime() : undefined });
}

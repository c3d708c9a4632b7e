/** One workflow a campaign, a batch, an enrolment, a follow-up and a schedule's run, found by the ids that the ledger gave them. */
export function campaignWorkflowId(campaignId: string): string {
  return `campaign-${campaignId}`;
}

export function batchWorkflowId(batchId: string): string {
  return `batch-${batchId}`;
}

export function enrolmentWorkflowId(enrolmentId: string): string {
  return `enrolment-${enrolmentId}`;
}

export function followUpWorkflowId(followUpId: string): string {
  return `follow-up-${followUpId}`;
}

export function automationWorkflowId(automationId: string): string {
  return `automation-${automationId}`;
}

export function scheduleRunWorkflowId(runId: string): string {
  return `schedule-run-${runId}`;
}

/** Of Temporal's schedule, and with a time behind it of what that one starts. */
export function scheduleDueWorkflowId(scheduleId: string): string {
  return `schedule-due-${scheduleId}`;
}

export function temporalScheduleId(scheduleId: string): string {
  return `schedule-${scheduleId}`;
}

export function keyRotationWorkflowId(rotationId: string): string {
  return `key-rotation-${rotationId}`;
}

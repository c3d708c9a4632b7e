/** One workflow a campaign, a batch, an enrolment, a follow-up, a schedule and its run, found by the ids that the ledger gave them. */
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

export function scheduleWorkflowId(scheduleId: string): string {
  return `schedule-${scheduleId}`;
}

export function scheduleRunWorkflowId(runId: string): string {
  return `schedule-run-${runId}`;
}

export function keyRotationWorkflowId(rotationId: string): string {
  return `key-rotation-${rotationId}`;
}

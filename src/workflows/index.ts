export { automationWorkflow } from "./automation.ts";
export { batchWorkflow } from "./batch.ts";
export { campaignWorkflow } from "./campaign.ts";
export { followUpWorkflow } from "./follow-up.ts";
export { keyRotationWorkflow } from "./key-rotation.ts";
export { sequenceWorkflow } from "./sequence.ts";
export { scheduleWorkflow } from "./schedule.ts";
export { scheduleRunWorkflow } from "./schedule-run.ts";

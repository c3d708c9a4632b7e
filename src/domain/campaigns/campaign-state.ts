/**
 * scheduled: created, not begun. running: dials under its policy. paused: no new dial until resumed.
 * draining: is ending; waits for calls that are up. completed, cancelled: over, nothing ever dials again.
 */
export const CAMPAIGN_STATES = [
  "scheduled",
  "running",
  "paused",
  "draining",
  "completed",
  "cancelled",
] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

export type CampaignEnding = "completed" | "cancelled";

export type CampaignCommand = "start" | "pause" | "resume" | "approve" | "cancel" | "amend" | "append";

const ALLOWED: Readonly<Record<CampaignCommand, readonly CampaignState[]>> = {
  start: ["scheduled"],
  pause: ["running"],
  resume: ["paused"],
  approve: ["paused"],
  cancel: ["scheduled", "running", "paused"],
  amend: ["scheduled", "running", "paused"],
  append: ["scheduled", "running", "paused"],
};

/** Why a command does not fit the state, or undefined where it does. */
export function objectionTo(command: CampaignCommand, state: CampaignState): string | undefined {
  if (ALLOWED[command].includes(state)) return undefined;
  return `a campaign that is ${state} can't be given \`${command}\`: that takes one that is ${ALLOWED[command].join(" or ")}`;
}

export function isOver(state: CampaignState): boolean {
  return state === "completed" || state === "cancelled";
}

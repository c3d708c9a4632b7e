import { defineQuery, defineSignal, defineUpdate } from "@temporalio/workflow";

import type { CommandActivityInput, HaltResult } from "../activities/campaigns/campaign-commands.ts";
import type { AmendResult, CommandResult } from "../ledger/campaigns/commands.ts";
import type { PlanResult } from "../ledger/campaigns/planning.ts";
import type { CampaignSpec } from "../domain/campaigns/campaign-spec.ts";

/** Says only "look again": whoever gets it reads what changed from the ledger. */
export const wakeSignal = defineSignal("wake");

/** A command as a person gave it; its id makes giving it twice the same as once. */
export type CommandInput = Omit<CommandActivityInput, "campaignId">;

/** Answers when no new dial can begin any more, with what is still in flight. */
export const pauseUpdate = defineUpdate<HaltResult, [CommandInput]>("pause");
export const resumeUpdate = defineUpdate<CommandResult, [CommandInput]>("resume");
export const cancelUpdate = defineUpdate<HaltResult, [CommandInput]>("cancel");
export const amendUpdate = defineUpdate<AmendResult, [CommandInput & { spec: CampaignSpec }]>("amend");

/** The campaign as its last planning left it; undefined before the first. */
export const progressQuery = defineQuery<PlanResult | undefined>("progress");

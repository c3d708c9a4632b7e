import { defineQuery, defineSignal } from "@temporalio/workflow";

import type { PlanResult } from "../ledger/campaigns/planning.ts";

/** Says only "look again": whoever gets it reads what changed from the ledger. */
export const wakeSignal = defineSignal("wake");

/** The campaign as its last planning left it; undefined before the first. */
export const progressQuery = defineQuery<PlanResult | undefined>("progress");

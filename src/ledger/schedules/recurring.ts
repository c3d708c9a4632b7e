import { sql } from "drizzle-orm";

import type { CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import { specDifference } from "../../domain/campaigns/spec-difference.ts";
import { amendCampaign, createCampaign } from "../campaigns/campaign-specs.ts";
import { findCampaign, lockCampaign, type Campaign } from "../campaigns/campaigns.ts";
import { rows, type Db } from "../ground/connection.ts";
import { beginImportIn } from "../campaigns/imports.ts";
import { bindCampaign } from "./schedule-runs.ts";

/** The campaign of this run can't be made; nothing was written. The message says what to do. */
export class RecurringRefusedError extends Error {
  override readonly name = "RecurringRefusedError";
}

/** The run is not to be made any more; nothing was written. */
export class RunUnwantedError extends Error {
  override readonly name = "RunUnwantedError";
}

export interface RecurringInput {
  runId: string;
  spec: CampaignSpec;
  /** Its list, of which nothing is taken yet; undefined: nobody is to be called. */
  list: { digest: string; sourceName: string; settings: Record<string, unknown> } | undefined;
  actor: string;
  nowMs: number;
}

/**
 * Makes the next run of a recurring campaign, `scheduled`, bound to the run of its schedule, and with the import of
 * its list begun: it does not start before the whole list is taken, whoever asks for it. One that was declared or
 * created and waits for its contacts is taken for it.
 *
 * @throws RunUnwantedError, RecurringRefusedError: roll back.
 */
export async function makeRecurringCampaign(tx: Db, input: RecurringInput): Promise<Campaign> {
  const campaign = (await takeWaiting(tx, input)) ?? (await createNext(tx, input));
  const { runId, nowMs } = input;
  if (!(await bindCampaign(tx, { runId, campaignId: campaign.id })))
    throw new RunUnwantedError("the run is not wanted any more");
  if (input.list) await beginImportIn(tx, { ...input.list, campaignId: campaign.id, nowMs });
  return campaign;
}

async function createNext(tx: Db, { spec, actor, nowMs }: RecurringInput): Promise<Campaign> {
  const newest = await findCampaign(tx, spec.brand, spec.name);
  if (newest && newest.endedAtMs === undefined)
    throw new RecurringRefusedError(
      `run ${newest.run} of campaign ${spec.name} is ${newest.state}${newest.state === "scheduled" ? " with contacts of its own" : ""}: ` +
        `let it come to its end, or \`outdial campaign cancel ${spec.name}\``,
    );
  return createCampaign(tx, { spec, actor, nowMs });
}

/** The newest run, where it was made and never filled. */
async function takeWaiting(
  tx: Db,
  { runId, spec, actor, nowMs }: RecurringInput,
): Promise<Campaign | undefined> {
  const newest = await findCampaign(tx, spec.brand, spec.name);
  if (newest?.state !== "scheduled") return undefined;
  const waiting = await lockCampaign(tx, newest.id);
  if (waiting?.state !== "scheduled" || !(await isEmpty(tx, waiting.id))) return undefined;
  if (specDifference(waiting.spec, spec).length === 0) return waiting;
  const commandId = `schedule-run ${runId} spec`;
  const policyVersion = await amendCampaign(tx, { campaign: waiting, spec, actor, commandId, nowMs });
  return { ...waiting, spec, policyVersion, concurrency: spec.concurrency };
}

async function isEmpty(tx: Db, campaignId: string): Promise<boolean> {
  const found = await rows(
    tx,
    sql`select 1 as one from imports where campaign_id = ${campaignId}::uuid
        union all select 1 from contacts where campaign_id = ${campaignId}::uuid
        union all select 1 from schedule_runs where campaign_id = ${campaignId}::uuid
        limit 1`,
  );
  return found.length === 0;
}

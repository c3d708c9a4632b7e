import { recurringOf, recurringSpecOf } from "../../../domain/schedules/recurring-spec.ts";
import type { ScheduleDefinition } from "../../../domain/schedules/schedule.ts";
import { findCampaign } from "../../../ledger/campaigns/campaigns.ts";
import type { Db } from "../../../ledger/ground/connection.ts";

/** Why no run of a schedule could be made of its campaign as things are; that there is no campaign is told elsewhere. */
export async function unsourcedWarnings(
  db: Db,
  { run }: ScheduleDefinition,
  nowMs: number,
): Promise<string[]> {
  if (run.campaign === undefined) return [];
  const { brand, name } = recurringOf(run);
  const campaign = await findCampaign(db, brand, name);
  if (!campaign && run.spec === undefined) return [];
  const wanted = recurringSpecOf(run, campaign?.spec, nowMs);
  return wanted.ok ? [] : [`run: ${wanted.problem}`];
}

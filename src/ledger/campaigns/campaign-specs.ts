import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";

import type { CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import { ruleChanges } from "../../domain/campaigns/rule-changes.ts";
import { specDifference } from "../../domain/campaigns/spec-difference.ts";
import { traceToKeep } from "../../tracing/work.ts";
import { writeAudit } from "../ground/audit.ts";
import { rows, type Db } from "../ground/connection.ts";
import { GRACE_MS } from "../ground/look-by.ts";
import { at, json } from "../ground/sql.ts";
import { noteNews } from "./campaign-news.ts";
import { findCampaign, readCampaign, type Campaign } from "./campaigns.ts";

/** The name's newest run is not over; a new run of it would call the same people beside it. */
export class CampaignNotOverError extends Error {
  override readonly name = "CampaignNotOverError";
}

export interface CreateCampaignInput {
  spec: CampaignSpec;
  actor: string;
  nowMs: number;
}

/**
 * Writes a campaign down, `scheduled`. Where its name exists already, this is the name's next run.
 *
 * @throws CampaignNotOverError where the name's newest run is not over.
 */
export async function createCampaign(tx: Db, input: CreateCampaignInput): Promise<Campaign> {
  const { spec, actor, nowMs } = input;
  await rows(tx, sql`insert into brands (id) values (${spec.brand}) on conflict do nothing`);
  // The brand's row stands for all its names: two creations of one name take turns.
  await rows(tx, sql`select 1 from brands where id = ${spec.brand} for update`);
  const newest = await findCampaign(tx, spec.brand, spec.name);
  if (newest && newest.endedAtMs === undefined) {
    throw new CampaignNotOverError(
      `campaign "${spec.name}" is ${newest.state}: carry on with it, amend it, or cancel it before a new run`,
    );
  }
  const id = randomUUID();
  await rows(
    tx,
    sql`insert into campaigns (id, brand, name, run, state, spec, policy_version, concurrency, created_at, trace_parent)
        values (${id}::uuid, ${spec.brand}, ${spec.name}, ${(newest?.run ?? 0) + 1}, 'scheduled', ${json(spec)}, 1,
                ${spec.concurrency}, ${at(nowMs)}, ${traceToKeep()})`,
  );
  await writePolicyVersion(tx, { campaignId: id, version: 1, spec, actor, nowMs });
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "campaign.create",
    campaignId: id,
    detail: { brand: spec.brand, name: spec.name, version: 1 },
    event: { type: "campaign.created", data: { actor } },
  });
  const campaign = await readCampaign(tx, id);
  if (!campaign) throw new Error(`campaign ${id} vanished while it was created`);
  const { brand, name, run } = campaign;
  noteNews(tx, { campaignId: id, brand, name, run, step: "created", detail: { actor } });
  return campaign;
}

/** Writes down what dials are decided under from here on. */
export async function writePolicyVersion(
  tx: Db,
  input: { campaignId: string; version: number; spec: CampaignSpec; actor: string; nowMs: number },
): Promise<void> {
  await rows(
    tx,
    sql`insert into policy_versions (campaign_id, version, spec, actor, created_at)
        values (${input.campaignId}::uuid, ${input.version}, ${json(input.spec)}, ${input.actor}, ${at(input.nowMs)})`,
  );
  const { campaignId, version, spec, actor, nowMs } = input;
  // Whoever loosens a rule of a preset answers for it by name, in each version in which it is loosened.
  if (spec.override !== undefined)
    await writeAudit(tx, {
      nowMs,
      actor,
      action: "campaign.override",
      campaignId,
      detail: { version, presets: spec.presets ?? [], override: spec.override },
    });
}

/** Puts an amended spec in force under the campaign's lock. Every dial from here on cites the new version. */
export async function amendCampaign(
  tx: Db,
  input: {
    campaign: Campaign;
    spec: CampaignSpec;
    actor: string;
    /** Why, as whoever amended it said. */
    reason?: string | undefined;
    commandId?: string;
    nowMs: number;
  },
): Promise<number> {
  const { campaign, spec, actor, nowMs } = input;
  const version = campaign.policyVersion + 1;
  const rules = ruleChanges(campaign.spec, spec);
  const differences = specDifference(campaign.spec, spec);
  // What one answer said is no word on what another says.
  const asksAnew = campaign.spec.transfers?.answer !== spec.transfers?.answer;
  await rows(
    tx,
    sql`update campaigns set spec = ${json(spec)}, policy_version = ${version}, concurrency = ${spec.concurrency},
          transfer_known_count = case when ${asksAnew} then 0 else transfer_known_count end,
          transfer_count = case when ${asksAnew} then 0 else transfer_count end,
          look_by = case when look_by is not null then least(look_by, ${at(nowMs + GRACE_MS)}) end
        where id = ${campaign.id}::uuid`,
  );
  await writePolicyVersion(tx, { campaignId: campaign.id, version, spec, actor, nowMs });
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "campaign.amend",
    campaignId: campaign.id,
    detail: {
      version,
      reason: input.reason ?? null,
      fields: differences.map(({ field }) => field),
      before: Object.fromEntries(differences.map(({ field, before }) => [field, before])),
      after: Object.fromEntries(differences.map(({ field, after }) => [field, after])),
      ...(rules.length > 0 && { rules }),
      ...(input.commandId !== undefined && { commandId: input.commandId }),
    },
    event: {
      type: "campaign.amended",
      data: { actor, reason: input.reason ?? null, version, fields: differences.map(({ field }) => field) },
    },
  });
  return version;
}

import { sql } from "drizzle-orm";

import type { BreakerState } from "../../domain/campaigns/breaker.ts";
import type { CampaignEnding, CampaignState } from "../../domain/campaigns/campaign-state.ts";
import { resolveAttention } from "../ground/attention.ts";
import { writeAudit } from "../ground/audit.ts";
import { noteNews, type CampaignMove } from "./campaign-news.ts";
import { resolveStalled } from "./campaign-stalls.ts";
import { firstRow, type Db } from "../ground/connection.ts";
import type { NewEvent } from "../ground/write-events.ts";
import { GRACE_MS } from "../ground/look-by.ts";
import { from, number, optional, record, text, type RecordOf } from "../ground/record.ts";
import { at, atOrNull } from "../ground/sql.ts";
import { TALLIES, type CanaryState, type PausedBy } from "./campaigns.ts";

export interface StateChange {
  campaignId: string;
  from: readonly CampaignState[];
  to: CampaignState;
  actor: string;
  reason: string | undefined;
  commandId?: string;
  ending?: CampaignEnding;
  /** Of a pause; by default for this campaign alone. */
  pausedBy?: PausedBy;
  /** Of one that pauses itself, or goes on to probe; by default its breaker is closed, and counts anew. */
  breaker?: { state: BreakerState; probeAtMs?: number | undefined; opened: number };
  /** Of one that pauses itself for its first calls, or whose were approved of; by default that stays. */
  canary?: CanaryState;
  nowMs: number;
}

/** Moves the campaign by compare-and-set. False where it was in none of the states. */
export async function moveCampaign(tx: Db, change: StateChange): Promise<boolean> {
  const over = change.to === "completed" || change.to === "cancelled";
  const pausedBy = change.to === "paused" ? (change.pausedBy ?? "itself") : undefined;
  const moved = await firstRow(
    tx,
    sql`update campaigns set state = ${change.to}, state_reason = ${change.reason ?? null}, offered_at = null,
          ending = ${change.ending ?? null}, paused_by = ${pausedBy ?? null},
          breaker = ${change.breaker?.state ?? "closed"}, probe_at = ${atOrNull(change.breaker?.probeAtMs)},
          short_of = case when ${change.to} in ('paused', 'running') then short_of end,
          opened = ${change.breaker?.opened ?? 0}, newest_calls = case when ${change.to} = 'running' then '' else newest_calls end,
          canary = coalesce(${change.canary ?? null}, case when canary = 'waiting' then null else canary end),
          started_at = case when ${change.to} = 'running' then coalesce(started_at, ${at(change.nowMs)}) else started_at end,
          running_since = case when ${change.to} = 'running' then ${at(change.nowMs)} else running_since end,
          ended_at = case when ${over} then ${at(change.nowMs)} else ended_at end,
          look_by = ${over ? sql`null` : sql`least(look_by, ${at(change.nowMs + GRACE_MS)})`}
        where id = ${change.campaignId}::uuid
          and state in (${sql.join(
            change.from.map((state) => sql`${state}`),
            sql`, `,
          )})
        returning ${MOVED.columns}`,
    MOVED,
  );
  if (!moved) return false;
  // Whoever resumed it has looked; and what is ending comes to dial nobody any more.
  if (change.to !== "paused") await resolveStalled(tx, change.campaignId, change.nowMs);
  if (over) await resolveUnpublished(tx, change);
  if (change.to !== "paused" && change.breaker === undefined) await resolveOwnPauses(tx, change);
  const news = newsOf(change, moved);
  noteNews(tx, news);
  await writeAudit(tx, {
    nowMs: change.nowMs,
    actor: change.actor,
    action: `campaign.${change.to}`,
    campaignId: change.campaignId,
    detail: {
      reason: change.reason ?? null,
      ...(moved.before !== undefined && { before: moved.before }),
      ...(pausedBy !== undefined && { pausedBy }),
      ...(change.commandId !== undefined && { commandId: change.commandId }),
    },
    event: eventOf(news, pausedBy),
  });
  return true;
}

function eventOf(move: CampaignMove, pausedBy: PausedBy | undefined): NewEvent | undefined {
  const { from, to, actor, contacts, attempts, dispositions } = move;
  const reason = move.reason ?? null;
  switch (to) {
    case "scheduled":
      return undefined;
    case "running":
      return {
        type: from.includes("scheduled") ? "campaign.started" : "campaign.resumed",
        data: { actor, reason },
      };
    case "paused":
      return { type: "campaign.paused", data: { actor, reason, paused_by: pausedBy ?? "itself" } };
    case "draining":
      return { type: "campaign.ending", data: { actor, reason } };
    case "completed":
    case "cancelled":
      return { type: `campaign.${to}`, data: { actor, reason, contacts, attempts, dispositions } };
  }
}

/** It goes on, or is over: nobody has to look any more at why it had paused itself. */
async function resolveOwnPauses(tx: Db, { campaignId, to, actor, nowMs }: StateChange): Promise<void> {
  const kinds = ["breaker_open", "canary_waiting", "agent_changed"] as const;
  // One that goes on waits for money as before: planning tells when it does not.
  for (const kind of to === "running" ? kinds : ([...kinds, "out_of_money"] as const)) {
    await resolveAttention(tx, {
      kind,
      subject: campaignId,
      by: actor,
      resolution: "the campaign goes on, or is over",
      nowMs,
    });
  }
}

/** Nobody waits for its agents any more. */
async function resolveUnpublished(tx: Db, { campaignId, actor, nowMs }: StateChange): Promise<void> {
  await resolveAttention(tx, {
    kind: "agent_unpublished",
    subject: campaignId,
    by: actor,
    resolution: "the campaign is over",
    nowMs,
  });
}

const MOVED = record({
  brand: text,
  name: text,
  run: number,
  /** As the statement found it. */
  before: from("(select b.state from campaigns b where b.id = campaigns.id)", optional(text)),
  ...TALLIES,
});

function newsOf(
  { campaignId, from, to, actor, reason }: StateChange,
  { brand, name, run, attempts, dispositions, before: _before, ...contacts }: RecordOf<typeof MOVED>,
): CampaignMove {
  const { done, excluded } = contacts;
  const open = contacts.open + contacts.leased;
  return {
    campaignId,
    brand,
    name,
    run,
    from,
    to,
    actor,
    reason,
    contacts: { total: open + done + excluded, done, excluded, open },
    attempts,
    dispositions,
  };
}

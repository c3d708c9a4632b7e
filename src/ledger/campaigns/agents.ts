import { sql } from "drizzle-orm";

import {
  changeText,
  isOtherVersion,
  problemText,
  type AgentSighting,
  type AgentState,
} from "../../domain/campaigns/agent-sighting.ts";
import { agentsOf } from "../../domain/campaigns/campaign-spec.ts";
import { isOver } from "../../domain/campaigns/campaign-state.ts";
import { raiseAttention, resolveAttention } from "../ground/attention.ts";
import { writeAudit } from "../ground/audit.ts";
import { firstRow, rows, type Db, type Ledger } from "../ground/connection.ts";
import {
  from,
  moment,
  number,
  optional,
  record,
  text,
  texts,
  word,
  type RecordOf,
} from "../ground/record.ts";
import { at, json, listOf } from "../ground/sql.ts";
import { requestStop } from "./batches.ts";
import { lockCallbacksOf, lockCampaign, readCampaign, type Campaign } from "./campaigns.ts";
import { pauseIn, type CommandResult } from "./commands.ts";

/*
 * Which version of its agents a campaign calls with.
 *
 * 1. What the platform shows of an agent is written down once for all campaigns, by whoever asked (activities,
 *    look-at-agent.ts). Each campaign takes it in under its own lock: from then on its attempts are planned with it.
 * 2. What is planned and was not started is of the new version. Of calls that are up, or ended since the platform was
 *    asked last, nobody knows which version spoke: they keep the one and name the other.
 * 3. A change is told, or pauses, once: what a campaign has taken in is not told again, and whoever resumes it has
 *    accepted what the pause named.
 * 4. An agent that is not published any more, or gone, can't call: the campaign waits until it can, by itself.
 */

const ENGINE = "engine";

/** What dials, or is ending with calls that may be up. */
const CALLS = sql`(c.ended_at is null and c.state in ('running', 'draining'))`;

/** Agents of a campaign `c`, those of its variants as well. */
export const CALLED_WITH = sql`lateral (
  select c.spec->>'agent_id' as agent_id
  union select v.value->>'agent_id' from jsonb_array_elements(coalesce(c.spec->'variants', '[]'::jsonb)) as v(value)
  where v.value->>'agent_id' is not null)`;

/** Agents that somebody calls with, whoever was not asked about for the longest time first. */
export async function listAgentsInUse(db: Db, atMost: number): Promise<string[]> {
  const found = await rows<{ agent_id: string }>(
    db,
    sql`select w.agent_id from campaigns c cross join ${CALLED_WITH} w left join agents a on a.id = w.agent_id
        where ${CALLS} group by w.agent_id order by min(a.seen_at) nulls first, w.agent_id limit ${atMost}`,
  );
  return found.map((row) => row.agent_id);
}

/** When the platform was last asked about an agent; undefined: never. Unix milliseconds. */
export async function readAgentSeenMs(db: Db, agentId: string): Promise<number | undefined> {
  const row = await firstRow(db, sql`select ${SEEN.columns} from agents where id = ${agentId}`, SEEN);
  return row?.seenAtMs;
}

const SEEN = record({ seenAtMs: moment });

/** Writes down what the platform showed. One who asked earlier and answers later takes nothing back. */
export async function noteSighting(db: Db, sighting: AgentSighting, seenAtMs: number): Promise<void> {
  const { agentId, name, state, version, origin, missing } = sighting;
  await rows(
    db,
    sql`insert into agents as a (id, name, state, version, origin, missing, seen_at)
        values (${agentId}, ${name}, ${state}, ${version ?? null}, ${origin ?? null}, ${json(missing)}, ${at(seenAtMs)})
        on conflict (id) do update set name = excluded.name, state = excluded.state, version = excluded.version,
          origin = excluded.origin, missing = excluded.missing, seen_at = excluded.seen_at,
          changed_at = case when (a.state, a.version) is distinct from (excluded.state, excluded.version) then excluded.seen_at else a.changed_at end,
          unchanged_at = case when (a.state, a.version) is distinct from (excluded.state, excluded.version) then a.seen_at else a.unchanged_at end
        where a.seen_at <= excluded.seen_at`,
  );
}

/** Of an agent `a` and what a campaign has taken in of it, `k`. */
const IS_NEWS = sql`(k.agent_id is null or k.state <> a.state or (a.state = 'published' and k.version is distinct from a.version))`;

/** Campaigns that have not taken in what was seen of their agents. */
export async function listUninformed(db: Db, atMost: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select c.id from campaigns c cross join ${CALLED_WITH} w join agents a on a.id = w.agent_id
          left join campaign_agents k on k.campaign_id = c.id and k.agent_id = a.id
        where ${CALLS} and ${IS_NEWS}
        group by c.id order by c.id limit ${atMost}`,
  );
  return found.map((row) => row.id);
}

/**
 * The same of one campaign, and of the one whose callbacks these are: that one first, since it is told for both, and
 * pauses both.
 */
export async function listUninformedAbout(db: Db, campaignId: string): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select c.id from campaigns c cross join ${CALLED_WITH} w join agents a on a.id = w.agent_id
          left join campaign_agents k on k.campaign_id = c.id and k.agent_id = a.id
        where c.id in (${campaignId}::uuid, (select parent_id from campaigns where id = ${campaignId}::uuid))
          and ${CALLS} and ${IS_NEWS}
        group by c.id order by c.parent_id nulls first`,
  );
  return found.map((row) => row.id);
}

const AGENT = record({
  agentId: from("a.id", text),
  name: from("a.name", text),
  state: from("a.state", word<AgentState>()),
  version: from("a.version", optional(number)),
  origin: from("a.origin", optional(text)),
  missing: from("a.missing", texts),
  seenAtMs: from("a.seen_at", moment),
  unchangedAtMs: from("a.unchanged_at", optional(moment)),
  knownState: from("k.state", optional(word<AgentState>())),
  knownVersion: from("k.version", optional(number)),
  /** Of a change under way: what it was before, and when that was seen. */
  wasVersion: from("k.was_version", optional(number)),
  changedAtMs: from("k.changed_at", optional(moment)),
});

/** An agent as it was seen last, and as one campaign has taken it in. */
export interface CampaignAgent extends RecordOf<typeof AGENT> {}

/** In the order of the spec. Those that nobody has asked about yet are not there. */
export async function readAgents(
  db: Db,
  { id, spec }: Pick<Campaign, "id" | "spec">,
): Promise<CampaignAgent[]> {
  const ids = [...agentsOf(spec).keys()];
  const found = await rows(
    db,
    sql`select ${AGENT.columns} from agents a left join campaign_agents k on k.agent_id = a.id and k.campaign_id = ${id}::uuid
        where a.id in ${listOf(ids, "text")}`,
    AGENT,
  );
  return found.sort((a, b) => ids.indexOf(a.agentId) - ids.indexOf(b.agentId));
}

export interface AgentNews {
  /** What is new, a sentence each; empty where the campaign saw its agents for the first time, and they can call. */
  told: string[];
  /** It paused itself, as its spec says. */
  isPaused: boolean;
  stoppedBatchIds: readonly string[];
  callbackCampaignIds: readonly string[];
}

/** Has a campaign take in what was seen of its agents; undefined where there is nothing new. */
export function takeInAgents(
  ledger: Ledger,
  input: { campaignId: string; nowMs: number },
): Promise<AgentNews | undefined> {
  return ledger.transaction(async (tx) => {
    const campaign = await lockCampaign(tx, input.campaignId);
    if (!campaign || isOver(campaign.state)) return undefined;
    const agents = await readAgents(tx, campaign);
    const news = agents.filter(isNew);
    if (news.length === 0) return undefined;
    const changed = news.filter((agent) => wasOf(agent) !== undefined);
    // Before anything is given back: a pause takes their locks (commands.ts).
    if (changed.length > 0) await lockCallbacksOf(tx, campaign.id);
    await writeDown(tx, campaign, news);
    for (const agent of news) await markAttempts(tx, campaign, agent);
    const problem = problemOf(agents);
    const stoppedBatchIds = await putProblem(tx, campaign, { problem, nowMs: input.nowMs });
    const said: AgentNews = {
      told: [
        ...changed.map((agent) => changeText(agent, was(agent))),
        ...(problem !== undefined && problem !== campaign.agentProblem ? [problem] : []),
      ],
      isPaused: false,
      stoppedBatchIds,
      callbackCampaignIds: [],
    };
    if (changed.length === 0 || (await isToldThrough(tx, campaign))) return said;
    const { isPaused, result } = await tellChange(tx, campaign, changed, input.nowMs);
    return {
      ...said,
      isPaused,
      stoppedBatchIds: [...new Set([...stoppedBatchIds, ...(result?.stoppedBatchIds ?? [])])],
      callbackCampaignIds: result?.callbackCampaignIds ?? [],
    };
  });
}

function isNew({ state, version, knownState, knownVersion }: CampaignAgent): boolean {
  return knownState !== state || (state === "published" && knownVersion !== version);
}

function was({ knownVersion: version }: CampaignAgent) {
  return { state: "published", version } as const;
}

/** The version that it had before, where another one speaks now. */
function wasOf(agent: CampaignAgent): number | undefined {
  return agent.knownState !== undefined && isOtherVersion(was(agent), agent) ? agent.knownVersion : undefined;
}

/** Of one that can't call, the version that it had is kept: it may come back as another. */
async function writeDown(tx: Db, { id }: Campaign, news: readonly CampaignAgent[]): Promise<void> {
  const taken = news.map((agent) => ({
    agent: agent.agentId,
    state: agent.state,
    version: agent.state === "published" ? agent.version : agent.knownVersion,
    was: wasOf(agent),
    changed: wasOf(agent) === undefined ? undefined : new Date(agent.seenAtMs).toISOString(),
  }));
  await rows(
    tx,
    sql`insert into campaign_agents as k (campaign_id, agent_id, state, version, was_version, changed_at)
        select ${id}::uuid, r.agent, r.state, r.version, r.was, r.changed
        from jsonb_to_recordset(${json(taken)}) as r(agent text, state text, version int, was int, changed timestamptz)
        on conflict (campaign_id, agent_id) do update set state = excluded.state, version = excluded.version,
          was_version = coalesce(excluded.was_version, k.was_version), changed_at = coalesce(excluded.changed_at, k.changed_at)`,
  );
}

/**
 * What was not started is of the version that is published now. Calls that may have been up while it changed keep what
 * was published when they began, and name the other. Bounded by the lines that the campaign holds, and by what ended
 * since the platform was asked before.
 */
async function markAttempts(tx: Db, { id }: Campaign, agent: CampaignAgent): Promise<void> {
  const { agentId, state, version } = agent;
  if (state !== "published" || version === undefined) return;
  const ofAgent = sql`b.campaign_id = ${id}::uuid and b.agent_id = ${agentId}`;
  await rows(
    tx,
    sql`update attempts a set agent_version = ${version} from batches b
        where ${ofAgent} and b.state in ('planned', 'created') and a.batch_id = b.id and a.state = 'open'
          and a.agent_version is distinct from ${version}`,
  );
  if (wasOf(agent) === undefined) return;
  const sinceMs = agent.unchangedAtMs ?? agent.seenAtMs;
  // Those that are over are locked by whoever books what they cost (charges.ts), too: both go by their ids.
  await rows(
    tx,
    sql`update attempts set agent_changed_to = ${version} where id in (
          select a.id from attempts a join batches b on b.id = a.batch_id
          where ${ofAgent} and b.state not in ('planned', 'created')
            and (b.state <> 'settled' or b.settled_at >= ${at(sinceMs)}) and a.agent_version <> ${version}
            and (a.state = 'open' or (a.state in ('provisional', 'ended') and coalesce(a.ended_at, a.settled_at) >= ${at(sinceMs)}))
          order by a.id for update of a)`,
  );
}

function problemOf(agents: readonly CampaignAgent[]): string | undefined {
  const problems = agents.flatMap((agent) => problemText(agent) ?? []);
  return problems.length === 0 ? undefined : problems.join("; ");
}

/**
 * Has a campaign wait for its agents, or go on. Batches that were not started are given back: nobody is called by what
 * is not published.
 *
 * @returns those.
 */
async function putProblem(
  tx: Db,
  campaign: Campaign,
  { problem, nowMs }: { problem: string | undefined; nowMs: number },
): Promise<string[]> {
  const { id, name, brand } = campaign;
  if (problem === campaign.agentProblem) return [];
  await rows(tx, sql`update campaigns set agent_problem = ${problem ?? null} where id = ${id}::uuid`);
  await writeAudit(tx, {
    nowMs,
    actor: ENGINE,
    action: problem === undefined ? "campaign.agent_published" : "campaign.agent_unpublished",
    campaignId: id,
    detail: problem === undefined ? {} : { problem },
  });
  if (problem === undefined) {
    await resolveAttention(tx, {
      kind: "agent_unpublished",
      subject: id,
      by: ENGINE,
      resolution: "its agents are published",
      nowMs,
    });
    return [];
  }
  await raiseAttention(tx, {
    kind: "agent_unpublished",
    subject: id,
    brand,
    summary: `campaign ${name} waits: ${problem}`,
    remedy: "publish it on the platform: the campaign goes on within a minute or two; or cancel the campaign",
    nowMs,
  });
  const unstarted = await rows<{ id: string }>(
    tx,
    sql`select id from batches where campaign_id = ${id}::uuid and state in ('planned', 'created')`,
  );
  const batchIds = unstarted.map((batch) => batch.id);
  await requestStop(tx, { campaign, batchIds, reason: "policy", nowMs });
  return batchIds;
}

/** Callbacks have the agents of their campaign, which is told and pauses them with it, while it is there. */
async function isToldThrough(tx: Db, { parentId }: Campaign): Promise<boolean> {
  const parent = parentId === undefined ? undefined : await readCampaign(tx, parentId);
  return parent !== undefined && !isOver(parent.state);
}

/** Tells people of a change, once, and pauses where the spec says so. */
async function tellChange(
  tx: Db,
  campaign: Campaign,
  changed: readonly CampaignAgent[],
  nowMs: number,
): Promise<{ isPaused: boolean; result?: CommandResult }> {
  const { id, name, brand, spec, state } = campaign;
  const what = changed.map((agent) => changeText(agent, was(agent))).join("; ");
  await writeAudit(tx, {
    nowMs,
    actor: ENGINE,
    action: "campaign.agent_changed",
    campaignId: id,
    detail: {
      agents: changed.map((agent) => ({
        agent_id: agent.agentId,
        from: agent.knownVersion ?? null,
        to: agent.version ?? null,
      })),
    },
  });
  const pauses = spec.on_agent_change === "pause" && state === "running";
  const missing = changed.flatMap((agent) => agent.missing);
  const lacks = missing.length === 0 ? "" : `; of the new version: ${missing.join("; ")}`;
  await raiseAttention(tx, {
    kind: "agent_changed",
    subject: id,
    brand,
    summary: `campaign ${name}${pauses ? " paused itself" : ""}: ${what}`,
    remedy: `${pauses ? `listen to the new version, then resume the campaign (outdial campaign resume ${id}), which accepts it` : "listen to the new version; pause the campaign if it is not meant"}${lacks}`,
    nowMs,
  });
  if (!pauses) return { isPaused: false };
  const reason = `agent: ${what}; resume it to call with that`;
  return { isPaused: true, result: await pauseIn(tx, campaign, { actor: ENGINE, reason, nowMs }) };
}

import { sightingOf, type SeenAgent } from "../../domain/campaigns/agent-sighting.ts";
import {
  listUninformedAbout,
  noteSighting,
  readAgentSeenMs,
  takeInAgents,
} from "../../ledger/campaigns/agents.ts";
import { NotFoundError, PlatformError } from "../../platform/index.ts";
import type { ActivityDeps } from "../deps.ts";

export type AgentLookDeps = Pick<ActivityDeps, "ledger" | "platform" | "wake" | "log" | "now">;

/** A batch is created with what was seen within this: the chore looks as often, and a campaign's first batch before it. */
const FRESH_MS = 90_000;

/** Nobody who waits to be called waits longer for this. */
const ANSWER_MS = 5_000;

/** Looks under way, by agent: batches that are created together ask once. Nothing is remembered of one that is over. */
const underWay = new WeakMap<object, Map<string, Promise<void>>>();

/**
 * Asks the platform for an agent and writes down what it shows. Safe to repeat.
 *
 * @throws PlatformError where the platform does not tell.
 */
export function lookAtAgent(deps: AgentLookDeps, agentId: string): Promise<void> {
  const looks = underWay.get(deps.ledger) ?? new Map<string, Promise<void>>();
  underWay.set(deps.ledger, looks);
  const begun = looks.get(agentId);
  if (begun) return begun;
  const look = ask(deps, agentId).finally(() => looks.delete(agentId));
  looks.set(agentId, look);
  return look;
}

async function ask({ platform, ledger, now }: AgentLookDeps, agentId: string): Promise<void> {
  // What was so when it was asked may have changed while it answered.
  const seenAtMs = now();
  let agent: SeenAgent | undefined;
  try {
    agent = await platform.agents.get(agentId, { timeoutMs: ANSWER_MS });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
  await noteSighting(ledger.db, sightingOf(agentId, agent), seenAtMs);
}

/** Has a campaign take in what was seen of its agents, and tells whoever has to act on it. Safe to repeat. */
export async function informOfAgents(deps: AgentLookDeps, campaignId: string): Promise<void> {
  const news = await takeInAgents(deps.ledger, { campaignId, nowMs: deps.now() });
  if (!news) return;
  const { told, isPaused, stoppedBatchIds, callbackCampaignIds } = news;
  if (told.length > 0)
    deps.log.warn({ campaignId, told, isPaused }, "an agent of a campaign is another one now, or can't call");
  for (const id of stoppedBatchIds) deps.wake.batch(id);
  for (const id of [campaignId, ...callbackCampaignIds]) deps.wake.campaign(id);
}

/**
 * Makes sure that a batch is created knowing which version of its agent is published, and that its campaign knows what
 * was seen for another one's sake. A platform that does not tell keeps nobody from being called: it is asked again
 * within a minute.
 */
export async function knowAgent(
  deps: AgentLookDeps,
  { campaignId, agentId }: { campaignId: string; agentId: string },
): Promise<void> {
  const seenMs = await readAgentSeenMs(deps.ledger.db, agentId);
  if (seenMs === undefined || Math.abs(deps.now() - seenMs) >= FRESH_MS) {
    try {
      await lookAtAgent(deps, agentId);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      deps.log.warn({ agentId, error: error.message }, "the published version of an agent could not be read");
    }
  }
  // Nobody's lock is taken where nothing is new.
  for (const id of await listUninformedAbout(deps.ledger.db, campaignId)) await informOfAgents(deps, id);
}

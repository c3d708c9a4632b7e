import { informOfAgents, lookAtAgent, type AgentLookDeps } from "../../activities/campaigns/look-at-agent.ts";
import { listAgentsInUse, listUninformed } from "../../ledger/campaigns/agents.ts";
import { PlatformError } from "../../platform/index.ts";

/** Requests of one turn; more agents than that take turns. */
const AGENTS_AT_ONCE = 200;

/** One that can't be read keeps nobody else from being looked at; a platform that answers none is not asked 200 times. */
const MOST_FAILURES = 10;

/** Campaigns that are informed in one turn, a transaction each. */
const CAMPAIGNS_AT_ONCE = 500;

/**
 * Looks which version of their agents is published while campaigns call with them: a request an agent, whatever its
 * campaigns call. What is new is told to each of these, and has it pause or wait.
 *
 * Safe to repeat, and to be done by two.
 */
export async function watchAgents(deps: AgentLookDeps): Promise<void> {
  let failed: PlatformError | undefined;
  let failures = 0;
  for (const agentId of await listAgentsInUse(deps.ledger.db, AGENTS_AT_ONCE)) {
    try {
      await lookAtAgent(deps, agentId);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      failed = error;
      failures += 1;
      // What it refuses to the key, or puts off, it would of the others, too.
      const isOfAll = error.status === 401 || error.status === 403 || error.status === 429;
      if (isOfAll || failures >= MOST_FAILURES) break;
    }
  }
  for (const id of await listUninformed(deps.ledger.db, CAMPAIGNS_AT_ONCE)) await informOfAgents(deps, id);
  if (failed) throw failed;
}

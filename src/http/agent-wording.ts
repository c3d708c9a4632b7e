import { missingWording } from "../domain/campaigns/agent-wording.ts";
import { PlatformError, type Platform } from "../platform/index.ts";

/**
 * What the published agent of a campaign is not set up to say, for people. Told and never refused: a platform that does
 * not answer says nothing of it, since whoever starts a campaign does not wait for a warning.
 */
export async function wordingWarnings(platform: Platform, agentId: string): Promise<string[]> {
  try {
    const agent = await platform.agents.get(agentId);
    return missingWording(agent, agent.agent_name ?? agentId).map((told) => `agent_id: ${told}`);
  } catch (error) {
    if (error instanceof PlatformError) return [];
    throw error;
  }
}

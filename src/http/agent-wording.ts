import { missingWording } from "../domain/campaigns/agent-wording.ts";
import { agentsOf, type CampaignSpec } from "../domain/campaigns/campaign-spec.ts";
import { PlatformError, type Platform } from "../platform/index.ts";

/**
 * What the published agents of a campaign are not set up to say, for people; those of its variants as well. Told and
 * never refused: a platform that does not answer says nothing of it, since whoever starts a campaign does not wait for a
 * warning.
 */
export async function wordingWarnings(platform: Platform, spec: CampaignSpec): Promise<string[]> {
  const warnings: string[] = [];
  for (const [agentId, field] of agentsOf(spec)) {
    try {
      const agent = await platform.agents.get(agentId);
      warnings.push(...missingWording(agent, agent.agent_name ?? agentId).map((told) => `${field}: ${told}`));
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      return warnings;
    }
  }
  return warnings;
}

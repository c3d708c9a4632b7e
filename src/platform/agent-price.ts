import type { Agent } from "./operations/agents.ts";
import type { PricingEstimateRequest } from "./operations/billing.ts";
import type { Platform } from "./client.ts";
import { unnamedField } from "./decoding.ts";

/** What an agent is estimated to cost, in US dollars; undefined where the platform names no price. */
export interface AgentPrice {
  perMinuteUsd: number;
  /** For the analysis of a call, once. */
  perCallUsd: number;
}

/** Two requests: the agent, and the estimate for its providers and models. */
export async function readAgentPrice(
  platform: Pick<Platform, "agents" | "billing">,
  agentId: string,
): Promise<AgentPrice | undefined> {
  const request = estimateRequestOf(await platform.agents.get(agentId));
  const { total_per_minute: perMinuteUsd, post_call_analytics_per_execution: perCallUsd = 0 } =
    await platform.billing.estimate(request);
  if (perMinuteUsd === undefined || !(perMinuteUsd >= 0)) return undefined;
  return { perMinuteUsd, perCallUsd: perCallUsd >= 0 ? perCallUsd : 0 };
}

function estimateRequestOf(agent: Agent): PricingEstimateRequest {
  const text = (name: string) => {
    const value = unnamedField(agent, name);
    return typeof value === "string" && value !== "" ? { [name]: value } : {};
  };
  return {
    ...(agent.agent_type === "realtime_agent" && { agent_type: "realtime_agent" }),
    ...text("stt_provider"),
    ...text("stt_model"),
    ...text("llm_provider"),
    ...text("llm_model"),
    ...text("voice_provider"),
    ...text("realtime_provider"),
    ...text("realtime_model"),
  };
}

import type { AgentFields } from "../schemas/agents.ts";
import {
  ANALYSIS_MICROS_PER_CALL,
  ANALYTICS_PROVIDERS,
  offerOf,
  TELEPHONY_MICROS_PER_SECOND,
} from "./config.ts";

/** What money is spent on: the `event_type` of usage. */
export const SERVICES = [
  "telephony",
  "stt",
  "llm",
  "tts",
  "realtime",
  "post_call_analytics",
  "chat_message",
  "workflow_generation",
] as const;
export type Service = (typeof SERVICES)[number];

export interface Rate {
  readonly service: Service;
  readonly provider: string | null;
  readonly model: string | null;
  readonly microsPerSecond: number;
}

/** What a call of an agent costs: by the second, and once for its analysis. */
export interface CallRates {
  readonly rates: readonly Rate[];
  readonly analysisMicros: number;
}

/** The part of a configuration that prices depend on. */
export type PricedFields = Pick<
  AgentFields,
  | "agent_type"
  | "stt_provider"
  | "stt_model"
  | "llm_provider"
  | "llm_model"
  | "voice_provider"
  | "tts_model"
  | "realtime_provider"
  | "realtime_model"
  | "analytics_prompt"
  | "post_call_analysis_config"
>;

/**
 * The rates of a configuration. An orchestration agent pays for hearing, thinking and speaking, a realtime agent for
 * one model that does it all; calls over a phone line pay for that, too.
 */
export function ratesOf(fields: PricedFields, overPhone: boolean): CallRates {
  const telephony: Rate = {
    service: "telephony",
    provider: "platform",
    model: null,
    microsPerSecond: TELEPHONY_MICROS_PER_SECOND,
  };
  const speech: readonly Rate[] =
    fields.agent_type === "realtime_agent"
      ? [{ service: "realtime", ...offerOf("realtime", fields.realtime_provider, fields.realtime_model) }]
      : [
          { service: "stt", ...offerOf("stt", fields.stt_provider, fields.stt_model) },
          { service: "llm", ...offerOf("llm", fields.llm_provider, fields.llm_model) },
          { service: "tts", ...offerOf("tts", fields.voice_provider, fields.tts_model) },
        ];
  return {
    rates: overPhone ? [telephony, ...speech] : speech,
    analysisMicros: isAnalysed(fields) ? ANALYSIS_MICROS_PER_CALL : 0,
  };
}

/** Analysis that nobody configured is part of the call. */
function isAnalysed(fields: PricedFields): boolean {
  const { analytics_prompt: prompt, post_call_analysis_config: config } = fields;
  return (prompt ?? "") !== "" || (config !== null && config !== undefined);
}

export const ANALYSIS_MODEL = {
  provider: ANALYTICS_PROVIDERS[0].id,
  model: ANALYTICS_PROVIDERS[0].models[0],
} as const;

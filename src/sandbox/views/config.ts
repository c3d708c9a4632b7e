import type { z } from "zod";

import type { defaultsConfig } from "../schemas/config.ts";
import { ANALYTICS_PROVIDERS, CATALOGUE, offerOf } from "../state/config.ts";
import type { Category } from "../state/config.ts";

export function categoryView(category: Category) {
  return {
    providers: CATALOGUE[category].map(({ id, name, models, voices }) => ({
      id,
      name,
      models: models.map((model) => ({ id: model.id, name: model.name })),
      voices: [...(voices ?? [])],
    })),
  };
}

export function analyticsView() {
  return {
    providers: ANALYTICS_PROVIDERS.map(({ id, name, models }) => ({
      id,
      name,
      models: models.map((model) => ({ id: model, name: model })),
      voices: [],
    })),
  };
}

const stt = offerOf("stt", null, null);
const llm = offerOf("llm", null, null);
const realtime = offerOf("realtime", null, null);

/** DefaultsConfig (contract 2.9): what state/agents.ts gives a new agent, and the first offer of the catalogue. */
export const DEFAULTS: z.output<typeof defaultsConfig> = {
  agent_type: "orchestration_agent",
  agent_mode: "single_prompt",
  llm_provider: llm.provider,
  llm_model: llm.model,
  stt_provider: stt.provider,
  stt_model: stt.model,
  voice_provider: offerOf("tts", null, null).provider,
  realtime_provider: realtime.provider,
  realtime_model: realtime.model,
  analytics_model_provider: ANALYTICS_PROVIDERS[0].id,
  analytics_model: ANALYTICS_PROVIDERS[0].models[0],
  language: "en-US",
  temperature: 0.7,
  max_completion_tokens: 1024,
  voice_speed: 1,
};

import { z } from "zod";

import { CATEGORIES } from "../state/config.ts";

const provider = z.object({
  id: z.string(),
  name: z.string(),
  models: z.array(z.object({ id: z.string(), name: z.string() })),
  voices: z.array(z.string()),
});

const category = z.object({ providers: z.array(provider) });

/** LanguageEntry (contract 2.9). */
export const languageEntry = z.object({ code: z.string(), name: z.string(), native_name: z.string() });

/** DefaultsConfig (contract 2.9): what an agent gets where its creator says nothing. */
export const defaultsConfig = z.object({
  agent_type: z.string(),
  agent_mode: z.string(),
  llm_provider: z.string(),
  llm_model: z.string(),
  stt_provider: z.string(),
  stt_model: z.string(),
  voice_provider: z.string(),
  realtime_provider: z.string(),
  realtime_model: z.string(),
  analytics_model_provider: z.string(),
  analytics_model: z.string(),
  language: z.string(),
  temperature: z.number(),
  max_completion_tokens: z.int(),
  voice_speed: z.number(),
});

/** ProviderConfig (contract 2.9). */
export const providerConfig = z.object({
  stt: category,
  llm: category,
  tts: category,
  realtime: category,
  analytics: category,
  languages: z.array(languageEntry),
  defaults: defaultsConfig,
});

export const categoryParams = z.object({ category: z.enum(CATEGORIES) });
export const categoryResponse = category.extend({ category: z.enum(CATEGORIES) });

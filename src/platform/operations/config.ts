import { z } from "zod";
import { kept, listOf, number, record, text, within } from "../decoding.ts";
import { anyObject, array, get, object, type OperationsOf } from "./operation.ts";

const categoryParams = z.strictObject({ category: z.enum(["stt", "llm", "tts", "realtime"]) });

/** Contract 4.8. */
export type ProviderCategory = z.input<typeof categoryParams>["category"];

export const language = record({ code: "id" }, { code: text, name: text, native_name: text });

/** Contract 2.9. */
export type LanguageEntry = z.output<typeof language>;

export const defaults = record(
  {},
  {
    agent_type: text,
    agent_mode: text,
    llm_provider: text,
    llm_model: text,
    stt_provider: text,
    stt_model: text,
    voice_provider: text,
    voice_id: text,
    realtime_provider: text,
    realtime_model: text,
    realtime_voice: text,
    analytics_model_provider: text,
    analytics_model: text,
    language: text,
    temperature: number,
    max_completion_tokens: number,
    voice_speed: number,
  },
);

/**
 * Contract 2.9: the platform's own choices. Which it names is not shown; these are the names of an agent's own
 * fields.
 */
export type DefaultsConfig = z.output<typeof defaults>;

export const providers = record(
  {},
  {
    stt: kept,
    llm: kept,
    tts: kept,
    realtime: kept,
    analytics: kept,
    languages: listOf(language),
    defaults: within(defaults),
  },
);

/** Contract 2.9. What a category holds is kept as it came. */
export type ProviderConfig = z.output<typeof providers>;

export const configOperations = {
  "config.providers": get("/v1/config/providers", {
    summary: "Show all providers, models and languages",
    answer: object(providers),
  }),
  "config.category": get("/v1/config/providers/{category}", {
    summary: "Show the providers of one category",
    params: categoryParams,
    answer: anyObject,
  }),
  "config.defaults": get("/v1/config/defaults", {
    summary: "Show the platform's default choices",
    answer: object(defaults),
  }),
  "config.languages": get("/v1/config/languages", {
    summary: "List languages",
    answer: array(language, "code", "languages"),
  }),
} as const satisfies OperationsOf<"config">;

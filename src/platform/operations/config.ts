import { z } from "zod";
import { list, record, text } from "../decoding.ts";
import { anyObject, array, get, object, type OperationsOf } from "./operation.ts";

const categoryParams = z.strictObject({ category: z.enum(["stt", "llm", "tts", "realtime"]) });

/** Contract 4.8. */
export type ProviderCategory = z.input<typeof categoryParams>["category"];

/** Contract 2.9: stt, llm, tts, realtime, analytics and defaults, as they came. */
export const providers = record({}, { languages: list });
export type ProviderConfig = z.output<typeof providers>;

/** Contract 2.9: the platform's own choices of provider and model, as they came. */
export const defaults = record({}, {});
export type DefaultsConfig = z.output<typeof defaults>;

export const language = record({ code: "id" }, { code: text, name: text, native_name: text });

/** Contract 2.9. */
export type LanguageEntry = z.output<typeof language>;

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

/**
 * The providers and models that this platform offers (contract 4.8), with what a second of each costs. Prices are
 * whole micro-dollars a second, so that every sum of them is exact; the platform's own are not known.
 */

export const CATEGORIES = ["stt", "llm", "tts", "realtime"] as const;
export type Category = (typeof CATEGORIES)[number];

export interface Model {
  readonly id: string;
  readonly name: string;
  readonly microsPerSecond: number;
}

export interface Provider {
  readonly id: string;
  readonly name: string;
  /** The first one is meant where no model is said. */
  readonly models: readonly [Model, ...Model[]];
  /** Of providers that speak. */
  readonly voices?: readonly string[];
}

/** The first provider of a category is meant where none is said, and priced where an unknown one is. */
export const CATALOGUE: Readonly<Record<Category, readonly [Provider, ...Provider[]]>> = {
  stt: [
    {
      id: "deepgram",
      name: "Deepgram",
      models: [
        { id: "nova-2", name: "Nova 2", microsPerSecond: 200 },
        { id: "nova-3", name: "Nova 3", microsPerSecond: 230 },
      ],
    },
    {
      id: "assemblyai",
      name: "AssemblyAI",
      models: [{ id: "universal-streaming", name: "Universal Streaming", microsPerSecond: 180 }],
    },
    { id: "openai", name: "OpenAI", models: [{ id: "whisper-1", name: "Whisper", microsPerSecond: 150 }] },
  ],
  llm: [
    {
      id: "openai",
      name: "OpenAI",
      models: [
        { id: "gpt-4o", name: "GPT-4o", microsPerSecond: 500 },
        { id: "gpt-4o-mini", name: "GPT-4o mini", microsPerSecond: 100 },
      ],
    },
    {
      id: "anthropic",
      name: "Anthropic",
      models: [
        { id: "claude-sonnet-4-5", name: "Claude Sonnet 4.5", microsPerSecond: 600 },
        { id: "claude-haiku-4-5", name: "Claude Haiku 4.5", microsPerSecond: 220 },
      ],
    },
    {
      id: "google",
      name: "Google",
      models: [{ id: "gemini-2.5-flash", name: "Gemini 2.5 Flash", microsPerSecond: 80 }],
    },
  ],
  tts: [
    {
      id: "elevenlabs",
      name: "ElevenLabs",
      models: [
        { id: "eleven_turbo_v2_5", name: "Turbo 2.5", microsPerSecond: 500 },
        { id: "eleven_flash_v2_5", name: "Flash 2.5", microsPerSecond: 300 },
      ],
      voices: ["21m00Tcm4TlvDq8ikWAM", "EXAVITQu4vr4xnSDxMaL"],
    },
    {
      id: "cartesia",
      name: "Cartesia",
      models: [{ id: "sonic-2", name: "Sonic 2", microsPerSecond: 350 }],
      voices: ["a0e99841-438c-4a64-b679-ae501e7d6091"],
    },
    {
      id: "openai",
      name: "OpenAI",
      models: [{ id: "gpt-4o-mini-tts", name: "GPT-4o mini TTS", microsPerSecond: 250 }],
      voices: ["alloy", "nova"],
    },
  ],
  realtime: [
    {
      id: "openai",
      name: "OpenAI",
      models: [{ id: "gpt-realtime", name: "GPT Realtime", microsPerSecond: 3_000 }],
      voices: ["alloy", "marin"],
    },
    {
      id: "google",
      name: "Google",
      models: [{ id: "gemini-2.5-flash-live", name: "Gemini 2.5 Flash Live", microsPerSecond: 1_200 }],
      voices: ["Puck", "Kore"],
    },
  ],
};

/** Telephony is the platform's own, by whatever trunk a call goes: micro-dollars a second. */
export const TELEPHONY_MICROS_PER_SECOND = 300;

/** Post-call analysis that an agent was given a prompt or a configuration for, micro-dollars a call. */
export const ANALYSIS_MICROS_PER_CALL = 2_000;

/** One assistant message of a chat, and one generation or refinement of a workflow, in micro-dollars. */
export const CHAT_MESSAGE_MICROS = 1_500;
export const GENERATION_MICROS = 20_000;

/** The model behind post-call analysis and generation, unless an agent names another. */
export const ANALYTICS_PROVIDERS = [
  { id: "openai", name: "OpenAI", models: ["gpt-4o-mini", "gpt-4o"] },
  { id: "anthropic", name: "Anthropic", models: ["claude-haiku-4-5"] },
] as const;

export interface Language {
  readonly code: string;
  readonly name: string;
  readonly native_name: string;
}

/** LanguageEntry (contract 2.9). */
export const LANGUAGES: readonly Language[] = [
  { code: "en-US", name: "English (United States)", native_name: "English (United States)" },
  { code: "en-GB", name: "English (United Kingdom)", native_name: "English (United Kingdom)" },
  { code: "es-ES", name: "Spanish (Spain)", native_name: "Español (España)" },
  { code: "fr-FR", name: "French (France)", native_name: "Français (France)" },
  { code: "de-DE", name: "German (Germany)", native_name: "Deutsch (Deutschland)" },
  { code: "it-IT", name: "Italian (Italy)", native_name: "Italiano (Italia)" },
  { code: "pt-BR", name: "Portuguese (Brazil)", native_name: "Português (Brasil)" },
  { code: "nl-NL", name: "Dutch (Netherlands)", native_name: "Nederlands (Nederland)" },
  { code: "tr-TR", name: "Turkish (Türkiye)", native_name: "Türkçe (Türkiye)" },
  { code: "ar-SA", name: "Arabic (Saudi Arabia)", native_name: "العربية (السعودية)" },
  { code: "hi-IN", name: "Hindi (India)", native_name: "हिन्दी (भारत)" },
  { code: "ja-JP", name: "Japanese (Japan)", native_name: "日本語 (日本)" },
];

export interface Offer {
  readonly provider: string;
  readonly model: string;
  readonly microsPerSecond: number;
}

/**
 * What is used and paid for where a configuration names this provider and model. A model that is not in the
 * catalogue costs what its provider's first does, an unknown provider (one's own server, say) what the category's
 * first does: a price is never missing.
 */
export function offerOf(
  category: Category,
  providerId: string | null | undefined,
  modelId: string | null | undefined,
): Offer {
  const [first, ...rest] = CATALOGUE[category];
  const provider = [first, ...rest].find(({ id }) => id === providerId) ?? first;
  const model = provider.models.find(({ id }) => id === modelId) ?? provider.models[0];
  const isNamed = providerId !== null && providerId !== undefined && providerId !== "";
  return {
    provider: isNamed ? providerId : provider.id,
    model: modelId ?? model.id,
    microsPerSecond: model.microsPerSecond,
  };
}

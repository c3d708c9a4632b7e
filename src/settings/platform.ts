import path from "node:path";
import { z } from "zod";

import { httpUrl, number, setting, shownUrl, type Environment, type ValuesOf } from "./setting.ts";

export const PLATFORM_SETTINGS = {
  PLATFORM_BASE_URL: setting({
    schema: httpUrl.optional(),
    meaning: "Address of the voice-agent platform; a path prefix is allowed.",
    example: "https://api.voice.example.com",
  }),
  PLATFORM_WS_URL: setting({
    schema: shownUrl(/^wss?$/, "must be a ws or wss address").optional(),
    meaning: "Address of the platform's event stream.",
    example: "wss://stream.voice.example.com",
    default: "PLATFORM_BASE_URL with ws for http",
  }),
  PLATFORM_API_KEY: setting({
    schema: z
      .string()
      .regex(/^[\x21-\x7e]+$/, {
        message:
          "must be made of visible ASCII characters, without spaces or line breaks: it (or what PLATFORM_API_KEY_FILE holds) is no key as the platform shows them, so copy it again",
      })
      .optional(),
    meaning:
      "Key of the platform. From a file, PLATFORM_API_KEY_FILE, it can be rotated, and a file that changes is read again.",
    example: "the key as the platform showed it once",
    secret: true,
  }),
  PLATFORM_CONNECTIONS: setting({
    schema: number.int().min(1, "must be 1 or more").max(256).default(16),
    meaning: "Connections to the platform's REST interface that this process may open.",
    example: "32",
    default: "16",
  }),
  OUTDIAL_PLATFORM_PROFILE: setting({
    schema: z.string().min(1).optional(),
    meaning:
      "File with what `outdial qualify` found out about the platform; the engine takes what makes it more careful.",
    example: "/var/lib/outdial/platform-profile.json",
    default: "platform-profile.json in the data folder, where there is one",
  }),
} as const;

export interface PlatformSettings {
  readonly baseUrl: string | undefined;
  readonly wsUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** The file that the key was read from, and is read from again when it changes. */
  readonly apiKeyFile: string | undefined;
  readonly connections: number;
  /** A file that was named; absent, the usual one in the data folder. */
  readonly profile: string | undefined;
}

export function readPlatformSettings(
  values: ValuesOf<typeof PLATFORM_SETTINGS>,
  environment: Environment,
): PlatformSettings {
  return {
    baseUrl: values.PLATFORM_BASE_URL,
    wsUrl: values.PLATFORM_WS_URL,
    apiKey: values.PLATFORM_API_KEY,
    apiKeyFile: apiKeyFileOf(environment),
    connections: values.PLATFORM_CONNECTIONS,
    profile: values.OUTDIAL_PLATFORM_PROFILE && path.resolve(values.OUTDIAL_PLATFORM_PROFILE),
  };
}

/** As `textOf` has it: the variable goes before the file. */
function apiKeyFileOf(environment: Environment): string | undefined {
  const { PLATFORM_API_KEY: given, PLATFORM_API_KEY_FILE: file } = environment;
  if (given !== undefined && given !== "") return undefined;
  return file === undefined || file === "" ? undefined : path.resolve(file);
}

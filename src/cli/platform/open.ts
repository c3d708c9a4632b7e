import type { Config } from "../../config.ts";
import { createLog } from "../../log.ts";
import type { Platform, PlatformOptions } from "../../platform/index.ts";
import type { CliContext } from "../context.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";

/**
 * As the platform's published clients do: three more tries. A write is tried again only where it provably did
 * not happen, so that no start and no call is sent twice.
 */
const RETRY = { attempts: 4 } as const;

/** The platform for a person at the command line, where nobody else repeats what failed. @throws CliError */
export async function openByHand(
  context: CliContext,
  config: Config,
  options: Partial<PlatformOptions> = {},
): Promise<Platform> {
  const { baseUrl, apiKey } = config.platform;
  if (baseUrl === undefined || apiKey === undefined) {
    throw new CliError(
      "PLATFORM_BASE_URL and PLATFORM_API_KEY must be set: the platform's address and key, for example PLATFORM_BASE_URL=https://api.voice.example.com; `outdial sandbox` is one to try things with, and says what to set",
      EXIT.badInput,
    );
  }
  return context.ports.openPlatform(config, createLog({ level: "silent" }), { retry: RETRY, ...options });
}

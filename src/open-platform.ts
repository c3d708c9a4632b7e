import type { Logger } from "pino";

import type { Config } from "./config.ts";
import {
  createPlatform,
  givenKey,
  loggingHooks,
  openKeyFile,
  type Platform,
  type PlatformHooks,
  type PlatformKey,
  type PlatformOptions,
  type RequestLogger,
} from "./platform/index.ts";

/** The platform's address or key is not set, and this command needs it. */
class PlatformNotConfiguredError extends Error {
  override readonly name = "PlatformNotConfiguredError";
}

/** @throws PlatformNotConfiguredError where an address or key is missing. */
export function openPlatform(
  config: Config,
  log: Logger,
  { hooks, ...options }: Partial<PlatformOptions> = {},
  key: PlatformKey | undefined = platformKeyOf(config),
): Platform {
  const { baseUrl, wsUrl, connections } = config.platform;
  if (baseUrl === undefined || key === undefined) {
    throw new PlatformNotConfiguredError(
      "PLATFORM_BASE_URL and PLATFORM_API_KEY must be set: the platform's address and key, for example PLATFORM_BASE_URL=https://api.voice.example.com; or add --sandbox to run against a sandbox",
    );
  }
  return createPlatform({
    baseUrl,
    wsUrl,
    apiKey: () => key.current(),
    maxConnections: connections,
    hooks: hooksFor(key, log, hooks),
    ...options,
  });
}

/** Where this process has the platform's key from; undefined: it was given none. */
export function platformKeyOf({ platform: { apiKey, apiKeyFile } }: Config): PlatformKey | undefined {
  if (apiKey === undefined) return undefined;
  return apiKeyFile === undefined ? givenKey(apiKey) : openKeyFile(apiKeyFile, apiKey);
}

/** Logs requests; and where one is refused for its key, looks whether another one is in use by now. */
function hooksFor(key: PlatformKey, log: RequestLogger, more: PlatformHooks = {}): PlatformHooks {
  const { onResponse } = loggingHooks(log);
  return {
    ...more,
    onResponse: (event) => {
      if (event.status === UNAUTHORIZED) key.reread();
      onResponse?.(event);
      more.onResponse?.(event);
    },
  };
}

/** Contract 7. */
const UNAUTHORIZED = 401;

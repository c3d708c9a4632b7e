import type { Config } from "./config.ts";
import {
  givenKey,
  loggingHooks,
  openKeyFile,
  type PlatformHooks,
  type PlatformKey,
  type RequestLogger,
} from "./platform/index.ts";

/** Where this process has the platform's key from; undefined: it was given none. */
export function platformKeyOf({ platform: { apiKey, apiKeyFile } }: Config): PlatformKey | undefined {
  if (apiKey === undefined) return undefined;
  return apiKeyFile === undefined ? givenKey(apiKey) : openKeyFile(apiKeyFile, apiKey);
}

/** Logs requests; and where one is refused for its key, looks whether another one is in use by now. */
export function hooksFor(key: PlatformKey, log: RequestLogger): PlatformHooks {
  const { onResponse } = loggingHooks(log);
  return {
    onResponse: (event) => {
      if (event.status === UNAUTHORIZED) key.reread();
      onResponse?.(event);
    },
  };
}

/** Contract 7. */
const UNAUTHORIZED = 401;

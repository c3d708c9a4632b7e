import { reasonWords } from "../../domain/ground/reason-words.ts";
import type { Config } from "../../config.ts";
import { endOfKey, prefixOf, recogniseKey, warnedDays } from "../../domain/keys/key-rotation.ts";
import { ForbiddenError, momentOf, type ApiKey, type Platform } from "../../platform/index.ts";
import { fail, ok, warn, type Check } from "./check.ts";

/** Of an organization's keys; there are a handful. */
const KEYS_LOOKED_AT = 200;

/** When the key in use stops working, as far as the platform shows it. */
export async function checkKey(config: Config, platform: Platform, key: string): Promise<Check[]> {
  try {
    const keys: ApiKey[] = [];
    for await (const shown of platform.apiKeys.iterate({ limit: 100 })) {
      keys.push(shown);
      if (keys.length >= KEYS_LOOKED_AT) break;
    }
    const recognised = recogniseKey(key, keys, undefined);
    if (recognised.kind !== "found")
      return [ok("platform key", "works; the platform does not show which one it is")];
    return [checkEnd(config, recognised.key)];
  } catch (error) {
    if (error instanceof ForbiddenError)
      return [ok("platform key", "works; it may not be asked when it expires (no api_keys:read)")];
    return [
      warn(
        "platform key",
        `when it expires can't be told (${reasonWords(error)})`,
        "look it up on the platform",
      ),
    ];
  }
}

function checkEnd({ platform: { apiKeyFile } }: Config, key: ApiKey): Check {
  const name = prefixOf(key.key_prefix) ?? key.id;
  const endsAtMs = endOfKey(key, momentOf);
  if (endsAtMs === undefined) return ok("platform key", `${name} does not expire`);
  const text = `${name} stops working at ${new Date(endsAtMs).toISOString()}`;
  const days = warnedDays(endsAtMs, Date.now());
  if (days === undefined) return ok("platform key", text);
  const remedy =
    apiKeyFile === undefined
      ? "make a new one on the platform; from a file (PLATFORM_API_KEY_FILE) `outdial key rotate` does it"
      : "outdial key rotate";
  return days === 1 ? fail("platform key", text, remedy) : warn("platform key", text, remedy);
}

import { cachedExecutable } from "../cache.ts";
import type { ExecutableSource } from "../executables.ts";

/** What an earlier run downloaded or built. `names` of files in the cache, the best first. */
export function cachedSource(names: (platform: string) => readonly string[]): ExecutableSource {
  return {
    name: "cache",
    async candidates({ cacheDir, platform }) {
      const found = await Promise.all(names(platform).map((name) => cachedExecutable(cacheDir, name)));
      return found.filter((file) => file !== undefined);
    },
  };
}

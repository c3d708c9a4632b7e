import path from "node:path";
import { publishExecutable } from "../cache.ts";
import { SourceUnavailableError } from "../errors.ts";
import type { ExecutableSource } from "../executables.ts";
import { goModule } from "../pins.ts";
import { findExecutables } from "../process.ts";

/** Measured: under three minutes on two cores, with all modules to fetch. A small machine may need five times that. */
const BUILD_TIMEOUT_MS = 900_000;

/** The file in the cache. */
export function goCacheName(platform: string): string {
  return `temporal-go-${goModule.version}-${platform}`;
}

/** Builds the Temporal CLI from source, with the machine's own Go. */
export const goInstallSource: ExecutableSource = {
  name: `go install (Temporal CLI ${goModule.version})`,
  async candidates({ searchPath, cacheDir, platform, run, onProgress }) {
    const [go] = await findExecutables("go", searchPath);
    if (go === undefined) throw new SourceUnavailableError("there is no go on PATH");
    const [env] = await findExecutables("env", searchPath);
    if (env === undefined) throw new SourceUnavailableError("there is no env on PATH");
    onProgress(`building the Temporal CLI ${goModule.version} with go install (about three minutes, once)`);
    const file = await publishExecutable(cacheDir, goCacheName(platform), async (stagingDir) => {
      const module = `${goModule.path}@${goModule.version}`;
      // env(1), because the rest of the environment (proxy, module cache) is to stay as it is.
      await run(env, [`GOBIN=${stagingDir}`, go, "install", module], {
        timeoutMs: BUILD_TIMEOUT_MS,
        cwd: stagingDir,
      });
      return path.join(stagingDir, "temporal");
    });
    return [file];
  },
};

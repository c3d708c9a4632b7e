import os from "node:os";
import path from "node:path";

import { findLivekit } from "../../src/sandbox/rooms/livekit-executable.ts";

/** Where executables are kept between runs: the same place that users have. */
function cacheDir(): string {
  return path.join(process.env["XDG_CACHE_HOME"] ?? path.join(os.homedir(), ".cache"), "outdial", "livekit");
}

/**
 * A LiveKit server's executable, built with Go where there is none yet; null where it cannot be had, which is said, and
 * in CI is a failure.
 */
export async function livekitServer(): Promise<string | null> {
  try {
    return await findLivekit({
      searchPath: process.env["PATH"] ?? "",
      cacheDir: cacheDir(),
      onProgress: (message) => console.warn(message),
    });
  } catch (error) {
    if (process.env["CI"]) throw error;
    console.warn(
      `SKIPPED: tests on a real LiveKit server. ${error instanceof Error ? error.message : String(error)}`,
    );
    return null;
  }
}

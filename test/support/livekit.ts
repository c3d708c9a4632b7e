import os from "node:os";
import path from "node:path";

import { findLivekit } from "../../src/sandbox/rooms/livekit-executable.ts";
import { onPath } from "./on-path.ts";

/** Where executables are kept between runs: the same place that users have. */
const CACHE = path.join(
  process.env["XDG_CACHE_HOME"] ?? path.join(os.homedir(), ".cache"),
  "outdial",
  "livekit",
);

/**
 * A LiveKit server's executable, built with Go where there is none yet; null where it cannot be had, which is said, and
 * in CI is a failure where there is Go.
 */
export async function livekitServer(): Promise<string | null> {
  try {
    return await findLivekit({
      searchPath: process.env["PATH"] ?? "",
      cacheDir: CACHE,
      onProgress: (message) => console.warn(message),
    });
  } catch (error) {
    if (process.env["CI"] && onPath("go") !== undefined) throw error;
    console.warn(
      `SKIPPED: tests on a real LiveKit server. ${error instanceof Error ? error.message : String(error)}`,
    );
    return null;
  }
}

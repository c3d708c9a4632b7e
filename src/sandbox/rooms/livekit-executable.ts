import { execFile } from "node:child_process";
import { access, chmod, constants, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

import { SandboxOptionsError } from "../options-error.ts";

/** The newest that Go installs by its name: later ones replace a module in their go.mod, which go install refuses. */
const VERSION = "v1.8.4";
const MODULE = `github.com/livekit/livekit-server/cmd/server@${VERSION}`;

/** Measured: four minutes on two busy cores, with all modules to fetch. A small machine may need five times that. */
const BUILD_TIMEOUT_MS = 1_200_000;

export interface LivekitSearch {
  /** PATH. */
  readonly searchPath: string;
  /** The folder in which what was built is kept. */
  readonly cacheDir: string;
  readonly onProgress: (message: string) => void;
}

/**
 * The path of a LiveKit server: `livekit-server` on the search path, the one that was built before, or one that is built
 * now with the machine's own Go. @throws SandboxOptionsError which says what to do
 */
export async function findLivekit({ searchPath, cacheDir, onProgress }: LivekitSearch): Promise<string> {
  const installed = await onPath("livekit-server", searchPath);
  if (installed !== null) return installed;
  const cached = path.join(cacheDir, `livekit-server-${VERSION}-${process.platform}-${process.arch}`);
  if (await isExecutable(cached)) return cached;
  const [go, env] = await Promise.all([onPath("go", searchPath), onPath("env", searchPath)]);
  if (go === null || env === null) {
    throw new SandboxOptionsError(
      "rooms: there is neither a livekit-server nor a go on PATH: install one of them, or name an executable by --livekit-server PATH",
    );
  }
  onProgress(`building LiveKit's server ${VERSION} with go install (two to four minutes, once)`);
  await mkdir(cacheDir, { recursive: true });
  const staging = await mkdtemp(path.join(cacheDir, ".staging-"));
  try {
    // env(1), because the rest of the environment (proxy, module cache) is to stay as it is. Without the tables for
    // debuggers it is half as large.
    await promisify(execFile)(
      env,
      [`GOBIN=${staging}`, go, "install", "-trimpath", "-ldflags=-s -w", MODULE],
      {
        timeout: BUILD_TIMEOUT_MS,
        cwd: staging,
      },
    );
    const built = path.join(staging, "server");
    await chmod(built, 0o755);
    // What has its final name is whole; who was faster made the same.
    await rename(built, cached);
    return cached;
  } catch (error) {
    throw new SandboxOptionsError(
      `rooms: LiveKit's server ${VERSION} could not be built with ${go} (${lastWords(error)}): correct that, or name an executable by --livekit-server PATH`,
      { cause: error },
    );
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function onPath(name: string, searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(path.delimiter)) {
    const file = path.resolve(folder, name);
    if (folder !== "" && (await isExecutable(file))) return file;
  }
  return null;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function lastWords(error: unknown): string {
  const said = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
  const lines = said.split("\n").filter((line) => line.trim() !== "");
  const words = lines.length > 0 ? lines.slice(-3).join(" | ") : String(error);
  return words.replaceAll(/\/\/[^/@\s]+@/g, "//***@").slice(-600);
}

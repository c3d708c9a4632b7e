import { mkdir, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { publishExecutable } from "../cache.ts";
import { reasonOf, SourceUnavailableError } from "../errors.ts";
import type { ExecutableSource } from "../executables.ts";

/**
 * The SDK can download servers, but offers no call that only downloads: it starts what it fetched. So a short
 * process of our own lets it do both and ends the server again. In a process of its own, because (a) using
 * it here would create the process's one SDK Runtime, which the worker wants to set up itself, and (b) the
 * SDK puts no bound on connecting, and only a process can be given up.
 *
 * Arguments: the testing package, the download folder, the kind of server, and the bound below.
 */
const DOWNLOADER = `
const [testing, downloadDir, kind, answerBoundMs] = process.argv.slice(1);
const { TestWorkflowEnvironment } = require(testing);
const { readdirSync } = require("node:fs");
// The SDK opens its file when the download begins: nothing by then means that nobody answers.
setTimeout(() => {
  if (readdirSync(downloadDir).length > 0) return;
  console.error("no answer from temporal.download within " + answerBoundMs / 1000 + " s");
  process.exit(1);
}, Number(answerBoundMs));
const server = { executable: { type: "cached-download", downloadDir } };
const start = kind === "cli" ? TestWorkflowEnvironment.createLocal({ server }) : TestWorkflowEnvironment.createTimeSkipping({ server });
start.then((environment) => environment.teardown()).then(
  () => process.exit(0),
  (error) => {
    // The message repeats the request's address on every level; the last words are what went wrong.
    console.error(error.message.replace(/error sending request for url \\([^)]*\\): /g, ""));
    process.exit(1);
  },
);
`;

/** Unreachable networks fail within a second; one that swallows packets would take minutes. */
const ANSWER_BOUND_MS = 15_000;
/** As for the other downloads of this size. */
const DOWNLOAD_TIMEOUT_MS = 300_000;

export type SdkServerKind = "cli" | "time-skipping";

/** The file in the cache. The SDK chooses the server by its own version, so that names it. */
export function sdkCacheName(kind: SdkServerKind, platform: string): string {
  return `temporal-${kind}-sdk-${sdkVersion()}-${platform}`;
}

/** What the SDK itself downloads for its tests, from temporal.download. */
export function sdkDownloadSource(kind: SdkServerKind): ExecutableSource {
  return {
    name: "the Temporal SDK's download",
    async candidates({ cacheDir, platform, run, onProgress }) {
      onProgress(
        `downloading ${kind === "cli" ? "the Temporal CLI" : "the time-skipping test server"} with the Temporal SDK ` +
          `(about 50 MB, usually under a minute; where temporal.download is out of reach it says so in seconds)`,
      );
      const file = await publishExecutable(cacheDir, sdkCacheName(kind, platform), async (stagingDir) => {
        const target = path.join(stagingDir, "download");
        await mkdir(target);
        const testing = packages.resolve("@temporalio/testing");
        const args = ["-e", DOWNLOADER, testing, target, kind, String(ANSWER_BOUND_MS)];
        let failure: unknown;
        try {
          await run(process.execPath, args, { timeoutMs: DOWNLOAD_TIMEOUT_MS });
        } catch (error) {
          // It may have fetched the file and only been too slow at starting it; then that is what we came for.
          failure = error;
        }
        const name = (await readdir(target)).find((file) => !file.endsWith(".downloading"));
        if (name === undefined) throw new SourceUnavailableError(reasonOf(failure ?? "no file was left"));
        return path.join(target, name);
      });
      return [file];
    },
  };
}

const packages = createRequire(import.meta.url);

function sdkVersion(): string {
  const { version }: { version: string } = packages("@temporalio/testing/package.json");
  return version;
}

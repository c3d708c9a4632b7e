import type { Config } from "./config.ts";
import { isLoopback } from "./http/loopback.ts";
import type { Ledger } from "./ledger/ground/connection.ts";
import { bindToPlatform, readInstallation } from "./ledger/ground/installation.ts";
import { PlatformError, type Platform } from "./platform/index.ts";

/** The ledger's calls are simulated and this platform's are real, or the other way round. */
class WrongPlatformError extends Error {
  override readonly name = "WrongPlatformError";
}

/**
 * Keeps rehearsals and real campaigns apart. A system dials for every unfinished campaign in its ledger: started
 * with a sandbox on a ledger of real ones, it would book calls to real people that never were; the other way
 * round it would call the people of a rehearsal. So a ledger belongs to one of the two for good, by its first
 * use. A platform on this machine counts as a sandbox, and so does one that says so in its answers.
 *
 * @throws WrongPlatformError where the ledger belongs to the other one, or where that can't be told.
 */
export async function keepRehearsalsApart(
  ledger: Ledger,
  platform: Platform,
  { platform: { baseUrl = "" }, databaseUrl, dataDir }: Config,
): Promise<void> {
  const kind = isLoopback(new URL(baseUrl).hostname) ? "simulated" : await kindOf(platform);
  if (kind === "unknown") {
    // Real campaigns go on when their platform is back; anything else waits for it to say what it is.
    if ((await readInstallation(ledger.db)).simulated === false) return;
    throw new WrongPlatformError(
      `the platform at ${baseUrl} does not answer, so that it can't be told whether its calls are real: check PLATFORM_BASE_URL and that it is up, then try again`,
    );
  }
  const wanted = kind === "simulated";
  const { simulated } = await bindToPlatform(ledger.db, wanted);
  if (simulated === wanted) return;
  const [where, other] =
    databaseUrl === undefined
      ? [dataDir, "OUTDIAL_DATA_DIR to another folder"]
      : ["this database", "DATABASE_URL to another database"];
  throw new WrongPlatformError(
    simulated
      ? `the campaigns in ${where} were dialed through a sandbox, and the platform at ${baseUrl} is none: set ${other} for real calls`
      : `the campaigns in ${where} were dialed through a real platform, and the one at ${baseUrl} is a sandbox: set ${other} for it, so that no contact counts as called who was not`,
  );
}

/** What the sandbox calls itself. */
const SANDBOX_SOFTWARE = "outdial-sandbox";

/** Services that come up together are there within this. */
const ANSWER_WITHIN_MS = 10_000;

async function kindOf(platform: Platform): Promise<"simulated" | "real" | "unknown"> {
  for (const deadlineMs = performance.now() + ANSWER_WITHIN_MS; ;) {
    const answered = await answers(platform);
    if (platform.software() === SANDBOX_SOFTWARE) return "simulated";
    if (answered) return "real";
    if (performance.now() >= deadlineMs) return "unknown";
    await new Promise((resolve) => {
      setTimeout(resolve, 500);
    });
  }
}

/** Whether the platform itself answers, and not whoever stands before it. */
async function answers(platform: Platform): Promise<boolean> {
  try {
    await platform.batchCalls.active({ timeoutMs: ANSWER_WITHIN_MS / 2 });
    return true;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return error.status !== undefined && error.status < 500;
  }
}

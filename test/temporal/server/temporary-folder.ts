import { mkdtemp, realpath, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** A folder that goes with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "outdial-server-test-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

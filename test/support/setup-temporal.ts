import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";

import { provideTemporalServer } from "../../src/temporal/server/index.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A real Temporal server, shared by the files of a project; each takes a namespace of its own. */
    temporalAddress: string;
  }
}

/** Where executables are kept between runs: the same place that users have. */
export function cacheDir(): string {
  return path.join(process.env["XDG_CACHE_HOME"] ?? path.join(os.homedir(), ".cache"), "outdial", "temporal");
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await provideTemporalServer({
    searchPath: process.env["PATH"] ?? "",
    cacheDir: cacheDir(),
    headless: true,
    onProgress: (message) => console.warn(message),
  });
  project.provide("temporalAddress", server.address);
  return () => server.stop();
}

import { bundleWorkflowCode } from "@temporalio/worker";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

import { provideTemporalServer } from "../../src/temporal/server/index.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A real Temporal server, shared by the files of a project; each takes a namespace of its own. */
    temporalAddress: string;
    /** The workflows' bundle, made once. */
    workflowBundlePath: string;
  }
}

/** Where executables are kept between runs: the same place that users have. */
export function cacheDir(): string {
  return path.join(process.env["XDG_CACHE_HOME"] ?? path.join(os.homedir(), ".cache"), "outdial", "temporal");
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-temporal-"));
  const server = await provideTemporalServer({
    searchPath: process.env["PATH"] ?? "",
    cacheDir: cacheDir(),
    headless: true,
    onProgress: (message) => console.warn(message),
  });
  project.provide("temporalAddress", server.address);
  const bundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL("../../src/workflows/index.ts", import.meta.url)),
    logger: {
      log() {},
      trace() {},
      debug() {},
      info() {},
      warn() {},
      error: (message) => console.error(message),
    },
  });
  const bundlePath = path.join(folder, "workflow-bundle.js");
  fs.writeFileSync(bundlePath, bundle.code);
  project.provide("workflowBundlePath", bundlePath);
  return async () => {
    await server.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  };
}

import { bundleWorkflowCode } from "@temporalio/worker";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** The workflows' bundle, made once. */
    workflowBundlePath: string;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-workflows-"));
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
  return () => fs.rmSync(folder, { recursive: true, force: true });
}

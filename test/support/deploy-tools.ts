import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { onPath } from "./on-path.ts";

/*
 * What tests of deploy/ need. `node scripts/deploy-tools.mjs` makes helm and the schemas of Kubernetes; systemd is Debian's
 * package. Where one is not there what needs it is skipped, loudly; in CI that is a failure where it could have been had.
 */

const cache = path.join(
  process.env["XDG_CACHE_HOME"] ?? path.join(os.homedir(), ".cache"),
  "outdial",
  "helm",
);

export const helm = found("helm", path.join(cache, "helm-v3.22.0"), "go", "node scripts/deploy-tools.mjs");

/** Folder of the Python packages. */
export const kubernetesSchemas = found(
  "kubernetes-validate",
  path.join(cache, "kubernetes-validate-1.37.0"),
  "python3",
  "node scripts/deploy-tools.mjs",
);

export const systemdAnalyze = found(
  "systemd-analyze",
  onPath("systemd-analyze"),
  "apt-get",
  "apt-get install systemd",
);

function found(name: string, place: string | undefined, maker: string, remedy: string): string | undefined {
  if (place !== undefined && fs.existsSync(place)) return place;
  if (process.env["CI"] && onPath(maker) !== undefined)
    throw new Error(`${name} is not there (${remedy}), and in CI its tests must run`);
  console.warn(`${name} is not there (${remedy}): tests of deploy/ that need it are skipped`);
  return undefined;
}

/** What a program says and how it ends, both of its streams together. */
export function say(
  file: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): { code: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(file, args, { ...options, encoding: "utf8" });
  return { code: status, text: `${stdout}${stderr}` };
}

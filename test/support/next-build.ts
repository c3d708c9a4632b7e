import fs from "node:fs";
import path from "node:path";

import { builtFolder } from "./build.ts";

/**
 * Two builds as they would be on a machine beside each other, each in a folder of its own: this one, and the next. They
 * have the same code, and the digests of their workflows differ, so that Temporal tells their workers apart. That other
 * code replays is held by test/temporal/versioning.temporal.test.ts and test/replay.
 *
 * @param folder is theirs, and the caller's to remove
 */
export async function makeTwoBuilds(folder: string): Promise<{ first: string; next: string }> {
  const [first, next] = [path.join(folder, "first"), path.join(folder, "next")];
  const dist = await builtFolder();
  for (const one of [first, next]) copyBuild(dist, one);
  const bundle = path.join(next, "dist/workflow-bundle.js");
  const code = fs.readFileSync(bundle, "utf8");
  // Another file: this one is the same as that of the checkout. Its source map is read from what stands at the end.
  fs.rmSync(bundle);
  fs.writeFileSync(bundle, code.replace(/\n(?=\/\/# sourceMappingURL=)/, "\n// The next build.\n"));
  return { first, next };
}

function copyBuild(dist: string, folder: string): void {
  const root = path.dirname(dist);
  fs.mkdirSync(folder, { recursive: true });
  for (const name of ["bin", "package.json"])
    fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  fs.symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  linkFiles(dist, path.join(folder, "dist"));
}

/** Two thousand files, which nobody changes in place. */
function linkFiles(from: string, to: string): void {
  fs.mkdirSync(to);
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) linkFiles(source, target);
    else linkOrCopy(source, target);
  }
}

/** Where temporary folders are on another disk, files can't be linked. */
function linkOrCopy(source: string, target: string): void {
  try {
    fs.linkSync(source, target);
  } catch {
    fs.copyFileSync(source, target);
  }
}

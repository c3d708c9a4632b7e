import { execFile } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The folder with the build of the sources as they are, for processes of its own; made where there is none. */
export async function builtFolder(): Promise<string> {
  await promisify(execFile)(process.execPath, [path.join(root, "scripts/build.mjs")], { cwd: root });
  return path.join(root, "dist");
}

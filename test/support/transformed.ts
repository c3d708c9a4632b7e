import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const cache = path.join(root, "node_modules", ".cache", "outdial", "transformed");

/** Whoever edits makes new files all day; a run that goes on over midnight still finds its own. */
const KEPT_FOR_MS = 2 * 24 * 60 * 60_000;

/**
 * Where Vitest keeps modules as it has transformed them, under their content: the projects of a run need the same ones,
 * and so does the next run. Vitest does not look at the compiler's settings, by which it transforms, and forgets
 * nothing: each day and each settings have a folder of their own, and old ones go.
 */
export function transformedFolder(): string {
  const settings = createHash("sha256").update(fs.readFileSync(path.join(root, "tsconfig.json")));
  const today = new Date().toISOString().slice(0, 10);
  const folder = path.join(cache, `${today}-${settings.digest("hex").slice(0, 12)}`);
  fs.mkdirSync(folder, { recursive: true });
  for (const name of fs.readdirSync(cache)) {
    const made = Date.parse(name.slice(0, 10));
    if (Date.now() - made > KEPT_FOR_MS) fs.rmSync(path.join(cache, name), { recursive: true, force: true });
  }
  return folder;
}

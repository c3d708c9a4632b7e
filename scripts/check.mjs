// The gate before every commit: format, lint, types, dead code, duplicated schema, fast tests (`--without-tests`
// where they have run already). Everything is run, and everything that fails is named.
import { spawnSync } from "node:child_process";
import path from "node:path";

import { installDependencies, root } from "./prepare.mjs";

await installDependencies();
const bin = (name) => path.join(root, "node_modules", ".bin", name);
/** @type {[string, string, string[]]} */
const fastTests = [
  "fast tests",
  process.execPath,
  [path.join(root, "scripts/test.mjs"), "--project", "fast"],
];
/** @type {[string, string, string[]][]} */
const steps = [
  ["format", bin("oxfmt"), ["--check", "."]],
  ["lint", bin("oxlint"), ["--type-aware", "--deny-warnings"]],
  ["order of capabilities", process.execPath, [path.join(root, "scripts/capabilities.mjs")]],
  ["types", bin("tsc"), ["--noEmit"]],
  ["dead code", bin("knip"), []],
  ["migrations", bin("drizzle-kit"), ["check"]],
  ...(process.argv.includes("--without-tests") ? [] : [fastTests]),
];
const failed = [];
for (const [name, program, args] of steps) {
  process.stdout.write(`\n== ${name}\n`);
  const { status } = spawnSync(program, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) failed.push(name);
}
process.stdout.write(failed.length === 0 ? "\nAll checks passed.\n" : `\nFailed: ${failed.join(", ")}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

// The gate before every commit: format, lint, types, statements, dead code, fast tests (`--without-tests`
// where they have run already). Everything is run, and everything that fails is named.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

import { installDependencies, root } from "./prepare.mjs";

await installDependencies();
const bin = (name) => path.join(root, "node_modules", ".bin", name);
/** What the compiler remembers of the last time: what has not changed since is not checked again. */
const typesSeen = path.join(root, "node_modules/.cache/outdial/types.tsbuildinfo");
fs.mkdirSync(path.dirname(typesSeen), { recursive: true });

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
  ["types", bin("tsc"), ["--noEmit", "--incremental", "--tsBuildInfoFile", typesSeen]],
  ["types of the dashboard", bin("tsc"), ["--noEmit", "-p", "dashboard/tsconfig.json"]],
  ["statements", process.execPath, [path.join(root, "scripts/statements.mjs")]],
  ["dead code", bin("knip"), []],
];

/** Runs a step; what it says comes at its end and in one piece, since others run beside it. */
function run([name, program, args]) {
  return new Promise((resolve) => {
    const said = [];
    const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => said.push(chunk));
    child.on("error", (error) => said.push(Buffer.from(`${error.message}\n`)));
    child.on("close", (status) => {
      process.stdout.write(`\n== ${name}\n${Buffer.concat(said).toString("utf8")}`);
      resolve(status === 0 ? [] : [name]);
    });
  });
}

/** One after the other; the names of those that failed. */
async function runAll(chain) {
  const failed = [];
  for (const step of chain) failed.push(...(await run(step)));
  return failed;
}

// The tests wait for clocks and sockets now and then, and end with one long file: the other steps take that time.
const chains = process.argv.includes("--without-tests") ? [steps] : [[fastTests], steps];
const failed = (await Promise.all(chains.map(runAll))).flat();
process.stdout.write(failed.length === 0 ? "\nAll checks passed.\n" : `\nFailed: ${failed.join(", ")}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

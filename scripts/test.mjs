// Runs the tests: all of them, or those that the arguments name (they are vitest's). Installs the dependencies
// and builds first where that is needed. Writes the runner's counts to test-results/. `--long`: what is random more
// often, what is large larger, and all suites on both kinds of ledger, which takes hours.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

import { prepare, root } from "./prepare.mjs";

/** Files that are named at the end. */
const DEAREST = 20;

await prepare();
const results = path.join(root, "test-results");
fs.mkdirSync(results, { recursive: true });
const asked = process.argv.slice(2).filter((argument) => argument !== "--long");
if (process.argv.includes("--long")) process.env["OUTDIAL_TEST_LONG"] = "1";
// Benchmarks are measured on demand (npm run bench), not tested. Where projects are named, only those run.
const projects = asked.some((argument) => argument.startsWith("--project")) ? [] : ["--project=!bench"];
const cpu = path.join(results, "cpu.ndjson");
fs.rmSync(cpu, { force: true });
const child = spawn(
  process.execPath,
  [
    path.join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    ...projects,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${path.join(results, `vitest-node${process.versions.node.split(".")[0]}.json`)}`,
    ...asked,
  ],
  { cwd: root, stdio: "inherit", env: { ...process.env, OUTDIAL_TEST_CPU: cpu } },
);
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
  if (asked.length === 0) tellDearest();
});

/** Where CPU went, by file: what is to be made quicker first. Temporal's server, which files share, is in none of them. */
function tellDearest() {
  if (!fs.existsSync(cpu)) return;
  const files = fs
    .readFileSync(cpu, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .sort((a, b) => b.seconds - a.seconds);
  const sum = files.reduce((all, { seconds }) => all + seconds, 0);
  console.log(`\nCPU: ${sum.toFixed(0)} s in files of tests and their PostgreSQL; the dearest:`);
  for (const { what, seconds } of files.slice(0, DEAREST))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${what.replace(`${root}/`, "")}`);
}

// Runs the tests: all of them, or those that the arguments name (they are vitest's). Installs the dependencies
// and builds first where that is needed. Writes the runner's counts to test-results/. `--long`: what is random more
// often, and what is large larger, which takes an hour.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

import { prepare, root } from "./prepare.mjs";

await prepare();
const results = path.join(root, "test-results");
fs.mkdirSync(results, { recursive: true });
const asked = process.argv.slice(2).filter((argument) => argument !== "--long");
if (process.argv.includes("--long")) process.env["OUTDIAL_TEST_LONG"] = "1";
// Benchmarks are measured on demand (npm run bench), not tested. Where projects are named, only those run.
const projects = asked.some((argument) => argument.startsWith("--project")) ? [] : ["--project=!bench"];
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
  { cwd: root, stdio: "inherit" },
);
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
});

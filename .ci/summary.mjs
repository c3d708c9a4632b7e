// The last words of .ci/run: what failed, where it is found, and the counts.
import fs from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** Of each failed step's output, at most so much is said again. */
const EXCERPT_CHARS = 12_000;

const folder = "test-results";
const STEPS = ["test", "schemathesis", "package", "mutation", "check", "image"];

function read(name) {
  try {
    return fs.readFileSync(`${folder}/${name}`, "utf8");
  } catch {
    return "";
  }
}

/** The runner's counts; none where it did not come to write them down whole. */
function countsOf(name) {
  try {
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(read(name));
    return { passed, failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

let passed = 0;
let failed = 0;
for (const name of fs.readdirSync(folder).filter((file) => file.endsWith(".json"))) {
  const counts = countsOf(name);
  passed += counts.passed;
  failed += counts.failed;
}
const broken = STEPS.map((name) => ({ name, code: read(`${name}.exit`).trim() || "none" })).filter(
  ({ code }) => code !== "0",
);
for (const { name, code } of broken) {
  const log = stripVTControlCharacters(read(`${name}.log`));
  const begin = log.search(/⎯ +(?:Failed Suites|Failed Tests|Unhandled)|=+ (?:FAILURES|ERRORS) =+/);
  const excerpt = begin >= 0 ? log.slice(begin, begin + EXCERPT_CHARS) : log.slice(-EXCERPT_CHARS);
  process.stdout.write(`\n== The step "${name}" ended with exit code ${code}:\n${excerpt}\n`);
}
for (const name of STEPS) {
  // Behind what the shell may have had to say of the step.
  const times = /(\d+) (\d+) (\d+)\s*$/.exec(read(`${name}.time`));
  const [elapsed, user, system] = times?.slice(1).map(Number) ?? [];
  if (times) process.stdout.write(`${name}: ${elapsed} s, ${user + system} s of CPU\n`);
}
// An unhandled error, a suite that could not be loaded, or a check that found something.
if (failed === 0) failed = broken.length;
if (passed === 0 && failed === 0) failed = 1;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

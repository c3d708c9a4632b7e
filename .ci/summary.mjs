// The last words of .ci/run: what failed, where it is found, and the counts.
import fs from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** Of each failed step's output, at most so much is said again. */
const EXCERPT_CHARS = 12_000;

const folder = "test-results";
const files = fs.readdirSync(folder);
let passed = 0;
let failed = 0;
for (const file of files.filter((name) => name.endsWith(".json"))) {
  const results = JSON.parse(fs.readFileSync(`${folder}/${file}`, "utf8"));
  passed += results.numPassedTests;
  failed += results.numFailedTests;
}
const broken = files
  .filter((name) => name.endsWith(".exit"))
  .map((name) => ({
    name: name.slice(0, -".exit".length),
    code: fs.readFileSync(`${folder}/${name}`, "utf8").trim(),
  }))
  .filter(({ code }) => code !== "0");
for (const { name, code } of broken) {
  const log = stripVTControlCharacters(fs.readFileSync(`${folder}/${name}.log`, "utf8"));
  const begin = log.search(/⎯ +(?:Failed Suites|Failed Tests|Unhandled)|=+ (?:FAILURES|ERRORS) =+/);
  const excerpt = begin >= 0 ? log.slice(begin, begin + EXCERPT_CHARS) : log.slice(-EXCERPT_CHARS);
  process.stdout.write(`\n== The step "${name}" ended with exit code ${code}:\n${excerpt}\n`);
}
// An unhandled error, a suite that could not be loaded, or a check that found something.
if (failed === 0) failed = broken.length;
if (passed === 0 && failed === 0) failed = 1;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

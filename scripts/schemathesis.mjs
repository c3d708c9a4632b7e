// Holds the sandbox against its own OpenAPI description with schemathesis, a tester from PyPI: no server error, no
// answer that the description does not have, no request without a good key that is let in, and some thousand more
// or less sensible requests. `npm run schemathesis`; about a minute. The same seed makes the same requests. An argument
// names another dialect of the sandbox: `npm run schemathesis -- published`. Its rooms are simulated, so that calls and
// chats in rooms are made; a second argument, `none`, has it refuse them.
//
// It brings schemathesis into a virtual environment of its own under node_modules/.cache. Where Python or PyPI is not
// there it says so and skips, but for CI, where that is a failure.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { prepare, root, run } from "./prepare.mjs";

const VERSION = "4.32.5";
const SEED = 1;

/** Requests per operation and phase beyond the fixed ones that cover its schema: about a minute on two cores. */
const EXAMPLES = 8;

/** Far beyond what it takes where nothing is stuck. */
const BOUND_MS = 300_000;

const folder = path.join(root, "node_modules", ".cache", "outdial-schemathesis");
const bin = (name) =>
  process.platform === "win32"
    ? path.join(folder, VERSION, "Scripts", `${name}.exe`)
    : path.join(folder, VERSION, "bin", name);

/** Makes the environment if it is not there whole. Throws where Python or PyPI is not there. */
async function install() {
  if (fs.existsSync(path.join(folder, VERSION, "complete"))) return;
  fs.rmSync(path.join(folder, VERSION), { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  console.log(`Installing schemathesis ${VERSION} (about half a minute)...`);
  const python = process.platform === "win32" ? "python" : "python3";
  await run(python, ["-m", "venv", path.join(folder, VERSION)], { quiet: true });
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", `schemathesis==${VERSION}`];
  await run(bin("python"), pip, { quiet: true });
  fs.writeFileSync(path.join(folder, VERSION, "complete"), "");
}

/** Runs schemathesis against a sandbox; its exit code. */
function test(sandbox) {
  const args = [
    "run",
    `${sandbox.url}/openapi.json`,
    `--header=Authorization: Bearer ${sandbox.apiKey}`,
    `--seed=${SEED}`,
    `--max-examples=${EXAMPLES}`,
    "--continue-on-failure",
    // What is well-formed may still break a rule of the platform: an agent that is a draft, a number of somebody else.
    // What was just made is there, and still lacks what a request names beside it: the version of a workflow, say.
    "--exclude-checks=positive_data_acceptance,ensure_resource_availability",
    "--generation-database=none",
    "--request-timeout=10",
    "--warnings=off",
  ];
  // Its caches go where it is started.
  const child = spawn(bin("schemathesis"), args, { cwd: folder, stdio: "inherit" });
  const timer = setTimeout(() => {
    console.error(`schemathesis was not done within ${BOUND_MS / 1_000} s`);
    child.kill();
  }, BOUND_MS);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => {
      clearTimeout(timer);
      resolve(code ?? 1);
    });
  });
}

/** Routes that were never asked without a good key, or that let such a request in. */
function unguarded({ routes }) {
  return Object.entries(routes)
    .filter(([, { statuses }]) => statuses[401] === undefined)
    .map(([route]) => route);
}

try {
  await install();
} catch (error) {
  console.error(`SKIPPED: schemathesis ${VERSION} could not be installed.\n${error.message}`);
  process.exit(process.env.CI === undefined ? 0 : 1);
}
await prepare();
const { createSandbox } = await import(pathToFileURL(path.join(root, "dist", "sandbox", "sandbox.js")).href);
// Executions that are waited for take no time to speak of.
const dialect = process.argv[2] ?? "contract";
const sandbox = await createSandbox({ speed: 1_000, dialect, rooms: process.argv[3] ?? "simulated" });
const code = await test(sandbox);
const stats = sandbox.stats();
await sandbox.close();
const open = unguarded(stats);
console.log(
  `${stats.requests} requests on ${Object.keys(stats.routes).length} routes; ` +
    (open.length === 0 ? "each refused a request without a good key." : `never refused: ${open.join(", ")}.`),
);
process.exitCode = code === 0 && open.length === 0 ? 0 : 1;

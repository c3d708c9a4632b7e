// Holds the sandbox, and Outdial's own server, against their OpenAPI descriptions with schemathesis, a tester from PyPI:
// no server error, no answer that the description does not have, no request without a good key that is let in, and some
// thousand more or less sensible requests. `npm run schemathesis`; two minutes. The same seed makes the same requests.
//
// An argument has one of them asked alone: the sandbox in one of its dialects, `npm run schemathesis -- published`, or
// the server, `npm run schemathesis -- server`. The sandbox's rooms are simulated, so that calls and chats in rooms are
// made; a second argument, `none`, has it refuse them. The server is `outdial server` itself, as a process of its own
// with an embedded ledger in a folder that goes with it, on a sandbox; it is asked what its description has as examples,
// and a few drawn requests of each route. `npm run schemathesis -- server coverage` asks for all that covers its schemas:
// some thousand requests more, and minutes.
//
// It brings schemathesis into a virtual environment of its own under node_modules/.cache. Where Python or PyPI is not
// there it says so and skips, but for CI, where that is a failure.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { prepare, root, run } from "./prepare.mjs";

const VERSION = "4.32.5";
const SEED = 1;

/** Requests per operation and phase beyond the fixed ones that cover its schema: a minute each on two cores. */
const EXAMPLES = { sandbox: 8, server: 2 };

/** Far beyond what it takes where nothing is stuck. */
const BOUND_MS = 300_000;
/** Of all that covers the schemas of the server's routes. */
const COVERAGE_BOUND_MS = 1_200_000;

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

/** Runs schemathesis against what describes itself there; its exit code. */
function ask({ url, token, examples, config, hooks, more = [], boundMs = BOUND_MS }) {
  const args = [
    ...(config === undefined ? [] : [`--config-file=${config}`]),
    "run",
    `${url}/openapi.json`,
    `--header=Authorization: Bearer ${token}`,
    `--seed=${SEED}`,
    `--max-examples=${examples}`,
    "--continue-on-failure",
    // What is well-formed may still break a rule: an agent that is a draft, a number of somebody else. What was just made
    // is there, and still lacks what a request names beside it: the version of a workflow, say.
    "--exclude-checks=positive_data_acceptance,ensure_resource_availability",
    "--generation-database=none",
    "--request-timeout=10",
    "--warnings=off",
    ...more,
  ];
  // Its caches go where it is started.
  const env = { ...process.env, ...(hooks !== undefined && { SCHEMATHESIS_HOOKS: hooks }) };
  const child = spawn(bin("schemathesis"), args, { cwd: folder, env, stdio: "inherit" });
  const timer = setTimeout(() => {
    console.error(`schemathesis was not done within ${boundMs / 1_000} s`);
    child.kill();
  }, boundMs);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => {
      clearTimeout(timer);
      resolve(code ?? 1);
    });
  });
}

/** Executions that are waited for take no time to speak of. */
async function openSandbox(dialect, rooms) {
  const { createSandbox } = await import(pathToFileURL(path.join(root, "dist/sandbox/sandbox.js")).href);
  return createSandbox({ speed: 1_000, dialect, rooms });
}

/** Whether the sandbox holds. */
async function trySandbox(dialect = "contract", rooms = "simulated") {
  const sandbox = await openSandbox(dialect, rooms);
  const code = await ask({ url: sandbox.url, token: sandbox.apiKey, examples: EXAMPLES.sandbox });
  const stats = sandbox.stats();
  await sandbox.close();
  // Routes that were never asked without a good key, or that let such a request in.
  const open = Object.entries(stats.routes)
    .filter(([, { statuses }]) => statuses[401] === undefined)
    .map(([route]) => route);
  return told("the sandbox", code, { asked: Object.keys(stats.routes).length, open });
}

/** Whether `outdial server` holds. */
async function tryServer(phases = "examples,fuzzing") {
  const sandbox = await openSandbox("contract", "simulated");
  const server = await startServer(sandbox);
  try {
    // Before it is asked by the thousand: whoever guesses, or asks too often, is answered 429.
    const guarded = await unguarded(server);
    const code = await ask({
      url: server.url,
      token: server.token,
      examples: EXAMPLES.server,
      config: path.join(root, "scripts/schemathesis/server.toml"),
      hooks: path.join(root, "scripts/schemathesis/hooks.py"),
      more: [`--phases=${phases}`],
      boundMs: phases === "coverage" ? COVERAGE_BOUND_MS : BOUND_MS,
    });
    return told("outdial server", code, guarded);
  } finally {
    await server.stop();
    await sandbox.close();
  }
}

function told(what, code, { asked, open }) {
  const guarded =
    open.length === 0 ? "each refused a request without a good key" : `open: ${open.join(", ")}`;
  console.log(`${what}: ${asked} routes; ${guarded}.`);
  return code === 0 && open.length === 0;
}

/** How long a server may take to begin to listen; its Temporal server is fetched once on a machine. */
const STARTS_WITHIN_MS = 120_000;

/** A server of its own folder, on the sandbox, with a Temporal server that it provides itself. */
async function startServer(sandbox) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-schemathesis-"));
  const token = "the-token-of-the-system-itself-0123456789";
  const env = {
    ...process.env,
    OUTDIAL_DATA_DIR: home,
    OUTDIAL_LOG_LEVEL: "error",
    OUTDIAL_API_PORT: String(await freePort()),
    OUTDIAL_API_TOKEN: token,
    PLATFORM_BASE_URL: sandbox.url,
    PLATFORM_API_KEY: sandbox.apiKey,
  };
  // Each failure of the server's own (5xx) stands in it with its cause.
  const log = path.join(folder, "server.log");
  const output = fs.openSync(log, "w");
  const program = path.join(root, "dist/cli.js");
  const child = spawn(process.execPath, [program, "server"], { env, stdio: ["ignore", output, output] });
  fs.closeSync(output);
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    fs.rmSync(home, { recursive: true, force: true });
  };
  for (const until = Date.now() + STARTS_WITHIN_MS; Date.now() < until;) {
    if (child.exitCode !== null) break;
    const url = addressIn(home);
    const answer = url && (await fetch(`${url}/readyz`).catch(() => undefined));
    if (answer?.ok) return { url, token, stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error(`outdial server did not begin to serve; its log is ${log}`);
}

/** One that nobody listens at: what `outdial server` takes by default somebody may use on this machine. */
async function freePort() {
  const probe = net.createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}

function addressIn(home) {
  try {
    return JSON.parse(fs.readFileSync(path.join(home, "ledger.lock"), "utf8")).address;
  } catch {
    return undefined;
  }
}

/** Routes that are described as for somebody, and that nobody or a stranger may ask for all the same. */
async function unguarded({ url, token }) {
  const answer = await fetch(`${url}/openapi.json`, { headers: { authorization: `Bearer ${token}` } });
  const { paths } = await answer.json();
  const guarded = Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation["x-outdial-role"] === undefined ? [] : [[method.toUpperCase(), at]],
    ),
  );
  const open = [];
  for (const [method, at] of guarded) {
    const { status, body } = await fetch(url + at.replaceAll(/[{}]/g, ""), { method });
    await body?.cancel();
    if (status !== 401) open.push(`${method} ${at} (${status})`);
  }
  return { asked: guarded.length, open };
}

try {
  await install();
} catch (error) {
  console.error(`SKIPPED: schemathesis ${VERSION} could not be installed.\n${error.message}`);
  process.exit(process.env.CI === undefined ? 0 : 1);
}
await prepare();
const [which, more] = process.argv.slice(2);
const held = [];
if (which !== "server") held.push(await trySandbox(which, more));
if (which === undefined || which === "server") held.push(await tryServer(more));
process.exitCode = held.every(Boolean) ? 0 : 1;

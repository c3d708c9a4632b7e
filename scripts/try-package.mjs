// Installs the package as people get it, into an empty folder, and uses it: `npm run try-package`.
//
// What is held: it has the versions of the lock file and nothing that only developers need; `outdial demo` ends well;
// a strict TypeScript program compiles against `outdial/platform` and does what it says, and one of CommonJS against that
// and `outdial/sandbox`; `npm install -g` of the
// tarball puts a working `outdial` on PATH; the client's own package does alone (try-platform-package.mjs). Downloads are shared with this machine's npm and Outdial, nothing else is.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { nameAt, shrinkwrapOf } from "./package.mjs";
import { root } from "./prepare.mjs";
import { serveRegistry } from "./registry-of-one.mjs";
import { tryPlatformPackage } from "./try-platform-package.mjs";

const read = (file) => JSON.parse(fs.readFileSync(file, "utf8"));
const manifest = read(path.join(root, "package.json"));
const lock = read(path.join(root, "package-lock.json"));

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-package-"));
const project = path.join(folder, "project");
const home = path.join(folder, "home");
for (const made of [project, home]) fs.mkdirSync(made);

/** Nobody's settings: what leads to registries, and where downloads are kept. */
const passedOn = /^(?:PATH|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/i;
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.test(name))),
  HOME: home,
  XDG_CACHE_HOME: process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache"),
  npm_config_cache: npmConfig("cache"),
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
};

function npmConfig(name) {
  const { stdout, status } = spawnSync("npm", ["config", "get", name], { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm config get ${name} failed`);
  return stdout.trim();
}

function say(message) {
  process.stdout.write(`\n== ${message}\n`);
}

function must(holds, message) {
  if (!holds) throw new Error(message);
}

/** Runs a program to its end and gives what it said. @throws Error where it fails. */
function run(program, args, { cwd = project, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...environment, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (part) => {
        said += part;
        process.stdout.write(part);
      });
    }
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(said);
      else reject(new Error(`${program} ${args.join(" ")} ended with exit code ${code}`));
    });
  });
}

/** The tarball, with all that it needs and nothing that it does not. */
async function pack() {
  await run("npm", ["pack", "--pack-destination", folder], { cwd: root });
  const tarball = path.join(folder, `${manifest.name}-${manifest.version}.tgz`);
  const list = spawnSync("tar", ["-tzf", tarball], { encoding: "utf8" }).stdout.trim().split("\n");
  const files = list.map((file) => file.replace(/^package\//, ""));
  const surplus = files.filter((file) =>
    /^(?:src|test|scripts|bench|node_modules)\/|\.map$|^dist\/(?!platform\/|api\/|sandbox\/(?:index|library-types)\.d|rtc\/library\.d).*\.d\.ts$|_snapshot\.json$|\/\.built/.test(
      file,
    ),
  );
  must(surplus.length === 0, `the package has what nobody needs there: ${surplus.slice(0, 5).join(", ")}`);
  for (const wanted of [
    "npm-shrinkwrap.json",
    "LICENSE",
    "bin/outdial.mjs",
    "dist/cli.js",
    "dist/health-check.js",
    "dist/workflow-bundle.js",
    "dist/workflow-bundle.licenses.txt",
    "dist/dashboard/index.html",
    "dist/dashboard.licenses.txt",
    "dist/platform/index.d.ts",
    "dist/api/index.d.ts",
    "dist/sandbox/index.d.ts",
    "dist/sandbox/library-types.d.ts",
    "dist/ledger/migrations/meta/_journal.json",
    "examples/demo.yaml",
  ])
    must(files.includes(wanted), `the package lacks ${wanted}`);
  return tarball;
}

/** Every package under a folder with its version, by the place where it is. */
function installedIn(base, within = "") {
  const here = path.join(base, within, "node_modules");
  if (!fs.existsSync(here)) return [];
  const names = fs.readdirSync(here).flatMap((name) => {
    if (name.startsWith(".")) return [];
    return name.startsWith("@")
      ? fs.readdirSync(path.join(here, name)).map((inner) => `${name}/${inner}`)
      : [name];
  });
  return names.flatMap((name) => {
    const place = `${within === "" ? "" : `${within}/`}node_modules/${name}`;
    return [[place, read(path.join(base, place, "package.json")).version], ...installedIn(base, place)];
  });
}

/** The lock file's versions, to the last one, with its overrides; and nothing besides. */
function holdAgainstLock() {
  const installed = new Map(installedIn(path.join(project, "node_modules", manifest.name)));
  const wanted = Object.entries(shrinkwrapOf(lock).packages).filter(([place]) => place !== "");
  for (const [place, { version }] of wanted) {
    const found = installed.get(place);
    must(found === version, `${nameAt(place)} is ${found ?? "not there"}, and ${version} in the lock file`);
    installed.delete(place);
  }
  must(installed.size === 0, `installed, and not in the lock file: ${[...installed.keys()].join(", ")}`);
  const overridden = wanted.filter(([place]) => typeof manifest.overrides[nameAt(place)] === "string");
  must(overridden.length > 0, "no override concerns the package: this proves nothing about them");
  for (const [place, { version }] of overridden) {
    const pin = manifest.overrides[nameAt(place)];
    must(version === pin, `${nameAt(place)} is ${version}, and overridden with ${pin}`);
  }
  must(!fs.existsSync(path.join(project, "node_modules/.bin/tsc")), "the package brought a compiler along");
  console.log(`${wanted.length} packages, each with the lock file's version`);
}

/** The examples of docs/client.md, as the package brings them, are one program. */
async function tryLibrary() {
  const page = fs.readFileSync(path.join(project, "node_modules", manifest.name, "docs/client.md"), "utf8");
  const program = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, text]) => text).join("\n");
  fs.writeFileSync(path.join(project, "example.ts"), program);
  fs.writeFileSync(path.join(project, "handbook.pdf"), "%PDF-1.7 nothing else");
  const compilerOptions = {
    module: "nodenext",
    target: "es2023",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    types: ["node"],
  };
  fs.writeFileSync(
    path.join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["example.ts"] }),
  );
  const { typescript, "@types/node": nodeTypes } = manifest.devDependencies;
  await run("npm", ["install", "--save-dev", `typescript@${typescript}`, `@types/node@${nodeTypes}`]);
  await run("npx", ["--no", "--", "tsc", "-p", "."]);
  const sandbox = await startSandbox();
  try {
    const answered = await fetch(`${sandbox.url}/_sandbox/outcomes`, {
      method: "POST",
      headers: { authorization: `Bearer ${sandbox.key}`, "content-type": "application/json" },
      body: JSON.stringify({ phone_number: "+12125550143", outcomes: ["answered"] }),
    });
    must(answered.ok, `the sandbox refuses to have a number answer (${answered.status})`);
    const env = { PLATFORM_BASE_URL: sandbox.url, PLATFORM_API_KEY: sandbox.key };
    const said = await run(process.execPath, ["example.js"], { env });
    must(said.includes("1 of 1"), "the example did not see its call");
    must(
      fs.readFileSync(path.join(project, "call.ogg")).subarray(0, 4).toString() === "OggS",
      "no recording",
    );
  } finally {
    await sandbox.end();
  }
}

/** A program of CommonJS that tests itself against a sandbox of its own. */
const OF_COMMONJS = `import { createPlatform, type Call, type PlatformClient } from "outdial/platform";
import { startSandbox } from "outdial/sandbox";

async function main(): Promise<void> {
  const sandbox = await startSandbox({ seed: 7, speed: 1_000 });
  const platform: PlatformClient = createPlatform(sandbox);
  sandbox.answer("+12125550143", "answered");
  const call: Call = await platform.calls.phone({
    agent_id: sandbox.agentId,
    from_number: sandbox.fromNumbers[0] ?? "",
    to_number: "+12125550143",
  });
  const ended = await platform.calls.waitUntilEnded(call.call_id, { everyMs: 20 });
  const { items, isAll } = await platform.calls.list().gather({ atMost: 10 });
  const { status } = await platform.batchCalls.list().withResponse();
  // @ts-expect-error: no field of a call
  if (ended.stauts !== undefined) throw new Error("a misspelt field");
  console.log(ended.status, items.length, isAll, status);
  await platform.close();
  await sandbox.close();
}

void main();
`;

async function tryCommonJs() {
  fs.writeFileSync(path.join(project, "trial.cts"), OF_COMMONJS);
  const config = read(path.join(project, "tsconfig.json"));
  const own = path.join(project, "tsconfig.commonjs.json");
  fs.writeFileSync(own, JSON.stringify({ ...config, files: ["trial.cts"] }));
  await run("npx", ["--no", "--", "tsc", "-p", own]);
  const said = await run(process.execPath, ["trial.cjs"]);
  must(said.includes("ended 1 true 200"), "the program of CommonJS did not see its call");
}

const SANDBOX_UP_WITHIN_MS = 60_000;

async function startSandbox() {
  const key = "a-key-of-this-trial";
  const program = path.join(project, "node_modules/.bin/outdial");
  const child = spawn(program, ["sandbox", "--port", "0", "--speed", "600", "--api-key", key], {
    cwd: project,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const url = await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("the sandbox does not come up")), SANDBOX_UP_WITHIN_MS);
    let said = "";
    child.stdout.on("data", (part) => {
      said += part;
      const [, found] = /sandbox at (\S+)/.exec(said) ?? [];
      if (found === undefined) return;
      clearTimeout(late);
      resolve(found);
    });
    child.once("close", (code) => reject(new Error(`the sandbox ended with exit code ${code}`)));
  });
  return {
    url,
    key,
    async end() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function trial() {
  say("npm pack");
  const tarball = await pack();
  const registry = await serveRegistry({ manifest, tarball, upstream: npmConfig("registry") });
  try {
    environment.npm_config_registry = registry.url;
    say("npm install outdial, into an empty folder");
    fs.writeFileSync(path.join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
    await run("npm", ["install", `${manifest.name}@${manifest.version}`]);
    holdAgainstLock();
    say("a TypeScript program");
    await tryLibrary();
    say("a program of CommonJS");
    await tryCommonJs();
    say("the client alone");
    const alone = path.join(folder, "client");
    fs.mkdirSync(alone);
    await tryPlatformPackage({ folder: alone, project, environment, run });
    say("npm install -g outdial.tgz");
    const prefix = path.join(folder, "prefix");
    await run("npm", ["install", "-g", "--prefix", prefix, tarball], { cwd: home });
    const version = await run(path.join(prefix, "bin/outdial"), ["--version"], { cwd: home });
    must(version.trim() === manifest.version, `outdial --version says ${version.trim()}`);
  } finally {
    await registry.close();
  }
  say("outdial demo");
  const said = await run("npx", ["--no", "--", manifest.name, "demo"], {
    env: { OUTDIAL_DATA_DIR: path.join(folder, "data") },
  });
  must(said.includes("500 of 500 contacts accounted for"), "the demo does not account for its contacts");
}

try {
  await trial();
  console.log("\nThe package is installed, and works.");
} catch (error) {
  console.error(`\nThe package does not do: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

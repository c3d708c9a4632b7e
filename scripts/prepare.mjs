// Gets a checkout ready to run: dependencies where they are absent, and a build of the sources as they are.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { dependenciesInstalled, linkedModules, rememberInstallation } from "./dependencies.mjs";

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const dist = path.join(root, "dist");
const lock = path.join(root, ".outdial-setup.lock");

/** Only there while npm packs; see package.mjs. */
export const SHRINKWRAP = path.join(root, "npm-shrinkwrap.json");

/**
 * Ours, without what an npm that has called us was told for itself: `npm pack --dry-run` would have `npm ci` install
 * nothing, and an installation for production leave out the compiler.
 */
const {
  npm_config_dry_run: _dryRun,
  npm_config_global: _global,
  npm_config_omit: _omit,
  ...environment
} = process.env;

/** Runs a program and waits; its output goes to standard error, so that standard output stays the command's. */
export function run(program, args, { quiet = false, env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ["ignore", quiet ? "pipe" : 2, quiet ? "pipe" : 2],
      shell: process.platform === "win32",
      env: { ...environment, ...env },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(
            `${program} ${args.join(" ")} failed (exit code ${code})${output && `:\n${output.trim()}`}`,
          ),
        );
    });
  });
}

function say(message) {
  process.stderr.write(`${message}\n`);
}

/** Setting up takes about a minute: whoever waits longer is told for whom. */
const TELL_AFTER_MS = 60_000;

/** One process at a time sets up; the others wait for it. A lock whose process is gone is taken over. */
async function withLock(work) {
  const startedMs = Date.now();
  for (let told = false; ;) {
    try {
      fs.writeFileSync(lock, String(process.pid), { flag: "wx" });
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const holder = lockHolder();
    if (holder !== undefined && !isAlive(holder)) removeLockOf(holder);
    else if (!told && Date.now() - startedMs > TELL_AFTER_MS) {
      say(`Waiting for process ${holder}, which sets this checkout up. If it does not, delete ${lock}.`);
      told = true;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  try {
    return await work();
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

/** Undefined where nobody holds it any more, or has not written its number yet. */
function lockHolder() {
  try {
    return Number(fs.readFileSync(lock, "utf8")) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== "ESRCH";
  }
}

/** Moves the lock aside before it goes: where somebody else has taken it over meanwhile, it is theirs again. */
function removeLockOf(holder) {
  const aside = `${lock}.${process.pid}`;
  try {
    fs.renameSync(lock, aside);
    if (Number(fs.readFileSync(aside, "utf8")) !== holder) fs.linkSync(aside, lock);
  } catch {
    // It was gone already, or is held again.
  }
  fs.rmSync(aside, { force: true });
}

/** @throws Error where node_modules is a link to others: `npm ci` would empty the folder behind it. */
export async function installDependencies() {
  if (dependenciesInstalled(root, { forDevelopers: true })) return;
  const linked = linkedModules(root);
  if (linked !== undefined) {
    throw new Error(
      `${path.join(root, "node_modules")} is a link to ${linked}, where the packages are not those of package-lock.json, and \`npm ci\` would empty that folder: remove the link, and they are installed here; or bring that folder up to date where it belongs`,
    );
  }
  // Left behind by an npm that was killed while it packed; npm would take it for the lock file.
  fs.rmSync(SHRINKWRAP, { force: true });
  say("Installing dependencies with npm ci (about half a minute)...");
  await run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { quiet: true });
  rememberInstallation(root);
}

/** What a build depends on. */
function sources() {
  const files = ["package-lock.json", "tsconfig.json", "tsconfig.build.json"];
  files.push("scripts/prepare.mjs", "scripts/bundle-workflows.mjs", "scripts/bundle-dashboard.mjs");
  for (const folder of ["src", "dashboard"])
    for (const entry of fs.readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })) {
      if (entry.isFile())
        files.push(path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)));
    }
  return files.sort();
}

/** The sources by what is in them, as one hash. */
function sourcesHash() {
  const hash = createHash("sha256");
  for (const file of sources()) hash.update(`\0${file}\0`).update(fs.readFileSync(path.join(root, file)));
  return hash.digest("hex");
}

/** The sources by their sizes and times, as one hash: read at every command, where their content takes too long. */
function sourcesStamp() {
  const hash = createHash("sha256");
  for (const file of sources()) {
    const { size, mtimeMs } = fs.statSync(path.join(root, file));
    hash.update(`\0${file}\0${size}\0${mtimeMs}`);
  }
  return hash.digest("hex");
}

/** Whether `dist` is a build of the sources as they are. Sources that were touched and are the same count. */
function isBuilt() {
  const stamp = sourcesStamp();
  if (readRecord(".built-stamp") === stamp) return true;
  if (readRecord(".built-from") !== sourcesHash()) return false;
  try {
    fs.writeFileSync(path.join(dist, ".built-stamp"), stamp);
  } catch {
    // Somebody else's checkout: each of our commands looks at the content.
  }
  return true;
}

function readRecord(name) {
  try {
    return fs.readFileSync(path.join(dist, name), "utf8");
  } catch {
    return "";
  }
}

const compiler = path.join(root, "node_modules/typescript/bin/tsc");

/**
 * Compiles into a folder beside `dist` and swaps the two, so that a build is there whole or not at all. Types are taken
 * away and not checked, which is what `npm run check` does: somebody waits for the first command of a checkout.
 */
export async function build() {
  if (isBuilt()) return;
  // In this order, and before the compiler reads them: what changes meanwhile is built the next time.
  const stamp = sourcesStamp();
  const hash = sourcesHash();
  say("Building (some seconds)...");
  const fresh = `${dist}.new`;
  fs.rmSync(fresh, { recursive: true, force: true });
  await run(process.execPath, [compiler, "-p", "tsconfig.build.json", "--noCheck", "--outDir", fresh], {
    quiet: true,
  });
  fs.cpSync(path.join(root, "src/ledger/migrations"), path.join(fresh, "ledger/migrations"), {
    recursive: true,
  });
  const { bundleWorkflows } = await import("./bundle-workflows.mjs");
  await bundleWorkflows({ root, folder: fresh, onError: say });
  const { bundleDashboard } = await import("./bundle-dashboard.mjs");
  await bundleDashboard({ root, folder: fresh });
  fs.writeFileSync(path.join(fresh, ".built-from"), hash);
  fs.writeFileSync(path.join(fresh, ".built-stamp"), stamp);
  const old = `${dist}.old-${process.pid}`;
  if (fs.existsSync(dist)) fs.renameSync(dist, old);
  fs.renameSync(fresh, dist);
  fs.rmSync(old, { recursive: true, force: true });
}

/**
 * The types of what the package exports, checked, beside the build.
 *
 * @throws Error where they do not fit
 */
export async function declareTypes() {
  await run(process.execPath, [compiler, "-p", "tsconfig.declarations.json", "--outDir", dist], {
    quiet: true,
  });
}

/** Everything that `outdial` needs in a checkout. */
export async function prepare() {
  if (dependenciesInstalled(root, { forDevelopers: false }) && isBuilt()) return;
  await withLock(async () => {
    await installDependencies();
    await build();
  });
}

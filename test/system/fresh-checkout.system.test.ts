import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** npm ci and a build; the registry may be far away. */
const SETUP_BOUND_MS = 300_000;

let folder: string;
let checkout: string;
const running = new Set<number>();
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-fresh-"));
  checkout = path.join(folder, "outdial");
  for (const file of trackedFiles()) {
    fs.mkdirSync(path.dirname(path.join(checkout, file)), { recursive: true });
    fs.copyFileSync(path.join(root, file), path.join(checkout, file));
  }
});
afterAll(() => {
  for (const pid of running) process.kill(-pid, "SIGKILL");
  fs.rmSync(folder, { recursive: true, force: true });
});

/** What a clone would have, and what is about to be committed. */
function trackedFiles(): string[] {
  const listed = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  const files = listed.stdout
    .split("\0")
    .filter((file) => file !== "" && fs.existsSync(path.join(root, file)));
  if (listed.status !== 0 || files.length === 0)
    throw new Error(`git does not list the files of this checkout: ${listed.stderr}`);
  return files;
}

function inCheckout(
  command: string,
  ...args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(command, args, {
    cwd: checkout,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    // Nobody's settings; npm's downloads are shared, so that this test is about us and not about the network.
    env: { PATH: process.env["PATH"], HOME: path.join(folder, "home"), npm_config_cache: npmCache() },
  });
  const { pid } = child;
  if (pid !== undefined) running.add(pid);
  const kept = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].on("data", (chunk: Buffer) => {
      kept[name] += chunk.toString();
    });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (pid !== undefined) running.delete(pid);
      resolve({ code, ...kept });
    });
  });
}

function npmCache(): string {
  return process.env["npm_config_cache"] ?? path.join(os.homedir(), ".npm");
}

it(
  "a fresh clone sets itself up at the first command, for two that come at once as well",
  async () => {
    fs.mkdirSync(path.join(folder, "home"));
    expect(fs.existsSync(path.join(checkout, "node_modules"))).toBe(false);
    const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
      version: string;
    };
    const [npx, npm] = await Promise.all([
      inCheckout("npx", "outdial", "--version"),
      inCheckout("npm", "run", "--silent", "outdial", "--", "--version"),
    ]);
    for (const one of [npx, npm]) expect(one, one.stderr).toMatchObject({ code: 0, stdout: `${version}\n` });
    const said = `${npx.stderr}${npm.stderr}`;
    expect(said.match(/Installing dependencies/g), said).toHaveLength(1);
    expect(said.match(/Building/g), said).toHaveLength(1);
    const again = await inCheckout("npx", "outdial", "contacts", "validate", "examples/demo-contacts.csv");
    expect(again, again.stderr).toMatchObject({
      code: 0,
      stderr: expect.not.stringMatching(/Install|Building/),
    });
    expect(again.stdout).toContain("520 rows");
  },
  SETUP_BOUND_MS,
);

import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

import { given } from "../support/ledgers.ts";
import { freePorts } from "../support/free-ports.ts";
import { promtool } from "../support/promtool.ts";
import { cacheDir } from "../support/setup-temporal.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = fs.readFileSync(path.join(root, "docs/one-machine.md"), "utf8");

/** Ports that the page names: others may have them here. */
const PORTS = ["8490", "8480", "9464", "9090"];

/** The commands of the page, as one script that says before each block which it is. */
async function scriptOf(): Promise<string> {
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = ""]) => text);
  const ports = await freePorts(PORTS.length);
  return PORTS.reduce(
    (script, port, index) => script.replaceAll(port, String(ports[index])),
    ["set -euo pipefail", ...blocks.map((block, index) => `echo "== ${index}"\n${block}`)].join("\n"),
  );
}

/** Runs it as somebody with an empty home, and ends all that it started. */
async function run(script: string): Promise<{ code: number | null; said: string; home: string }> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-one-machine-"));
  const programs = path.join(home, "bin");
  fs.mkdirSync(programs);
  fs.symlinkSync(path.join(root, "bin/outdial.mjs"), path.join(programs, "outdial"));
  const child = spawn("bash", ["-c", script], {
    cwd: home,
    // A group of its own, with all that goes on behind it.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      HOME: home,
      PATH: [programs, process.env["PATH"]].join(path.delimiter),
      XDG_CACHE_HOME: path.dirname(path.dirname(cacheDir())),
      NO_COLOR: "1",
    },
  });
  const group = given(child.pid);
  onTestFinished(async () => {
    await endGroup(group);
    fs.rmSync(home, { recursive: true, force: true });
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => void (said += chunk.toString()));
  // What goes on in the background has files of its own to write to.
  const code = await new Promise<number | null>((resolve) => void child.on("close", resolve));
  return { code, said, home };
}

/** In good order, and for good where that takes too long. */
async function endGroup(group: number): Promise<void> {
  const signal = (name: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-group, name);
    } catch {
      return false;
    }
  };
  signal("SIGTERM");
  for (let look = 0; look < 300 && signal(0); look += 1) await new Promise((go) => void setTimeout(go, 100));
  signal("SIGKILL");
}

describe.skipIf(promtool === undefined)("docs/one-machine.md (prometheus)", () => {
  it("leads from an empty home to a system that is scraped, that wakes somebody, and that two people use", async () => {
    const { code, said, home } = await run(await scriptOf());
    expect(code, said.slice(-4_000)).toBe(0);
    expect(said).toContain("bob may not");
    expect(said).toContain("OutdialDialingHeld");
    expect(said).toMatch(/ann.*operator/);
    expect(said).toContain("a drill");
    const folder = path.join(home, "outdial");
    expect(fs.existsSync(path.join(folder, "backups/first/backup.json"))).toBe(true);
    for (const secret of ["platform-key", "system-token", "secrets/slack"])
      expect(fs.statSync(path.join(folder, secret)).mode & 0o077, secret).toBe(0);
  });
});

import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { COMMANDS } from "../../src/cli/commands.ts";
import { VERSION } from "../../src/http/version.ts";

/*
 * What commands load, told by V8 itself: the scripts of a process that has ended. Time says little on a busy machine;
 * modules are what it goes into, and one import in the wrong place brings hundreds of them.
 */

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What a person gives for an answer of the program itself: its command line, and some of our files. */
const WORDS_ALONE = ["commander"];
/** Settings and answers are checked by schemas. */
const ASKS_A_SYSTEM = ["commander", "ipaddr.js", "zod"];

let server: http.Server;
let folder: string;
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-loading-"));
  // Every list is empty, and everything else is refused: commands have their answer either way.
  server = http.createServer((request, response) => {
    request.resume();
    response.setHeader("x-outdial-version", VERSION);
    const isUp = request.url === "/healthz";
    const isList = request.method === "GET" && request.url !== "/v1/system";
    response.statusCode = isUp || isList ? 200 : 503;
    response.end(
      JSON.stringify(
        isUp
          ? { ok: true }
          : isList
            ? {
                items: [],
                total: 0,
                next_after: null,
                listed_by: [],
              }
            : { type: "about:blank", title: "x", status: 503, code: "refused_here", detail: "refused here" },
      ),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  fs.rmSync(folder, { recursive: true, force: true });
});

interface Loaded {
  code: number | null;
  said: string;
  packages: string[];
  /** Files of the build. */
  own: string[];
}

async function loadedBy(args: readonly string[]): Promise<Loaded> {
  const coverage = fs.mkdtempSync(path.join(folder, "run-"));
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      OUTDIAL_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      NODE_V8_COVERAGE: coverage,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => (said += String(part)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const urls = fs
    .readdirSync(coverage)
    .map((file) => fs.readFileSync(path.join(coverage, file), "utf8"))
    .flatMap((text) => (JSON.parse(text) as { result: { url: string }[] }).result)
    .flatMap(({ url }) => (url.startsWith("file:") ? [path.relative(root, fileURLToPath(url))] : []));
  const packages = urls.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  return {
    code,
    said,
    packages: [...new Set(packages)].sort(),
    own: urls.filter((file) => file.startsWith(`dist${path.sep}`)),
  };
}

const outdial = (...args: readonly string[]) => loadedBy(["bin/outdial.mjs", ...args]);

describe("a command loads what it needs", () => {
  it.each(["--version", "--help"])("%s: its command line", async (option) => {
    const loaded = await outdial(option);
    expect(loaded.code, loaded.said).toBe(0);
    expect(loaded.packages).toEqual(WORDS_ALONE);
    expect(loaded.own).toContain(path.join("dist", "cli", "program.js"));
    expect(loaded.own.length, loaded.own.join("\n")).toBeLessThan(16);
  });

  it.each([
    ["campaign list", 0],
    ["attention list", 0],
    ["suppress list", 0],
    ["suppress add +12025550143 --reason x", 1],
    ["campaign pause spring", 1],
    ["trigger enable crm", 1],
    ["stop-all", 1],
    ["go-on --reason x", 1],
  ] as const)("%s: the way to a running system, and its answer's schema", async (line, code) => {
    const loaded = await outdial(...line.split(" "));
    expect(loaded.code, loaded.said).toBe(code);
    if (code === 1) expect(loaded.said).toContain("refused here");
    expect(loaded.packages).toEqual(ASKS_A_SYSTEM);
    // Words for what fails included, and the settings, a file for each of twenty parts; the engine, the ledger or the
    // platform would be hundreds.
    expect(loaded.own.length, loaded.own.join("\n")).toBeLessThan(96);
  });

  it("health: the settings, and the health check of a container not even those", async () => {
    const asked = await outdial("health", "--data-dir", folder);
    expect(asked).toMatchObject({ code: 1, packages: ASKS_A_SYSTEM });
    const probed = await loadedBy(["dist/health-check.js", folder]);
    expect(probed).toMatchObject({ code: 1, said: asked.said, packages: [] });
    expect(probed.own.length).toBeLessThan(6);
  });
});

it("a command of a group loads none of its neighbours", async () => {
  for (const entry of COMMANDS) {
    if (entry.kind !== "group" || entry.modules.length < 2) continue;
    const [first, ...others] = entry.modules.map(({ names }) => names[0] ?? "");
    const { own } = await outdial(entry.name, first ?? "", "--help");
    const inGroup = own.filter((file) => others.some((name) => file.endsWith(`/${entry.name}/${name}.js`)));
    expect(inGroup, `${entry.name} ${first}`).toEqual([]);
  }
});

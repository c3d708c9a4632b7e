import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { projectFolder, readDocument } from "./support/documents.ts";

/* The examples of docs/client.md are one program, whose parts stand between the text. */

const LIBRARY = path.join(projectFolder, "src/platform/index.ts");

const example = readDocument("docs/client.md")
  .fences.filter(({ language }) => language === "ts")
  .map(({ text }) => text)
  .join("\n");

const home = process.cwd();
let folder = "";
let sandbox: Sandbox | undefined;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-client-example-"));
  const program = example.replaceAll('"outdial/platform"', JSON.stringify(LIBRARY));
  fs.writeFileSync(path.join(folder, "example.ts"), program);
  // At this speed a call and what comes after it take less than the second for which the example waits.
  sandbox = await createSandbox({ speed: 600 });
  sandbox.outcomes.force("+12125550143", ["answered"]);
  vi.stubEnv("PLATFORM_BASE_URL", sandbox.url);
  vi.stubEnv("PLATFORM_API_KEY", sandbox.apiKey);
});

afterAll(async () => {
  process.chdir(home);
  vi.unstubAllEnvs();
  await sandbox?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** A compiler beside other tests on a busy machine; alone it takes some two seconds. */
const COMPILER_TIMEOUT_MS = 120_000;

it(
  "the examples in docs/client.md fit the client's types",
  async () => {
    const config = {
      extends: path.join(projectFolder, "tsconfig.json"),
      compilerOptions: {
        typeRoots: [path.join(projectFolder, "node_modules/@types")],
        // The example is elsewhere and takes the sources by their whole path, which is no relative import.
        rewriteRelativeImportExtensions: false,
        module: "esnext",
        moduleResolution: "bundler",
      },
      files: ["example.ts"],
      include: [],
    };
    fs.writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiler = path.join(projectFolder, "node_modules/typescript/bin/tsc");
    const run = promisify(execFile)(process.execPath, [compiler, "-p", folder]);
    const said = await run.then(
      ({ stdout }) => stdout,
      ({ stdout, message }: { stdout?: string; message: string }) => stdout || message,
    );
    expect(said).toBe("");
  },
  COMPILER_TIMEOUT_MS,
);

it("the examples in docs/client.md do what they say", async () => {
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "debug").mockImplementation(() => {});
  process.chdir(folder);
  fs.writeFileSync("handbook.pdf", "%PDF-1.7 nothing else");
  await import(pathToFileURL(path.join(folder, "example.ts")).href);
  const lines = said.mock.calls.map((words) => words.join(" "));
  expect(lines).toContain("1 of 1");
  expect(lines.some((line) => line.startsWith("not_found 404 req-"))).toBe(true);
  expect(lines.some((line) => line.startsWith("agents.create POST /v1/agents "))).toBe(true);
  expect(fs.readFileSync("call.ogg").subarray(0, 4).toString()).toBe("OggS");
});

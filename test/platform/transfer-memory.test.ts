/** Each test file is a process of its own, so what is measured here is the client and the test around it. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { Platform, UploadSource } from "../../src/platform/index.ts";
import { clientOf } from "./fake-platform.ts";

const SIZE_BYTES = 200 * 1024 * 1024;
const MOST_GROWTH_BYTES = 150 * 1024 * 1024;

/** A client of a server that runs in another process, and ends with the test. */
async function clientOfAnotherProcess(): Promise<Platform> {
  const script = fileURLToPath(new URL("transfer-server.mjs", import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  const port = await new Promise<string>((resolve) =>
    child.stdout.once("data", (data) => resolve(String(data).trim())),
  );
  return clientOf(`http://127.0.0.1:${port}`);
}

/** The most memory that the process has while something is done, above what it has before. */
async function growthOf(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return Math.max(most, process.memoryUsage.rss()) - before;
}

async function* generated(): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < SIZE_BYTES; sent += 256 * 1024) yield Buffer.alloc(256 * 1024, sent % 251);
}

function bigFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "outdial-big-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "big.bin");
  writeFileSync(path, "");
  truncateSync(path, SIZE_BYTES); // Sparse: takes no room on the disk.
  return path;
}

test.each<[string, () => UploadSource]>([
  ["a path", () => ({ path: bigFile() })],
  ["a stream of known length", () => ({ stream: generated(), filename: "big.bin", sizeBytes: SIZE_BYTES })],
  ["a stream of unknown length", () => ({ stream: generated(), filename: "big.bin" })],
])("an upload of 200 MB from %s keeps the process under 150 MB of growth", async (_, source) => {
  const platform = await clientOfAnotherProcess();
  const growth = await growthOf(async () => {
    const { file_size_bytes: received } = await platform.knowledgeBases.addDocument("k1", source());
    // The form around the file takes some hundred bytes.
    expect(received).toBeGreaterThan(SIZE_BYTES);
    expect(received).toBeLessThan(SIZE_BYTES + 1_000);
  });
  expect(growth).toBeLessThan(MOST_GROWTH_BYTES);
});

test("a recording of 200 MB keeps the process under 150 MB of growth, even where its reader is slow", async () => {
  const platform = await clientOfAnotherProcess();
  const growth = await growthOf(async () => {
    const { body, sizeBytes } = await platform.calls.recording(String(SIZE_BYTES));
    let bytes = 0;
    for await (const chunk of body) {
      if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 300)); // The sender fills what it can.
      bytes += Buffer.from(chunk).byteLength;
    }
    expect([sizeBytes, bytes]).toEqual([SIZE_BYTES, SIZE_BYTES]);
  });
  expect(growth).toBeLessThan(MOST_GROWTH_BYTES);
});

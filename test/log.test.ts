import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { createLog } from "../src/log.ts";
import { openLogStream } from "../src/log-stream.ts";
import { until } from "./support/until.ts";

let folder = "";

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-log-"));
});

afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

const linesOf = (file: string): Record<string, unknown>[] =>
  (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("a file of a log is made with its folders, for its owner alone, and appended to", async () => {
  const file = path.join(folder, "a", "outdial.log");
  createLog({ level: "info", file }).info({ phone: "+12025550123" }, "called +12025550123");
  await until("the line is there", () => linesOf(file).length === 1);
  expect(linesOf(file)[0]).toMatchObject({ level: "info", phone: "+12***23", msg: "called +12***23" });
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  createLog({ level: "info", file }).info("again");
  await until("both are there", () => linesOf(file).length === 2);
});

describe("a log that can't be written ends nothing", () => {
  test("on a full disk: it is told once, and nothing piles up", async () => {
    const file = path.join(folder, "outdial.log");
    fs.symlinkSync("/dev/full", file);
    const troubles: string[] = [];
    const log = createLog({ level: "info", file, onTrouble: (error) => troubles.push(error.message) });
    for (let round = 0; round < 20; round += 1) {
      for (let nth = 0; nth < 100; nth += 1) log.info({ nth }, "x".repeat(1_000));
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    await until("it is told", () => troubles.length > 0);
    expect(troubles).toEqual([expect.stringContaining("ENOSPC")]);
  });

  test("where its file can't be opened; and once it can be, it says how many lines are missing", async () => {
    fs.writeFileSync(path.join(folder, "taken"), "");
    const file = path.join(folder, "taken", "outdial.log");
    let aheadMs = 0;
    const realNow = performance.now.bind(performance);
    const clock = vi.spyOn(performance, "now").mockImplementation(() => realNow() + aheadMs);
    try {
      const troubles: string[] = [];
      const log = createLog({ level: "info", file, onTrouble: (error) => troubles.push(error.message) });
      for (const word of ["one", "two", "three"]) log.info(word);
      expect(troubles).toHaveLength(1);
      fs.rmSync(path.join(folder, "taken"));
      aheadMs += 60_000;
      log.info("four");
      await until("it says so", () => linesOf(file).length === 2);
      expect(linesOf(file)).toMatchObject([{ msg: "four" }, { level: "warn", lostLines: 3 }]);
    } finally {
      clock.mockRestore();
    }
  });
});

/** A pipe that nobody waits at: what has come, and how to read on. */
function openPipe(): { fd: number; read: () => string } {
  const fifo = path.join(folder, "fifo");
  execFileSync("mkfifo", [fifo]);
  const fd = fs.openSync(fifo, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
  const buffer = Buffer.alloc(64 * 1024);
  return {
    fd,
    read() {
      try {
        return buffer.toString("utf8", 0, fs.readSync(fd, buffer));
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "EAGAIN") return "";
        throw error;
      }
    },
  };
}

test("a reader who pauses loses nothing, and holds nobody up", async () => {
  const { fd, read } = openPipe();
  const stream = openLogStream({ to: fd, onTrouble: () => {}, onRecovered: () => {} });
  const sent = Array.from({ length: 2_000 }, (_, nth) => `${nth} ${"x".repeat(100)}\n`).join("");
  for (const line of sent.split(/(?<=\n)/)) stream.write(line);
  let come = "";
  await until("everything has come", () => {
    come += read();
    return come.length === sent.length;
  });
  expect(come).toBe(sent);
  fs.closeSync(fd);
});

test("what waits is bounded while nobody reads, and what was lost is counted", async () => {
  const { fd, read } = openPipe();
  let lost = 0;
  const onRecovered = (lines: number) => {
    lost += lines;
  };
  const stream = openLogStream({ to: fd, onTrouble: () => {}, onRecovered });
  for (let nth = 0; nth < 5_000; nth += 1) stream.write(`${"x".repeat(999)}\n`);
  let come = 0;
  await until("all that was kept has come", () => {
    come += read().length;
    return lost > 0 && come / 1_000 + lost === 5_000;
  });
  expect(come).toBeLessThan(1.2 * 1024 * 1024);
  fs.closeSync(fd);
});

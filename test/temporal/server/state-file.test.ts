import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, stat, writeFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { inspectProcess, inspectPs, ownIdentity } from "../../../src/temporal/server/process.ts";
import {
  databasePath,
  isOurServer,
  isOwnedByAnother,
  readState,
  type RunningState,
  statePath,
  stopped,
  writeState,
} from "../../../src/temporal/server/state-file.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const nobody = { pid: 4_194_000, startedAt: "long ago" };

function running(part: Partial<RunningState> = {}): RunningState {
  return {
    format: 1,
    state: "running",
    server: nobody,
    owner: nobody,
    address: "127.0.0.1:20001",
    port: 20_001,
    uiPort: 20_002,
    namespace: "default",
    executable: "/cache/temporal",
    serverVersion: "1.32.0",
    startedAt: "2026-01-01T00:00:00.000Z",
    ...part,
  };
}

/** A process whose command line holds `words`, as a server's holds its data file. */
async function processWith(
  words: string,
): Promise<{ pid: number; startedAt: string; kill: () => Promise<void> }> {
  const child = spawn("/bin/sh", ["-c", "read -r line", words], { stdio: ["pipe", "ignore", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const facts = await inspectProcess(child.pid ?? 0);
  if (!facts) throw new Error("it did not start");
  const kill = async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return { pid: facts.pid, startedAt: facts.startedAt, kill };
}

test("what was written is read, by its owner alone, and nothing else is left in the folder", async () => {
  const dataDir = await temporaryFolder();
  expect(readState(dataDir)).toBeUndefined();
  writeState(dataDir, running());
  expect(readState(dataDir)).toEqual(running());
  expect((await stat(statePath(dataDir))).mode & 0o777).toBe(0o600);
  writeState(dataDir, stopped(running()));
  expect(readState(dataDir)).toEqual({
    format: 1,
    state: "stopped",
    port: 20_001,
    uiPort: 20_002,
    serverVersion: "1.32.0",
  });
  expect(await readdir(dataDir)).toEqual(["temporal.json"]);
});

test.each(["", "{", "[]", '{"format":2}', '{"format":1,"state":"running","port":0}', "null"])(
  "a state file of %j counts as none",
  async (text) => {
    const dataDir = await temporaryFolder();
    await writeFile(statePath(dataDir), text);
    expect(readState(dataDir)).toBeUndefined();
  },
);

test("a process is taken for our server only if it started then and runs on our data file", async () => {
  const dataDir = await temporaryFolder();
  const server = await processWith(databasePath(dataDir));
  const stranger = await processWith("/elsewhere/temporal.db");
  expect(await isOurServer(dataDir, server)).toBe(true);
  expect(await isOurServer(dataDir, stranger)).toBe(false);
  expect(await isOurServer(dataDir, { ...server, startedAt: "before the pid was used again" })).toBe(false);
  expect(await isOurServer(dataDir, nobody)).toBe(false);
  await server.kill();
  expect(await isOurServer(dataDir, server)).toBe(false);
});

test("a server belongs to another process only while that one lives", async () => {
  const self = await ownIdentity();
  const other = await processWith("owner");
  expect(await isOwnedByAnother(running({ owner: self }), self)).toBe(false);
  expect(await isOwnedByAnother(running({ owner: other }), self)).toBe(true);
  await other.kill();
  expect(await isOwnedByAnother(running({ owner: other }), self)).toBe(false);
});

test("ps tells the same of a process as /proc does, for systems without it", async () => {
  const { pid, kill } = await processWith("some words");
  const facts = await inspectPs(pid);
  expect(facts?.command).toBe("/bin/sh -c read -r line some words");
  expect(facts?.startedAt).toMatch(/\d{4}$/);
  expect(await inspectPs(pid)).toEqual(facts);
  await kill();
  expect(await inspectPs(pid)).toBeUndefined();
});

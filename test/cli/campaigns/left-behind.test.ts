import { expect, test } from "vitest";

import { leftBehind } from "../../../src/cli/campaigns/run/left-behind.ts";
import {
  statePath,
  stopped,
  writeState,
  type RunningState,
} from "../../../src/temporal/server/state-file.ts";
import { temporaryFolder, writeFile } from "../support.ts";

const US = { pid: process.pid, startedAt: "now" };
/** No process has this number: it is above every system's limit. */
const NOBODY = { pid: 2 ** 30, startedAt: "long ago" };

function stateWith(changes: Partial<RunningState> = {}): RunningState {
  return {
    format: 1,
    state: "running",
    server: { pid: process.ppid, startedAt: "now" },
    owner: US,
    address: "127.0.0.1:20001",
    port: 20_001,
    namespace: "default",
    executable: "/cache/temporal",
    serverVersion: "1.32.0",
    startedAt: "2026-01-01T00:00:00.000Z",
    ...changes,
  };
}

test("the Temporal server that outlives whoever leaves at once is named with its process", () => {
  const folder = temporaryFolder();
  writeState(folder, stateWith());
  expect(leftBehind(folder)).toContain(`may stay up (process ${process.ppid})`);
  expect(leftBehind(folder)).toContain(`\`kill ${process.ppid}\``);
});

test.each([
  ["is another process's", stateWith({ owner: NOBODY })],
  ["is gone", stateWith({ server: NOBODY })],
  ["was stopped", stopped(stateWith())],
])("nothing is said of a server that %s", (_why, state) => {
  const folder = temporaryFolder();
  writeState(folder, state);
  expect(leftBehind(folder)).toBeUndefined();
});

test("nothing is said where nothing can be read, and leaving goes on", () => {
  const folder = temporaryFolder();
  expect(leftBehind(folder)).toBeUndefined();
  expect(leftBehind(writeFile(folder, "file", ""))).toBeUndefined();
  expect(leftBehind(statePath(folder))).toBeUndefined();
});

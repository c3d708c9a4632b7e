import { spawn } from "node:child_process";
import { once } from "node:events";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { adoptServer } from "../../../src/temporal/server/data-dir-server.ts";
import { inspectProcess, isAlive, ownIdentity } from "../../../src/temporal/server/process.ts";
import {
  databasePath,
  readState,
  type RunningState,
  writeState,
} from "../../../src/temporal/server/state-file.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/* Whether a server that was found running is used or replaced, by what it still answers: no real one hangs on demand. */

/** Long enough for an answer on this machine; a server that hangs costs a test no more. */
const BOUNDS = { answerMs: 2_000, namespaceMs: 1_000, silentMs: 1_000 };
const NOBODY = { pid: 4_194_000, startedAt: "long ago" };

type Answer = "ok" | "refuses" | "nothing";

/** A frontend that answers each request as `say` has it, by its method and how many came before it. */
async function frontend(say: (method: string, before: number) => Answer): Promise<number> {
  let asked = 0;
  const server = http2.createServer();
  server.on("stream", (stream, headers) => {
    const method = String(headers[":path"]).split("/").at(-1) ?? "";
    const answer = say(method, asked);
    asked += 1;
    stream.on("error", () => undefined);
    if (answer === "nothing") return;
    const grpcStatus = answer === "ok" ? "0" : "14";
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": grpcStatus }));
    // A message without fields; of a refusal there is none.
    stream.end(answer === "ok" ? Buffer.alloc(5) : undefined);
  });
  const sessions = new Set<http2.ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A process on the data of a folder that is written down as its server, answers at that port, and has no owner. */
async function recorded(port: number): Promise<{ dataDir: string; state: RunningState }> {
  const dataDir = await temporaryFolder();
  const child = spawn("/bin/sh", ["-c", "read -r line", databasePath(dataDir)], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const facts = await inspectProcess(child.pid ?? 0);
  if (!facts) throw new Error("it did not start");
  const state: RunningState = {
    format: 1,
    state: "running",
    server: { pid: facts.pid, startedAt: facts.startedAt },
    owner: NOBODY,
    address: `127.0.0.1:${port}`,
    port,
    namespace: "default",
    executable: "/cache/temporal",
    serverVersion: "1.32.0",
    startedAt: "2026-01-01T00:00:00.000Z",
  };
  writeState(dataDir, state);
  return { dataDir, state };
}

async function adopt(dataDir: string) {
  const told: string[] = [];
  const self = await ownIdentity();
  const options = { cacheDir: dataDir, searchPath: "", onProgress: (line: string) => void told.push(line) };
  const server = await adoptServer({ dataDir, namespace: "default", options, self }, BOUNDS);
  return { server, told, self };
}

test("a server that answers is used, and belongs to whoever found it", async () => {
  const { dataDir, state } = await recorded(await frontend(() => "ok"));
  const { server, self } = await adopt(dataDir);
  expect(server?.state).toEqual({ ...state, owner: self });
  expect(readState(dataDir)).toEqual({ ...state, owner: self });
  expect(await isAlive(state.server)).toBe(true);
});

test.each<[string, (method: string, before: number) => Answer]>([
  ["once it is asked for its namespace", (method) => (method === "GetSystemInfo" ? "ok" : "nothing")],
  ["as soon as it has said that it is there", (_method, before) => (before < 2 ? "ok" : "nothing")],
])(
  "a server that ceases to answer %s while it is taken over is ended, and may be replaced",
  async (_when, say) => {
    let silent = false;
    const port = await frontend((method, before) => {
      const answer = silent ? "nothing" : say(method, before);
      if (answer === "nothing") silent = true;
      return answer;
    });
    const { dataDir, state } = await recorded(port);
    const { server, told } = await adopt(dataDir);
    expect(server).toBeUndefined();
    expect(await isAlive(state.server)).toBe(false);
    expect(readState(dataDir)).toMatchObject({ state: "stopped", port });
    expect(told).toEqual([
      `the Temporal server of an earlier run (process ${state.server.pid}) does not answer: replacing it`,
    ]);
  },
);

test("a server that goes on answering, but not for its namespace, is told as such and left alone", async () => {
  const port = await frontend((method) => (method === "GetSystemInfo" ? "ok" : "refuses"));
  const { dataDir, state } = await recorded(port);
  await expect(adopt(dataDir)).rejects.toThrow(
    `the namespace default of the Temporal server at 127.0.0.1:${port} cannot be used`,
  );
  expect(await isAlive(state.server)).toBe(true);
  expect(readState(dataDir)).toEqual(state);
});

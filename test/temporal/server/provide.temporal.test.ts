import { Client, Connection } from "@temporalio/client";
import fc from "fast-check";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  provideTemporalServer,
  type TemporalServer,
  type TemporalServerOptions,
} from "../../../src/temporal/server/index.ts";
import { choosePort } from "../../../src/temporal/server/ports.ts";
import { inspectProcess } from "../../../src/temporal/server/process.ts";
import { readState, statePath } from "../../../src/temporal/server/state-file.ts";
import {
  builtServerModule,
  killWhileProviding,
  type OtherProcess,
  provideInOtherProcess,
} from "./other-process.ts";
import { until } from "../../support/until.ts";
import { temporaryFolder } from "./temporary-folder.ts";

// One cache for the whole file: filled from nothing by the first test, as on a fresh machine.
let cacheDir: string;
let module: string;
/** Without a `temporal` that may be installed on this machine. */
let searchPath: string;

beforeAll(async () => {
  cacheDir = await mkdtemp(path.join(os.tmpdir(), "outdial-cache-"));
  module = await builtServerModule();
  searchPath = await pathWithoutTemporal();
});

afterAll(async () => {
  await rm(cacheDir, { recursive: true, force: true });
});

async function pathWithoutTemporal(): Promise<string> {
  const { stdout } = await promisify(execFile)("/bin/sh", ["-c", 'printf %s "$PATH"']);
  const folders: string[] = [];
  for (const folder of stdout.split(path.delimiter)) {
    const has = await stat(path.join(folder, "temporal")).then(
      () => true,
      () => false,
    );
    if (!has) folders.push(folder);
  }
  return folders.join(path.delimiter);
}

function base(part: Partial<TemporalServerOptions>): Omit<TemporalServerOptions, "onProgress"> {
  return { cacheDir, searchPath, ...part };
}

/** A server that is gone when the test ends, whatever happened. */
async function provide(part: Partial<TemporalServerOptions>): Promise<TemporalServer> {
  const server = await provideTemporalServer({ ...base(part), onProgress: () => undefined, ...part });
  onTestFinished(() => server.kill());
  return server;
}

async function elsewhere(part: Partial<TemporalServerOptions>): Promise<OtherProcess> {
  const other = await provideInOtherProcess(module, base(part));
  onTestFinished(() => other.kill());
  onTestFinished(() => end(other.facts.pid));
  return other;
}

/** Only for servers of this test that may have outlived their parents. */
async function end(pid: number | undefined): Promise<void> {
  if (pid === undefined || !(await inspectProcess(pid))) return;
  process.kill(pid, "SIGKILL");
  await gone(pid);
}

async function gone(pid: number | undefined): Promise<void> {
  await expect.poll(() => inspectProcess(pid ?? 0)).toBeUndefined();
}

async function withClient<T>(address: string, work: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await connection.withDeadline(Date.now() + 30_000, () => work(new Client({ connection })));
  } finally {
    await connection.close();
  }
}

async function startWorkflow(address: string): Promise<string> {
  const workflowId = randomUUID();
  await withClient(address, (client) => client.workflow.start("any", { taskQueue: "none", workflowId }));
  return workflowId;
}

function statusOf(address: string, workflowId: string): Promise<string> {
  return withClient(address, async (client) => {
    const description = await client.workflow.getHandle(workflowId).describe();
    return description.status.name;
  });
}

/** Pids of all live processes with these words in their command line. */
async function processesOn(words: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", [
    "-A",
    "-ww",
    "-o",
    "pid=",
    "-o",
    "stat=",
    "-o",
    "args=",
  ]);
  const lines = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  const live = lines.filter(
    ([, state, ...command]) => !state?.startsWith("Z") && command.join(" ").includes(words),
  );
  return live.map(([pid]) => Number(pid));
}

test("a machine with an empty cache gets a server that runs workflows and shows its web UI, and is told what happens", async () => {
  const messages: string[] = [];
  const dataDir = path.join(await temporaryFolder(), "data");
  const server = await provide({ dataDir, onProgress: (message) => messages.push(message) });
  expect(server.origin).toBe("started");
  expect(await statusOf(server.address, await startWorkflow(server.address))).toBe("RUNNING");
  const page = await fetch(server.uiUrl ?? "");
  expect(page.status).toBe(200);
  expect((await readdir(cacheDir)).length).toBe(1);
  expect(messages[0]).toMatch(/^downloading the Temporal CLI with the Temporal SDK \(about/);
  expect(messages.at(-1)).toMatch(/^starting Temporal server \d+\.\d+\.\d+ \(/);
  await server.stop();
});

test("all is there after kill -9 and restart, at the same address, closed workflows too", async () => {
  const dataDir = await temporaryFolder();
  const first = await provide({ dataDir });
  const open = await startWorkflow(first.address);
  const closed = await startWorkflow(first.address);
  await withClient(first.address, (client) => client.workflow.getHandle(closed).terminate("done"));
  await first.kill();
  expect(await first.exited).toMatchObject({ signal: "SIGKILL", expected: true });
  const second = await provide({ dataDir });
  expect(second).toMatchObject({ origin: "started", address: first.address, uiUrl: first.uiUrl });
  expect(second.pid).not.toBe(first.pid);
  expect(await statusOf(second.address, open)).toBe("RUNNING");
  await withClient(second.address, async (client) => {
    const listed: string[] = [];
    for await (const { workflowId } of client.workflow.list()) listed.push(workflowId);
    expect(listed.sort()).toEqual([open, closed].sort());
    const { config } = await client.workflowService.describeNamespace({ namespace: "default" });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 86_400);
  });
});

test("a server that dies by itself is noticed", async () => {
  const server = await provide({ dataDir: await temporaryFolder() });
  process.kill(server.pid ?? 0, "SIGKILL");
  expect(await server.exited).toEqual({ code: null, signal: "SIGKILL", expected: false });
});

test("stop leaves no process, no lock and no claim behind, and can be said twice", async () => {
  const dataDir = await temporaryFolder();
  const server = await provide({ dataDir });
  await Promise.all([server.stop(), server.stop()]);
  expect(await inspectProcess(server.pid ?? 0)).toBeUndefined();
  expect(readState(dataDir)).toMatchObject({ state: "stopped", port: Number(server.address.split(":")[1]) });
  expect(await server.exited).toMatchObject({ expected: true });
  const names = ["temporal.db", "temporal.json", "temporal.lock", "temporal.log", "temporal.start.lock"];
  expect((await readdir(dataDir)).sort()).toEqual(names);
  for (const name of names) expect((await stat(path.join(dataDir, name))).mode & 0o077).toBe(0);
});

test("the server of a process that was killed is adopted with its workflows, and can be stopped", async () => {
  const dataDir = await temporaryFolder();
  const other = await elsewhere({ dataDir });
  const workflowId = await startWorkflow(other.facts.address);
  await other.kill();
  const server = await provide({ dataDir });
  expect(server).toMatchObject({ ...other.facts, origin: "adopted" });
  expect(await statusOf(server.address, workflowId)).toBe("RUNNING");
  await server.stop();
  expect(await inspectProcess(server.pid ?? 0)).toBeUndefined();
  expect(await server.exited).toEqual({ code: null, signal: null, expected: true });
});

test("of two that start at once one starts and one adopts; who adopted does not stop the owner's server", async () => {
  const dataDir = await temporaryFolder();
  const two = await Promise.all([elsewhere({ dataDir }), elsewhere({ dataDir })]);
  const owner = two.find(({ facts }) => facts.origin === "started");
  const guest = two.find(({ facts }) => facts.origin === "adopted");
  expect(guest?.facts).toEqual({ ...owner?.facts, origin: "adopted" });
  await guest?.stop();
  expect(await inspectProcess(owner?.facts.pid ?? 0)).toBeDefined();
  await owner?.stop();
  await gone(owner?.facts.pid);
});

test("a guest stops the server once its owner was killed", async () => {
  const dataDir = await temporaryFolder();
  const owner = await elsewhere({ dataDir });
  const guest = await provide({ dataDir });
  expect(guest.origin).toBe("adopted");
  await guest.stop();
  expect(await inspectProcess(guest.pid ?? 0)).toBeDefined();
  await owner.kill();
  await guest.stop();
  expect(await inspectProcess(guest.pid ?? 0)).toBeUndefined();
});

test("a server that is left running is there for the next command", async () => {
  const dataDir = await temporaryFolder();
  const other = await elsewhere({ dataDir });
  await other.leave();
  const server = await provide({ dataDir });
  expect(server).toMatchObject({ origin: "adopted", pid: other.facts.pid });
  await server.stop();
});

test("a starter that is killed at any moment leaves at most one server, which the next one finds", async () => {
  // From before the program is loaded to after its server is up. fast-check prints the seed of a failure.
  const moment = fc.integer({ min: 200, max: 900 });
  const property = fc.asyncProperty(moment, async (killedAfterMs) => {
    const dataDir = await temporaryFolder();
    await killWhileProviding(module, base({ dataDir }), killedAfterMs);
    const server = await provide({ dataDir });
    expect(await processesOn(path.join(dataDir, "temporal.db"))).toEqual([server.pid]);
    await server.kill();
    expect(await processesOn(path.join(dataDir, "temporal.db"))).toEqual([]);
  });
  await fc.assert(property, { numRuns: 8, endOnFailure: true });
});

test("a server without a data folder ends with its process, even a killed one", async () => {
  const other = await elsewhere({});
  expect(await inspectProcess(other.facts.pid ?? 0)).toBeDefined();
  await other.kill();
  await gone(other.facts.pid);
});

test("a recorded process that is not our server is left alone, and replaced in the record", async () => {
  const dataDir = await temporaryFolder();
  const first = await provide({ dataDir });
  await first.kill();
  const state = readState(dataDir);
  if (state?.state !== "running") throw new Error("a killed server stays recorded");
  const self = await inspectProcess(process.pid);
  await writeFile(statePath(dataDir), JSON.stringify({ ...state, server: self, owner: self }));
  const second = await provide({ dataDir });
  expect(second).toMatchObject({ origin: "started", address: first.address });
});

test("a server that hangs is replaced once nobody owns it", async () => {
  const dataDir = await temporaryFolder();
  const other = await elsewhere({ dataDir });
  const workflowId = await startWorkflow(other.facts.address);
  await other.kill();
  process.kill(other.facts.pid ?? 0, "SIGSTOP");
  const messages: string[] = [];
  const server = await provide({ dataDir, onProgress: (message) => messages.push(message) });
  expect(server.origin).toBe("started");
  expect(messages[0]).toMatch(/does not answer: replacing it$/);
  await gone(other.facts.pid);
  expect(await statusOf(server.address, workflowId)).toBe("RUNNING");
});

test("a server on the data that no record knows of is never joined by a second one", async () => {
  const dataDir = await temporaryFolder();
  const server = await provide({ dataDir });
  await rm(statePath(dataDir));
  await expect(provide({ dataDir })).rejects.toThrow(/some process has the Temporal data in .* open/);
  expect(await inspectProcess(server.pid ?? 0)).toBeDefined();
});

test("another program on the old port moves the server to a free one, and the user is told", async () => {
  const dataDir = await temporaryFolder();
  const first = await provide({ dataDir });
  await first.stop();
  const port = Number(first.address.split(":")[1]);
  const squatter = createServer();
  await new Promise<void>((resolve) => {
    squatter.listen(port, "127.0.0.1", resolve);
  });
  onTestFinished(() => void squatter.close());
  const messages: string[] = [];
  const second = await provide({ dataDir, onProgress: (message) => messages.push(message) });
  expect(second.address).not.toBe(first.address);
  expect(messages.join("\n")).toContain(`port ${port} of the last run is in use`);
  await expect(provide({ dataDir: await temporaryFolder(), port })).rejects.toThrow(
    `port ${port} on 127.0.0.1`,
  );
});

test("ports, namespace, metrics and settings are as asked; adopting adds a missing namespace", async () => {
  const dataDir = await temporaryFolder();
  const probe = await provide({});
  const port = Number(probe.address.split(":")[1]);
  await probe.stop();
  const metricsPort = await choosePort({ ip: "127.0.0.1", taken: [port] });
  const server = await provide({
    dataDir,
    port,
    headless: true,
    namespace: "spring",
    metricsPort,
    dynamicConfig: { "frontend.namespaceRPS": 5_000 },
  });
  expect(server).toMatchObject({ address: `127.0.0.1:${port}`, uiUrl: undefined, namespace: "spring" });
  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  expect(await metrics.text()).toContain("service_requests");
  const again = await provide({ dataDir, namespace: "summer" });
  expect(again).toMatchObject({ origin: "adopted", namespace: "summer" });
  await withClient(server.address, async (client) => {
    const connection = client.connection;
    const summer = new Client({ connection, namespace: "summer" });
    await summer.workflow.start("any", { taskQueue: "none", workflowId: randomUUID() });
  });
});

test("an older executable is not used on data that a newer server wrote", async () => {
  const dataDir = await temporaryFolder();
  const first = await provide({ dataDir });
  await first.stop();
  const text = await readFile(statePath(dataDir), "utf8");
  await writeFile(statePath(dataDir), text.replace(first.serverVersion, "1.999.0"));
  const [name] = await readdir(cacheDir);
  const cliPath = path.join(cacheDir, name ?? "");
  await expect(provide({ dataDir, cliPath })).rejects.toThrow("1.999.0 or later is needed");
});

test("a server at a given address is used as it is: checked, never stopped", async () => {
  const own = await provide({});
  const given = await provide({ address: own.address });
  expect(given).toMatchObject({ origin: "given", address: own.address, serverVersion: own.serverVersion });
  // Ours know what workflows are found by. Somebody else's may not, which keeps nobody from working on it.
  expect(given.isSearchable).toBe(true);
  await withClient(own.address, async ({ connection }) => {
    if (!(connection instanceof Connection)) throw new Error("another connection");
    await connection.operatorService.removeSearchAttributes({
      searchAttributes: ["OutdialState"],
      namespace: "default",
    });
  });
  await until("it to be gone", async () => (await provide({ address: own.address })).isSearchable === false);
  await given.stop();
  await given.kill();
  expect(await inspectProcess(own.pid ?? 0)).toBeDefined();
  await expect(provide({ address: own.address, namespace: "nowhere" })).rejects.toThrow(
    /has no namespace nowhere: create it there \(temporal operator namespace create/,
  );
});

test("an address where something else listens is told within its bound", { timeout: 60_000 }, async () => {
  const mute = createServer(() => undefined);
  await new Promise<void>((resolve) => {
    mute.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void mute.close());
  const address = mute.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const wrong = provide({ address: `127.0.0.1:${address.port}` });
  await expect(wrong).rejects.toThrow("no Temporal server answers at TEMPORAL_ADDRESS");
});

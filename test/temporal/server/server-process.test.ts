import { readFile, stat, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { takeServerLock, withStartLock } from "../../../src/temporal/server/lock.ts";
import { isAlive } from "../../../src/temporal/server/process.ts";
import {
  adoptProcess,
  type LaunchInput,
  launchServer,
  terminate,
} from "../../../src/temporal/server/server-process.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Any program is a server here. */
function shell(script: string, part: Partial<LaunchInput> = {}): LaunchInput {
  const record = () => undefined;
  return {
    executable: "/bin/sh",
    args: ["-c", script],
    logFile: undefined,
    lock: undefined,
    tied: true,
    record,
    ...part,
  };
}

const forever = "while :; do sleep 0.05; done";

test("a server never runs without having been recorded", async () => {
  const folder = await temporaryFolder();
  const trace = path.join(folder, "ran");
  const failing = shell(`echo ran > ${trace}`, {
    record() {
      throw new Error("disk full");
    },
  });
  await expect(launchServer(failing)).rejects.toThrow("disk full");
  const working = await launchServer(shell(`echo ran > ${trace}.too`));
  await working.exited;
  await working.closeLog();
  expect(await readFile(`${trace}.too`, "utf8")).toBe("ran\n");
  await expect(stat(trace)).rejects.toThrow("ENOENT");
});

test("the exit and the last words of a server that fails are told, and only of this run", async () => {
  const logFile = path.join(await temporaryFolder(), "temporal.log");
  await writeFile(logFile, "of an earlier run\n");
  const server = await launchServer(shell("echo cannot bind >&2; exit 7", { logFile }));
  expect(await server.exited).toEqual({ code: 7, signal: null });
  expect(await server.lastWords()).toBe(": cannot bind");
  await server.closeLog();
  expect(await readFile(logFile, "utf8")).toBe("of an earlier run\ncannot bind\n");
});

test("a log that has grown large is put aside at the next start", async () => {
  const logFile = path.join(await temporaryFolder(), "temporal.log");
  await writeFile(logFile, "");
  await truncate(logFile, 11 * 1024 * 1024);
  const server = await launchServer(shell("echo fresh", { logFile }));
  await server.exited;
  await server.closeLog();
  expect(await readFile(logFile, "utf8")).toBe("fresh\n");
  expect((await stat(`${logFile}.1`)).size).toBe(11 * 1024 * 1024);
});

test("a server is ended politely, a stubborn one by force, an adopted one too", async () => {
  const polite = await launchServer(shell(`trap 'exit 5' TERM; ${forever}`));
  const stubborn = await launchServer(shell(`trap '' TERM; ${forever}`));
  await Promise.all([polite.closeLog(), stubborn.closeLog()]);
  const adopted = adoptProcess(stubborn.identity);
  await terminate(polite, "SIGTERM");
  expect((await polite.exited).signal ?? (await polite.exited).code).toSatisfy(
    (end) => end === 5 || end === "SIGTERM",
  );
  await terminate(adopted, "SIGKILL");
  expect(await adopted.exited).toEqual({ code: null, signal: null });
  expect((await stubborn.exited).signal).toBe("SIGKILL");
  expect(await isAlive(stubborn.identity)).toBe(false);
  // Again, on what is gone: nothing happens.
  await terminate(adopted, "SIGTERM");
});

test("the data's lock is held by the server itself, until the server ends", async () => {
  const dataDir = await temporaryFolder();
  const lock = await takeServerLock(dataDir, 0);
  const server = await launchServer(shell(forever, { lock }));
  await lock?.close();
  expect(await takeServerLock(dataDir, 0)).toBeUndefined();
  await terminate(server, "SIGKILL");
  await server.closeLog();
  const next = await takeServerLock(dataDir, 5_000);
  expect(next).toBeDefined();
  await next?.close();
});

test("starters of one folder go one after the other, also when one fails", async () => {
  const dataDir = await temporaryFolder();
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    inside -= 1;
    throw new Error("failed");
  };
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => withStartLock(dataDir, work)));
  expect(outcomes.every((outcome) => outcome.status === "rejected")).toBe(true);
  expect(most).toBe(1);
});

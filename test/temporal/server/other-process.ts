import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

import type { TemporalServer, TemporalServerOptions } from "../../../src/temporal/server/index.ts";
import { builtFolder } from "../../support/build.ts";

/** Where other processes find the server module as JavaScript. */
export async function builtServerModule(): Promise<string> {
  return pathToFileURL(path.join(await builtFolder(), "temporal", "server", "index.js")).href;
}

/** What another process says about the server that it got. */
export type ServerFacts = Pick<TemporalServer, "address" | "uiUrl" | "origin" | "pid">;

export interface OtherProcess {
  readonly facts: ServerFacts;
  /** As kill -9 does. */
  kill(): Promise<void>;
  /** Stops its server and ends. */
  stop(): Promise<void>;
  /** Ends without a word, leaving its server. */
  leave(): Promise<void>;
}

const PROGRAM = `
const [url, options] = process.argv.slice(1);
const { provideTemporalServer } = await import(url);
const server = await provideTemporalServer({ ...JSON.parse(options), onProgress: () => {} });
const { address, uiUrl, origin, pid } = server;
console.log(JSON.stringify({ address, uiUrl, origin, pid }));
process.stdin.once("data", async (word) => {
  if (String(word).trim() === "stop") await server.stop();
  process.exit(0);
});
`;

function run(
  url: string,
  options: Omit<TemporalServerOptions, "onProgress">,
): ChildProcessWithoutNullStreams {
  const args = ["--input-type=module", "-e", PROGRAM, url, JSON.stringify(options)];
  return spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"] });
}

/** Runs provideTemporalServer in a process of its own, which is killed while it is at it. */
export async function killWhileProviding(
  url: string,
  options: Omit<TemporalServerOptions, "onProgress">,
  afterMs: number,
): Promise<void> {
  const child = run(url, options);
  const ended = once(child, "exit");
  const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
  await ended;
  clearTimeout(timer);
}

/** Runs provideTemporalServer in a process of its own and waits until it has its server. */
export async function provideInOtherProcess(
  url: string,
  options: Omit<TemporalServerOptions, "onProgress">,
): Promise<OtherProcess> {
  const child = run(url, options);
  const ended = once(child, "exit");
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const line = await Promise.race([
    once(createInterface(child.stdout), "line").then(([text]) => String(text)),
    ended.then(() => undefined),
  ]);
  if (line === undefined) throw new Error(`the other process ended without a server: ${errors}`);
  const facts: ServerFacts = JSON.parse(line);
  const say = async (word: string) => {
    child.stdin.write(`${word}\n`);
    await ended;
  };
  return {
    facts,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    stop: () => say("stop"),
    leave: () => say("leave"),
  };
}

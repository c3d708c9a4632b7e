import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, inject } from "vitest";

import type { SandboxOptions } from "../../../src/sandbox/options.ts";
import { createSandbox, type Sandbox } from "../../../src/sandbox/sandbox.ts";
import { provideTemporalServer, type TemporalServer } from "../../../src/temporal/server/index.ts";
import { phoneNumbers, registerNamespace } from "../../support/engine.ts";
import { lastingPort } from "../../support/free-ports.ts";
import { freshDataDir, given } from "../../support/ledgers.ts";
import { startOutdial, type OutdialProcess, type StartOptions } from "../../support/processes.ts";
import { cacheDir } from "../../support/setup-temporal.ts";
import { PATIENCE_MS } from "../../support/until.ts";

/*
 * What whole-process tests stand on: a sandbox and a Temporal server for all tests of a file, a folder, and
 * processes that are gone when it closes, whatever became of the tests.
 */

/** How a command ended, and what it said. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export type Environment = Record<string, string>;

interface StageTemporal extends Pick<TemporalServer, "address" | "kill" | "stop"> {
  readonly namespace: string;
}

export interface Stage {
  readonly sandbox: Sandbox;
  readonly temporal: StageTemporal;
  readonly folder: string;
  /** A data folder with an empty ledger: making one takes a user's first run some seconds. */
  dataDir(): string;
  /** The settings of somebody whose ledger is embedded in the folder. */
  settings(dataDir: string, changes?: Environment): Environment;
  /** Writes a file and returns its path. */
  file(name: string, text: string): string;
  /** Writes a campaign of that name; `changes` are further lines of YAML. */
  spec(name: string, changes?: string): string;
  /** Writes a list of so many contacts that no other list has. */
  list(contacts: number): string;
  /** The same, of people who answer the first call, and talk for half a minute. */
  listWhoAnswer(contacts: number): string;
  start(args: readonly string[], settings: Environment, options?: StartOptions): OutdialProcess;
  /** Calls that begin from now on last for seconds, so that commands meet a campaign in its midst; gives what undoes it. */
  slowCalls(): () => void;
  /** Runs a command to its end, bounded. */
  outdial(args: readonly string[], settings: Environment, options?: StartOptions): Promise<Ended>;
  /** What all processes said so far, each on both of its outlets; those that are gone included. */
  said(): string[];
  close(): Promise<void>;
}

/** No command of these tests takes longer, on a loaded machine either; one that does hangs. */
const COMMAND_BOUND_MS = PATIENCE_MS;

/** Calls take some 100 ms, and the engine's own waits are as much shorter. */
const SPEED = 200;

/** A command takes a process a second or two, on a busy machine some more. */
const SLOW_CALL_MS = 3_000;

const AGENT = "11111111-1111-4111-8111-111111111111";

/** Long enough to be found by chance nowhere: whatever prints it prints a secret. */
const API_KEY = "sk-of-the-system-tests-4f1d9c0a7b";

/** @param ownTemporal for whoever kills it */
export async function openStage(
  sandboxOptions: SandboxOptions = {},
  { ownTemporal = false }: { ownTemporal?: boolean } = {},
): Promise<Stage> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-system-"));
  const folders = [folder];
  const processes = new Set<OutdialProcess>();
  const all: OutdialProcess[] = [];
  // Each list its own numbers: the sandbox's witness then tells whose dial it was. Of this stage alone, since what calls
  // come to depends on the number, and is not to depend on which files ran before.
  let numbersUsed = 0;
  const sandbox = await createSandbox({ speed: SPEED, seed: 5, apiKeys: [API_KEY], ...sandboxOptions });
  const temporal = ownTemporal ? await temporalAlone() : await temporalShared();
  const numbersFor = (contacts: number) => {
    const numbers = phoneNumbers(contacts, numbersUsed);
    numbersUsed += contacts;
    return numbers;
  };
  const listOf = (numbers: readonly string[]) => {
    const rows = numbers.map((phone, index) => `${phone},Contact ${index}`);
    return file(`list-${numbersUsed}.csv`, `phone,name\n${rows.join("\n")}\n`);
  };
  const file = (name: string, text: string) => {
    fs.writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const start = (args: readonly string[], settings: Environment, options?: StartOptions) => {
    const started = startOutdial(args, settings, options);
    processes.add(started);
    all.push(started);
    void started.exited.then(() => processes.delete(started));
    return started;
  };
  return {
    sandbox,
    temporal,
    folder,
    file,
    start,
    dataDir() {
      const dataDir = freshDataDir();
      folders.push(dataDir);
      return dataDir;
    },
    settings: (dataDir, changes = {}) => ({
      OUTDIAL_DATA_DIR: dataDir,
      PLATFORM_BASE_URL: sandbox.url,
      PLATFORM_API_KEY: API_KEY,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      OUTDIAL_SPEED: String(SPEED),
      OUTDIAL_LOG_LEVEL: "warn",
      ...changes,
    }),
    spec: (name, changes = "") => file(`${name.replaceAll(" ", "-")}.yaml`, specText(name, changes)),
    list: (contacts) => listOf(numbersFor(contacts)),
    listWhoAnswer(contacts) {
      const numbers = numbersFor(contacts);
      for (const phone of numbers) sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 30_000 }]);
      return listOf(numbers);
    },
    slowCalls() {
      const fault = sandbox.faults.add({ kind: "finish_late", ms: SLOW_CALL_MS });
      return () => void sandbox.faults.remove(fault.fault_id);
    },
    said: () => all.map(({ stdout, stderr }) => `${stdout()}\n${stderr()}`),
    outdial: (args, settings, options) => endOf(start(args, settings, options), args.join(" ")),
    async close() {
      await Promise.all([...processes].map((one) => one.kill()));
      await temporal.stop();
      await sandbox.close();
      for (const one of folders) fs.rmSync(one, { recursive: true, force: true });
    },
  };
}

async function temporalAlone(): Promise<StageTemporal> {
  const server = await provideTemporalServer({
    searchPath: process.env["PATH"] ?? "",
    cacheDir: cacheDir(),
    headless: true,
    onProgress: () => {},
  });
  return {
    address: server.address,
    namespace: "default",
    kill: () => server.kill(),
    stop: () => server.stop(),
  };
}

/** A namespace of its own on the server that all have. */
async function temporalShared(): Promise<StageTemporal> {
  const address = inject("temporalAddress");
  const namespace = `stage-${randomUUID()}`;
  await registerNamespace(address, namespace);
  return {
    address,
    namespace,
    kill: () => Promise.reject(new Error("others are on this server: say ownTemporal")),
    stop: () => Promise.resolve(),
  };
}

export function specText(name: string, changes = ""): string {
  const fields: Record<string, string> = {
    name,
    agent_id: AGENT,
    from_numbers: '["+12025550100"]',
    concurrency: "20",
    default_region: "US",
    retry: "{ max_attempts: 2, delays: { no_answer: 1s, busy: 1s, failed: 1s, voicemail: 1s } }",
    window: "always",
    least_gap: "0s",
  };
  for (const line of changes.split("\n").filter((one) => one !== "")) {
    const [field = "", value = ""] = line.split(/: (.*)/);
    fields[field] = value;
  }
  return Object.entries(fields)
    .map(([field, value]) => `${field}: ${value}\n`)
    .join("");
}

/** Waits until a process ends by itself. @throws where it does not within the bound; it is killed then. */
export async function endOf(process: OutdialProcess, what: string): Promise<Ended> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), COMMAND_BOUND_MS);
  });
  const ended = await Promise.race([process.exited, late]);
  clearTimeout(timer);
  if (ended !== "late") return { code: ended.code, stdout: process.stdout(), stderr: process.stderr() };
  await process.kill();
  throw new Error(
    `${what} did not end within ${COMMAND_BOUND_MS} ms; it said:\n${process.stdout()}\n${process.stderr()}`,
  );
}

/** The one object that `--json` promises as the last line of standard output. */
export interface FinalLine {
  campaign_id: string;
  state: string;
  rows: { read: number; rejected: number; duplicate: number };
  contacts: { total: number; done: number; excluded: number; open: number };
  attempts: number;
  dispositions: Record<string, number>;
  results_csv: string | null;
}

export function finalLine({ stdout }: Pick<Ended, "stdout">): FinalLine {
  return JSON.parse(given(stdout.trimEnd().split("\n").at(-1))) as FinalLine;
}

/** The numbers of a list, each once. */
function numbersIn(list: string): string[] {
  return [...new Set(fs.readFileSync(list, "utf8").match(/\+\d{8,15}/g))];
}

/** How often each number of a list was dialed, by the outside witness. */
export function dialsOf({ sandbox }: Pick<Stage, "sandbox">, list: string): number[] {
  const dials = new Map<string, number>();
  for (const { phone } of sandbox.dialLog.entries()) dials.set(phone, (dials.get(phone) ?? 0) + 1);
  return numbersIn(list).map((phone) => dials.get(phone) ?? 0);
}

/**
 * One message for a person on standard error, or one object where the command was given `--json`: no trace of where in
 * the code, and no secret anywhere.
 */
export function expectRefusal(ended: Ended, code: number, ...says: (string | RegExp)[]): void {
  expect(ended, `${ended.stdout}\n${ended.stderr}`).toMatchObject({ code });
  const said = refusalIn(ended);
  for (const one of says) expect(said).toMatch(one);
  const everything = `${ended.stdout}${ended.stderr}`;
  expect(everything).not.toMatch(/^ {2,}at .*[(:]\d+/m);
  expect(everything).not.toContain("OUTDIAL_LOG_LEVEL=debug");
  expect(everything).not.toContain(API_KEY);
}

function refusalIn({ stderr, stdout, code }: Ended): string {
  const lines = stderr.trimEnd().split("\n");
  const messages = lines.filter((line) => line.startsWith("outdial: "));
  const objects = lines.filter((line) => line.startsWith('{"error":'));
  expect([...messages, ...objects], stderr).toHaveLength(1);
  if (messages.length === 1) {
    expect(stderr.startsWith("outdial: "), stderr).toBe(true);
    return stderr;
  }
  expect(stdout).toBe("");
  const { error } = JSON.parse(lines.at(-1) ?? "") as {
    error: { message: string; remedy: string; exit_code: number };
  };
  expect(error.exit_code).toBe(code);
  return `${error.message}\n${error.remedy}`;
}

/** A port on which nobody listens. */
export function closedPort(): Promise<number> {
  return lastingPort();
}

import { execFile, spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";

import { freePorts } from "./free-ports.ts";

const run = promisify(execFile);

/** A PostgreSQL of our own in a temporary folder, never as root, gone when the tests are. */
export interface TestPostgres {
  /** The address of its maintenance database. */
  url: string;
  /** The same by its socket in the file system: a statement costs both sides a third less than through the network. */
  socketUrl: string;
  /** The server's process. */
  pid: number | undefined;
  /** Ends it at once, as a crash of the process would. Its children end by themselves. */
  kill(): Promise<void>;
  /** After `kill`: goes on with the same data at the same address. Resolves when it answers. */
  startAgain(): Promise<void>;
  /** @param whenDown called with the data folder once nothing runs on it, before it goes */
  stop(whenDown?: (data: string) => void): Promise<void>;
}

/** The folder of PostgreSQL's programs, 15 or later, or undefined where there is none. */
export function findPostgresBinaries(): string | undefined {
  const onPath = (process.env["PATH"] ?? "").split(path.delimiter);
  const debian = fs.existsSync("/usr/lib/postgresql")
    ? fs
        .readdirSync("/usr/lib/postgresql")
        .filter((version) => Number(version) >= 15)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => `/usr/lib/postgresql/${version}/bin`)
    : [];
  return [...debian, ...onPath].find(
    (folder) => fs.existsSync(path.join(folder, "initdb")) && fs.existsSync(path.join(folder, "postgres")),
  );
}

/** PostgreSQL refuses to run as root: then it runs as `postgres`, or `nobody`. */
async function identity(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const user of ["postgres", "nobody"]) {
    try {
      const uid = Number((await run("id", ["-u", user])).stdout);
      const gid = Number((await run("id", ["-g", user])).stdout);
      return { uid, gid };
    } catch {
      // No such user here: the next one.
    }
  }
  throw new Error("PostgreSQL can't run as root, and there is neither a user postgres nor nobody");
}

function everythingIn(folder: string): string[] {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
}

/** It outlives no crash of its own, so that nothing is done for that; and no statement lives long enough to be compiled. */
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "max_connections=200",
  "shared_buffers=256MB",
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "jit=off",
  "autovacuum=off",
];

/**
 * @param binaries the folder of PostgreSQL's programs
 * @param template a data folder to be copied; absent: a new one is made, which takes a second
 * @param more settings that count more than those of tests
 */
export async function startPostgres(
  binaries: string,
  template?: string,
  more: readonly string[] = [],
): Promise<TestPostgres> {
  const who = await identity();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-pg-"));
  const data = path.join(folder, "data");
  if (template !== undefined) fs.cpSync(template, data, { recursive: true });
  if (who) for (const place of [folder, ...everythingIn(folder)]) fs.chownSync(place, who.uid, who.gid);
  if (template === undefined) {
    await run(
      path.join(binaries, "initdb"),
      ["-D", data, "-U", "outdial", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
      { ...who, cwd: folder },
    );
  }
  const [port] = await freePorts(1);
  if (port === undefined) throw new Error("no port");
  const settings = [...SETTINGS, ...more].flatMap((setting) => ["-c", setting]);
  const urlOf = (database: string) => `postgres://outdial@127.0.0.1:${port}/${database}`;
  const start = async () => {
    const started = spawn(
      path.join(binaries, "postgres"),
      ["-D", data, "-p", String(port), "-k", folder, ...settings],
      { ...who, cwd: folder, stdio: "ignore" },
    );
    const ended = new Promise<void>((resolve) => {
      started.once("exit", () => resolve());
    });
    try {
      await untilItAnswers(urlOf("postgres"), started);
    } catch (error) {
      started.kill("SIGKILL");
      throw error;
    }
    return { process: started, ended };
  };
  let server = await start();
  return {
    url: urlOf("postgres"),
    socketUrl: `postgres://outdial@${encodeURIComponent(folder)}:${port}/postgres`,
    get pid() {
      return server.process.pid;
    },
    async kill() {
      server.process.kill("SIGKILL");
      await server.ended;
    },
    async startAgain() {
      server = await start();
    },
    async stop(whenDown) {
      // Fast shutdown: open connections are dropped.
      server.process.kill("SIGINT");
      await server.ended;
      whenDown?.(data);
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  const deadlineMs = Date.now() + 60_000;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > deadlineMs || server.exitCode !== null || server.signalCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** A database with a ledger in it that nobody uses, to be copied: migrations take a second each time. */
export const LEDGER_TEMPLATE = "ledger_template";

/** A database of its own on that server: empty, or a copy of a template. */
export async function createDatabase(
  serverUrl: string,
  { name = `test_${randomBytes(6).toString("hex")}`, template = "template1" } = {},
): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  // Its files as they are: page by page through its log would take twice as long.
  await client.query(`create database ${name} template ${template} strategy file_copy`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** A copy of a database as it is now. Whoever is connected to it is disconnected, which nobody may mind. */
export async function copyDatabase(serverUrl: string, url: string): Promise<string> {
  const name = new URL(url).pathname.slice(1);
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
  await client.end();
  return createDatabase(serverUrl, { template: name });
}

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { finished } from "node:stream/promises";

import type { TokensInForce } from "../ledger/ground/api-tokens.ts";
import type { LedgerFacts } from "../ledger/recovery/backup-facts.ts";
import { atSnapshot, holdText, restoredFacts, whatIsIn } from "../ledger/recovery/postgres-snapshot.ts";
import { checkSums } from "./checksums.ts";
import { BackupError, refuseOtherCounts, type Manifest } from "./manifest.ts";

/*
 * A ledger on PostgreSQL, by PostgreSQL's own programs: `pg_dump`, `pg_restore` and `psql`, which have to be of the
 * server's version or a later one. Passwords go to them by a file: others read a process's arguments.
 */

/** Where a backup has it. */
export const DUMP_FILE = "ledger.dump";

export interface Dumped {
  facts: LedgerFacts;
  /** Unix milliseconds. */
  atMs: number;
}

/**
 * Dumps the ledger as it is at one moment, and reads what was written to its end.
 *
 * @throws BackupError where one of PostgreSQL's programs is missing or fails, LedgerUnavailableError, the signal's
 * reason.
 */
export async function dumpPostgres(
  databaseUrl: string,
  backup: string,
  signal: AbortSignal,
): Promise<Dumped> {
  const file = path.join(backup, DUMP_FILE);
  const dumped = await atSnapshot(databaseUrl, async ({ id, atMs, facts }) => {
    const what = ["--format=custom", "--no-owner", "--no-privileges", `--snapshot=${id}`, `--file=${file}`];
    await withAddress(databaseUrl, (url) => run("pg_dump", [...what, `--dbname=${url}`], signal));
    return { facts, atMs };
  });
  await fs.promises.chmod(file, 0o600);
  // All of it is unpacked, for nobody: what was cut off or garbled on its way to the disk is found now.
  await run("pg_restore", [`--file=${process.platform === "win32" ? "NUL" : "/dev/null"}`, file], signal);
  return dumped;
}

/**
 * Restores a dump into an empty database, with all dialing held until `outdial recover`, in one transaction.
 *
 * @throws BackupError where it can't be, the signal's reason; then the database is as it was.
 */
export async function restorePostgres(
  backup: string,
  manifest: Manifest,
  {
    databaseUrl,
    database,
    reason,
    nowMs,
    signal,
  }: { databaseUrl: string; database: string; reason: string; nowMs: number; signal: AbortSignal },
): Promise<{ facts: LedgerFacts; tokens: TokensInForce }> {
  const there = await whatIsIn(databaseUrl);
  if (there !== "nothing") {
    throw new BackupError(
      `there is ${there === "a ledger" ? "a ledger in" : "something else in"} the database ${database} already, and a restore replaces nothing: make an empty one (createdb), and name it with DATABASE_URL`,
    );
  }
  await checkSums(backup, manifest.files, signal);
  await withAddress(databaseUrl, (url) =>
    restoreInto(url, path.join(backup, DUMP_FILE), holdText(reason, nowMs), signal),
  );
  const restored = await restoredFacts(databaseUrl, nowMs);
  refuseOtherCounts(manifest, restored.facts);
  return restored;
}

/**
 * One transaction that ends with the hold. It is committed by its own words and never by the end of what `psql` reads:
 * where this process is killed under way nothing has happened.
 */
async function restoreInto(url: string, dump: string, hold: string, signal: AbortSignal): Promise<void> {
  const script = start("pg_restore", ["--no-owner", "--no-privileges", "--file=-", dump], signal);
  // Whoever ends it may not end this one: it commits nothing that it was not told to, and what it was told stands.
  const psql = start("psql", [
    "--no-psqlrc",
    "--quiet",
    "--set=ON_ERROR_STOP=1",
    "--file=-",
    `--dbname=${url}`,
  ]);
  const { stdout } = script.child;
  const { stdin } = psql.child;
  // One that ended early reads nothing more; what it says of that is what counts.
  stdin.on("error", () => script.child.kill());
  psql.child.stdout.resume();
  stdin.write("begin;\n");
  stdout.pipe(stdin, { end: false });
  try {
    await finished(stdout, { writable: false });
    await script.ended;
    signal.throwIfAborted();
    stdin.end(`${hold}commit;\n`);
    await psql.ended;
  } catch (error) {
    stdin.destroy();
    // It says why, where it was the first to end.
    await psql.ended;
    throw error;
  }
}

/**
 * The address as PostgreSQL's programs are given it: their arguments are read by others, so the password is in a file
 * that is the owner's alone, for as long as they run.
 */
async function withAddress<T>(databaseUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  if (!URL.canParse(databaseUrl)) {
    throw new BackupError(
      "PostgreSQL's own programs can't be given this DATABASE_URL: write it with a host, such as postgresql://user:password@localhost/outdial?host=/run/postgresql for a socket",
    );
  }
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password) || url.searchParams.get("password");
  url.password = "";
  url.searchParams.delete("password");
  // What is there is for libpq, which takes no `+` for a blank.
  const address = () => {
    const [place = "", query] = url.toString().split("?");
    return query === undefined ? place : `${place}?${query.replaceAll("+", "%20")}`;
  };
  if (!password) return work(address());
  const folder = await fs.promises.mkdtemp(path.join(os.tmpdir(), "outdial-pass-"));
  try {
    const file = path.join(folder, "pgpass");
    await fs.promises.writeFile(file, `*:*:*:*:${password.replaceAll(/[\\:]/g, "\\$&")}\n`, { mode: 0o600 });
    url.searchParams.set("passfile", file);
    return await work(address());
  } finally {
    await fs.promises.rm(folder, { recursive: true, force: true });
  }
}

interface Running {
  child: ChildProcessWithoutNullStreams;
  /** @throws BackupError with what it said, where it failed; the signal's reason, where that ended it. */
  ended: Promise<void>;
}

function start(program: string, args: readonly string[], signal?: AbortSignal): Running {
  signal?.throwIfAborted();
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  const kill = () => void child.kill();
  signal?.addEventListener("abort", kill, { once: true });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = `${said}${chunk.toString()}`.slice(-2_000);
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.on("error", (error) => {
      const isMissing = "code" in error && error.code === "ENOENT";
      const words = isMissing
        ? `a ledger on PostgreSQL is backed up and restored by PostgreSQL's own programs, and ${program} is not on PATH: install them, of the server's version or a later one (Debian: postgresql-client)`
        : `${program} can't be run (${error.message})`;
      reject(new BackupError(words, { cause: error }));
    });
    child.on("close", (code, by) => {
      signal?.removeEventListener("abort", kill);
      if (code === 0) resolve();
      else reject(new BackupError(`${program} failed: ${said.trim() || `it ended with ${by ?? code}`}`));
    });
  }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
  ended.catch(() => {});
  return { child, ended };
}

async function run(program: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  const { child, ended } = start(program, args, signal);
  child.stdin.end();
  child.stdout.resume();
  await ended;
}

import { sql } from "drizzle-orm";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from "vitest";

import { backUp } from "../../src/backup/back-up.ts";
import { restore } from "../../src/backup/restore.ts";
import { rows, type Ledger } from "../../src/ledger/ground/connection.ts";
import { readInstallation } from "../../src/ledger/ground/installation.ts";
import { openPostgresLedger } from "../../src/ledger/ground/postgres.ts";
import { freshPhones, NOW_MS, running } from "../ledger/support/scenario.ts";
import { given } from "../support/ledgers.ts";
import { PATIENCE_MS } from "../support/until.ts";
import { LET_IN, letIn, signedIn } from "./support.ts";
import { createDatabase, findPostgresBinaries, LEDGER_TEMPLATE } from "../support/postgres.ts";

const say = () => {};
const { signal: never } = new AbortController();

/** Of the server's own version, wherever it is. */
function onPath(): void {
  vi.stubEnv("PATH", `${given(findPostgresBinaries())}${path.delimiter}${process.env["PATH"]}`);
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe.skipIf(inject("postgresUrl") === undefined)("a backup of a ledger on PostgreSQL", () => {
  let serverUrl: string;
  let databaseUrl: string;
  let ledger: Ledger;
  let parent: string;

  beforeAll(async () => {
    parent = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-backup-"));
    serverUrl = given(inject("postgresUrl"));
    databaseUrl = await createDatabase(serverUrl, { template: LEDGER_TEMPLATE });
    ledger = await openPostgresLedger({ url: databaseUrl, maxConnections: 4 });
    await readInstallation(ledger.db);
    await running(ledger, freshPhones(30), { name: "backed up" });
    await ledger.transaction(letIn);
  });
  afterAll(async () => {
    await ledger.close();
    fs.rmSync(parent, { recursive: true, force: true });
  });

  const backUpTo = (folder: string, url = databaseUrl, signal = never) =>
    backUp({
      folder,
      version: "0.1.0",
      ledger: { kind: "postgres", databaseUrl: url },
      recordingsDir: undefined,
      say,
      signal,
    });
  const restoreInto = (folder: string, url: string, signal = never) =>
    restore({
      backup: folder,
      ledger: { kind: "postgres", databaseUrl: url, database: new URL(url).pathname },
      recordingsDir: path.join(parent, "recordings"),
      nowMs: NOW_MS,
      say,
      signal,
    });

  it("comes back in an empty database, with dialing held, and in no other", async () => {
    onPath();
    const folder = path.join(parent, "whole");
    const manifest = await backUpTo(folder);
    expect(manifest).toMatchObject({ kind: "postgres", counts: { campaigns: 1, contacts: 30 } });
    await expect(restoreInto(folder, databaseUrl)).rejects.toThrow("there is a ledger in the database");
    const url = await createDatabase(serverUrl);
    expect((await restoreInto(folder, url)).tokens).toEqual(LET_IN);
    const restored = await openPostgresLedger({ url, maxConnections: 2 });
    try {
      const { installationId, recoveryReason } = await readInstallation(restored.db);
      expect(installationId).toBe(manifest.installation_id);
      expect(recoveryReason).toContain(manifest.at);
      expect(await rows(restored.db, sql`select 1 as one from contacts`)).toHaveLength(30);
      expect(await signedIn(restored.db)).toEqual([]);
      expect(await signedIn(ledger.db)).toEqual(["code", "session"]);
    } finally {
      await restored.close();
    }
    await expect(restoreInto(folder, url)).rejects.toThrow("there is a ledger in the database");
  });

  it("that is cut off or garbled is refused, and a restore that fails under way changes nothing", async () => {
    onPath();
    const folder = path.join(parent, "damaged");
    await backUpTo(folder);
    const url = await createDatabase(serverUrl);
    const dump = path.join(folder, "ledger.dump");
    const bytes = fs.readFileSync(dump);
    fs.writeFileSync(dump, bytes.subarray(0, bytes.length - 100));
    await expect(restoreInto(folder, url)).rejects.toThrow("ledger.dump is another than it was");
    fs.writeFileSync(dump, bytes);
    // A type of the ledger's name is there already: the first tables are made by then.
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("create type campaigns as enum ('in the way')");
    await expect(restoreInto(folder, url)).rejects.toThrow(/psql failed: .*campaigns/s);
    const left = await client.query(
      "select 1 from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    expect(left.rowCount).toBe(0);
    await client.end();
  });

  it("needs PostgreSQL's own programs, shows no password to others, and says what it lacks", async () => {
    const folder = path.join(parent, "shown");
    const programs = path.join(parent, "programs");
    fs.mkdirSync(programs);
    const seen = path.join(parent, "seen");
    // Stands for pg_dump: what it was given, and what is in the file that it was pointed to.
    fs.writeFileSync(
      path.join(programs, "pg_dump"),
      `#!/bin/sh\nprintf '%s\\n' "$@" > ${seen}\nfile=$(printf '%s\\n' "$@" | sed -n 's/.*passfile=//p' | sed 's/%2F/\\//g')\ncat "$file" >> ${seen}\nexit 3\n`,
      { mode: 0o755 },
    );
    vi.stubEnv("PATH", `${programs}${path.delimiter}/usr/bin${path.delimiter}/bin`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const url = new URL(databaseUrl);
    url.password = "p:a%40ss";
    await expect(backUpTo(folder, url.toString())).rejects.toThrow("pg_dump failed");
    const [args = "", password] = fs.readFileSync(seen, "utf8").split(/\n(?=\*)/);
    expect(args).not.toContain("ss@");
    expect(password).toBe("*:*:*:*:p\\:a@ss\n");
    vi.stubEnv("PATH", path.join(parent, "nowhere"));
    await expect(backUpTo(folder)).rejects.toThrow("pg_dump is not on PATH: install them");
    expect(fs.existsSync(folder)).toBe(false);
  });

  it("that is asked to end under way takes its half and the password away, and ends the program", async () => {
    const folder = path.join(parent, "interrupted");
    const pid = path.join(parent, "dumping");
    standIn("pg_dump", `echo "$$ $*" > ${pid}.new; mv ${pid}.new ${pid}; exec tail -f /dev/null`);
    const url = new URL(databaseUrl);
    url.password = "secret";
    const interrupt = new AbortController();
    const made = backUpTo(folder, url.toString(), interrupt.signal);
    const began = await vi.waitUntil(() => fs.existsSync(pid) && fs.readFileSync(pid, "utf8"), PATIENCE_MS);
    const [, id = "", passwords = ""] = given(/^(\d+) .*passfile=(\S+)/.exec(began) ?? undefined);
    expect(fs.existsSync(decodeURIComponent(passwords))).toBe(true);
    interrupt.abort(new Error("asked to end"));
    await expect(made).rejects.toThrow("asked to end");
    expect(fs.existsSync(folder)).toBe(false);
    expect(fs.existsSync(path.dirname(decodeURIComponent(passwords)))).toBe(false);
    expect(() => process.kill(Number(id), 0)).toThrow("ESRCH");
  });

  it("that is asked to end while it is restored leaves the database as it was", async () => {
    onPath();
    const folder = path.join(parent, "restored in part");
    await backUpTo(folder);
    const reached = path.join(parent, "restoring");
    standIn("pg_restore", `echo "create table half (id int);"; touch ${reached}; exec tail -f /dev/null`);
    const url = await createDatabase(serverUrl);
    const interrupt = new AbortController();
    const restored = restoreInto(folder, url, interrupt.signal);
    await vi.waitUntil(() => fs.existsSync(reached), PATIENCE_MS);
    interrupt.abort(new Error("asked to end"));
    await expect(restored).rejects.toThrow("asked to end");
    vi.unstubAllEnvs();
    onPath();
    await restoreInto(folder, url);
  });

  /** Stands for one of PostgreSQL's programs; the others are the server's own. */
  function standIn(program: string, script: string): void {
    const programs = fs.mkdtempSync(path.join(parent, "stand-in-"));
    fs.writeFileSync(path.join(programs, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const places = [programs, given(findPostgresBinaries()), process.env["PATH"]];
    vi.stubEnv("PATH", places.join(path.delimiter));
    onTestFinished(() => void vi.unstubAllEnvs());
  }
});

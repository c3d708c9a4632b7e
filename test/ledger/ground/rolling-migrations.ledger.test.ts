import { sql } from "drizzle-orm";
import fs from "node:fs";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";

import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { bindToPlatform } from "../../../src/ledger/ground/installation.ts";
import { LedgerBehindError, LedgerTooNewError } from "../../../src/ledger/ground/migrate.ts";
import { migratePostgres, MigrationRefusedError } from "../../../src/ledger/ground/postgres-migration.ts";
import { openPostgresLedger } from "../../../src/ledger/ground/postgres.ts";
import { noteManyContacts } from "../../../src/ledger/ground/statistics.ts";
import { given } from "../../support/ledgers.ts";
import { createDatabase, LEDGER_TEMPLATE } from "../../support/postgres.ts";
import { nextBuild, type NextBuild } from "../support/next-migration.ts";
import { allUnsettled, freshPhones, plan, running } from "../support/scenario.ts";

const ROLES = fs.readFileSync(new URL("../../../deploy/postgres/roles.sql", import.meta.url), "utf8");

const ADDS = () => "alter table contacts add column letters_sent integer not null default 0";
const BREAKS = (writtenMs: number) =>
  `alter table contacts alter column phone set default 'x';\n--> statement-breakpoint\nupdate ledger_schema set oldest_build = ${writtenMs}`;

const MAKES = { isOffline: false, isOnlyLook: false };

describe.skipIf(inject("postgresUrl") === undefined)("a rolling deploy's migrations on PostgreSQL", () => {
  const closing: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const build = (statements: (writtenMs: number) => string): NextBuild => {
    const made = nextBuild(statements);
    closing.push(() => made.remove());
    return made;
  };
  const opened = async (url: string, mode?: "never"): Promise<Ledger> => {
    const ledger = await openPostgresLedger({ url, maxConnections: 3, ...(mode && { migrate: mode }) });
    let closed: Promise<void> | undefined;
    const close = () => (closed ??= ledger.close());
    closing.push(close);
    return { ...ledger, close };
  };
  const fresh = () => createDatabase(given(inject("postgresUrl")), { template: LEDGER_TEMPLATE });

  it("that only add are made beside processes that dial, which go on, and so does one that starts", async () => {
    const url = await fresh();
    const before = await opened(url);
    await bindToPlatform(before.db, true);
    const id = await running(before, freshPhones(20));
    const { folder, name } = build(ADDS);
    expect(await migratePostgres(url, { ...MAKES, folder })).toMatchObject({ made: [name] });
    expect((await plan(before, id)).batchIds).not.toEqual([]);
    const restarted = await opened(url, "never");
    expect(await allUnsettled(restarted)).not.toEqual([]);
    // And once more: nothing is lacking.
    expect(await migratePostgres(url, { ...MAKES, folder })).toMatchObject({ made: [] });
  });

  it("that break the build before are refused beside it, whoever asks, and made once it is gone; then it is refused", async () => {
    const url = await fresh();
    const before = await opened(url);
    await rows(before.db, sql`select 1`);
    const { folder, name } = build(BREAKS);
    const ask = (isOffline: boolean) => migratePostgres(url, { isOffline, isOnlyLook: false, folder });
    await expect(ask(false)).rejects.toThrow(/alter column phone.*processes of Outdial work on the ledger/);
    await expect(ask(true)).rejects.toThrow(MigrationRefusedError);
    expect(await migratePostgres(url, { isOffline: false, isOnlyLook: true, folder })).toMatchObject({
      status: { pending: [name] },
      unsafe: [{ migration: name }, { migration: name, statement: expect.stringContaining("update") }],
    });
    await before.close();
    await expect(ask(false)).rejects.toThrow("run `outdial migrate --offline`");
    expect(await ask(true)).toMatchObject({ made: [name] });
    const refused = await openPostgresLedger({ url, maxConnections: 1 }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(LedgerTooNewError);
  });

  it("are waited for by a build of before that starts meanwhile, and is then refused", async () => {
    const url = await fresh();
    const { folder, name } = build(BREAKS);
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    closing.push(() => holder.end());
    await holder.query("begin");
    await holder.query("select 1 from contacts limit 1");
    const migrating = migratePostgres(url, { isOffline: true, isOnlyLook: false, folder });
    // Of its own: a transaction sees the same activity until its end.
    const watcher = new pg.Client({ connectionString: url });
    await watcher.connect();
    closing.push(() => watcher.end());
    const waiting = async (locktype: string) => {
      const found = await watcher.query(
        `select 1 from pg_locks join pg_stat_activity using (pid)
         where datname = current_database() and locktype = $1 and not granted`,
        [locktype],
      );
      return found.rowCount;
    };
    const isWaiting = async (locktype: string) =>
      await expect.poll(() => waiting(locktype), { interval: 20 }).toBe(1);
    await isWaiting("relation");
    const starting = openPostgresLedger({ url, maxConnections: 1 }).catch((error: unknown) => error);
    await isWaiting("advisory");
    await holder.query("rollback");
    expect(await migrating).toMatchObject({ made: [name] });
    expect(await starting).toBeInstanceOf(LedgerTooNewError);
  });

  it("count processes whose address has another name for them", async () => {
    const url = await fresh();
    const named = new URL(url);
    named.searchParams.set("application_name", "calls");
    const before = await opened(named.href);
    await rows(before.db, sql`select 1`);
    const { folder } = build(BREAKS);
    await expect(migratePostgres(url, { isOffline: true, isOnlyLook: false, folder })).rejects.toThrow(
      "processes of Outdial work on the ledger",
    );
  });

  it("do not have everybody wait behind them while somebody holds a table, and say so in the end", async () => {
    const url = await fresh();
    const { folder } = build(ADDS);
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    closing.push(() => holder.end());
    await holder.query("begin");
    await holder.query("select 1 from contacts limit 1");
    const migrating = migratePostgres(url, { ...MAKES, folder });
    const waits = new pg.Client({ connectionString: url });
    await waits.connect();
    closing.push(() => waits.end());
    const waiting =
      "select 1 from pg_stat_activity where application_name = 'outdial-migrating' and wait_event_type = 'Lock'";
    await expect.poll(async () => (await waits.query(waiting)).rowCount, { interval: 20 }).toBe(1);
    // Stands behind the migration, which gives way before a start or a stop would give up.
    await waits.query("set lock_timeout = '15s'; select 1 from contacts limit 1");
    await holder.query("rollback");
    expect((await migrating).made).toHaveLength(1);
  });
});

describe.skipIf(inject("postgresUrl") === undefined)("a user who may change no table", () => {
  let ownerUrl = "";
  let appUrl = "";
  const owner = `owner_${process.pid}`;
  const app = `app_${process.pid}`;
  beforeAll(async () => {
    const url = await createDatabase(given(inject("postgresUrl")));
    const admin = new pg.Client({
      connectionString: url,
      options: `-c outdial.owner=${owner} -c outdial.app=${app}`,
    });
    await admin.connect();
    // Twice: it may be run again.
    await admin.query(ROLES);
    await admin.query(ROLES);
    await admin.end();
    const as = (user: string) => Object.assign(new URL(url), { username: user }).href;
    [ownerUrl, appUrl] = [as(owner), as(app)];
  });
  afterAll(async () => {
    const admin = new pg.Client({ connectionString: given(inject("postgresUrl")) });
    await admin.connect();
    await admin.query(`drop database ${new URL(ownerUrl).pathname.slice(1)} with (force)`);
    await admin.query(`drop role ${owner}; drop role ${app}`);
    await admin.end();
  });

  it("is told to run `outdial migrate` before there is a ledger, works after it, and can neither change a table nor what was logged", async () => {
    for (const migrate of ["never", "auto"] as const) {
      const refused = await openPostgresLedger({ url: appUrl, maxConnections: 1, migrate }).catch(
        (error: unknown) => error,
      );
      expect(refused).toBeInstanceOf(LedgerBehindError);
      expect(String(refused)).toMatch(/has no ledger yet and lacks 0000_ledger.*run `outdial migrate`/);
    }
    expect((await migratePostgres(ownerUrl, MAKES)).made).toContain("0000_ledger");
    const ledger = await openPostgresLedger({ url: appUrl, maxConnections: 3 });
    try {
      await bindToPlatform(ledger.db, true);
      const id = await running(ledger, freshPhones(30));
      await noteManyContacts(ledger.db, 5_000);
      expect((await plan(ledger, id)).batchIds).not.toEqual([]);
      const told = await rows<{ reltuples: number }>(
        ledger.db,
        sql`select reltuples::float8 as reltuples from pg_class where relname = 'contacts'`,
      );
      expect(told).toEqual([{ reltuples: 30 }]);
      for (const statement of [
        sql`alter table contacts add column x text`,
        sql`drop table contacts`,
        sql`create table x (y int)`,
        sql`create temporary table x (y int)`,
        sql`truncate contacts`,
        sql`alter table audit disable trigger all`,
        sql`delete from drizzle.__drizzle_migrations`,
      ]) {
        await expect(rows(ledger.db, statement)).rejects.toThrow("42501");
      }
      const { folder, remove } = nextBuild(ADDS);
      await expect(migratePostgres(appUrl, { ...MAKES, folder })).rejects.toThrow(
        /0001_next; the user of DATABASE_URL may not change tables: run `outdial migrate`/,
      );
      expect((await migratePostgres(ownerUrl, { ...MAKES, folder })).made).toEqual(["0001_next"]);
      remove();
    } finally {
      await ledger.close();
    }
  });
});

import fs from "node:fs";
import path from "node:path";
import { sql } from "drizzle-orm";
import { describe, expect, inject, it, onTestFinished } from "vitest";

import { readFolder } from "../../src/cli/declared/folder.ts";
import { rows, type Ledger } from "../../src/ledger/ground/connection.ts";
import { openPostgresLedger } from "../../src/ledger/ground/postgres.ts";
import { outdial } from "../cli/support.ts";
import { openApi, platformAt } from "../http/support.ts";
import { given } from "../support/ledgers.ts";
import { createDatabase } from "../support/postgres.ts";
import { seededRandom } from "../support/random.ts";
import { until } from "../support/until.ts";
import { startGate, type Passing } from "./support/gate.ts";
import { closedPort, openStage, type Stage } from "./support/stage.ts";

const EXAMPLES = path.resolve(import.meta.dirname, "../../examples/declared");

/** Each costs a server's start. Any of the twenty-seven points of this folder may be among them. */
const KILLS = 3;

/** `within`: its transaction has written everything and is not committed. */
const MOMENTS = ["before", "within", "after"] as const;

/** A lock that the test holds, and a transaction that is to be stopped waits for. */
const LOCK = 4_711;

describe.skipIf(inject("postgresUrl") === undefined)("an apply", () => {
  it("whose both processes are killed at any point is completed by the next one, and no step is done twice", async () => {
    const random = seededRandom("declared");
    const stage = await openStage();
    onTestFinished(() => stage.close());
    const keys = readFolder(EXAMPLES).map(({ declared }) => declared.definition.name);
    const points = keys.flatMap((name, nth) => MOMENTS.map((moment) => ({ name, nth, moment })));
    const undisturbed = await openLedger();
    await applyUndisturbed(undisturbed.ledger, stage);

    const { ledger, url: databaseUrl } = await openLedger();
    await stopTransactions(ledger);
    const servers = await Promise.all(
      Array.from({ length: KILLS + 1 }, () => startServer(stage, databaseUrl)),
    );
    for (let kill = 0; kill < KILLS; kill += 1) {
      const point = given(points.splice(Math.floor(random() * points.length), 1)[0]);
      console.log(`killed ${point.moment} ${point.name}`);
      const { server, url } = given(servers[kill]);
      let asked = -1;
      let isHeld = false;
      const gate = await startGate(url, {
        momentOf: ({ path: at }: Passing) => {
          if (at !== "/v1/declared/apply") return undefined;
          asked += 1;
          return asked === point.nth && point.moment !== "within" ? point.moment : undefined;
        },
        onAnswer: () => {},
        onHeld: () => void (isHeld = true),
      });
      if (point.moment === "within") await hold(ledger, point.name);
      const apply = stage.start(["apply", "-f", EXAMPLES], { OUTDIAL_API_URL: gate.url });
      await until("the apply to be stopped", async () => isHeld || (await isWaiting(ledger)));
      await Promise.all([apply.kill(), server.kill()]);
      await release(ledger);
      await gate.close();
    }

    const { server, url } = given(servers[KILLS]);
    expect(await outdial(["apply", "-f", EXAMPLES], { OUTDIAL_API_URL: url })).toMatchObject({ code: 0 });
    expect(await outdial(["diff", "-f", EXAMPLES], { OUTDIAL_API_URL: url })).toMatchObject({
      code: 0,
      stdout: "0 to create, 0 to change, 9 the same\n",
    });
    expect(await stateOf(ledger)).toEqual(await stateOf(undisturbed.ledger));
    expect(await server.end(), server.stderr()).toBe(0);
  });
});

async function openLedger(): Promise<{ ledger: Ledger; url: string }> {
  const url = await createDatabase(given(inject("postgresUrl")));
  // One connection: the lock belongs to it.
  const ledger = await openPostgresLedger({ url, maxConnections: 1 });
  onTestFinished(() => ledger.close());
  return { ledger, url };
}

async function startServer(stage: Stage, databaseUrl: string) {
  const port = await closedPort();
  const settings = stage.settings(fs.mkdtempSync(`${stage.folder}/data-`), {
    DATABASE_URL: databaseUrl,
    OUTDIAL_API_PORT: String(port),
    OUTDIAL_LOG_LEVEL: "info",
  });
  const server = stage.start(["server"], settings);
  await server.waitFor(/"apiUrl":/);
  return { server, url: `http://127.0.0.1:${port}` };
}

/** In this process, by the same commands and routes. */
async function applyUndisturbed(ledger: Ledger, { sandbox }: Stage): Promise<void> {
  const { app } = await openApi(ledger, {
    platform: platformAt(sandbox.url, sandbox.apiKey),
    secrets: { read: () => ["a-secret"] },
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  expect(await outdial(["apply", "-f", EXAMPLES], { OUTDIAL_API_URL: url })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("9 created, 0 changed, 0 the same"),
  });
}

/** The note that a document is in force comes last in its transaction: there it waits, where it is to be stopped. */
async function stopTransactions(ledger: Ledger): Promise<void> {
  await rows(ledger.db, sql`create table stopped (name text not null)`);
  await rows(
    ledger.db,
    sql.raw(`create function wait_for_test() returns trigger language plpgsql as $$
      begin
        if exists (select 1 from stopped where name = new.name) then
          perform pg_advisory_xact_lock_shared(${LOCK});
        end if;
        return new;
      end $$`),
  );
  await rows(
    ledger.db,
    sql`create trigger wait_for_test before insert on declarations for each row execute function wait_for_test()`,
  );
}

async function hold(ledger: Ledger, name: string): Promise<void> {
  await rows(ledger.db, sql`insert into stopped values (${name})`);
  await rows(ledger.db, sql`select pg_advisory_lock(${LOCK})`);
}

async function isWaiting({ db }: Ledger): Promise<boolean> {
  return (await waiting(db)).length > 0;
}

function waiting(db: Ledger["db"]) {
  return rows(
    db,
    sql`select 1 as one from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted
          and database = (select oid from pg_database where datname = current_database())`,
  );
}

async function release(ledger: Ledger): Promise<void> {
  await rows(ledger.db, sql`delete from stopped`);
  await rows(ledger.db, sql`select pg_advisory_unlock_all()`);
}

/** What applying writes, without what differs from one time to the next: ids, moments and who did it. */
async function stateOf({ db }: Ledger): Promise<Record<string, unknown[]>> {
  const state: Record<string, unknown[]> = {};
  for (const table of [
    "attention_routes",
    "automations",
    "campaigns",
    "declarations",
    "policy_versions",
    "schedules",
    "sequences",
    "sequence_versions",
    "suppression_sources",
    "suppressions",
    "triggers",
  ]) {
    const found = await rows<{ row: Record<string, unknown> }>(
      db,
      sql`select to_jsonb(t) as row from ${sql.identifier(table)} t`,
    );
    state[table] = found.map(({ row }) => JSON.stringify(lasting(row))).toSorted();
  }
  // Each thing that was done is here once.
  const done = await rows<{ done: string }>(
    db,
    sql`select action || ' ' || count(*) as done from audit group by action order by action`,
  );
  state["audit"] = done.map((row) => row.done);
  return state;
}

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g;

/** Fields that are others each time, and what the server's own looks write beside an apply. */
const PASSING = /^(?:id|.*_id|.*_at|at|drift|installed_digest|look_by|unmoved)$/;

function lasting(row: Record<string, unknown>): [string, unknown][] {
  return Object.entries(row)
    .filter(([field]) => !PASSING.test(field))
    .map(([field, value]): [string, unknown] => [
      field,
      typeof value === "string" ? value.replaceAll(UUID, "id") : value,
    ])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

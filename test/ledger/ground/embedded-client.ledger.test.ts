import { sql } from "drizzle-orm";
import fs from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import {
  LedgerUnavailableError,
  rows,
  StatementRefusedError,
  type Db,
} from "../../../src/ledger/ground/connection.ts";
import { openEmbeddedLedger } from "../../../src/ledger/ground/embedded.ts";
import { openEmbeddedClient, type EmbeddedClient } from "../../../src/ledger/ground/embedded-client.ts";
import { startEmbeddedThread } from "../../../src/ledger/ground/embedded-thread.ts";
import { LedgerLockedError } from "../../../src/ledger/ground/lock-record.ts";
import { freshDataDir } from "../../support/ledgers.ts";

describe("the embedded database in its thread", () => {
  let client: EmbeddedClient;
  const open = async (folder: string, worker = startEmbeddedThread(folder)) =>
    openEmbeddedClient(folder, worker);
  const freshFolder = () => {
    const dataDir = freshDataDir();
    onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }));
    return path.join(dataDir, "ledger");
  };
  let dataDir: string;
  beforeAll(async () => {
    dataDir = freshDataDir();
    client = await open(path.join(dataDir, "ledger"));
    await rows(client.db, sql`create table said (n int primary key, what text)`);
  });
  afterAll(async () => {
    await client.close();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });

  it("takes who is urgent next, behind nothing but what is under way, and everybody else in turn", async () => {
    const order: string[] = [];
    const say = (what: string) => () => void order.push(what);
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const underWay = client.transaction(async (tx) => {
      await rows(tx, sql`select 1`);
      await held;
      await rows(tx, sql`select 2`);
      order.push("under way");
    });
    const others = [1, 2, 3].map((n) => rows(client.db, sql`select ${n}::int`).then(say(`other ${n}`)));
    // What was asked stands in line by now.
    await setImmediate();
    const transaction = client.transaction((tx) => rows(tx, sql`select 4`)).then(say("a transaction"));
    await setImmediate();
    const urgent = [
      client.urgent.transaction((tx) => rows(tx, sql`select 5`)).then(say("urgent")),
      rows(client.urgent.db, sql`select 6`).then(say("urgent, too")),
    ];
    goOn();
    await Promise.all([underWay, ...others, transaction, ...urgent]);
    expect(order).toEqual([
      "under way",
      "urgent",
      "urgent, too",
      "other 1",
      "other 2",
      "other 3",
      "a transaction",
    ]);
  });

  it("rolls a transaction back that fails, by a statement or by whoever runs it, and goes on", async () => {
    const failed = client.transaction(async (tx) => {
      await rows(tx, sql`insert into said values (1, 'lost')`);
      await rows(tx, sql`insert into said values (1, 'twice')`);
    });
    await expect(failed).rejects.toMatchObject({ name: "StatementRefusedError", code: "23505" });
    const thrown = client.transaction(async (tx) => {
      await rows(tx, sql`insert into said values (2, 'lost')`);
      throw new RangeError("thought better of it");
    });
    await expect(thrown).rejects.toThrow(RangeError);
    // One whose failure somebody passed over has nothing to commit, and says so.
    const passedOver = client.transaction(async (tx) => {
      await rows(tx, sql`insert into said values (3, 'lost')`);
      await rows(tx, sql`select no_such_column from said`).catch(() => {});
    });
    await expect(passedOver).rejects.toThrow();
    expect(await rows(client.db, sql`select n from said`)).toEqual([]);
    await client.transaction((tx) => rows(tx, sql`insert into said values (4, 'kept')`));
    expect(await rows(client.db, sql`select n from said`)).toEqual([{ n: 4 }]);
  });

  it("refuses a statement that comes behind the end of its transaction, however it is asked", async () => {
    const begun: Db[] = [];
    await client.transaction((tx) => {
      begun.push(tx);
      return rows(tx, sql`select 1`);
    });
    await client.transaction(async (tx) => {
      await rows(tx, sql`select 2`);
      for (const over of begun) {
        const late: Promise<unknown> = (async () =>
          await over.execute(sql`insert into said values (9, 'late')`))();
        await expect(late).rejects.toThrow();
      }
    });
    expect(await rows(client.db, sql`select n from said where n = 9`)).toEqual([]);
  });

  it("tells of a refused statement without its values", async () => {
    const refused = await rows(client.db, sql`select ${"+12025550143"}::int`).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(StatementRefusedError);
    expect(refused).toMatchObject({ code: "22003" });
    expect(String(refused)).not.toContain("2025550143");
  });

  it("that ends by itself is told to whoever waits, to whoever asks later, and to its process", async () => {
    const folder = freshFolder();
    const worker = startEmbeddedThread(folder);
    const doomed = await open(folder, worker);
    const waiting = rows(doomed.db, sql`select pg_sleep(30)`).catch((error: unknown) => error);
    const behind = rows(doomed.db, sql`select 1`).catch((error: unknown) => error);
    await worker.terminate();
    expect(await waiting).toBeInstanceOf(LedgerUnavailableError);
    expect(await behind).toBeInstanceOf(LedgerUnavailableError);
    await expect(rows(doomed.db, sql`select 1`)).rejects.toBeInstanceOf(LedgerUnavailableError);
    await expect(doomed.transaction((tx) => rows(tx, sql`select 1`))).rejects.toBeInstanceOf(
      LedgerUnavailableError,
    );
    await expect(doomed.failed).rejects.toThrow(LedgerUnavailableError);
    await expect(doomed.close()).rejects.toThrow(/the embedded database has ended/);
  });

  it("that throws what nobody catches says why it ended", async () => {
    const worker = new Worker(
      `const { parentPort } = require("node:worker_threads");
       parentPort.on("message", () => { throw new RangeError("out of its depth"); });
       parentPort.postMessage({ id: 0 });`,
      { eval: true },
    );
    const doomed = await open("nowhere", worker);
    await expect(rows(doomed.db, sql`select 1`)).rejects.toThrow(/has ended: out of its depth/);
    await expect(doomed.failed).rejects.toThrow(/has ended: out of its depth/);
  });

  it("that can't read its folder says so with an error, and leaves the folder to the next", async () => {
    const dataDir = path.dirname(freshFolder());
    fs.rmSync(path.join(dataDir, "ledger/global/pg_control"));
    const refusal = async () => openEmbeddedLedger(dataDir).catch((error: unknown) => error);
    const first = await refusal();
    expect(first).toBeInstanceOf(Error);
    expect(first).not.toBeInstanceOf(LedgerLockedError);
    expect(await refusal()).toEqual(first);
  });

  it("that is closed lets what was asked before come to its end, and its process has lost nothing", async () => {
    const folder = freshFolder();
    const closing = await open(folder);
    let lost = false;
    closing.failed.catch(() => {
      lost = true;
    });
    const asked = rows(closing.db, sql`select 1 as one`);
    await closing.close();
    expect(await asked).toEqual([{ one: 1 }]);
    await expect(rows(closing.db, sql`select 1`)).rejects.toBeInstanceOf(LedgerUnavailableError);
    expect(lost).toBe(false);
  });
});

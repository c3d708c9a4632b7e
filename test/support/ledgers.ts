import { AsyncLocalStorage } from "node:async_hooks";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject } from "vitest";

import type { Ledger } from "../../src/ledger/ground/connection.ts";
import { bindToPlatform } from "../../src/ledger/ground/installation.ts";
import { openPostgresLedger } from "../../src/ledger/ground/postgres.ts";
import { isOfEmbedded } from "./embedded-suites.ts";
import { sized } from "./long.ts";
import { createDatabase, LEDGER_TEMPLATE } from "./postgres.ts";

/**
 * PGlite's code. What V8 has compiled of it is shared by all threads of a process for as long as one of them has it, and
 * each open ledger is a thread: without this every one of them would begin anew.
 */
let pglite: object | undefined;

/** Node has it; its types do not say so. */
declare const WebAssembly: { Module: new (code: Uint8Array) => object };

function keepPgliteCompiled(): void {
  const code = path.join(
    path.dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite")),
    "pglite.wasm",
  );
  pglite ??= new WebAssembly.Module(fs.readFileSync(code));
}

/** A data folder that holds a fresh embedded ledger. */
export function freshDataDir(): string {
  keepPgliteCompiled();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-data-"));
  fs.cpSync(path.join(inject("embeddedTemplate"), "ledger"), path.join(dataDir, "ledger"), {
    recursive: true,
  });
  return dataDir;
}

/** Nobody's phone rings in tests: what a spec says of time is all there is. */
async function forTests(ledger: Ledger): Promise<Ledger> {
  await bindToPlatform(ledger.db, true);
  return ledger;
}

/**
 * Runs the same suite on both kinds of ledger: on PostgreSQL only where it is installed, and on the embedded one, beside
 * it, where the suite is one of those that are run on that in the short form, too. What is left out is counted as
 * skipped.
 */
export function describeLedgers(name: string, suite: (ledger: () => Ledger) => void): void {
  const onPostgres = inject("postgresUrl") !== undefined;
  const inShort = isOfEmbedded(expect.getState().testPath ?? "");
  const onBoth = inject("oneLedger") !== true && sized({ short: inShort, long: true });
  describe.skipIf(onPostgres && !onBoth)(`${name} (PGlite)`, () => {
    withEmbeddedLedger(suite);
  });
  describe.skipIf(!onPostgres)(`${name} (PostgreSQL)`, () => {
    withPostgresLedger(suite);
  });
}

function withPostgresLedger(suite: (ledger: () => Ledger) => void): void {
  let ledger: Ledger | undefined;
  beforeAll(async () => {
    ledger = ofOneConnection(await forTests(await openFreshPostgres(10)));
  });
  afterAll(() => ledger?.close());
  suite(() => given(ledger));
}

/** The transaction that whoever asks is in. */
const within = new AsyncLocalStorage<{ of: Ledger; isOver: boolean }>();

/** What another process does meanwhile, for tests of several connections. */
export function elsewhere<T>(work: () => T): T {
  return within.exit(work);
}

/**
 * Refuses what the embedded kind would wait for without end, since it has one connection: in a transaction, a statement
 * beside it or another transaction. On PostgreSQL nobody would notice before every connection is in use.
 */
function ofOneConnection(ledger: Ledger): Ledger {
  const refuseWithin = (what: string): void => {
    const own = within.getStore();
    // What a transaction began and nobody waited for comes when it is over.
    if (own === undefined || own.isOver || own.of !== ledger) return;
    throw new Error(
      `${what} in a transaction, and not of it: the embedded ledger has one connection, and would wait for itself`,
    );
  };
  return {
    ...ledger,
    db: new Proxy(ledger.db, {
      get(db, name, receiver) {
        if (name === "execute") refuseWithin("a statement");
        return Reflect.get(db, name, receiver) as unknown;
      },
    }),
    transaction(work) {
      refuseWithin("a transaction");
      const own = { of: ledger, isOver: false };
      return ledger
        .transaction((tx) => within.run(own, () => work(tx)))
        .finally(() => {
          own.isOver = true;
        });
    },
  };
}

/**
 * Opens a fresh ledger on the PostgreSQL of the tests, by its socket in the file system, with so many connections at
 * most. It is a copy of one that was made: its migrations take a second.
 */
export async function openFreshPostgres(maxConnections: number): Promise<Ledger> {
  const url = await createDatabase(given(inject("postgresSocketUrl")), { template: LEDGER_TEMPLATE });
  return openPostgresLedger({ url, maxConnections });
}

/** What must be there by now. */
export function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("expected a value here");
  return value;
}

/**
 * For suites of the whole engine that are to hold on both kinds of ledger: on both in the tests' long form, else on
 * PostgreSQL where it is installed, since processes meet each other there.
 */
export function describeSomeLedger(name: string, suite: (ledger: () => Ledger) => void): void {
  const both = sized({ short: inject("postgresUrl") === undefined, long: true });
  if (both) return describeLedgers(name, suite);
  describe(`${name} (PostgreSQL)`, () => {
    withPostgresLedger(suite);
  });
}

/**
 * For suites that are about the engine rather than the ledger: PostgreSQL where it is installed, which costs half of
 * what the embedded kind does; that one in the tests' long form.
 */
export function withLedger(suite: (ledger: () => Ledger) => void): void {
  const embedded = sized({ short: inject("postgresUrl") === undefined, long: true });
  if (embedded) withEmbeddedLedger(suite);
  else withPostgresLedger(suite);
}

/** The embedded kind, for what is about that one. */
export function withEmbeddedLedger(suite: (ledger: () => Ledger) => void): void {
  let opened: { ledger: Ledger; dataDir: string } | undefined;
  beforeAll(async () => {
    // Only where there is one: suites on PostgreSQL are run over and over, and load what they need.
    const { openEmbeddedLedger } = await import("../../src/ledger/ground/embedded.ts");
    const dataDir = freshDataDir();
    opened = { dataDir, ledger: await forTests(await openEmbeddedLedger(dataDir)) };
  });
  afterAll(async () => {
    await opened?.ledger.close();
    if (opened) fs.rmSync(opened.dataDir, { recursive: true, force: true });
  });
  suite(() => given(opened?.ledger));
}

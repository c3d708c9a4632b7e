import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { expect, inject, it, onTestFinished } from "vitest";

import { readConfig } from "../src/config.ts";
import { openEmbeddedLedger } from "../src/ledger/ground/embedded.ts";
import { bindToPlatform, readInstallation } from "../src/ledger/ground/installation.ts";
import { openPostgresLedger } from "../src/ledger/ground/postgres.ts";
import { createSandbox } from "../src/sandbox/sandbox.ts";
import { startSystem } from "../src/system.ts";
import { freshDataDir, given } from "./support/ledgers.ts";
import { createDatabase } from "./support/postgres.ts";

/** Of TEST-NET-1 (RFC 5737): nobody ever answers there. */
const SILENT = "http://192.0.2.1:9";
const SIMULATED = "http://127.0.0.1:1";

/** Starts a system that would need Temporal next: it must be refused before. */
async function start(environment: Record<string, string>): Promise<unknown> {
  const config = readConfig({ PLATFORM_API_KEY: "k", TEMPORAL_ADDRESS: "127.0.0.1:1", ...environment });
  return startSystem({
    config,
    log: pino({ level: "silent" }),
    worker: false,
    temporal: true,
    server: undefined,
    onProgress: () => {},
  });
}

/** An address of this machine that is no loopback; undefined where it has none. */
const elsewhere = Object.values(os.networkInterfaces())
  .flat()
  .find((address) => address?.family === "IPv4" && !address.internal)?.address;

/** A platform that is no sandbox, at an address that is no loopback. */
async function someRealPlatform(): Promise<string> {
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end("[]");
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "0.0.0.0", resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://${elsewhere}:${address.port}`;
}

function dataDirForNow(): string {
  const dataDir = freshDataDir();
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

it.skipIf(elsewhere === undefined)("an embedded ledger of a rehearsal never dials people", async () => {
  const dataDir = dataDirForNow();
  const ledger = await openEmbeddedLedger(dataDir);
  expect(await bindToPlatform(ledger.db, true)).toEqual({ simulated: true });
  expect(await bindToPlatform(ledger.db, false)).toEqual({ simulated: true });
  await ledger.close();
  const real = await someRealPlatform();
  await expect(start({ OUTDIAL_DATA_DIR: dataDir, PLATFORM_BASE_URL: real })).rejects.toThrow(
    /dialed through a sandbox.*OUTDIAL_DATA_DIR/,
  );
});

it("a new ledger dials nobody through a platform that does not say what it is", async () => {
  const dataDir = dataDirForNow();
  await expect(start({ OUTDIAL_DATA_DIR: dataDir, PLATFORM_BASE_URL: SILENT })).rejects.toThrow(
    /can't be told whether its calls are real/,
  );
  const ledger = await openEmbeddedLedger(dataDir);
  expect((await readInstallation(ledger.db)).simulated).toBeUndefined();
  await ledger.close();
});

it.skipIf(inject("postgresUrl") === undefined)(
  "a PostgreSQL ledger of real calls counts nobody as called by a sandbox",
  async () => {
    const url = await createDatabase(given(inject("postgresUrl")));
    const ledger = await openPostgresLedger({ url, maxConnections: 2 });
    await bindToPlatform(ledger.db, false);
    await ledger.close();
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-data-"));
    onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }));
    await expect(
      start({ OUTDIAL_DATA_DIR: dataDir, DATABASE_URL: url, PLATFORM_BASE_URL: SIMULATED }),
    ).rejects.toThrow(/no contact counts as called who was not/);
  },
);

it.skipIf(elsewhere === undefined)("a sandbox on another machine is one all the same", async () => {
  const sandbox = await createSandbox({ host: "0.0.0.0" });
  const dataDir = freshDataDir();
  onTestFinished(async () => {
    await sandbox.close();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });
  const environment = {
    OUTDIAL_DATA_DIR: dataDir,
    PLATFORM_BASE_URL: `http://${elsewhere}:${sandbox.port}`,
    PLATFORM_API_KEY: sandbox.apiKey,
  };
  await expect(start(environment)).rejects.toThrow(/Temporal/);
  const ledger = await openEmbeddedLedger(dataDir);
  expect((await readInstallation(ledger.db)).simulated).toBe(true);
  await ledger.close();
});

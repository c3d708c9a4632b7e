import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, inject, it, onTestFinished } from "vitest";

import { readInstallation } from "../../src/ledger/ground/installation.ts";
import { openPostgresLedger } from "../../src/ledger/ground/postgres.ts";
import { startSystem } from "../../src/system.ts";
import { openApi, openSandbox } from "../http/support.ts";
import { freshDataDir, given } from "../support/ledgers.ts";
import { createDatabase, LEDGER_TEMPLATE } from "../support/postgres.ts";
import { outdial, temporaryFolder } from "./support.ts";
import { openLedger } from "../../src/open-ledger.ts";

/*
 * Whom a command reaches where only a port says who is meant: several databases and several systems on one machine.
 */

const TOKEN = "a-token-of-this-test-0123456789";

const ports = { openLedger, startSystem };

async function ledgerOn(name: string) {
  const url = await createDatabase(given(inject("postgresUrl")), { template: name });
  const ledger = await openPostgresLedger({ url, maxConnections: 4 });
  onTestFinished(() => ledger.close());
  await readInstallation(ledger.db);
  return { url, ledger, stopped: async () => (await readInstallation(ledger.db)).stopped?.reason };
}

/** A system on a database of its own, at a port. */
async function systemAtPort(token: string | undefined = TOKEN) {
  const { url, ledger, stopped } = await ledgerOn(LEDGER_TEMPLATE);
  const { platform, sandbox } = await openSandbox();
  const { app } = await openApi(ledger, { platform, token });
  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  return { url, ledger, stopped, sandbox, port: new URL(address).port };
}

async function foreignServer(listener: http.RequestListener): Promise<string> {
  const server = http.createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  return String((server.address() as AddressInfo).port);
}

/** What a shell has that means this database, and finds something at that port. */
async function shell(databaseUrl: string, port: string) {
  const { sandbox } = await openSandbox();
  return {
    OUTDIAL_DATA_DIR: temporaryFolder(),
    DATABASE_URL: databaseUrl,
    OUTDIAL_API_PORT: port,
    OUTDIAL_API_TOKEN: TOKEN,
    PLATFORM_BASE_URL: sandbox.url,
    PLATFORM_API_KEY: sandbox.apiKey,
  };
}

describe.skipIf(inject("postgresUrl") === undefined)("commands that find a system by its port", () => {
  it("stop and go on in the ledger that is named, not in that of whoever has the port", async () => {
    const other = await systemAtPort();
    const named = await ledgerOn(LEDGER_TEMPLATE);
    const environment = await shell(named.url, other.port);
    const end = await outdial(["stop-all", "--reason", "wrong list"], environment, ports);
    expect(end, end.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("everything is stopped"),
    });
    expect(await named.stopped()).toBe("wrong list");
    expect(await other.stopped()).toBeUndefined();

    const ours = await shell(other.url, other.port);
    await outdial(["stop-all", "--reason", "theirs"], ours, ports);
    expect(await other.stopped()).toBe("theirs");
    const went = await outdial(["go-on", "--reason", "mended"], environment, ports);
    expect(went, went.stderr).toMatchObject({ code: 0, stdout: "dialing goes on\n" });
    expect(await named.stopped()).toBeUndefined();
    expect(await other.stopped()).toBe("theirs");
  });

  it("take a system that is named by its address at its word", async () => {
    const other = await systemAtPort();
    const named = await ledgerOn(LEDGER_TEMPLATE);
    const environment = await shell(named.url, "0");
    const url = `http://127.0.0.1:${other.port}`;
    const end = await outdial(["stop-all"], { ...environment, OUTDIAL_API_URL: url });
    expect(end, end.stderr).toMatchObject({ code: 0 });
    expect(await other.stopped()).toBe("outdial stop-all");
    expect(await named.stopped()).toBeUndefined();
  });

  it("do nothing in another installation, and name both", async () => {
    const other = await systemAtPort();
    const named = await ledgerOn(LEDGER_TEMPLATE);
    const environment = await shell(named.url, other.port);
    const { installationId } = await readInstallation(other.ledger.db);
    for (const command of [
      ["campaign", "list"],
      ["campaign", "pause", "spring"],
      ["suppress", "list"],
    ]) {
      const end = await outdial(command, environment);
      expect(end, end.stdout).toMatchObject({ code: 1 });
      expect(end.stderr).toContain(installationId);
      expect(end.stderr).toContain(new URL(named.url).pathname.slice(1));
      expect(end.stderr).toContain("OUTDIAL_API_URL");
      expect(end.stderr).not.toContain(named.url);
    }
    const mine = await outdial(["campaign", "list"], await shell(other.url, other.port));
    expect(mine, mine.stderr).toMatchObject({ code: 0 });
  });

  it("say that they can't tell whose system it is where the database does not answer", async () => {
    const other = await systemAtPort();
    const environment = await shell("postgres://nobody:secret-word@127.0.0.1:9/gone", other.port);
    const listed = await outdial(["campaign", "list"], environment);
    expect(listed).toMatchObject({ code: 1, stdout: "" });
    expect(listed.stderr).toMatch(/127\.0\.0\.1:9\/gone can't be told .*nobody listens there.*DATABASE_URL/s);
    const stop = await outdial(["stop-all"], environment, ports);
    expect(stop).toMatchObject({ code: 1, stderr: expect.stringContaining("DATABASE_URL") });
    expect(await other.stopped()).toBeUndefined();
    expect(`${listed.stderr}${stop.stderr}`).not.toContain("secret-word");
  });

  it.each<[string, () => Promise<string>]>([
    ["a web server", () => foreignServer((_request, response) => response.end("<html>hello</html>"))],
    [
      "one that answers everything kindly",
      () => foreignServer((_request, response) => response.end('{"ok":true}')),
    ],
    ["one that never answers", () => foreignServer(() => {})],
    ["an Outdial of another token", async () => (await systemAtPort("another-token-0123456789")).port],
  ])("stop where %s has the port", async (_what, open) => {
    const named = await ledgerOn(LEDGER_TEMPLATE);
    const environment = await shell(named.url, await open());
    const begunMs = Date.now();
    const end = await outdial(["stop-all", "--reason", "wrong list", "--json"], environment, ports);
    expect(end, end.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(end.stdout)).toMatchObject({ stopped: true, in_flight: { uncertain: 0 } });
    expect(await named.stopped()).toBe("wrong list");
    // Seconds, on a busy machine too: not the minute and a half that other commands wait.
    expect(Date.now() - begunMs).toBeLessThan(30_000);
    expect(await outdial(["go-on", "--reason", "mended"], environment, ports)).toMatchObject({ code: 0 });
  });

  it("blame no setting that is not set", async () => {
    const port = await foreignServer((_request, response) => response.end("<html>hello</html>"));
    const named = await ledgerOn(LEDGER_TEMPLATE);
    const end = await outdial(["campaign", "list"], await shell(named.url, port));
    expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining("no Outdial of this version") });
    expect(end.stderr).not.toContain("check OUTDIAL_API_URL");
  });

  it("stop nothing where there is no ledger, and say so", async () => {
    const url = await createDatabase(given(inject("postgresUrl")));
    for (const settings of [{ DATABASE_URL: url, OUTDIAL_API_PORT: "0" }, {}]) {
      const dataDir = temporaryFolder();
      const end = await outdial(["stop-all"], { OUTDIAL_DATA_DIR: dataDir, ...settings }, ports);
      expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining("nothing was stopped") });
      expect(fs.readdirSync(dataDir)).toEqual([]);
    }
  });
});

describe("a shell without the platform's settings", () => {
  it("writes the stop down, and lifts it", async () => {
    const environment = { OUTDIAL_DATA_DIR: freshDataDir() };
    onTestFinished(() => fs.rmSync(environment.OUTDIAL_DATA_DIR, { recursive: true, force: true }));
    const end = await outdial(["stop-all", "--reason", "wrong list", "--json"], environment, ports);
    expect(end, end.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(end.stdout)).toMatchObject({ stopped: true });
    expect(end.stderr).not.toContain("--sandbox");
    const went = await outdial(["go-on", "--reason", "mended", "--json"], environment, ports);
    expect(JSON.parse(went.stdout)).toEqual({ stopped: false, was_stopped: true });
  });
});

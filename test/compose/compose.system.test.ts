import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";

import { provideTemporalServer, type TemporalServer } from "../../src/temporal/server/index.ts";
import { phoneNumbers, until } from "../support/engine.ts";
import { given } from "../support/ledgers.ts";
import { createDatabase } from "../support/postgres.ts";
import { startOutdial, type OutdialProcess } from "../support/processes.ts";
import { cacheDir } from "../support/setup-temporal.ts";
import { interpolate, readCompose } from "./services.ts";

/*
 * What docker-compose.yml starts, started here as processes: its commands and its settings, with this machine's
 * addresses for its hosts, free ports for its own, and a sandbox that is faster than life.
 */

const SPEED = "50";
const CONTACTS = 12;
const SECRETS = {
  LEDGER_DB_PASSWORD: "ledger-password",
  TEMPORAL_DB_PASSWORD: "temporal-password",
  OUTDIAL_API_TOKEN: "a-token-of-this-test-alone",
  PLATFORM_BASE_URL: "http://sandbox:8490",
};

/** What is put into the volume of the platform's key. */
const PLATFORM_KEY = "a-key-of-this-test-alone";

const { services } = readCompose();
const started: OutdialProcess[] = [];
let folder: string;
let temporal: TemporalServer;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-compose-"));
  temporal = await provideTemporalServer({
    searchPath: process.env["PATH"] ?? "",
    cacheDir: cacheDir(),
    headless: true,
    onProgress: (message) => console.warn(message),
  });
});
afterAll(async () => {
  for (const service of started) {
    if (service.child.exitCode === null && service.child.signalCode === null) await service.kill();
  }
  await temporal.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Starts a service's command with its settings. Each has a data folder of its own, as containers have. */
function start(
  name: string,
  addresses: Readonly<Record<string, string>>,
  extra: readonly string[] = [],
): OutdialProcess {
  const { command = [], environment } = given(services[name]);
  const here = (text: string) =>
    Object.entries(addresses).reduce((all, [host, address]) => all.replaceAll(host, address), text);
  const settings = Object.entries(environment).map(([variable, text]) => [
    variable,
    here(interpolate(text, SECRETS)),
  ]);
  const service = startOutdial([...command.map(here), ...extra], {
    ...Object.fromEntries(settings),
    OUTDIAL_DATA_DIR: path.join(folder, name),
    OUTDIAL_SPEED: SPEED,
  });
  started.push(service);
  return service;
}

async function ask(args: readonly string[], environment: Record<string, string>): Promise<string> {
  const command = startOutdial(args, environment);
  started.push(command);
  const { code } = await command.exited;
  expect(code, command.stderr()).toBe(0);
  return command.stdout();
}

it.skipIf(inject("postgresUrl") === undefined)(
  "the services of docker-compose.yml run a campaign together, are well, and end when they are told to",
  async () => {
    // One volume, which all of them mount.
    const keyFolder = path.join(folder, "key");
    const keyFile = path.join(keyFolder, "platform_key");
    fs.mkdirSync(keyFolder, { mode: 0o700 });
    fs.writeFileSync(keyFile, `${PLATFORM_KEY}\n`, { mode: 0o600 });
    const lists = path.join(folder, "lists");
    fs.mkdirSync(lists);
    const databaseUrl = new URL(await createDatabase(given(inject("postgresUrl"))));
    const sandbox = start("sandbox", { "/key/platform_key": keyFile, "0.0.0.0": "127.0.0.1", "8490": "0" }, [
      "--speed",
      SPEED,
    ]);
    const [, sandboxUrl = ""] = await sandbox.waitFor(/sandbox at (\S+)/);
    const addresses = {
      "ledger-db:5432/outdial": `${databaseUrl.host}${databaseUrl.pathname}`,
      "temporal:7233": temporal.address,
      "http://sandbox:8490": sandboxUrl,
      "/key/platform_key": keyFile,
      "/lists": lists,
      "/recordings": path.join(folder, "recordings"),
      // Compose opens the server's port to this machine alone; here it listens there itself.
      "0.0.0.0": "127.0.0.1",
      "8480": "0",
    };
    const worker = start("worker", addresses);
    const server = start("server", addresses);
    const [, apiUrl = ""] = await server.waitFor(/"apiUrl":"([^"]+)"/);
    await worker.waitFor(/the worker runs/);

    fs.writeFileSync(
      path.join(folder, "campaign.yaml"),
      `name: composed\nagent_id: 11111111-1111-4111-8111-111111111111\nfrom_numbers: ["+12025550100"]\nconcurrency: 6\nwindow: always\nretry: { max_attempts: 1 }\n`,
    );
    fs.writeFileSync(path.join(folder, "list.csv"), `phone\n${phoneNumbers(CONTACTS, 10_000).join("\n")}\n`);
    const client = { OUTDIAL_API_URL: apiUrl, OUTDIAL_API_TOKEN: SECRETS.OUTDIAL_API_TOKEN };
    await ask(
      ["campaign", "create", path.join(folder, "campaign.yaml"), "--contacts", path.join(folder, "list.csv")],
      client,
    );
    await ask(["campaign", "start", "composed"], client);
    await ask(["campaign", "watch", "composed"], client);
    const status = JSON.parse(await ask(["campaign", "status", "composed", "--json"], client)) as {
      state: string;
      contacts: Record<string, number>;
    };
    expect(status).toMatchObject({ state: "completed", contacts: { total: CONTACTS, open: 0 } });

    await ask(["key", "rotate", "--grace", "1h"], client);
    await until(
      "a new key in the place of the first one",
      () => fs.readFileSync(keyFile, "utf8").trim() !== PLATFORM_KEY,
    );
    const switched = async () => /switched|verified|done/.test(await ask(["key", "rotations"], client));
    await until("all processes to go on with it", switched);

    for (const name of ["worker", "server"]) {
      const isThere = () => fs.existsSync(path.join(folder, name, "health"));
      await until(`the first pulse of the ${name}`, isThere);
      expect(await ask(["health"], { OUTDIAL_DATA_DIR: path.join(folder, name) })).toContain("well");
    }
    expect(await Promise.all([worker.end(), server.end(), sandbox.end()])).toEqual([0, 0, 0]);
    for (const { stdout, stderr } of started) {
      for (const secret of [
        SECRETS.OUTDIAL_API_TOKEN,
        PLATFORM_KEY,
        fs.readFileSync(keyFile, "utf8").trim(),
        SECRETS.LEDGER_DB_PASSWORD,
      ]) {
        expect(`${stdout()}${stderr()}`).not.toContain(secret);
      }
    }
  },
);

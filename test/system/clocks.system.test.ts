import fs from "node:fs";

import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";

import { firstRow, rows } from "../../src/ledger/ground/connection.ts";
import { openPostgresLedger } from "../../src/ledger/ground/postgres.ts";
import { createPlatform } from "../../src/platform/client.ts";
import { until } from "../support/engine.ts";
import { given } from "../support/ledgers.ts";
import { createDatabase } from "../support/postgres.ts";
import { startReceiver } from "../support/receiver.ts";
import { ROUTES } from "../support/tending.ts";
import { dialsOf, expectRefusal, openStage, type Stage } from "./support/stage.ts";

const HOUR_MS = 3_600_000;
const AHEAD_MS = 2 * HOUR_MS;
/** What tests take, and how far a moment that is now may be off for them; far less than the clocks are apart. */
const SLACK_MS = HOUR_MS / 2;

const TOKEN = "a-token-of-the-tests-of-clocks-0123456789";
const HALTED = "batches that are to have stopped are halted";

describe.skipIf(inject("postgresUrl") === undefined)("a server whose clock is two hours ahead", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it("takes, tells and stops by the ledger's time, beside a worker whose clock is right", async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const url = await createDatabase(given(inject("postgresUrl")));
    const ledger = await openPostgresLedger({ url, maxConnections: 2 });
    onTestFinished(() => ledger.close());
    const settings = stage.settings(stage.dataDir(), {
      DATABASE_URL: url,
      OUTDIAL_API_PORT: "0",
      OUTDIAL_API_TOKEN: TOKEN,
      OUTDIAL_SECRET_CRM: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      OUTDIAL_OUTBOUND_ALLOW: "127.0.0.1",
      OUTDIAL_LOG_LEVEL: "info",
    });
    const worker = stage.start(["worker"], settings);
    await worker.waitFor(/the worker runs/);
    const server = stage.start(["server"], {
      ...settings,
      NODE_OPTIONS: `--import=${new URL("../support/clock-ahead.mjs", import.meta.url).href}`,
      CLOCK_AHEAD_MS: String(AHEAD_MS),
    });
    const apiUrl = given((await server.waitFor(/"apiUrl":"([^"]+)"/))[1]);
    const [, ownTime] = await server.waitFor(/"time":"([^"]+)"/);
    expect(Date.parse(given(ownTime)) - Date.now(), "its clock is ahead").toBeGreaterThan(
      AHEAD_MS - SLACK_MS,
    );
    const client = { ...settings, OUTDIAL_API_URL: apiUrl };
    const does = async (...args: readonly string[]) => {
      const told = await stage.outdial(args, client);
      expect(told, told.stderr).toMatchObject({ code: 0 });
    };

    const platform = createPlatform({
      baseUrl: stage.sandbox.url,
      apiKey: given(settings["PLATFORM_API_KEY"]),
    });
    onTestFinished(() => platform.close());
    /** What the platform says of a campaign's batches that are not over. */
    const statesOf = async (name: string) => {
      const batches = await rows<{ id: string }>(
        ledger.db,
        sql`select b.platform_batch_id as id from batches b join campaigns c on c.id = b.campaign_id
            where c.name = ${name} and b.state <> 'settled'`,
      );
      expect(batches).not.toHaveLength(0);
      return Promise.all(batches.map(async ({ id }) => (await platform.batchCalls.get(id)).status));
    };

    const system = await fetch(`${apiUrl}/v1/system`, { headers: { authorization: `Bearer ${TOKEN}` } });
    const { now } = (await system.json()) as { now: string };
    expectNow(now);

    const hook = `name: crm\nto:\n  webhook: { url: "${receiver.url}", secret: crm }\n`;
    await does("webhook", "put", stage.file("crm.yaml", hook));

    // Whoever is to be called is due at once; nobody's window ends for an hour.
    const { zone, window } = hoursThatEndSoon();
    const closing = stage.spec("closing", `concurrency: 5\nwindow: ${window}`);
    const paused = stage.spec("paused", "concurrency: 5");
    const lists = { closing: inZone(stage, stage.list(200), zone), paused: stage.list(200) };
    // None of their batches comes to its end while this runs, on a machine that has much else to do either.
    stage.sandbox.faults.add({ kind: "finish_late", ms: 60_000 });
    for (const [name, spec] of [
      ["closing", closing],
      ["paused", paused],
    ] as const) {
      await does("campaign", "create", spec, "--contacts", lists[name]);
      await does("campaign", "start", name);
    }
    const latestDue = await firstRow<{ due: Date }>(ledger.db, sql`select max(due_at) as due from contacts`);
    expectNow(given(latestDue).due);
    for (const list of Object.values(lists)) {
      await until("dials of both", () => dialsOf(stage, list).some((dials) => dials > 0));
    }

    const sweep = await stage.outdial(["sweep"], client);
    expectRefusal(sweep, 1, /clock/);

    // The worker dies, and a stop does not reach the platform: what stops the one batch must not stop the other.
    await worker.kill();
    expect(server.stdout() + server.stderr()).not.toContain(HALTED);
    const fault = stage.sandbox.faults.add({ kind: "status", route: ROUTES.pause, status: 503 });
    await stage.outdial(["campaign", "pause", "paused"], client);
    stage.sandbox.faults.remove(fault.fault_id);
    await server.waitFor(new RegExp(HALTED));
    await until("the stopped batch to be cancelled", async () => {
      const states = await statesOf("paused");
      return states.every((state) => state === "cancelled");
    });
    for (const state of await statesOf("closing")) expect(state).toBe("running");

    // Nobody else is there to tell of it, nor of the clock itself.
    await does("attention", "route", "put", stage.file("ops.yaml", hook.replace("crm\n", "ops\n")));
    for (const says of [
      /"type":"campaign.paused"/,
      /"type":"attention".*clock is 7\d\d\d s ahead of the ledger/,
    ]) {
      const { headers } = await until(`a request that says ${String(says)}`, () =>
        receiver.received.find(({ body }) => says.test(body)),
      );
      expectNow(Number(headers["webhook-timestamp"]) * 1_000);
    }
    expect(await server.end()).toBe(0);
  });
});

function expectNow(moment: Date | number | string): void {
  expect(Math.abs(new Date(moment).getTime() - Date.now())).toBeLessThan(SLACK_MS);
}

/** The same list, of people of whom it says where they are. */
function inZone(stage: Stage, list: string, zone: string): string {
  const [names, ...people] = fs.readFileSync(list, "utf8").trimEnd().split("\n");
  return stage.file(
    "in-zone.csv",
    `${[`${names},time_zone`, ...people.map((one) => `${one},${zone}`)].join("\n")}\n`,
  );
}

/** A zone where it is about noon, and hours of its every day that end an hour from now. */
function hoursThatEndSoon(): { zone: string; window: string } {
  const now = new Date();
  const east = 12 - now.getUTCHours();
  const end = `13:${String(now.getUTCMinutes()).padStart(2, "0")}`;
  return {
    // Of these the sign says how far west they are.
    zone: east === 0 ? "Etc/UTC" : `Etc/GMT${east > 0 ? "-" : "+"}${Math.abs(east)}`,
    window: `{ weekdays: ["00:00-${end}"], weekend: ["00:00-${end}"] }`,
  };
}

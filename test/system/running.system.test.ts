import { sql } from "drizzle-orm";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { rows, type Ledger } from "../../src/ledger/ground/connection.ts";
import { openEmbeddedLedger } from "../../src/ledger/ground/embedded.ts";
import { openPostgresLedger } from "../../src/ledger/ground/postgres.ts";
import { expectAccounted } from "../support/accounts.ts";
import { until } from "../support/engine.ts";
import { given } from "../support/ledgers.ts";
import { sized } from "../support/long.ts";
import { createDatabase } from "../support/postgres.ts";
import {
  closedPort,
  dialsOf,
  expectRefusal,
  finalLine,
  openStage,
  specText,
  type Ended,
  type Environment,
  type Stage,
} from "./support/stage.ts";

interface Running {
  settings: Environment;
  openLedger(): Promise<Ledger>;
  /** Ends the processes in good order. */
  stop(): Promise<void>;
}

/** What a system is made of, on each kind of ledger. */
const KINDS: readonly { kind: string; begin: (stage: Stage) => Promise<Running> }[] = [
  {
    kind: "one process on a held embedded ledger",
    async begin(stage) {
      const dataDir = stage.dataDir();
      const settings = stage.settings(dataDir);
      const server = stage.start(["server"], {
        ...settings,
        OUTDIAL_API_PORT: "0",
        OUTDIAL_LOG_LEVEL: "info",
      });
      await server.waitFor(/the server runs/);
      return {
        settings,
        openLedger: () => openEmbeddedLedger(dataDir),
        stop: async () => expect(await server.end(), server.stderr()).toBe(0),
      };
    },
  },
  {
    kind: "a worker and a server on PostgreSQL",
    async begin(stage) {
      const url = await createDatabase(given(inject("postgresUrl")));
      const token = "a-token-of-the-system-tests-93ac";
      const settings = stage.settings(stage.dataDir(), { DATABASE_URL: url, OUTDIAL_API_TOKEN: token });
      const loud = { ...settings, OUTDIAL_API_PORT: "0", OUTDIAL_LOG_LEVEL: "info" };
      const server = stage.start(["server"], loud);
      const worker = stage.start(["worker"], loud);
      const [, apiUrl] = await server.waitFor(/"apiUrl":"([^"]+)"/);
      await worker.waitFor(/the worker runs/);
      return {
        settings: { ...settings, OUTDIAL_API_URL: given(apiUrl) },
        openLedger: () => openPostgresLedger({ url, maxConnections: 2 }),
        async stop() {
          for (const one of [worker, server]) expect(await one.end(), one.stderr()).toBe(0);
        },
      };
    },
  },
];

for (const { kind, begin } of KINDS) {
  const isSkipped = kind.includes("PostgreSQL") && inject("postgresUrl") === undefined;
  // What goes by other ways on one ledger than on the other is the first of them; the long form has all on both.
  const isBrief = sized({
    short: kind.includes("embedded") && inject("postgresUrl") !== undefined,
    long: false,
  });
  describe.skipIf(isSkipped)(`commands to ${kind}`, () => {
    let stage: Stage;
    let running: Running;
    beforeAll(async () => {
      stage = await openStage();
      running = await begin(stage);
    });
    afterAll(() => stage.close());

    const tell = (...args: string[]): Promise<Ended> => stage.outdial(args, running.settings);
    /** Gives a command that must work, and returns its one object. */
    const ask = async <T>(...args: string[]): Promise<T> => {
      const told = await tell(...args, "--json");
      expect(told, `${args.join(" ")}\n${told.stdout}\n${told.stderr}`).toMatchObject({ code: 0 });
      return JSON.parse(told.stdout) as T;
    };
    const dials = (list: string) => dialsOf(stage, list).reduce((sum, n) => sum + n, 0);
    const someDials = (list: string, count: number) => until("dials", () => dials(list) >= count);

    it("takes a campaign from create to its report, through pause, amend and resume", async () => {
      const spec = stage.spec("through", "concurrency: 3");
      const list = stage.list(40);
      const created = await ask<{ state: string; id: string }>(
        "campaign",
        "create",
        spec,
        "--contacts",
        list,
      );
      expect(created).toMatchObject({ state: "scheduled", contacts: { total: 40 } });
      expectRefusal(await tell("campaign", "create", spec), 1, '"through" exists and is scheduled (run 1)');
      expect(dials(list)).toBe(0);

      const asUsual = stage.slowCalls();
      expect(await tell("campaign", "start", "through")).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^through is running\ncost: likely USD /),
      });
      await someDials(list, 3);
      const paused = await ask<{ in_flight: object }>("campaign", "pause", "through", "--reason", "lunch");
      asUsual();
      expect(paused).toMatchObject({ state: "paused", in_flight: { uncertain: 0 } });
      const dialsThen = dials(list);
      expect(dialsThen, "paused before it was through").toBeLessThan(40);
      const status = await tell("campaign", "status", "through");
      expect(status).toMatchObject({ code: 0, stdout: expect.stringContaining("paused (lunch)") });

      fs.writeFileSync(spec, specText("through", "concurrency: 30"));
      const amended = await tell("campaign", "amend", spec, "--reason", "faster");
      expect(amended).toMatchObject({
        code: 0,
        stdout: "policy version 2 is in force:\n  concurrency: was 3, is now 30\n",
      });
      expect(dials(list), "nobody is dialed while it is paused").toBe(dialsThen);

      expect(await tell("campaign", "resume", "through")).toMatchObject({
        code: 0,
        stdout: "through is running\n",
      });
      const watched = await tell("campaign", "watch", "through", "--json");
      expect(watched, watched.stderr).toMatchObject({ code: 0 });
      const line = finalLine(watched);
      expect(line).toMatchObject({
        campaign_id: created.id,
        state: "completed",
        contacts: { total: 40, done: 40, excluded: 0, open: 0 },
        attempts: dials(list),
      });

      const page = await ask<{ items: object[] }>("campaign", "list");
      expect(page.items).toMatchObject([{ name: "through", run: 1, state: "completed" }]);
      const folder = path.join(stage.folder, "exported");
      const exported = await ask<{ results_csv: string }>("campaign", "export", "through", "--to", folder);
      expect(exported.results_csv).toBe(path.join(folder, "results.csv"));
      expect(fs.readFileSync(exported.results_csv, "utf8").trimEnd().split("\n")).toHaveLength(41);
      const first = given(/\+\d+/.exec(fs.readFileSync(list, "utf8"))?.[0]);
      const explained = await tell("campaign", "explain", "through", first);
      expect(explained.stdout).toMatch(/^\+\d+: done \(\w+\), [12] attempts?\n/);
      expect(explained.stdout).toMatch(/attempt 1: \w+ .*dialed .*, policy [12]/);
      expectRefusal(await tell("campaign", "pause", "through"), 1, "completed");
      expectRefusal(await tell("campaign", "status", "nothing"), 1, "nothing", "outdial campaign list");
    });

    it.skipIf(isBrief)("cancels a campaign for good: whoever was not called is excluded", async () => {
      const list = stage.list(40);
      await ask("campaign", "create", stage.spec("cancelled", "concurrency: 3"), "--contacts", list);
      const asUsual = stage.slowCalls();
      await ask("campaign", "start", "cancelled");
      await someDials(list, 3);
      await ask("campaign", "cancel", "cancelled", "--reason", "wrong list");
      asUsual();
      const watched = await tell("campaign", "watch", "cancelled", "--json");
      expect(watched).toMatchObject({ code: 3 });
      const { state, contacts, attempts } = finalLine(watched);
      expect(state).toBe("cancelled");
      expect(contacts).toMatchObject({ total: 40, open: 0, done: expect.any(Number) });
      expect(contacts.done + contacts.excluded).toBe(40);
      expect(contacts.excluded).toBeGreaterThan(0);
      expect(attempts).toBe(dials(list));
    });

    it.skipIf(isBrief)("never dials a suppressed number until it is taken back, and keeps why", async () => {
      const [one, two, three] = ["+12025557001", "+12025557002", "+12025557003"] as const;
      expect((await tell("suppress", "add", one, "--reason", "asked on the phone")).stdout).toContain(
        "1 number",
      );
      const doNotCall = stage.file("do-not-call.csv", `phone\n${two}\n${one}\nsoon\n`);
      const imported = await tell("suppress", "import", doNotCall);
      expect(imported).toMatchObject({ code: 2, stdout: expect.stringContaining("line 4: ") });
      const page = await ask<{ items: { phone: string; reason: string }[] }>("suppress", "list");
      // What a person said and what a list says stand beside each other.
      expect(page.items.map(({ phone }) => phone).sort()).toEqual([one, one, two]);
      const list = stage.file("suppressed.csv", `phone\n${one}\n${two}\n${three}\n`);
      await ask("campaign", "create", stage.spec("suppressed"), "--contacts", list);
      expect(await tell("suppress", "remove", two, "--reason", "asked to be called again")).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(
          /^taken back: [^\n]* \(list:do-not-call\.csv\)\n\+12025557002 may be dialed again\n$/,
        ),
      });
      expectRefusal(await tell("suppress", "remove", three, "--reason", "never was"), 1, "is not suppressed");
      await ask("campaign", "start", "suppressed");
      const line = finalLine(await tell("campaign", "watch", "suppressed", "--json"));
      expect(line.contacts.total).toBe(3);
      expect(dialsOf(stage, list)[0]).toBe(0);
      expect(dialsOf(stage, list)[2]).toBeGreaterThan(0);
      const explained = await tell("campaign", "explain", "suppressed", one);
      expect(explained.stdout).toContain(`${one}: excluded (suppressed), 0 attempts`);
    });

    it.skipIf(isBrief)("stops everything, and goes on with a reason that is kept", async () => {
      const list = stage.list(60);
      await ask("campaign", "create", stage.spec("stopped", "concurrency: 3"), "--contacts", list);
      const asUsual = stage.slowCalls();
      await ask("campaign", "start", "stopped");
      await someDials(list, 3);
      const stopped = await ask<object>("stop-all", "--reason", "wrong prompt");
      asUsual();
      expect(stopped).toMatchObject({ stopped: true, in_flight: { uncertain: 0 } });
      const dialsThen = dials(list);
      await until("calls to end", () => stage.sandbox.stats().activeCalls === 0);
      const status = await tell("campaign", "status", "stopped");
      expect(status.stdout).toContain("everything is stopped");
      const missing = await tell("go-on");
      expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("--reason") });
      expect(dials(list)).toBe(dialsThen);
      expect((await tell("go-on", "--reason", "the prompt is mended")).stdout).toBe("dialing goes on\n");
      const line = finalLine(await tell("campaign", "watch", "stopped", "--json"));
      expect(line).toMatchObject({
        state: "completed",
        contacts: { total: 60, done: 60 },
        attempts: dials(list),
      });
    });

    it("doctor finds all well", async () => {
      const doctor = await tell("doctor", stage.spec("healthy"));
      expect(doctor, doctor.stdout).toMatchObject({ code: 0, stderr: "" });
      expect(doctor.stdout).not.toMatch(/^fail/m);
      expect(doctor.stdout).toMatch(/^ok +agent +.* is published$/m);
    });

    it("ends in good order, and its ledger says who did what and why", async () => {
      await running.stop();
      const ledger = await running.openLedger();
      try {
        const campaigns = await rows<{ id: string }>(ledger.db, sql`select id from campaigns`);
        expect(campaigns).toHaveLength(isBrief ? 1 : 4);
        for (const { id } of campaigns) await expectAccounted({ ledger, sandbox: stage.sandbox }, id);
        const audit = await rows<{ actor: string; action: string; detail: unknown }>(
          ledger.db,
          sql`select actor, action, detail from audit`,
        );
        const kept = audit.map(({ actor, action, detail }) => `${actor} ${action} ${JSON.stringify(detail)}`);
        const others = ["wrong prompt", "the prompt is mended", "asked to be called again"];
        for (const reason of ["lunch", ...(isBrief ? [] : others)])
          expect(kept.filter((line) => line.startsWith("cli ")).join("\n")).toContain(reason);
      } finally {
        await ledger.close();
      }
    });
  });
}

describe("commands that need no running system", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it("contacts validate says what an import would, and writes nothing", async () => {
    const dataDir = path.join(stage.folder, "not-made");
    const list = stage.list(3);
    fs.appendFileSync(list, "soon,Nobody\n");
    const said = await stage.outdial(["contacts", "validate", list], { OUTDIAL_DATA_DIR: dataDir });
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout).toMatch(/4 rows; 3 contacts, 1 rejected, 0 duplicate\n/);
    expect(said.stdout).toContain("line 5: ");
    expect(fs.existsSync(dataDir)).toBe(false);
    const empty = stage.file("empty.csv", "");
    expect(await stage.outdial(["contacts", "validate", empty], { OUTDIAL_DATA_DIR: dataDir })).toMatchObject(
      {
        code: 2,
      },
    );
  });

  it("doctor names each thing that is wrong, with what to do", async () => {
    const nobody = `127.0.0.1:${await closedPort()}`;
    const good = stage.settings(stage.dataDir());
    const sick = async (changes: Environment, name: string, ...says: (string | RegExp)[]) => {
      const doctor = await stage.outdial(["doctor", stage.spec("sick")], { ...good, ...changes });
      expect(doctor, doctor.stdout).toMatchObject({ code: 1, stderr: "" });
      const [, told = ""] = new RegExp(`^fail +(${name}.*\\n.*)`, "m").exec(doctor.stdout) ?? [];
      for (const one of says) expect(told, doctor.stdout).toMatch(one);
      expect(doctor.stdout).not.toContain("hunter2");
    };
    await sick({ TEMPORAL_ADDRESS: nobody }, "Temporal", nobody, "correct TEMPORAL_ADDRESS");
    await sick({ PLATFORM_BASE_URL: `http://${nobody}` }, "platform", nobody, "check PLATFORM_BASE_URL");
    await sick({ PLATFORM_API_KEY: "sk-wrong-hunter2" }, "platform key", "refused", "set PLATFORM_API_KEY");
    const database = `postgres://me:hunter2hunter2@${nobody}/x`;
    await sick({ DATABASE_URL: database }, "ledger", "nobody listens there", "check DATABASE_URL");
    await sick({ OUTDIAL_SPEED: "fast" }, "settings", "OUTDIAL_SPEED must be a number");
    const draft = stage.spec("draft", "agent_id: 22222222-2222-4222-8222-222222222222");
    const doctor = await stage.outdial(["doctor", draft, "--json"], good);
    expect(doctor).toMatchObject({ code: 1 });
    expect(JSON.parse(doctor.stdout)).toMatchObject({
      ok: false,
      checks: expect.arrayContaining([
        {
          name: "agent",
          status: "fail",
          detail: expect.stringContaining("a draft"),
          remedy: expect.any(String),
        },
      ]),
    });
  });

  it("a command to a system that does not run says how to start one", async () => {
    const settings = stage.settings(stage.dataDir());
    expectRefusal(
      await stage.outdial(["campaign", "list"], settings),
      1,
      "no system runs on the data folder",
      "outdial server",
    );
    const elsewhere = { ...settings, OUTDIAL_API_URL: `http://127.0.0.1:${await closedPort()}` };
    expectRefusal(
      await stage.outdial(["campaign", "list"], elsewhere),
      1,
      "no running system answers",
      "OUTDIAL_API_URL",
    );
  });
});

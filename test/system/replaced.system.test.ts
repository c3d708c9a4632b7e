import { Client } from "@temporalio/client";
import { sql } from "drizzle-orm";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";

import { connectClients } from "../../src/temporal/connection.ts";
import { firstRow, rows, type Ledger } from "../../src/ledger/ground/connection.ts";
import { openPostgresLedger } from "../../src/ledger/ground/postgres.ts";
import { expectAccounted } from "../support/accounts.ts";
import { phoneNumbers, until } from "../support/engine.ts";
import { textsIn } from "../support/texts-in.ts";
import { PATIENCE_MS } from "../support/until.ts";
import { lastingPort } from "../support/free-ports.ts";
import { given } from "../support/ledgers.ts";
import { sized } from "../support/long.ts";
import { makeTwoBuilds } from "../support/next-build.ts";
import { createDatabase } from "../support/postgres.ts";
import type { OutdialProcess } from "../support/processes.ts";
import { seededRandom } from "../support/random.ts";
import {
  apiAt,
  endedEnrolments,
  expectEveryDialOnce,
  expectTakenOnce,
  journeyDefinition,
  journeySettings,
  triggerDefinition,
  untilAtRest,
} from "./support/journeys.ts";
import { createSender, CRM_SECRET, type Sender } from "./support/sender.ts";
import { dialsOf, endOf, openStage, type Environment, type Stage } from "./support/stage.ts";

/** Calls take a second, and three more while processes come and go. */
const SPEED = 50;
const LATE_MS = 3_000;

const LINES = 10;

/** Of each campaign: one is under dialing while something happens, and the list of the next one is brought. */
const PEOPLE = sized({ short: 20, long: 30 });
const SIGNUPS = sized({ short: 8, long: 60 });

/** Each thing happens so often. */
const ROUNDS = sized({ short: 1, long: 3 });

const KILL = "a worker is killed";
const REPLACE = "the workers are replaced by those of another build";
const KILL_SERVER = "a server is killed, with a list half taken";
const DRAIN_SERVER = "a server is drained and replaced, with a list half taken";

/** The short form has no drained server: workers are drained in it, and a process that is started takes 4 seconds of CPU. */
const HAPPENINGS = sized({
  short: [KILL, REPLACE, KILL_SERVER],
  long: [KILL, REPLACE, KILL_SERVER, DRAIN_SERVER],
});

/** What everybody who signs up brings, and nothing but the platform's calls may show. */
const CANARY = "canary-of-who-signed-up-4711";

/** On a quiet machine it takes a tenth of this. */
const REST_BOUND_MS = 2 * PATIENCE_MS;

/** A start takes some seconds of CPU, of which a process gets a fifteenth where thirty others want it. */
const START_BOUND_MS = 300_000;

/** Between two tries of whoever brings a list, or stands before a server. */
const COME_BACK_MS = 200;

interface Server {
  readonly url: string;
  readonly settings: Environment;
  process: OutdialProcess;
}

describe.skipIf(inject("postgresUrl") === undefined)(
  "two workers and two servers, of which each is killed or drained and replaced by the next build under dialing",
  () => {
    let stage: Stage;
    let ledger: Ledger;
    let settings: Environment;
    beforeEach(async () => {
      stage = await openStage({ speed: SPEED });
      const databaseUrl = await createDatabase(given(inject("postgresUrl")));
      ledger = await openPostgresLedger({ url: databaseUrl, maxConnections: 2 });
      settings = journeySettings(stage, databaseUrl, {
        OUTDIAL_SPEED: String(SPEED),
        OUTDIAL_SECRET_CRM: CRM_SECRET,
        OUTDIAL_DATA_KEYS: `k1:${randomBytes(32).toString("base64")}`,
        OUTDIAL_WORKER_VERSIONING: "true",
        OUTDIAL_LOG_LEVEL: "info",
      });
    });
    afterEach(async () => {
      await stage.close();
      await ledger.close();
    });

    /** Workers of a build; those that were drained are gone from it. */
    const openWorkers = (program: string) => {
      const running: OutdialProcess[] = [];
      const start = async () => {
        const worker = stage.start(["worker"], settings, { program });
        running.push(worker);
        await worker.waitFor(/the worker runs/, START_BOUND_MS);
      };
      const one = (random: () => number) => given(running[Math.floor(random() * running.length)]);
      const gone = (worker: OutdialProcess) => void running.splice(running.indexOf(worker), 1);
      return { running, start, one, gone };
    };
    const startServer = async (program: string): Promise<Server> => {
      const [port, health] = [await lastingPort(), await lastingPort()];
      const its = {
        ...settings,
        OUTDIAL_API_PORT: String(port),
        OUTDIAL_HEALTH_LISTEN: `127.0.0.1:${health}`,
      };
      const process = stage.start(["server"], its, { program });
      await process.waitFor(/"apiUrl":/, START_BOUND_MS);
      return { url: `http://127.0.0.1:${port}`, settings: its, process };
    };
    const again = async (server: Server, program: string) => {
      server.process = stage.start(["server"], server.settings, { program });
      await server.process.waitFor(/"apiUrl":/, START_BOUND_MS);
    };
    const makeCurrent = async (program: string) => {
      const told = await stage.outdial(["deploy", "current"], settings, { program });
      expect(told, told.stderr).toMatchObject({ code: 0 });
    };

    it("dial everybody as often as is owed, take everything once, and lose nobody", async () => {
      const random = seededRandom("replaced");
      const { first, next } = await makeTwoBuilds(path.join(stage.folder, "builds"));
      let program = first;
      let current = openWorkers(first);
      // The first of them brings the schema up to date.
      const servers = [await startServer(first), await startServer(first)] as const;
      const anyServer = () => given(servers[Math.floor(random() * servers.length)]);
      await Promise.all([current.start(), current.start()]);
      // The command waits for its workers to be seen: a loaded machine takes as long to start them as it would wait.
      await makeCurrent(first);
      const { api } = apiAt(Number(new URL(servers[0].url).port));
      await api.sequences.put(
        journeyDefinition("signed up", "", { steps: ONE_CALL, sensitive: ["account"] }),
      );
      await api.triggers.put(signupTrigger());
      const late = stage.sandbox.faults.add({ kind: "finish_late", ms: LATE_MS });
      const urls = servers.map(({ url }) => url);
      await api.close();
      const sender = createSender(
        urls.map((url) => `${url}/v1/triggers/signups`),
        random,
      );
      const happen: Record<string, (bring: () => Bringing) => Promise<void>> = {
        [KILL]: async () => {
          const victim = current.one(random);
          current.gone(victim);
          const noticed = () => count(current.running, /a worker is gone without having ended/g);
          const before = noticed();
          await victim.kill();
          // Whoever supervises it starts it again.
          await Promise.all([current.start(), until("the other one to notice", () => noticed() > before)]);
        },
        [REPLACE]: async () => {
          const old = current;
          program = program === first ? next : first;
          current = openWorkers(program);
          await Promise.all([current.start(), current.start()]);
          await makeCurrent(program);
          const lastOfOld = await lastBatch(ledger);
          const drain = async (worker: OutdialProcess) => {
            worker.child.kill("SIGTERM");
            const drained = await endOf(worker, "a worker that drains");
            expect(drained, drained.stderr).toMatchObject({ code: 0 });
            old.gone(worker);
          };
          await drain(old.one(random));
          // Its batches end on their build, with the one that is left; then that one goes, too.
          await until("batches of the build before to end", async () => !(await isOpen(ledger, lastOfOld)));
          for (let [one] = old.running; one; [one] = old.running) await drain(one);
        },
        [KILL_SERVER]: async (bring) => {
          const server = anyServer();
          const half = await beginList(server.url, bring());
          await server.process.kill();
          await half.isCut;
          await again(server, program);
        },
        [DRAIN_SERVER]: async (bring) => {
          const server = anyServer();
          const half = await beginList(server.url, bring());
          server.process.child.kill("SIGTERM");
          await untilNotReady(server);
          expect(await half.end(), "what was under way is answered").toBe(200);
          const ended = await endOf(server.process, "a server that drains");
          expect(ended, ended.stderr).toMatchObject({ code: 0 });
          await again(server, random() < 0.5 ? next : first);
        },
      };
      const sent = sendSignups(sender, random);
      const lists: Bringing[] = [];
      const write = async () => {
        const name = `replaced ${lists.length + 1}`;
        await ask(urls, "/v1/campaigns", { spec: { ...SPEC, name } });
        const list = { campaign: name, file: stage.list(PEOPLE) };
        lists.push(list);
        return list;
      };
      // Also where it was taken already: whoever brought it may not have heard.
      const begin = async (list: Bringing) => {
        await bringList(urls, list);
        await ask(urls, `/v1/campaigns/${encodeURIComponent(list.campaign)}/start`, {});
      };
      const all = Array.from({ length: ROUNDS }, () => shuffled(random, HAPPENINGS)).flat();
      let dialing = await write();
      await begin(dialing);
      for (const what of all) {
        const coming = await write();
        const dials = 1 + Math.floor(random() * 8);
        const dialed = () => dialsOf(stage, dialing.file).reduce((sum, n) => sum + n, 0);
        await until(`dials, before ${what}`, () => dialed() >= dials);
        await given(happen[what])(() => coming).catch((error: unknown) => {
          throw new Error(`while ${what}: ${String(error)}`, { cause: error });
        });
        await begin(coming);
        dialing = coming;
      }
      stage.sandbox.faults.remove(late.fault_id);
      await sent;
      const left = [...current.running, ...servers.map(({ process }) => process)];
      await untilAtRest(ledger, left, REST_BOUND_MS);

      expect(sender.taken.size).toBe(SIGNUPS);
      await expectTakenOnce(ledger, sender, "signups");
      const signedUp = await endedEnrolments(ledger, "signed up");
      expect(signedUp.map(({ phone }) => phone).sort()).toEqual(signupPhones());
      await expectEveryDialOnce(stage, ledger);
      for (const { campaign } of lists) {
        const { id, people } = await readCampaign(ledger, campaign);
        expect({ campaign, people }).toEqual({ campaign, people: PEOPLE });
        await expectAccounted({ ledger, sandbox: stage.sandbox }, id);
      }
      expect(await notAsOwed(ledger)).toEqual([]);
      const told = accountsTold(stage);
      expect(told.length).toBeGreaterThanOrEqual(SIGNUPS);
      expect(told.filter((account) => account !== CANARY)).toEqual([]);
      expect(await inClear(ledger)).toEqual([]);
      expect(await historiesThatSay(stage, CANARY)).toEqual([]);
      for (const said of stage.said()) expect(said).not.toContain(CANARY);
      for (const one of left) expect(await one.end(), one.stderr()).toBe(0);
    });
  },
);

const SPEC = {
  agent_id: "11111111-1111-4111-8111-111111111111",
  from_numbers: ["+12025550100"],
  concurrency: LINES,
  default_region: "US",
  retry: { max_attempts: 2, delays: { no_answer: "1s", busy: "1s", failed: "1s", voicemail: "1s" } },
  window: "always",
  least_gap: "0s",
};

/** What is sensitive comes with everybody. */
function signupTrigger(): object {
  const enroll = {
    sequence: "signed up",
    phone: "payload.phone",
    variables: { signup: "payload.signup", account: "payload.account" },
  };
  return { ...triggerDefinition("signups", "signed up"), enroll };
}

const ONE_CALL = [
  { id: "call", call: {}, on: { unknown: "end", otherwise: "end" } },
  { id: "end", exit: { outcome: "through" } },
];

function signupPhones(): string[] {
  return phoneNumbers(SIGNUPS, 860_000).sort();
}

/** One after the other, each of them until it is taken, and a third of them once more, by either server. */
async function sendSignups(sender: Sender, random: () => number): Promise<void> {
  for (const [index, phone] of signupPhones().entries()) {
    const [key, payload] = [`signup ${index}`, { phone, signup: String(index), account: CANARY }] as const;
    await sender.deliver(key, payload);
    if (random() < 0.33) await sender.sendOnce(key, payload);
  }
}

/** How often processes said that. */
function count(processes: readonly OutdialProcess[], words: RegExp): number {
  return processes.reduce((sum, one) => sum + (one.stderr().match(words) ?? []).length, 0);
}

interface Bringing {
  campaign: string;
  file: string;
}

/** Where a list is brought, and what makes it the same list again. */
function listRequest(
  url: string,
  campaign: string,
  text: string,
): { address: string; headers: Record<string, string> } {
  const digest = createHash("sha256").update(text).digest("hex");
  return {
    address: `${url}/v1/campaigns/${encodeURIComponent(campaign)}/contacts?digest=${digest}&source_name=list.csv`,
    headers: { "content-type": "application/octet-stream", "idempotency-key": `list ${digest}` },
  };
}

/** Brings a list to one server after the other until one of them has taken it. */
async function bringList(urls: readonly string[], { campaign, file }: Bringing): Promise<void> {
  const text = fs.readFileSync(file, "utf8");
  await untilTaken(urls, (url) => {
    const { address, headers } = listRequest(url, campaign, text);
    return fetch(address, { method: "POST", headers, body: text });
  });
}

/** A command with a key, as a client that is behind both servers. */
async function ask(urls: readonly string[], at: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json", "idempotency-key": randomUUID() };
  await untilTaken(urls, (url) =>
    fetch(`${url}${at}`, { method: "POST", headers, body: JSON.stringify(body) }),
  );
}

/** Asks one server after the other, with the same each time. */
async function untilTaken(urls: readonly string[], send: (url: string) => Promise<Response>): Promise<void> {
  let nth = 0;
  await until("a request to be taken", async () => {
    const url = given(urls[nth % urls.length]);
    nth += 1;
    try {
      const response = await send(url);
      const said = await response.text();
      if (response.ok) return true;
      expect([409, 503], said).toContain(response.status);
    } catch (error) {
      // Nobody is there, or it went away: the next one is asked.
      if (!(error instanceof TypeError)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, COME_BACK_MS));
    return false;
  });
}

interface HalfList {
  /** Sends the rest. Resolves with the status. */
  end(): Promise<number | undefined>;
  /** Resolves when the connection is cut. */
  readonly isCut: Promise<void>;
}

/** Sends the first half of a list, and holds the rest back. */
async function beginList(url: string, { campaign, file }: Bringing): Promise<HalfList> {
  const text = fs.readFileSync(file, "utf8");
  const { address, headers } = listRequest(url, campaign, text);
  const middle = Math.floor(text.length / 2);
  const request = http.request(address, { method: "POST", headers });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    request.on("response", (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on("error", reject);
  });
  const isCut = answered.then(
    (status) => Promise.reject(new Error(`answered ${status}`)),
    () => {},
  );
  isCut.catch(() => {});
  await new Promise((resolve) => request.write(text.slice(0, middle), resolve));
  return {
    isCut,
    end() {
      request.end(text.slice(middle));
      return answered;
    },
  };
}

/** As whoever stands before servers sees it: what is not ready is given no requests any more. */
async function untilNotReady({ settings }: Server): Promise<void> {
  const address = `http://${settings["OUTDIAL_HEALTH_LISTEN"]}/readyz`;
  await until("a server that drains to be taken for it", async () => {
    const response = await fetch(address);
    return response.status === 503 && (await response.text()).includes("it drains");
  });
}

/** The newest batch that there is. */
async function lastBatch({ db }: Ledger): Promise<string> {
  const found = await firstRow<{ at: string }>(db, sql`select max(planned_at)::text as at from batches`);
  return given(found).at;
}

/** Whether any batch up to that moment is not settled. */
async function isOpen({ db }: Ledger, at: string): Promise<boolean> {
  const open = await rows(
    db,
    sql`select 1 from batches where state <> 'settled' and planned_at <= ${at}::timestamptz limit 1`,
  );
  return open.length > 0;
}

async function readCampaign({ db }: Ledger, name: string): Promise<{ id: string; people: number }> {
  const found = await firstRow<{ id: string; people: number }>(
    db,
    sql`select k.id, (select count(*)::int from contacts c where c.campaign_id = k.id) as people
        from campaigns k where k.name = ${name} and not k.standing`,
  );
  return given(found);
}

/**
 * Whoever was not dialed as often as was owed: once where the first call settled it or its fate is unknown, else twice.
 */
function notAsOwed({ db }: Ledger): Promise<unknown[]> {
  return rows(
    db,
    sql`select k.name, c.phone, array_agg(a.disposition order by a.id) as came_to
        from contacts c join campaigns k on k.id = c.campaign_id
          left join attempts a on a.contact_id = c.id and a.state <> 'returned'
        where k.name like 'replaced %'
        group by k.name, c.id, c.phone
        having count(a.id) <> case
          when (array_agg(a.disposition order by a.id))[1] in ('no_answer', 'busy', 'failed', 'voicemail') then 2
          else 1 end`,
  );
}

/** What the platform was told of the account in each call to somebody who signed up, retries included. */
function accountsTold({ sandbox }: Stage): (string | undefined)[] {
  const phones = new Set(signupPhones());
  return sandbox.dialLog
    .calls()
    .flatMap(({ phone, item }) => (phones.has(phone) ? [item?.variables?.["account"]] : []));
}

/** The tables in which the account of somebody stands as it came. */
async function inClear({ db }: Ledger): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const hits = await rows(
      db,
      sql`select 1 as one from ${sql.identifier(name)} t where strpos(to_jsonb(t)::text, ${CANARY}) > 0 limit 1`,
    );
    if (hits.length > 0) found.push(name);
  }
  return found;
}

/** Workflows whose history has those words, in whatever is in it. */
async function historiesThatSay({ temporal }: Stage, words: string): Promise<string[]> {
  const { connection, close } = await connectClients({ address: temporal.address });
  const client = new Client({ connection, namespace: temporal.namespace });
  const found: string[] = [];
  let seen = 0;
  for await (const { workflowId, runId } of client.workflow.list()) {
    seen += 1;
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    if (textsIn(history).includes(words)) found.push(workflowId);
  }
  await close();
  expect(seen).toBeGreaterThan(0);
  return found;
}

function shuffled<T>(random: () => number, all: readonly T[]): T[] {
  return all
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

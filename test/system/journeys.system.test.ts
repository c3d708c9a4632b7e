import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";

import { rows, type Ledger } from "../../src/ledger/ground/connection.ts";
import { openPostgresLedger } from "../../src/ledger/ground/postgres.ts";
import { phoneNumbers, until } from "../support/engine.ts";
import { PATIENCE_MS } from "../support/until.ts";
import { given } from "../support/ledgers.ts";
import { sized } from "../support/long.ts";
import { createDatabase } from "../support/postgres.ts";
import type { OutdialProcess } from "../support/processes.ts";
import { seededRandom } from "../support/random.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import {
  afterCallDefinition,
  aftermathSpec,
  apiAt,
  endedEnrolments,
  expectDeliveredOnce,
  expectEveryDialOnce,
  expectTakenOnce,
  failAFifth,
  journeyDefinition,
  journeySettings,
  triggerDefinition,
  untilAtRest,
  uploadList,
} from "./support/journeys.ts";
import { createSender, CRM_SECRET, type Sender } from "./support/sender.ts";
import { closedPort, openStage, type Environment, type Stage } from "./support/stage.ts";

const CONTACTS = sized({ short: 80, long: 150 });
const SIGNUPS = 100;
const KILLS = sized({ short: 3, long: 6 });

/** Senders have so many requests under way at once. */
const SENDING_AT_ONCE = 4;

/** On a quiet machine it takes a tenth of this. */
const REST_BOUND_MS = 2 * PATIENCE_MS;

describe.skipIf(inject("postgresUrl") === undefined)("sequences, triggers and follow-ups", () => {
  let stage: Stage;
  let ledger: Ledger;
  let receiver: Receiver;
  let settings: Environment;
  let port: number;
  beforeEach(async () => {
    stage = await openStage();
    receiver = await startReceiver();
    const databaseUrl = await createDatabase(given(inject("postgresUrl")));
    ledger = await openPostgresLedger({ url: databaseUrl, maxConnections: 2 });
    port = await closedPort();
    settings = journeySettings(stage, databaseUrl, {
      OUTDIAL_SECRET_CRM: CRM_SECRET,
      OUTDIAL_API_PORT: String(port),
    });
  });
  afterEach(async () => {
    await stage.close();
    await receiver.close();
    await ledger.close();
  });

  const worker = () => stage.start(["worker"], settings);
  const startServer = async () => {
    const server = stage.start(["server"], { ...settings, OUTDIAL_LOG_LEVEL: "info" });
    await server.waitFor(/"apiUrl":/);
    return server;
  };

  it("come to their end with their processes killed at random moments, and nothing is done twice", async () => {
    const random = seededRandom("journeys killed");
    failAFifth(receiver, random);
    const { api, url } = apiAt(port);
    const server = await startServer();
    const running = { worker: worker(), server };
    await api.sequences.put(journeyDefinition("signed up", receiver.url));
    await api.sequences.put(afterCallDefinition("after a call", receiver.url));
    await api.triggers.put(triggerDefinition("signups", "signed up"));
    await api.campaigns.create(aftermathSpec("aftermath", "after a call", receiver.url), false);
    await uploadList(api, "aftermath", stage.list(CONTACTS));
    await api.campaigns.start("aftermath", { allowPartial: false });
    const sender = createSender(`${url}/v1/triggers/signups`, random);
    const sent = sendSignups(sender, random);

    const progress = () => sender.answers.length + stage.sandbox.dialLog.length + receiver.received.length;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const from = progress() + 20 + Math.floor(random() * 80);
      await until("more to happen", () => progress() >= from);
      const victims = given([["worker"], ["server"], ["worker", "server"]][Math.floor(random() * 3)]);
      await Promise.all(victims.map((name) => given(running[name as keyof typeof running]).kill()));
      if (victims.includes("worker")) running.worker = worker();
      if (victims.includes("server")) running.server = await startServer();
    }
    await sent;
    await untilAtRest(ledger, Object.values(running), REST_BOUND_MS);

    expect(sender.taken.size).toBe(SIGNUPS);
    await expectTakenOnce(ledger, sender, "signups");
    const signedUp = await endedEnrolments(ledger, "signed up");
    expect(signedUp.map(({ phone }) => phone).sort()).toEqual(signupPhones());
    expect(new Set(signedUp.map(({ outcome }) => outcome))).toEqual(new Set(["through"]));
    await expectAftermath(ledger);
    await expectDeliveredOnce(ledger, receiver);
    await expectEveryDialOnce(stage, ledger);
    await api.close();
    for (const one of Object.values(running)) await expectGoodEnd(one);
  });

  it("a person who comes through a trigger is called without anybody having to look", async () => {
    const { api, url } = apiAt(port);
    const running = [await startServer(), worker()];
    await api.sequences.put(journeyDefinition("direct", receiver.url));
    await api.triggers.put(triggerDefinition("direct", "direct"));
    await untilAtRest(ledger, running, REST_BOUND_MS);
    // The way round, by which a wake-up that was lost is made up for: from now on it leads nowhere.
    await ledger.db.execute(sql`
      create function never() returns trigger language plpgsql as
        $$ begin new.due_at := 'infinity'; return new; end $$`);
    await ledger.db.execute(sql`
      create trigger never before insert on outbox for each row when (new.kind = 'campaign')
        execute function never()`);
    const random = seededRandom("direct");
    const sender = createSender(`${url}/v1/triggers/direct`, random);
    const [phone = ""] = phoneNumbers(1, 900_000);
    await sender.deliver("direct 1", { phone, signup: "1" });
    await until("the call", () => stage.sandbox.dialLog.of(phone).length > 0);
    await api.close();
    for (const one of running) await expectGoodEnd(one);
  });
});

function signupPhones(): string[] {
  return phoneNumbers(SIGNUPS, 800_000);
}

/** Each signup once until it is taken, and a third of them again, at the same moment or later. */
async function sendSignups(sender: Sender, random: () => number): Promise<void> {
  const waiting = signupPhones().flatMap((phone, index) => {
    const payload = { phone, signup: String(index) };
    const once = { key: `signup ${index}`, payload, again: false };
    return random() < 0.33 ? [once, { ...once, again: true }] : [once];
  });
  const sendNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (next.again) await sender.sendOnce(next.key, next.payload);
      else await sender.deliver(next.key, next.payload);
    }
  };
  await Promise.all(Array.from({ length: SENDING_AT_ONCE }, sendNext));
}

/** Each call that a rule is for has one follow-up, and each follow-up did all that its rules say, once. */
async function expectAftermath(ledger: Ledger): Promise<void> {
  const calls = await rows<{ id: number; disposition: string; state: string | null; actions: string[] }>(
    ledger.db,
    sql`select a.id, a.disposition, f.state,
               array(select c.owner || ' ' || c.kind || ' ' || c.state from actions c
                     where c.follow_up_id = f.id order by 1) as actions
        from attempts a join campaigns k on k.id = a.campaign_id left join follow_ups f on f.attempt_id = a.id
        where k.name = 'aftermath' and a.disposition in ('answered', 'voicemail')`,
  );
  expect(calls.length).toBeGreaterThan(CONTACTS / 2);
  const told = ["told enroll done", "told tag done", "told webhook done"];
  const wrong = calls.filter(({ disposition, state, actions }) => {
    const wanted = disposition === "answered" ? ["summed_up tag done", ...told] : told;
    return state !== "done" || actions.join() !== wanted.join();
  });
  expect(wrong).toEqual([]);
  const enrolled = await endedEnrolments(ledger, "after a call");
  expect(enrolled).toHaveLength(calls.length);
  expect(new Set(enrolled.map(({ outcome }) => outcome))).toEqual(new Set(["through"]));
}

async function expectGoodEnd(process: OutdialProcess): Promise<void> {
  expect(await process.end(), process.stderr()).toBe(0);
}

import { sql } from "drizzle-orm";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { Readable } from "node:stream";
import { expect } from "vitest";

import { openApi, type Api } from "../../../src/cli/api/client.ts";
import { firstRow, rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { expectEachDialOnce } from "../../support/accounts.ts";
import type { OutdialProcess } from "../../support/processes.ts";
import type { Receiver, Received } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";
import type { Sender } from "./sender.ts";
import type { Environment, Stage } from "./stage.ts";

/*
 * What the tests of sequences, triggers and follow-ups of whole processes have in common: the definitions, and the
 * account that is taken once everything has come to its end.
 */

const AGENT = "11111111-1111-4111-8111-111111111111";

/** Long enough, and nobody's. */
export const HOOK_TOKEN = "a-token-of-the-system-tests-0123456789";

const RETRY = { max_attempts: 2, delays: { no_answer: "1s", busy: "1s", failed: "1s", voicemail: "1s" } };

const DIALING = {
  agent_id: AGENT,
  from_numbers: ["+12025550100"],
  window: "always",
  least_gap: "0s",
  default_region: "US",
};

/** Tried until the receiver is back, however long these tests keep it away. */
const PATIENT = { max_tries: 50, delays: ["1s"] };

/** Calls somebody, tells a receiver of it, and waits a moment for an answer that never comes. */
export function journeyDefinition(name: string, receiverUrl: string, changes: object = {}): object {
  return {
    name,
    ...DIALING,
    concurrency: 20,
    retry: RETRY,
    // A delivery that is acted on twice takes its person out and in again, and shows.
    re_enrolment: { policy: "restart" },
    steps: [
      { id: "call", call: {}, on: { unknown: "tell", otherwise: "tell" } },
      {
        id: "tell",
        webhook: {
          url: receiverUrl,
          secret: "crm",
          data: { phone: "contact.phone", came: "last_call.disposition" },
          retry: PATIENT,
        },
        on: { done: "listen", failed: "end" },
      },
      {
        id: "listen",
        wait_for: { event: "replied", timeout: "1s" },
        on: { event: "end", timeout: "end" },
      },
      { id: "end", exit: { outcome: "through" } },
    ],
    ...changes,
  };
}

export function triggerDefinition(name: string, sequence: string): object {
  return {
    name,
    auth: { scheme: "standard_webhooks", secret: "crm" },
    enroll: { sequence, phone: "payload.phone", variables: { signup: "payload.signup" } },
  };
}

/** Whoever was called and took it is told of by webhook, tagged, and enrolled into another sequence. */
export function aftermathSpec(name: string, sequence: string, receiverUrl: string): object {
  return {
    name,
    ...DIALING,
    concurrency: 40,
    retry: RETRY,
    follow_ups: [
      {
        id: "told",
        on: ["answered", "voicemail"],
        mode: "parallel",
        actions: [
          { webhook: { url: receiverUrl, secret: "crm", data: { who: "contact.phone" }, retry: PATIENT } },
          { tag: { tag: "called" } },
          { enroll: { sequence, key: "text(attempt.number)" } },
        ],
      },
      {
        id: "summed_up",
        on: ["answered"],
        classify: [{ label: "summary", value: 'text(call.?call_summary.orValue(""))' }],
        actions: [{ tag: { tag: "summed up" } }],
      },
    ],
  };
}

/** What follows a call of a campaign: a moment, and a message. */
export function afterCallDefinition(name: string, receiverUrl: string): object {
  return {
    name,
    ...DIALING,
    re_enrolment: { policy: "parallel", key: '""' },
    steps: [
      { id: "moment", wait: { for: "1s" } },
      {
        id: "tell",
        webhook: { url: receiverUrl, secret: "crm", data: { after: "contact.phone" }, retry: PATIENT },
        on: { done: "end", failed: "end" },
      },
      { id: "end", exit: { outcome: "through" } },
    ],
  };
}

/** A running system's API at an address that it keeps when it is started again. */
export function apiAt(port: number): { api: Api; url: string } {
  const url = `http://127.0.0.1:${port}`;
  return { url, api: openApi({ url, token: undefined }) };
}

/** Settings that all processes of such a test share. */
export function journeySettings(stage: Stage, databaseUrl: string, changes: Environment = {}): Environment {
  return stage.settings(fs.mkdtempSync(`${stage.folder}/data-`), {
    DATABASE_URL: databaseUrl,
    OUTDIAL_OUTBOUND_ALLOW: "127.0.0.1",
    OUTDIAL_HOOK_TOKEN: HOOK_TOKEN,
    ...changes,
  });
}

export async function uploadList(api: Api, campaign: string, file: string): Promise<void> {
  const text = fs.readFileSync(file);
  await api.campaigns.upload(campaign, {
    readable: Readable.from([text]),
    digest: createHash("sha256").update(text).digest("hex"),
    sourceName: "list.csv",
  });
}

/** Fails a fifth of what comes, by an error or a cut connection. */
export function failAFifth(receiver: Receiver, random: () => number): void {
  receiver.answer = () => ({ status: random() >= 0.2 ? 204 : random() < 0.5 ? 503 : 0 });
}

interface Left {
  deliveries: number;
  enrolments: number;
  follow_ups: number;
  actions: number;
  contacts: number;
  batches: number;
  outbox: number;
}

/** What has not come to its end yet. */
async function readLeft(ledger: Ledger): Promise<Left> {
  const left = await firstRow<Left>(
    ledger.db,
    sql`select (select count(*) from deliveries where state = 'received')::int as deliveries,
               (select count(*) from enrolments where state = 'active')::int as enrolments,
               (select count(*) from follow_ups where ended_at is null)::int as follow_ups,
               (select count(*) from actions where ended_at is null)::int as actions,
               (select count(*) from contacts where state not in ('done', 'excluded'))::int as contacts,
               (select count(*) from batches where state <> 'settled')::int as batches,
               (select count(*) from outbox where kind <> 'call_hint')::int as outbox`,
  );
  if (!left) throw new Error("the ledger says nothing");
  return left;
}

/**
 * Waits until nothing is under way any more; what is left stands in the error, and where one of the processes that
 * are to bring it about has ended, what that one said.
 */
export async function untilAtRest(
  ledger: Ledger,
  processes: readonly OutdialProcess[],
  boundMs: number,
): Promise<void> {
  let left: Left | undefined;
  try {
    await until(
      "everything to come to its end",
      async () => {
        for (const { child, stdout, stderr } of processes) {
          if (child.exitCode !== null) throw new Error(`a process ended: ${stdout()}\n${stderr()}`);
        }
        left = await readLeft(ledger);
        return Object.values(left).every((n) => n === 0);
      },
      boundMs,
    );
  } catch (error) {
    throw new Error(`${String(error)}; left: ${JSON.stringify(left)}; ${await whatIsStuck(ledger)}`, {
      cause: error,
    });
  }
}

/** Some rows that tell why something is left. */
async function whatIsStuck(ledger: Ledger): Promise<string> {
  const outbox = await rows(
    ledger.db,
    sql`select kind, subject, turn, tries, due_at - now() as due_in, last_error from outbox order by due_at limit 5`,
  );
  const enrolments = await rows(
    ledger.db,
    sql`select id, step, turn, position, look_by - now() as look_in, unmoved from enrolments where state = 'active' order by created_at limit 3`,
  );
  const actions = await rows(
    ledger.db,
    sql`select kind, state, tries, next_try_at - now() as next_in, sent_at, error from actions
        where ended_at is null limit 3`,
  );
  return JSON.stringify({ outbox, enrolments, actions });
}

/** Every dial belongs to one attempt, in every campaign, those behind sequences included (I1). */
export async function expectEveryDialOnce(stage: Pick<Stage, "sandbox">, ledger: Ledger): Promise<void> {
  const campaigns = await rows<{ id: string }>(ledger.db, sql`select id from campaigns`);
  for (const { id } of campaigns) await expectEachDialOnce({ sandbox: stage.sandbox, ledger }, id);
}

/** Whatever was acknowledged is in the ledger under the id that its sender was told, and was done once (I5). */
export async function expectTakenOnce(ledger: Ledger, sender: Sender, trigger: string): Promise<void> {
  const kept = await rows<{ key: string; id: string; state: string; result: unknown }>(
    ledger.db,
    sql`select d.key, d.id, d.state, d.result from deliveries d join triggers t on t.id = d.trigger_id
        where t.name = ${trigger}`,
  );
  expect(kept.filter(({ state }) => state !== "done")).toEqual([]);
  // Its key is kept with where it came from; the id is what the sender was told, however often it asked.
  expect(kept.map(({ id }) => id).sort()).toEqual([...sender.taken.values()].sort());
  for (const { key, deliveryId } of sender.answers) {
    if (deliveryId !== undefined) expect(deliveryId).toBe(sender.taken.get(key));
  }
}

interface Ended {
  phone: string;
  outcome: string;
  source: string;
}

export async function endedEnrolments(ledger: Ledger, sequence: string): Promise<Ended[]> {
  return rows<Ended>(
    ledger.db,
    sql`select e.phone, e.outcome, e.source from enrolments e join sequences s on s.id = e.sequence_id
        where s.name = ${sequence}`,
  );
}

/**
 * Each webhook of the ledger was taken by its receiver, and nothing came that is not in the ledger: a receiver that
 * acts once for each `webhook-id` has acted once for each of them.
 */
export async function expectDeliveredOnce(ledger: Ledger, receiver: Receiver): Promise<void> {
  const webhooks = await rows<{ id: string; state: string }>(
    ledger.db,
    sql`select coalesce(spec->>'key', id::text) as id, state from actions where kind = 'webhook'`,
  );
  expect(webhooks.filter(({ state }) => state !== "done")).toEqual([]);
  const acted = actedOn(receiver.received);
  expect([...acted.keys()].sort()).toEqual(webhooks.map(({ id }) => id).sort());
  // What is sent again is the same, word for word: whichever of them it acts on.
  for (const bodies of acted.values()) expect(bodies.size).toBe(1);
}

/** Bodies by `webhook-id`, of those that were answered well. */
function actedOn(received: readonly Received[]): Map<string, Set<string>> {
  const acted = new Map<string, Set<string>>();
  for (const { headers, body, status } of received) {
    if (status < 200 || status > 299) continue;
    const id = String(headers["webhook-id"]);
    acted.set(id, (acted.get(id) ?? new Set()).add(body));
  }
  return acted;
}

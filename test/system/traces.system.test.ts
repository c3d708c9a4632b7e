import { sql } from "drizzle-orm";
import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { openApi } from "../../src/cli/api/client.ts";
import { firstRow, rows, type Ledger } from "../../src/ledger/ground/connection.ts";
import { openPostgresLedger } from "../../src/ledger/ground/postgres.ts";
import { createPlatform } from "../../src/platform/index.ts";
import { signDelivery } from "../../src/outbound/sign.ts";
import { clientOf, connectClients } from "../../src/temporal/connection.ts";
import { phoneNumbers, until } from "../support/engine.ts";
import { textsIn } from "../support/texts-in.ts";
import { PATIENCE_MS } from "../support/until.ts";
import { readExposition, sumOf } from "../support/exposition.ts";
import { lastingPort } from "../support/free-ports.ts";
import { given } from "../support/ledgers.ts";
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from "../support/otlp-receiver.ts";
import { createDatabase } from "../support/postgres.ts";
import type { OutdialProcess } from "../support/processes.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import {
  expectEveryDialOnce,
  HOOK_TOKEN,
  journeySettings,
  untilAtRest,
  uploadList,
} from "./support/journeys.ts";
import { CRM_SECRET } from "./support/sender.ts";
import { openStage, type Environment, type Stage } from "./support/stage.ts";

/*
 * A server and a worker as processes of their own, with everything that can be watched turned on: metrics, traces, the log
 * at its most talkative. Who watches them is to find one trace of all that a delivery led to, and nothing of any person or
 * secret; and is to keep nobody waiting.
 */

/** What must be nowhere but where it belongs: each is found by chance nowhere else. */
const API_TOKEN = "a-token-that-is-shown-to-nobody-93e1f7";
const OTLP_KEY = "a-key-of-the-receiver-27cc01";
const PERSON = "Wilhelmina Canarybird";
const CITY = "Canarywharf-by-the-Sea";
const SECRETS = [API_TOKEN, OTLP_KEY, CRM_SECRET, HOOK_TOKEN];

const ALL_ANSWER = {
  simulator: {
    unreachableShare: 0,
    weights: { answered: 1, voicemail: 0, no_answer: 0, busy: 0, failed: 0 },
  },
};

const REST_BOUND_MS = 2 * PATIENCE_MS;
const CALLER = { traceId: "5c0ffee05c0ffee05c0ffee05c0ffee0", spanId: "00decade00decade" };

describe.skipIf(inject("postgresUrl") === undefined)("a server and a worker that are watched", () => {
  let stage: Stage;
  let ledger: Ledger;
  let receiver: Receiver;
  let otlp: OtlpReceiver;
  let settings: Environment;
  let workflowId: string;
  const running: OutdialProcess[] = [];
  const metricPorts: number[] = [];
  const phones = phoneNumbers(40, 910_000);

  beforeAll(async () => {
    stage = await openStage(ALL_ANSWER);
    receiver = await startReceiver();
    otlp = await startOtlpReceiver();
    const databaseUrl = await createDatabase(given(inject("postgresUrl")));
    ledger = await openPostgresLedger({ url: databaseUrl, maxConnections: 2 });
    settings = journeySettings(stage, databaseUrl, {
      OUTDIAL_API_TOKEN: API_TOKEN,
      OUTDIAL_API_PORT: String(await lastingPort()),
      OUTDIAL_SECRET_CRM: CRM_SECRET,
      OUTDIAL_LOG_LEVEL: "debug",
      OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_HEADERS: `x-key=${OTLP_KEY}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: "300",
    });
    for (const command of ["server", "worker"]) {
      const port = await lastingPort();
      metricPorts.push(port);
      const started = stage.start([command], { ...settings, OUTDIAL_METRICS_LISTEN: String(port) });
      await started.waitFor(command === "server" ? /"apiUrl":/ : /metrics are served/);
      running.push(started);
    }
    const platform = createPlatform({
      baseUrl: stage.sandbox.url,
      apiKey: given(settings["PLATFORM_API_KEY"]),
    });
    const made = await platform.workflows.create({
      name: "tell the CRM",
      trigger_type: "webhook",
      workflow_json: { nodes: [] },
    });
    workflowId = made.workflow_id;
    await platform.workflows.deploy(workflowId);
    await platform.close();
    const api = openApi({ url: url(), token: API_TOKEN });
    await api.sequences.put(sequence());
    await api.triggers.put({
      name: "signups",
      auth: { scheme: "standard_webhooks", secret: "crm" },
      enroll: {
        sequence: "signed up",
        phone: "payload.phone",
        variables: { name: "payload.name", signup: "payload.signup" },
      },
    });
    await api.close();
  });
  afterAll(async () => {
    await stage.close();
    await receiver.close();
    await otlp.close();
    await ledger.close();
  });

  const url = () => `http://127.0.0.1:${settings["OUTDIAL_API_PORT"]}`;

  /** Calls somebody; after the call an automation of the platform runs, and another system is told. */
  const sequence = () => ({
    name: "signed up",
    agent_id: "11111111-1111-4111-8111-111111111111",
    from_numbers: ["+12025550100"],
    window: "always",
    least_gap: "0s",
    default_region: "US",
    concurrency: 20,
    steps: [
      {
        id: "call",
        call: {
          follow_ups: [
            {
              id: "after",
              on: ["answered"],
              actions: [
                { automation: { workflow_id: workflowId, data: { who: "variables.name" } } },
                {
                  webhook: {
                    url: `${receiver.url}?who=${PERSON}`,
                    secret: "crm",
                    data: { who: "variables.name" },
                  },
                },
              ],
            },
          ],
        },
        on: { unknown: "end", otherwise: "end" },
      },
      { id: "end", exit: { outcome: "through" } },
    ],
  });

  async function deliver(phone: string, traceparent?: string): Promise<void> {
    const body = JSON.stringify({ phone, name: PERSON, signup: CITY });
    const signed = signDelivery(
      { name: "crm", values: [CRM_SECRET] },
      { id: phone, timestampMs: Date.now(), body },
    );
    const answer = await fetch(`${url()}/v1/triggers/signups`, {
      method: "POST",
      headers: { "content-type": "application/json", ...signed, ...(traceparent && { traceparent }) },
      body,
    });
    expect(answer.status, await answer.text()).toBeLessThan(300);
  }

  const ofTrace = (traceId: string) => otlp.spans.filter((span) => span.traceId === traceId);

  it("one trace leads from a delivery to the call, and from its end to what follows it", async () => {
    await deliver(given(phones[0]), `00-${CALLER.traceId}-${CALLER.spanId}-01`);
    const missing = () => {
      const of = ofTrace(CALLER.traceId);
      const names = new Set(of.map(({ name }) => name));
      const told = of.some(({ name, kind }) => name === "POST" && kind === CLIENT) ? [] : ["POST"];
      return [...EXPECTED.filter((name) => !names.has(name)), ...told];
    };
    // The batch comes to its end beside what follows its call, and each process tells its own spans.
    await until(
      "every step to be told",
      () => missing().length === 0,
      REST_BOUND_MS,
      async () => `these are missing: ${missing().join(", ")}`,
    );
    // Whatever is in it hangs together: every way up ends at the sender's own span.
    await until(
      "all of the way up to be told",
      () => {
        const ids = new Map(ofTrace(CALLER.traceId).map((span) => [span.spanId, span.parentSpanId]));
        return [...ids.values()].every((parent) => ids.has(parent) || parent === CALLER.spanId);
      },
      REST_BOUND_MS,
    );
    const spans = ofTrace(CALLER.traceId);
    const wayUp = (from: ReceivedSpan): string[] => {
      const parent = ofTrace(CALLER.traceId).find(({ spanId }) => spanId === from.parentSpanId);
      return parent ? [from.name, ...wayUp(parent)] : [from.name];
    };
    for (const { name, asked } of [
      { name: "POST /v1/batch-calls", asked: "RunActivity:createBatch" },
      { name: "POST /v1/batch-calls/{batch_id}/start", asked: "RunActivity:startBatch" },
    ])
      expect(wayUp(given(spans.find((span) => span.name === name)))[1]).toBe(asked);
    for (const read of spans.filter(({ name }) => name.startsWith("GET /v1/")))
      expect(wayUp(read)[1]).toMatch(/^RunActivity:/);
    const executed = given(spans.find(({ name }) => name === EXECUTE));
    expect(wayUp(executed).slice(0, 3)).toEqual([
      EXECUTE,
      "RunActivity:performAction",
      "RunActivity:tendFollowUp",
    ]);
    const [known] = await rows<Record<string, string | number>>(
      ledger.db,
      sql`select a.id as attempt, a.batch_id as batch, a.campaign_id as campaign, f.id as follow_up
          from attempts a join follow_ups f on f.attempt_id = a.id where a.phone = ${phones[0]}`,
    );
    const started = given(spans.find(({ name }) => name.endsWith("/start")));
    expect(started.attributes).toMatchObject({
      "outdial.batch.id": known?.["batch"],
      "outdial.campaign.id": known?.["campaign"],
      "http.response.status_code": expect.any(Number) as number,
      "server.address": "127.0.0.1",
    });
    const tended = given(spans.find(({ name }) => name === "RunActivity:tendFollowUp"));
    expect(tended.attributes).toMatchObject({
      "outdial.attempt.id": known?.["attempt"],
      "outdial.follow_up.id": known?.["follow_up"],
      temporalWorkflowId: expect.stringContaining(String(known?.["follow_up"])) as string,
    });
    // Two processes took part, and each says which of the two it is.
    expect(new Set(spans.map(({ resource }) => resource["service.instance.id"])).size).toBe(2);
    expect(new Set(spans.map(({ resource }) => resource["service.name"]))).toEqual(new Set(["outdial"]));
  });

  it("several people of several traces in one batch are linked, and each follow-up is in its person's own", async () => {
    // All of them wait for the same lines: they are planned together.
    const undo = stage.slowCalls();
    const people = phones.slice(1, 25);
    const traceOf = (index: number) => `${"ab".repeat(15)}${String(index).padStart(2, "0")}`;
    await Promise.all(
      people.map((phone, index) => deliver(phone, `00-${traceOf(index)}-${CALLER.spanId}-01`)),
    );
    undo();
    await untilAtRest(ledger, running, REST_BOUND_MS);
    const several = await firstRow<{ n: number }>(
      ledger.db,
      sql`select count(*)::int as n from batches where size > 1`,
    );
    expect(several?.n).toBeGreaterThan(0);
    await until(
      "each person's automation to be told in their trace",
      () => people.every((_, index) => ofTrace(traceOf(index)).some(({ name }) => name === EXECUTE)),
      REST_BOUND_MS,
    );
    const linked = otlp.spans.filter(
      ({ name, links }) => name === "RunActivity:createBatch" && links.length > 0,
    );
    expect(linked.length).toBeGreaterThan(0);
    for (const { links } of linked) {
      expect(links.length).toBeLessThanOrEqual(16);
      for (const { traceId } of links) expect(traceId.startsWith("abab")).toBe(true);
    }
  });

  it("a campaign of a list is called, followed and told in some lines", async () => {
    const spec = {
      name: "spring renewal",
      agent_id: "11111111-1111-4111-8111-111111111111",
      from_numbers: ["+12025550100"],
      window: "always",
      least_gap: "0s",
      concurrency: 3,
      follow_ups: [
        {
          id: "told",
          on: ["answered"],
          // Whoever answers this says what they were sent, and are not taken at their word.
          actions: [
            {
              webhook: {
                url: receiver.url,
                secret: "crm",
                data: { who: "variables.name" },
                retry: { max_tries: 2, delays: ["1s"] },
              },
            },
          ],
        },
      ],
    };
    receiver.answer = ({ body }, nth) =>
      nth % 3 === 0 ? { status: 500, body: `no, not ${body}` } : { status: 204 };
    const text = fs.readFileSync(stage.list(10), "utf8").replaceAll(/Contact \d+/g, PERSON);
    const api = openApi({ url: url(), token: API_TOKEN });
    await api.campaigns.create(spec, false);
    await uploadList(api, "spring renewal", stage.file("people.csv", text));
    await api.campaigns.start("spring renewal", { allowPartial: false });
    await untilAtRest(ledger, running, REST_BOUND_MS);
    await api.close();
    // From now on it takes whatever comes: what is tried again waits for minutes.
    receiver.answer = () => ({ status: 204 });
    const lines = logLines().filter(
      ({ campaign, level }) => campaign === "spring renewal" && level === "info",
    );
    expect(lines.length).toBeGreaterThanOrEqual(3);
    expect(lines.length).toBeLessThanOrEqual(16);
    // What batches of it said carries their ids, and where it is traced.
    const ofBatches = logLines().filter(({ batchId }) => batchId !== undefined);
    for (const line of ofBatches) expect(line).toHaveProperty("campaignId");
  });

  const logLines = (): Record<string, unknown>[] =>
    running.flatMap((one) =>
      `${one.stdout()}${one.stderr()}`
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    );

  it("no number, name, key or token is in logs, metrics, spans, histories, refusals, and no secret in the ledger", async () => {
    const dialed = stage.sandbox.dialLog.entries().map(({ phone }) => phone);
    // They were used where they belong, so that they could have gone elsewhere.
    expect(dialed.length).toBeGreaterThan(30);
    expect(dialed).toContain(phones[0]);
    expect(receiver.received.some(({ body }) => body.includes(PERSON))).toBe(true);
    const ledgerTexts = await wholeLedger(ledger);
    for (const one of [PERSON, CITY, given(phones[0])]) expect(ledgerTexts).toContain(one);
    expect(otlp.headers.every((headers) => headers["x-key"] === OTLP_KEY)).toBe(true);

    const refusals = await refusalsOf(url(), given(phones[0]));
    const places: Record<string, string> = {
      logs: running.map((one) => `${one.stdout()}${one.stderr()}`).join("\n"),
      metrics: (await Promise.all(metricPorts.map(expositionAt))).join("\n"),
      spans: otlp.bodies.join("\n"),
      histories: await allHistories(stage),
      refusals,
    };
    const key = given(settings["PLATFORM_API_KEY"]);
    const people = [PERSON, "Canarybird", CITY, ...new Set(dialed.map((phone) => phone.slice(1)))];
    for (const [place, text] of Object.entries(places)) {
      expect(text.length, `there is something to be searched in ${place}`).toBeGreaterThan(300);
      for (const canary of [...people, ...SECRETS, key])
        expect(text.includes(canary), `${canary.slice(0, 6)}... is in the ${place}`).toBe(false);
    }
    for (const secret of [...SECRETS, key])
      expect(ledgerTexts.includes(secret), `${secret.slice(0, 6)}... is in the ledger`).toBe(false);
  });

  it.each(["hang", "cut", "garbage", "refuse"] as const)(
    "a receiver of traces that would %s changes nothing of what is called",
    async (mood) => {
      otlp.mood = mood;
      const people = phones.slice(25 + 3 * MOODS.indexOf(mood), 28 + 3 * MOODS.indexOf(mood));
      const lostBefore = await lostSpans();
      await Promise.all(people.map((phone) => deliver(phone)));
      await untilAtRest(ledger, running, REST_BOUND_MS);
      const through = await firstRow<{ n: number }>(
        ledger.db,
        sql`select count(*)::int as n from enrolments
            where outcome = 'through' and phone in ${sql`(${sql.join(
              people.map((phone) => sql`${phone}`),
              sql`, `,
            )})`}`,
      );
      expect(through?.n).toBe(people.length);
      await expectEveryDialOnce(stage, ledger);
      // A 200 is taken for one, whatever it says.
      if (mood !== "garbage")
        await until("lost spans to be counted", async () => (await lostSpans()) > lostBefore, REST_BOUND_MS);
    },
  );

  async function lostSpans(): Promise<number> {
    const texts = await Promise.all(metricPorts.map(expositionAt));
    return texts
      .flatMap((text) =>
        ["no_room", "unanswered", "refused"].map(
          (result) => sumOf(readExposition(text), "outdial_trace_spans_total", { result }) ?? 0,
        ),
      )
      .reduce((sum, n) => sum + n, 0);
  }

  it("and both end well although it takes nothing", async () => {
    otlp.mood = "hang";
    for (const one of running) expect(await one.end(), one.stderr().slice(-2_000)).toBe(0);
  });
});

const EXECUTE = "POST /v1/workflows/{workflow_id}/execute";

/**
 * What a delivery leads to, once there was a call and what follows it. Whether a batch's items are read as well depends on
 * whether its follower heard of the end before.
 */
const EXPECTED = [
  "POST /v1/triggers/:name",
  "process delivery",
  "process enrolment",
  "RunActivity:createBatch",
  "POST /v1/batch-calls",
  "RunActivity:startBatch",
  "POST /v1/batch-calls/{batch_id}/start",
  "RunActivity:tendBatch",
  "process follow_up",
  "RunActivity:tendFollowUp",
  "RunActivity:performAction",
  EXECUTE,
];

const MOODS = ["hang", "cut", "garbage", "refuse"];
/** Of OTLP. */
const CLIENT = 3;

async function expositionAt(port: number): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

/** What the API says to whoever asks wrongly, with a person's number and secrets in what they send. */
async function refusalsOf(url: string, phone: string): Promise<string> {
  const asked: [string, string, Record<string, string>, string | undefined][] = [
    ["GET", "/v1/campaigns", { authorization: `Bearer ${API_TOKEN}x` }, undefined],
    ["GET", `/v1/campaigns/${encodeURIComponent(PERSON)}`, { authorization: "Basic none" }, undefined],
    ["POST", "/v1/triggers/signups", { "content-type": "application/json" }, JSON.stringify({ phone })],
    ["POST", "/v1/hooks/platform/wrong", { "content-type": "application/json" }, "{}"],
    ["GET", `/v1/nothing/${encodeURIComponent(phone)}`, {}, undefined],
  ];
  const texts: string[] = [];
  for (const [method, path, headers, body] of asked) {
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) });
    expect(answer.status, path).toBeGreaterThanOrEqual(400);
    texts.push(`${[...answer.headers].join("\n")}\n${await answer.text()}`);
  }
  return texts.join("\n");
}

/** Every row of every table, as text. */
async function wholeLedger(ledger: Ledger): Promise<string> {
  const tables = await rows<{ name: string }>(
    ledger.db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const found = await rows<{ row: string }>(
      ledger.db,
      sql`select t::text as row from ${sql.identifier(name)} t`,
    );
    texts.push(...found.map(({ row }) => row));
  }
  return texts.join("\n");
}

/** Every workflow's history, memo and search attributes, as text. */
async function allHistories({ temporal }: Stage): Promise<string> {
  const { connection, close } = await connectClients({ address: temporal.address });
  const client = clientOf(connection, temporal.namespace);
  const texts: string[] = [];
  for await (const { workflowId, runId } of client.workflow.list()) {
    const handle = client.workflow.getHandle(workflowId, runId);
    const [history, described] = await Promise.all([handle.fetchHistory(), handle.describe()]);
    texts.push(textsIn(history), textsIn(described.raw));
  }
  await close();
  expect(texts.length).toBeGreaterThan(60);
  return texts.join("\n");
}

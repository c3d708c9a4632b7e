/**
 * What each operation reads where a platform says `id` and `name` instead of the contract's names, or says nothing at
 * all of what was asked about. The table is written by hand and has every operation: a new one has to say what it reads.
 */
import { describe, expect, test } from "vitest";

import { endpoints, type EndpointName, isEndpointName, operationOf } from "../../src/platform/index.ts";
import { clientOf, json, startPlatform } from "./fake-platform.ts";

interface Reading {
  /** What a record that came as `{id: "own", name: "Own"}` is read as. */
  readonly named?: Readonly<Record<string, string>>;
  /** What a record is read as that says nothing of what was asked about: the request knows it. */
  readonly asked?: Readonly<Record<string, string>>;
  /** Lists in a record, whose rows came as `{id: "row", name: "Row"}`, and what those are read as. */
  readonly inside?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Names under which the rows of a list are seen, besides `items`. */
  readonly rowsUnder?: readonly string[];
}

/** An answer without a record of its own: a message, bytes, counts, or JSON that is handed on as it came. */
const NO_RECORD: Reading = {};

const AGENT: Reading = {
  named: { agent_id: "own", agent_name: "Own" },
  inside: {
    versions: { agent_name: "Row" },
    linked_workflows: { workflow_id: "row", workflow_name: "Row" },
  },
};
const CALL: Reading = {
  named: { call_id: "own" },
  inside: { workflow_executions: { execution_id: "row", id: "row" } },
};
const NUMBER: Reading = {
  named: { phone_number_id: "own" },
  inside: { sip_connections: { sip_connection_id: "row" }, dispatch_rules: { dispatch_rule_id: "row" } },
};
const SIP: Reading = { named: { sip_connection_id: "own" } };
const BATCH: Reading = { named: { batch_call_id: "own" } };
const ACTED: Reading = { asked: { batch_call_id: "asked-batch_id" } };
const WORKFLOW: Reading = { named: { workflow_id: "own" } };
const RUN: Reading = { named: { execution_id: "own" } };
const LINK: Reading = { asked: { workflow_id: "asked-workflow_id", agent_id: "asked-agent_id" } };
const SCHEDULE: Reading = { asked: { workflow_id: "asked-workflow_id" } };
const KEY: Reading = { named: { id: "own" } };
const SESSION: Reading = { named: { session_id: "own" }, inside: { messages: { message_id: "row" } } };
const BASE: Reading = { named: { id: "own" }, inside: { documents: { id: "row" } } };

const READINGS: Readonly<Record<EndpointName, Reading>> = {
  "agents.create": AGENT,
  "agents.get": AGENT,
  "agents.list": { ...AGENT, rowsUnder: ["agents"] },
  "agents.update": AGENT,
  "agents.delete": NO_RECORD,
  "agents.publish": AGENT,
  "agents.versions": { named: { agent_name: "Own" }, rowsUnder: ["versions"] },
  "agents.export": NO_RECORD,
  "agents.import": AGENT,
  "agents.linkWorkflow": NO_RECORD,
  "agents.unlinkWorkflow": NO_RECORD,
  "agents.workflows": { named: { workflow_id: "own", workflow_name: "Own" }, rowsUnder: ["workflows"] },
  "calls.phone": CALL,
  "calls.web": CALL,
  "calls.test": CALL,
  "calls.get": CALL,
  "calls.list": { ...CALL, rowsUnder: ["calls"] },
  "calls.end": NO_RECORD,
  "calls.delete": NO_RECORD,
  "calls.recording": NO_RECORD,
  "phoneNumbers.create": NUMBER,
  "phoneNumbers.get": NUMBER,
  "phoneNumbers.list": { ...NUMBER, rowsUnder: ["phone_numbers"] },
  "phoneNumbers.update": NUMBER,
  "phoneNumbers.delete": NO_RECORD,
  "phoneNumbers.setAgents": NUMBER,
  "sipConnections.create": SIP,
  "sipConnections.get": SIP,
  "sipConnections.list": { ...SIP, rowsUnder: ["sip_connections"] },
  "sipConnections.update": SIP,
  "sipConnections.delete": NO_RECORD,
  "dispatchRules.list": { named: { dispatch_rule_id: "own" }, rowsUnder: ["dispatch_rules"] },
  "batchCalls.create": BATCH,
  "batchCalls.get": BATCH,
  "batchCalls.list": { ...BATCH, rowsUnder: ["batch_calls"] },
  "batchCalls.active": { ...BATCH, rowsUnder: ["batch_calls"] },
  "batchCalls.items": { named: { item_id: "own" } },
  "batchCalls.delete": NO_RECORD,
  "batchCalls.start": ACTED,
  "batchCalls.pause": ACTED,
  "batchCalls.resume": ACTED,
  "batchCalls.cancel": ACTED,
  "workflows.create": WORKFLOW,
  "workflows.generate": WORKFLOW,
  "workflows.refine": WORKFLOW,
  "workflows.get": WORKFLOW,
  "workflows.list": { ...WORKFLOW, rowsUnder: ["workflows"] },
  "workflows.update": NO_RECORD,
  "workflows.delete": NO_RECORD,
  "workflows.restore": WORKFLOW,
  "workflows.setSecrets": NO_RECORD,
  "workflows.credentialSchema": { named: { credential_type: "Own" }, rowsUnder: ["credentials"] },
  "workflows.deploy": { asked: { workflow_id: "asked-workflow_id" } },
  "workflows.test": RUN,
  "workflows.execute": RUN,
  "workflows.executions": { ...RUN, rowsUnder: ["executions"] },
  "workflows.export": NO_RECORD,
  "workflows.import": WORKFLOW,
  "workflows.linkAgent": LINK,
  "workflows.updateAgentLink": LINK,
  "workflows.unlinkAgent": NO_RECORD,
  "workflows.agents": { named: { agent_id: "own", agent_name: "Own" }, rowsUnder: ["agents"] },
  "workflows.setSchedule": SCHEDULE,
  "workflows.schedule": SCHEDULE,
  "workflows.deleteSchedule": NO_RECORD,
  "workflows.schedules": { named: { workflow_id: "own" }, rowsUnder: ["scheduled_workflows", "schedules"] },
  "analytics.summary": NO_RECORD,
  "analytics.latency": NO_RECORD,
  "analytics.callsByDay": NO_RECORD,
  "billing.balance": NO_RECORD,
  "billing.check": NO_RECORD,
  "billing.transactions": { named: { id: "own" }, rowsUnder: ["entries"] },
  "billing.usage": { named: { id: "own" }, rowsUnder: ["events"] },
  "billing.usageSummary": NO_RECORD,
  "billing.usageDaily": NO_RECORD,
  "billing.callUsage": { asked: { call_id: "asked-call_id" } },
  "billing.pricing": NO_RECORD,
  "billing.estimate": NO_RECORD,
  "config.providers": NO_RECORD,
  "config.category": NO_RECORD,
  "config.defaults": NO_RECORD,
  "config.languages": { named: { code: "own", name: "Own" }, rowsUnder: ["languages"] },
  "knowledgeBases.create": BASE,
  "knowledgeBases.list": { ...BASE, rowsUnder: ["knowledge_bases"] },
  "knowledgeBases.get": BASE,
  "knowledgeBases.delete": NO_RECORD,
  "knowledgeBases.addDocument": { named: { id: "own" } },
  "knowledgeBases.deleteDocument": NO_RECORD,
  "apiKeys.create": KEY,
  "apiKeys.list": { ...KEY, rowsUnder: ["api_keys"] },
  "apiKeys.get": KEY,
  "apiKeys.update": KEY,
  "apiKeys.delete": NO_RECORD,
  "apiKeys.rotate": KEY,
  "apiKeys.usage": { named: { key_id: "own", key_name: "Own" } },
  "chat.create": SESSION,
  "chat.send": { asked: { session_id: "asked-id" } },
  "chat.test": SESSION,
  "chat.list": { ...SESSION, rowsUnder: ["sessions"] },
  "chat.get": SESSION,
  "chat.close": NO_RECORD,
};

/** What each operation that sends a body is asked with. */
const BODIES: Partial<Record<EndpointName, object>> = {
  "agents.create": { agent_name: "A" },
  "agents.import": { exported: true },
  "calls.phone": { agent_id: "a", from_number: "+12025550100", to_number: "+12025550101" },
  "calls.web": { agent_id: "a" },
  "calls.test": { agent_id: "a" },
  "phoneNumbers.create": { phone_number: "+12025550100" },
  "sipConnections.create": { termination_uri: "sip.example" },
  "batchCalls.create": {
    agent_id: "a",
    from_number: "+12025550100",
    contacts: [{ phone_number: "+12025550101" }],
  },
  "workflows.create": { name: "W", trigger_type: "post_call", workflow_json: {} },
  "workflows.generate": { name: "W", description: "words" },
  "workflows.refine": { feedback: "more" },
  "workflows.restore": { version: 1 },
  "workflows.import": { exported: true },
  "workflows.setSchedule": { interval_minutes: 5 },
  "workflows.setSecrets": { secrets: [{ key_name: "k", value: "v" }] },
  "knowledgeBases.create": { name: "K" },
  "apiKeys.create": { name: "Q" },
  "chat.create": { agent_id: "a" },
  "chat.send": { content: "Hello" },
  "chat.test": { agent_id: "a" },
};

/** Asks an operation, each path parameter being the text `asked-` and its name, and resolves with what was read. */
async function read(name: EndpointName, answer: unknown): Promise<unknown> {
  const { params, body, query } = operationOf(name);
  const named = Object.keys(params.shape).map((param) => [
    param,
    param === "category" ? "stt" : `asked-${param}`,
  ]);
  const platform = clientOf(await startPlatform((_, response) => json(response, 200, answer)));
  return await platform.send(name, {
    params: Object.fromEntries(named),
    ...(body === "multipart" && { file: { data: Buffer.of(1), filename: "a" } }),
    ...(body !== undefined && body !== "multipart" && { body: BODIES[name] ?? {} }),
    ...(name === "billing.check" && query !== undefined && { query: { amount: 1 } }),
  });
}

const names = Object.keys(endpoints).filter(isEndpointName);

/** A record as it is read alone, or as the first row of its list. */
function firstOf(found: unknown): unknown {
  const rows: unknown = Array.isArray(found) ? found : Reflect.get(Object(found), "items");
  return Array.isArray(rows) ? rows[0] : found;
}

/** The kinds of answers that are records or lists of them. */
const isList = (name: EndpointName) => ["page", "array"].includes(operationOf(name).answer.kind);

/** A record of any resource by the words of nobody in particular; `key` is what a new key must have. */
const OWN = { id: "own", name: "Own", key: "s3cret" };

describe("a record that says id and name", () => {
  const rows = names.filter((name) => READINGS[name].named !== undefined);

  test.each(rows)("%s is read under the names of the contract", async (name) => {
    const expected = READINGS[name].named;
    for (const record of [OWN, { ...OWN, ...nulled(expected) }]) {
      const answers = isList(name) ? [[record], { items: [record], total: 1 }] : [record];
      for (const answer of answers) expect(firstOf(await read(name, answer))).toMatchObject(expected ?? {});
    }
  });
});

/** The contract's names are there, and say nothing. */
function nulled(expected: Reading["named"]): Record<string, null> {
  const given = new Set(Object.keys(OWN));
  return Object.fromEntries(
    Object.keys(expected ?? {})
      .filter((name) => !given.has(name))
      .map((name) => [name, null]),
  );
}

describe("an answer that does not say what was asked about", () => {
  const rows = names.filter((name) => READINGS[name].asked !== undefined);

  test.each(rows)("%s is read as being about it", async (name) => {
    expect(await read(name, {})).toMatchObject(READINGS[name].asked ?? {});
    // An id alone may be the answer's own: of the link, of the operation.
    expect(await read(name, { id: "something-else" })).toMatchObject(READINGS[name].asked ?? {});
  });
});

describe("lists in a record", () => {
  const rows = names.filter((name) => READINGS[name].inside !== undefined);

  test.each(rows)(
    "%s are read under the names of the contract, and what is no record is left out",
    async (name) => {
      for (const [field, expected] of Object.entries(READINGS[name].inside ?? {})) {
        const record = { ...OWN, [field]: [{ id: "row", name: "Row", extra: { kept: [1] } }] };
        const found = firstOf(await read(name, isList(name) ? [record] : record));
        expect(found).toMatchObject({ [field]: [{ ...expected, extra: { kept: [1] } }] });
        if (field === "documents") continue;
        const odd = { ...OWN, [field]: ["word", null, 3, { name: null }] };
        const asOdd = firstOf(await read(name, isList(name) ? [odd] : odd));
        expect(asOdd).toMatchObject({ [field]: [{}] });
      }
    },
  );
});

describe("the rows of a list", () => {
  const rows = names.flatMap((name) =>
    (READINGS[name].rowsUnder ?? []).map((under) => [name, under] as const),
  );

  test.each(rows)("%s are found under %s", async (name, under) => {
    const found = await read(name, { total: 1, [under]: [OWN] });
    expect(firstOf(found)).toMatchObject(READINGS[name].named ?? {});
    expect(firstOf(await read(name, { total: 0, [under]: [] }))).toBeUndefined();
  });
});

test("an answer that has no record is handed on, whatever it calls itself", async () => {
  const kept = names.filter(
    (name) => READINGS[name] === NO_RECORD && operationOf(name).answer.kind === "object",
  );
  expect(kept.length).toBeGreaterThan(10);
  for (const name of kept) {
    expect([name, await read(name, { ...OWN, deep: { er: [1] } })]).toMatchObject([
      name,
      { ...OWN, deep: { er: [1] } },
    ]);
  }
});

test("a greeting is a message, by either name of its id, or its words alone", async () => {
  const message = { id: "m", role: "assistant", content: "Hello" };
  expect(await read("chat.create", { id: "s", greeting: message })).toMatchObject({
    greeting: { message_id: "m", content: "Hello" },
  });
  expect(await read("chat.create", { id: "s", greeting: "Hello" })).toMatchObject({
    greeting: { role: "assistant", content: "Hello" },
  });
  for (const none of [null, "", 7, []]) {
    expect(await read("chat.create", { id: "s", greeting: none })).toMatchObject({
      session_id: "s",
      greeting: undefined,
    });
  }
});

test("a chat's counters and times are read by either of their names", async () => {
  const counted = {
    tokens_in: "12",
    tokens_out: 30,
    message_count: 4,
    agent_reply_count: "2",
    started_at: "now",
  };
  expect(await read("chat.get", { id: "s", ...counted })).toMatchObject({
    total_tokens_in: 12,
    total_tokens_out: 30,
    message_count: 4,
    agent_reply_count: 2,
    started_at: "now",
  });
  expect(await read("chat.get", { id: "s", total_tokens_in: 1, tokens_in: 9 })).toMatchObject({
    total_tokens_in: 1,
  });
});

test("prices, pictures and sums are kept in whatever shape they came", async () => {
  for (const shape of [{ stt: { openai: 0.1 } }, [{ service: "stt" }], "see the page", null]) {
    const prices = { voice_call_pricing: shape, service_pricing: shape, credit_config: shape };
    expect(await read("billing.pricing", prices)).toEqual(prices);
    expect(await read("workflows.refine", { id: "w", visualization: shape })).toMatchObject({
      visualization: shape,
    });
    const call = { id: "c", call_cost: shape, call_summary: shape, call_sentiment: shape };
    expect(await read("calls.get", call)).toMatchObject({ ...call, call_id: "c" });
    expect(await read("billing.usageSummary", { period: shape, breakdown: shape })).toMatchObject({
      period: shape,
    });
  }
});

describe("a filter that the contract does not name", () => {
  async function asked(name: EndpointName, query: object): Promise<Record<string, string>> {
    const server = await startPlatform((_, response) => json(response, 200, []));
    await clientOf(server).send(name, { query });
    return server.seen[0]?.query ?? {};
  }

  test("is sent under each name that is seen", async () => {
    expect(await asked("billing.transactions", { transaction_type: "usage" })).toEqual({
      transaction_type: "usage",
      type: "usage",
    });
    expect(await asked("billing.usage", { event_type: "llm", days: 7 })).toEqual({
      event_type: "llm",
      type: "llm",
      days: "7",
    });
    const period = { start_date: "2026-01-01", end_date: "2026-02-01T00:00:00Z" };
    expect(await asked("billing.transactions", period)).toEqual(period);
    expect(await asked("billing.usage", {})).toEqual({});
  });

  test("is sent with the amount of a check, which a platform that ignored it would call covered", async () => {
    const server = await startPlatform((_, response) => json(response, 200, { sufficient: true }));
    await clientOf(server).billing.check(2.5);
    expect(server.seen[0]?.query).toEqual({ amount: "2.5", required: "2.5" });
  });
});

/**
 * What published clients of the platform read where its contract names no fields: a request, and the fields that its
 * answer has to have. Written down by hand; nothing here is taken from the sandbox's own schemas.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { createSandbox } from "../../src/sandbox/sandbox.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { ask, CALLER_ID, eventually, phone, PUBLISHED_AGENT } from "./support.ts";

const KINDS = {
  text: z.string().min(1),
  "text?": z.string().nullable(),
  time: z.iso.datetime(),
  "time?": z.iso.datetime().nullable(),
  number: z.number(),
  "number?": z.number().nullable(),
  flag: z.boolean(),
  object: z.record(z.string(), z.unknown()),
  "object?": z.record(z.string(), z.unknown()).nullable(),
  /** Text by text, nothing null. */
  texts: z.record(z.string(), z.string()),
  /** Numbers by name. */
  numbers: z.record(z.string(), z.number()),
  list: z.array(z.unknown()),
  /** Records, one at least. */
  records: z.array(z.record(z.string(), z.unknown())).min(1),
} as const;

type Kind = keyof typeof KINDS;

interface Row {
  readonly ask: readonly [method: string, path: string, body?: unknown];
  /** Where in the answer the fields are; at its top without. A number is a row of a list. */
  readonly at?: readonly (string | number)[];
  readonly has: Readonly<Record<string, Kind>>;
}

const kind = (all: Kind, ...names: readonly string[]): Record<string, Kind> =>
  Object.fromEntries(names.map((name) => [name, all]));

const EVENT = {
  ...kind("text", "id", "organization_id", "event_type", "reference_id", "reference_type"),
  ...kind("text?", "provider", "model"),
  price_usd: "number",
  created_at: "time",
} as const;

const SESSION = {
  ...kind("text", "session_id", "id", "organization_id", "agent_id", "channel_type", "status"),
  ...kind("number", "agent_version", "message_count", "agent_reply_count"),
  ...kind("number", "total_tokens_in", "total_tokens_out"),
  external_user_key: "text?",
  ...kind("time", "started_at", "last_message_at", "created_at"),
  closed_at: "time?",
  greeting: "object?",
} as const;

const LINK = {
  ...kind("text", "id", "workflow_id", "workflow_name", "trigger_type"),
  trigger_condition_description: "text?",
  priority: "number",
  is_enabled: "flag",
  execution_mode_override: "text?",
} as const;

const WORKFLOW = {
  ...kind("text", "workflow_id", "name", "trigger_type", "status", "execution_mode"),
  webhook_slug: "text?",
  deployed_at: "time?",
  last_executed_at: "time?",
} as const;

const WORKFLOW_DETAIL = {
  ...WORKFLOW,
  original_description: "text?",
  detected_credentials: "list",
  generation_history: "records",
  visualization: "object",
  workflow_json: "object",
} as const;

const SCHEDULE = {
  ...kind("text", "workflow_id", "trigger_type", "next_run"),
  is_scheduled: "flag",
  ...kind("object?", "trigger_config", "job_details"),
} as const;

const ROWS: Readonly<Record<string, Row>> = {
  "the balance": {
    ask: ["GET", "/v1/billing/balance"],
    has: {
      ...kind("number", "current_balance", "total_credits_added", "total_credits_used"),
      organization_id: "text",
    },
  },
  "a check of the balance": {
    ask: ["GET", "/v1/billing/balance/check?required=2.5"],
    has: { sufficient: "flag", ...kind("number", "balance", "required", "min_balance", "shortfall") },
  },
  "the ledger": {
    ask: ["GET", "/v1/billing/transactions"],
    has: { entries: "records", ...kind("number", "total", "limit", "offset") },
  },
  "an entry of the ledger": {
    ask: ["GET", "/v1/billing/transactions?type=usage"],
    at: ["entries", 0],
    has: {
      ...kind("text", "id", "organization_id", "transaction_type", "description"),
      ...kind("number", "amount_usd", "balance_before", "balance_after"),
      ...kind("text?", "reference_id", "reference_type"),
      metadata: "object",
      created_at: "time",
    },
  },
  "an event of usage": { ask: ["GET", "/v1/billing/usage"], at: ["events", 0], has: EVENT },
  "a summary of usage": {
    ask: ["GET", "/v1/billing/usage/summary"],
    has: {
      organization_id: "text",
      period: "texts",
      ...kind("number", "total_events", "total_price_usd"),
      breakdown: "object",
    },
  },
  "a day of usage": {
    ask: ["GET", "/v1/billing/usage/daily"],
    at: [0],
    has: { date: "text", ...kind("number", "event_count", "total_price_usd") },
  },
  "the usage of a call": {
    ask: ["GET", "/v1/billing/usage/calls/$call"],
    has: { call_id: "text", events: "records", total_price_usd: "number" },
  },
  "the usage of a call, asked at the other route": {
    ask: ["GET", "/v1/billing/usage/call/$call"],
    has: { call_id: "text", events: "records", total_price_usd: "number" },
  },
  "an event of a call": { ask: ["GET", "/v1/billing/usage/calls/$call"], at: ["events", 0], has: EVENT },
  prices: {
    ask: ["GET", "/v1/billing/pricing"],
    has: kind("object", "voice_call_pricing", "service_pricing", "credit_config"),
  },
  "an estimate for a voice agent": {
    ask: ["POST", "/v1/billing/pricing/estimate", { agent_type: "voice_agent" }],
    has: {
      ...kind("number", "total_per_minute", "post_call_analytics_per_execution"),
      pricing_type: "text",
      components: "numbers",
    },
  },
  "a chat session that opens": {
    ask: ["POST", "/v1/chat/sessions", { agent_id: PUBLISHED_AGENT }],
    has: { ...SESSION, greeting: "object" },
  },
  "a greeting": {
    ask: ["POST", "/v1/chat/sessions", { agent_id: PUBLISHED_AGENT }],
    at: ["greeting"],
    has: { message_id: "text", role: "text", content: "text", created_at: "time" },
  },
  "a chat session in the list": { ask: ["GET", "/v1/chat/sessions"], at: ["items", 0], has: SESSION },
  "a chat session alone": {
    ask: ["GET", "/v1/chat/sessions/$session"],
    has: { ...SESSION, dynamic_variables: "texts", session_metadata: "object", messages: "records" },
  },
  "a message of a chat": {
    ask: ["GET", "/v1/chat/sessions/$session"],
    at: ["messages", 0],
    has: {
      ...kind("text", "message_id", "role", "content"),
      tool_calls: "list",
      ...kind("number", "tokens_in", "tokens_out"),
      created_at: "time",
    },
  },
  "a reply": {
    ask: ["POST", "/v1/chat/sessions/$session/messages", { content: "How much is it?" }],
    has: {
      ...kind("text", "session_id", "assistant_content", "user_message_id", "assistant_message_id"),
      tool_calls: "list",
      ...kind("number", "tokens_in", "tokens_out"),
      session_closed: "flag",
      close_reason: "text?",
    },
  },
  "a chat session that is closed": {
    ask: ["POST", "/v1/chat/sessions/$closing/close"],
    has: { session_id: "text", status: "text" },
  },
  "an automation that was created": {
    ask: ["POST", "/v1/workflows", { name: "One", trigger_type: "webhook", workflow_json: { nodes: [] } }],
    has: kind("text", "workflow_id", "name", "trigger_type", "status", "message"),
  },
  "an automation that was generated": {
    ask: ["POST", "/v1/workflows/generate", { name: "Two", description: "Post to Slack" }],
    has: {
      workflow_id: "text",
      workflow_json: "object",
      required_secrets: "records",
      visualization: "object",
    },
  },
  "an automation in the list": { ask: ["GET", "/v1/workflows"], at: ["items", 0], has: WORKFLOW },
  "an automation that others set off": {
    ask: ["GET", "/v1/workflows/$webhook"],
    has: {
      ...WORKFLOW_DETAIL,
      ...kind("text", "webhook_slug", "original_description"),
      ...kind("time", "deployed_at", "last_executed_at"),
    },
  },
  "an automation that nobody sets off from outside": {
    ask: ["GET", "/v1/workflows/$scheduled"],
    has: WORKFLOW_DETAIL,
  },
  "a run": {
    ask: ["GET", "/v1/workflows/$webhook/executions?page=1&per_page=1"],
    at: ["items", 0],
    has: {
      ...kind("text", "execution_id", "workflow_id", "trigger_type", "trigger_source", "status"),
      call_id: "text?",
      n8n_execution_id: "text?",
      ...kind("object?", "input_snapshot", "output_data"),
      ...kind("text?", "error_message", "error_stack"),
      execution_time_ms: "number?",
      retry_count: "number",
      is_retry: "flag",
      started_at: "time",
      completed_at: "time?",
    },
  },
  "what an agent is linked to": { ask: ["GET", "/v1/agents/$agent/workflows"], at: [0], has: LINK },
  "what an agent is linked to, asked from the other side": {
    ask: ["GET", "/v1/workflows/by-agent/$agent"],
    at: [0],
    has: LINK,
  },
  "the links in an agent": { ask: ["GET", "/v1/agents/$agent"], at: ["linked_workflows", 0], has: LINK },
  "the links of an agent in the list": {
    ask: ["GET", "/v1/agents?skip=2"],
    at: ["items", 0, "linked_workflows", 0],
    has: LINK,
  },
  "a kind of credential": {
    ask: ["GET", "/v1/workflows/credential-schema/slackApi"],
    has: { credential_type: "text", fields: "records", source: "text" },
  },
  "a field of a credential": {
    ask: ["GET", "/v1/workflows/credential-schema/smtp"],
    at: ["fields", 0],
    has: { ...kind("text", "name", "type", "description"), required: "flag", default: "text?" },
  },
  "the schedules": { ask: ["GET", "/v1/workflows/schedules"], at: [0], has: SCHEDULE },
  "the schedules, asked at the other route": {
    ask: ["GET", "/v1/workflows/schedules/all"],
    has: { total: "number", scheduled_workflows: "records" },
  },
  "a schedule of the other route": {
    ask: ["GET", "/v1/workflows/schedules/all"],
    at: ["scheduled_workflows", 0],
    has: SCHEDULE,
  },
  "a change of an automation": {
    ask: ["PATCH", "/v1/workflows/$scheduled", { description: "Every hour" }],
    has: { status: "text" },
  },
  "a new key": {
    ask: ["POST", "/v1/api-keys", { name: "one" }],
    has: { ...kind("text", "id", "name", "key", "key_prefix", "message"), scopes: "list", is_active: "flag" },
  },
  "a key in the place of another": {
    ask: ["POST", "/v1/api-keys/$key/rotate"],
    has: kind("text", "id", "key", "message"),
  },
  "the use of a key": {
    ask: ["GET", "/v1/api-keys/$key/usage"],
    has: { ...kind("text", "key_id", "key_name", "key_prefix"), total_requests: "number" },
  },
  "a rule for inbound calls": {
    ask: ["GET", "/v1/phone-numbers/$number/dispatch-rules"],
    at: [0],
    has: {
      ...kind("text", "dispatch_rule_id", "name", "rule_type", "agent_id"),
      ...kind("text?", "room_name", "room_prefix"),
      priority: "number",
    },
  },
  "the agents of a number, put instead of patched": {
    ask: ["PUT", "/v1/phone-numbers/$number/agents", { outbound_agent_id: PUBLISHED_AGENT }],
    has: kind("text", "phone_number_id", "inbound_agent_id", "outbound_agent_id"),
  },
  "a call in the list": {
    ask: ["GET", "/v1/calls?status=ended&from_date=2020-01-01T00:00:00Z"],
    at: ["items", 0],
    has: {
      ...kind("text", "call_id", "call_type", "status", "agent_id", "agent_name", "from_number", "to_number"),
      duration_seconds: "number",
      ...kind("time", "start_time", "created_at"),
    },
  },
};

let world: { readonly sandbox: Sandbox; readonly names: Readonly<Record<string, string>> } | undefined;

const record = z.record(z.string(), z.unknown());

/** A world in which each record of the table is there once. */
async function populate(sandbox: Sandbox): Promise<Record<string, string>> {
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await ask(sandbox, method, path, body);
    expect([method, path, answer.status < 300, answer.body]).toMatchObject([method, path, true, {}]);
    return record.parse(answer.body);
  };
  const idOf = async (field: string, ...request: Parameters<typeof send>) =>
    z.string().parse((await send(...request))[field]);
  const make = async (name: string, trigger: string) =>
    await idOf("workflow_id", "POST", "/v1/workflows", {
      name,
      trigger_type: trigger,
      description: `${name}, in words`,
      workflow_json: { nodes: [] },
    });
  const [webhook, scheduled] = [await make("Hook", "webhook"), await make("Hourly", "schedule")];
  await send("POST", `/v1/workflows/${webhook}/deploy`);
  await send("POST", `/v1/workflows/${webhook}/execute`, { execution_mode: "sync" });
  await send("POST", `/v1/workflows/${scheduled}/schedule`, { interval_minutes: 60 });
  const agent = await idOf("agent_id", "POST", "/v1/agents", { name: "Linked" });
  await send("POST", `/v1/agents/${agent}/workflows/${webhook}`, { priority: 3 });
  sandbox.outcomes.force(phone(1), [{ outcome: "answered", talk_ms: 30_000 }]);
  const call = await idOf("call_id", "POST", "/v1/calls/phone", {
    agent_id: PUBLISHED_AGENT,
    from_number: CALLER_ID,
    to_number: phone(1),
  });
  await eventually(async () => {
    expect((await send("GET", `/v1/calls/${call}`))["status"]).toBe("ended");
  });
  const session = await idOf("id", "POST", "/v1/chat/sessions", { agent_id: PUBLISHED_AGENT });
  const closing = await idOf("id", "POST", "/v1/chat/sessions", { agent_id: PUBLISHED_AGENT });
  const key = await idOf("id", "POST", "/v1/api-keys", { name: "spare" });
  const number = await idOf("phone_number_id", "POST", "/v1/phone-numbers", {
    phone_number: phone(900),
    inbound_agent_id: PUBLISHED_AGENT,
  });
  return { webhook, scheduled, agent, call, session, closing, key, number };
}

beforeAll(async () => {
  const sandbox = await createSandbox({ speed: 10_000 });
  world = { sandbox, names: await populate(sandbox) };
});

afterAll(async () => {
  await world?.sandbox.close();
});

function inside(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((found, step) => Reflect.get(Object(found), step), value);
}

describe("published clients find", () => {
  test.each(Object.entries(ROWS))("%s", async (_, { ask: [method, path, body], at = [], has }) => {
    if (world === undefined) {
      throw new Error("no world");
    }
    const { sandbox, names } = world;
    const asked = path.replaceAll(/\$(\w+)/g, (_whole, name: string) => names[name] ?? "");
    const answer = await ask(sandbox, method, asked, body);
    expect([answer.status, answer.body]).toMatchObject([answer.status < 300 ? answer.status : 200, {}]);
    const found = record.parse(inside(answer.body, at));
    const wrong = Object.entries(has).filter(([name, one]) => !KINDS[one].safeParse(found[name]).success);
    expect(Object.fromEntries(wrong.map(([name]) => [name, found[name] ?? "missing"]))).toEqual({});
  });
});

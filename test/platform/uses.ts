import type { EndpointName, Platform } from "../../src/platform/index.ts";
import { A_BATCH } from "./fake-platform.ts";

/** One use of an operation: what is called, and what must then be on the wire. */
export interface Use {
  readonly use: (platform: Platform) => Promise<unknown>;
  /** `METHOD /path?query`, written out by hand from the contract. */
  readonly line: string;
  /** The JSON that is sent; undefined where there is no body. */
  readonly body?: unknown;
  /** An answer that satisfies the operation. Default: an empty object. */
  readonly answer?: unknown;
}

const link = {
  trigger_condition_description: "when angry",
  priority: 2,
  execution_mode_override: "sync",
} as const;
const number = { nickname: "front desk", provider: "twilio", inbound_agent_id: "a1" };
const sip = {
  termination_uri: "sip:carrier.example",
  username: "u",
  password: "p",
  transport: "TLS",
} as const;
const workflow = { name: "w", trigger_type: "webhook", workflow_json: { nodes: [] } } as const;
const period = { from_date: "2026-01-01", to_date: "2026-02-01T00:00:00Z" };
const periodLine = "from_date=2026-01-01&to_date=2026-02-01T00%3A00%3A00Z";

export const uses: Record<EndpointName, Use> = {
  "agents.create": {
    use: (p) => p.agents.create({ agent_name: "Ann", temperature: 0.2, language: "en-US" }),
    line: "POST /v1/agents",
    body: { name: "Ann", temperature: 0.2, language: "en-US" },
    answer: { agent_id: "a1" },
  },
  "agents.get": { use: (p) => p.agents.get("a1"), line: "GET /v1/agents/a1", answer: { agent_id: "a1" } },
  "agents.list": {
    use: (p) => p.agents.list({ skip: 50, limit: 50 }),
    line: "GET /v1/agents?skip=50&limit=50",
    answer: [],
  },
  "agents.update": {
    use: (p) => p.agents.update("a1", { agent_name: "Bob" }),
    line: "PATCH /v1/agents/a1",
    body: { name: "Bob" },
    answer: { agent_id: "a1" },
  },
  "agents.delete": { use: (p) => p.agents.delete("a1"), line: "DELETE /v1/agents/a1" },
  "agents.publish": {
    use: (p) => p.agents.publish("a1", { version: 3 }),
    line: "POST /v1/agents/a1/publish?version=3",
    answer: { agent_id: "a1" },
  },
  "agents.versions": { use: (p) => p.agents.versions("a1"), line: "GET /v1/agents/a1/versions", answer: [] },
  "agents.export": { use: (p) => p.agents.export("a1"), line: "GET /v1/agents/a1/export" },
  "agents.import": {
    use: (p) => p.agents.import({ name: "Ann", anything: [1] }),
    line: "POST /v1/agents/import",
    body: { name: "Ann", anything: [1] },
    answer: { agent_id: "a2" },
  },
  "agents.linkWorkflow": {
    use: (p) => p.agents.linkWorkflow("a1", "w1", link),
    line: "POST /v1/agents/a1/workflows/w1",
    body: link,
  },
  "agents.unlinkWorkflow": {
    use: (p) => p.agents.unlinkWorkflow("a1", "w1"),
    line: "DELETE /v1/agents/a1/workflows/w1",
  },
  "agents.workflows": {
    use: (p) => p.agents.workflows("a1"),
    line: "GET /v1/agents/a1/workflows",
    answer: [],
  },

  "calls.phone": {
    use: (p) =>
      p.calls.phone({
        agent_id: "a1",
        from_number: "+12025550100",
        to_number: "+12025550123",
        metadata: { n: 1 },
      }),
    line: "POST /v1/calls/phone",
    body: { agent_id: "a1", from_number: "+12025550100", to_number: "+12025550123", metadata: { n: 1 } },
    answer: { call_id: "c1" },
  },
  "calls.web": {
    use: (p) => p.calls.web({ agent_id: "a1", dynamic_variables: { name: "Ann" } }),
    line: "POST /v1/calls/web",
    body: { agent_id: "a1", dynamic_variables: { name: "Ann" } },
    answer: { call_id: "c1" },
  },
  "calls.test": {
    use: (p) => p.calls.test({ agent_id: "a1", temp_config: { temperature: 0 } }),
    line: "POST /v1/calls/test",
    body: { agent_id: "a1", temp_config: { temperature: 0 } },
    answer: { call_id: "c1" },
  },
  "calls.get": { use: (p) => p.calls.get("c1"), line: "GET /v1/calls/c1", answer: { call_id: "c1" } },
  "calls.list": {
    use: (p) =>
      p.calls.list({
        skip: 1,
        limit: 2,
        agent_id: "a1",
        status: "ended",
        call_type: "phone",
        batch_call_id: "none",
        ...period,
      }),
    line: `GET /v1/calls?skip=1&limit=2&agent_id=a1&status=ended&call_type=phone&batch_call_id=none&${periodLine}`,
    answer: [],
  },
  "calls.end": { use: (p) => p.calls.end("c1"), line: "POST /v1/calls/c1/end" },
  "calls.delete": { use: (p) => p.calls.delete("c1"), line: "DELETE /v1/calls/c1" },
  "calls.recording": {
    use: async (p) => (await p.calls.recording("c1")).body.resume(),
    line: "GET /v1/calls/c1/recording",
  },

  "phoneNumbers.create": {
    use: (p) => p.phoneNumbers.create({ phone_number: "+12025550100", ...number }),
    line: "POST /v1/phone-numbers",
    body: { phone_number: "+12025550100", ...number },
    answer: { id: "n1" },
  },
  "phoneNumbers.get": {
    use: (p) => p.phoneNumbers.get("n1"),
    line: "GET /v1/phone-numbers/n1",
    answer: { id: "n1" },
  },
  "phoneNumbers.list": {
    use: (p) => p.phoneNumbers.list({ skip: 0 }),
    line: "GET /v1/phone-numbers?skip=0",
    answer: [],
  },
  "phoneNumbers.update": {
    use: (p) =>
      p.phoneNumbers.update("n1", {
        ...number,
        allowed_inbound_countries: ["TR"],
        inbound_webhook_url: null,
      }),
    line: "PATCH /v1/phone-numbers/n1",
    body: { ...number, allowed_inbound_countries: ["TR"], inbound_webhook_url: null },
    answer: { id: "n1" },
  },
  "phoneNumbers.delete": { use: (p) => p.phoneNumbers.delete("n1"), line: "DELETE /v1/phone-numbers/n1" },
  "phoneNumbers.setAgents": {
    use: (p) => p.phoneNumbers.setAgents("n1", { outbound_agent_id: "a2", inbound_agent_id: null }),
    line: "PATCH /v1/phone-numbers/n1/agents",
    body: { outbound_agent_id: "a2", inbound_agent_id: null },
    answer: { id: "n1" },
  },
  "sipConnections.create": {
    use: (p) => p.sipConnections.create("n1", sip),
    line: "POST /v1/phone-numbers/n1/sip-connections",
    body: sip,
    answer: { id: "s1" },
  },
  "sipConnections.get": {
    use: (p) => p.sipConnections.get("n1", "s1"),
    line: "GET /v1/phone-numbers/n1/sip-connections/s1",
    answer: { id: "s1" },
  },
  "sipConnections.list": {
    use: (p) => p.sipConnections.list("n1"),
    line: "GET /v1/phone-numbers/n1/sip-connections",
    answer: [],
  },
  "sipConnections.update": {
    use: (p) => p.sipConnections.update("n1", "s1", { connection_type: "both" }),
    line: "PATCH /v1/phone-numbers/n1/sip-connections/s1",
    body: { connection_type: "both" },
    answer: { id: "s1" },
  },
  "sipConnections.delete": {
    use: (p) => p.sipConnections.delete("n1", "s1"),
    line: "DELETE /v1/phone-numbers/n1/sip-connections/s1",
  },
  "dispatchRules.list": {
    use: (p) => p.dispatchRules.list("n1"),
    line: "GET /v1/phone-numbers/n1/dispatch-rules",
    answer: [],
  },

  "batchCalls.create": {
    use: (p) => p.batchCalls.create(A_BATCH),
    line: "POST /v1/batch-calls",
    body: A_BATCH,
    answer: { id: "b1" },
  },
  "batchCalls.get": {
    use: (p) => p.batchCalls.get("b1"),
    line: "GET /v1/batch-calls/b1",
    answer: { id: "b1" },
  },
  "batchCalls.list": {
    use: (p) => p.batchCalls.list({ skip: 5, limit: 7 }),
    line: "GET /v1/batch-calls?skip=5&limit=7",
    answer: [],
  },
  "batchCalls.active": { use: (p) => p.batchCalls.active(), line: "GET /v1/batch-calls/active", answer: [] },
  "batchCalls.items": {
    use: (p) => p.batchCalls.items("b1", { limit: 1000, status: "pending" }),
    line: "GET /v1/batch-calls/b1/items?limit=1000&status=pending",
    answer: [],
  },
  "batchCalls.delete": { use: (p) => p.batchCalls.delete("b1"), line: "DELETE /v1/batch-calls/b1" },
  "batchCalls.start": { use: (p) => p.batchCalls.start("b1"), line: "POST /v1/batch-calls/b1/start" },
  "batchCalls.pause": { use: (p) => p.batchCalls.pause("b1"), line: "POST /v1/batch-calls/b1/pause" },
  "batchCalls.resume": { use: (p) => p.batchCalls.resume("b1"), line: "POST /v1/batch-calls/b1/resume" },
  "batchCalls.cancel": { use: (p) => p.batchCalls.cancel("b1"), line: "POST /v1/batch-calls/b1/cancel" },

  "workflows.create": {
    use: (p) => p.workflows.create({ ...workflow, timeout_seconds: 300, execution_mode: "async" }),
    line: "POST /v1/workflows",
    body: { ...workflow, timeout_seconds: 300, execution_mode: "async" },
    answer: { workflow_id: "w1" },
  },
  "workflows.generate": {
    use: (p) => p.workflows.generate({ name: "w", description: "mail me", trigger_type: "post_call" }),
    line: "POST /v1/workflows/generate",
    body: { name: "w", description: "mail me", trigger_type: "post_call" },
    answer: { workflow_id: "w1" },
  },
  "workflows.refine": {
    use: (p) => p.workflows.refine("w1", "shorter"),
    line: "POST /v1/workflows/w1/refine",
    body: { feedback: "shorter" },
    answer: { workflow_id: "w1" },
  },
  "workflows.get": { use: (p) => p.workflows.get("w1"), line: "GET /v1/workflows/w1", answer: { id: "w1" } },
  "workflows.list": {
    use: (p) =>
      p.workflows.list({
        trigger_type: "schedule",
        status: "active",
        agent_id: "a1",
        include_deleted: true,
        page: 2,
        per_page: 9,
      }),
    line: "GET /v1/workflows?trigger_type=schedule&status=active&agent_id=a1&include_deleted=true&page=2&per_page=9",
    answer: [],
  },
  "workflows.update": {
    use: (p) => p.workflows.update("w1", { is_active: false, status: "paused" }),
    line: "PATCH /v1/workflows/w1",
    body: { is_active: false, status: "paused" },
    answer: { status: "updated" },
  },
  "workflows.delete": { use: (p) => p.workflows.delete("w1"), line: "DELETE /v1/workflows/w1" },
  "workflows.restore": {
    use: (p) => p.workflows.restore("w1", 2),
    line: "POST /v1/workflows/w1/restore",
    body: { version: 2 },
    answer: { id: "w1" },
  },
  "workflows.setSecrets": {
    use: (p) =>
      p.workflows.setSecrets("w1", {
        secrets: [{ key_name: "k", value: "v", type: "pem" }],
        validate_credentials: true,
      }),
    line: "POST /v1/workflows/w1/secrets",
    body: { secrets: [{ key_name: "k", value: "v", type: "pem" }], validate_credentials: true },
  },
  "workflows.credentialSchema": {
    use: (p) => p.workflows.credentialSchema("w1"),
    line: "GET /v1/workflows/w1/credential-schema",
    answer: [],
  },
  "workflows.deploy": { use: (p) => p.workflows.deploy("w1"), line: "POST /v1/workflows/w1/deploy" },
  "workflows.test": { use: (p) => p.workflows.test("w1"), line: "POST /v1/workflows/w1/test" },
  "workflows.execute": {
    use: (p) => p.workflows.execute("w1", { context_data: { a: 1 }, execution_mode: "sync" }),
    line: "POST /v1/workflows/w1/execute",
    body: { context_data: { a: 1 }, execution_mode: "sync" },
  },
  "workflows.executions": {
    use: (p) => p.workflows.executions("w1", { skip: 3, limit: 4, status: "failed" }),
    line: "GET /v1/workflows/w1/executions?skip=3&limit=4&status=failed",
    answer: [],
  },
  "workflows.export": { use: (p) => p.workflows.export("w1"), line: "GET /v1/workflows/w1/export" },
  "workflows.import": {
    use: (p) => p.workflows.import({ workflow_json: {} }),
    line: "POST /v1/workflows/import",
    body: { workflow_json: {} },
    answer: { id: "w2" },
  },
  "workflows.linkAgent": {
    use: (p) => p.workflows.linkAgent("w1", "a1", link),
    line: "POST /v1/workflows/w1/agents/a1",
    body: link,
  },
  "workflows.updateAgentLink": {
    use: (p) => p.workflows.updateAgentLink("w1", "a1", { is_enabled: false, priority: 1 }),
    line: "PATCH /v1/workflows/w1/agents/a1",
    body: { is_enabled: false, priority: 1 },
  },
  "workflows.unlinkAgent": {
    use: (p) => p.workflows.unlinkAgent("w1", "a1"),
    line: "DELETE /v1/workflows/w1/agents/a1",
  },
  "workflows.agents": {
    use: (p) => p.workflows.agents("w1"),
    line: "GET /v1/workflows/w1/agents",
    answer: [],
  },
  "workflows.setSchedule": {
    use: (p) => p.workflows.setSchedule("w1", { cron: "0 9 * * 1-5", timezone: "Europe/Berlin" }),
    line: "POST /v1/workflows/w1/schedule",
    body: { cron: "0 9 * * 1-5", timezone: "Europe/Berlin" },
  },
  "workflows.schedule": { use: (p) => p.workflows.schedule("w1"), line: "GET /v1/workflows/w1/schedule" },
  "workflows.deleteSchedule": {
    use: (p) => p.workflows.deleteSchedule("w1"),
    line: "DELETE /v1/workflows/w1/schedule",
  },
  "workflows.schedules": {
    use: (p) => p.workflows.schedules(),
    line: "GET /v1/workflows/schedules",
    answer: [],
  },

  "analytics.summary": {
    use: (p) => p.analytics.summary({ ...period, agent_id: "a1" }),
    line: `GET /v1/analytics/summary?${periodLine}&agent_id=a1`,
  },
  "analytics.latency": { use: (p) => p.analytics.latency(), line: "GET /v1/analytics/latency" },
  "analytics.callsByDay": {
    use: (p) => p.analytics.callsByDay({ agent_id: "a1" }),
    line: "GET /v1/analytics/calls-by-day?agent_id=a1",
    answer: [],
  },

  "billing.balance": { use: (p) => p.billing.balance(), line: "GET /v1/billing/balance" },
  "billing.check": {
    use: (p) => p.billing.check(2.5),
    line: "GET /v1/billing/balance/check?amount=2.5&required=2.5",
  },
  "billing.transactions": {
    use: (p) => p.billing.transactions({ limit: 10, offset: 20, transaction_type: "topup" }),
    line: "GET /v1/billing/transactions?limit=10&offset=20&transaction_type=topup&type=topup",
    answer: { entries: [], total: 0 },
  },
  "billing.usage": {
    use: (p) => p.billing.usage({ offset: 5, event_type: "llm" }),
    line: "GET /v1/billing/usage?offset=5&event_type=llm&type=llm",
    answer: { events: [], total: 0 },
  },
  "billing.usageSummary": {
    use: (p) => p.billing.usageSummary(period),
    line: `GET /v1/billing/usage/summary?${periodLine}`,
  },
  "billing.usageDaily": {
    use: (p) => p.billing.usageDaily(period),
    line: `GET /v1/billing/usage/daily?${periodLine}`,
    answer: [],
  },
  "billing.callUsage": { use: (p) => p.billing.callUsage("c1"), line: "GET /v1/billing/usage/calls/c1" },
  "billing.pricing": { use: (p) => p.billing.pricing(), line: "GET /v1/billing/pricing" },
  "billing.estimate": {
    use: (p) => p.billing.estimate({ agent_type: "realtime_agent", realtime_model: "m" }),
    line: "POST /v1/billing/pricing/estimate",
    body: { agent_type: "realtime_agent", realtime_model: "m" },
  },

  "config.providers": { use: (p) => p.config.providers(), line: "GET /v1/config/providers" },
  "config.category": { use: (p) => p.config.category("tts"), line: "GET /v1/config/providers/tts" },
  "config.defaults": { use: (p) => p.config.defaults(), line: "GET /v1/config/defaults" },
  "config.languages": { use: (p) => p.config.languages(), line: "GET /v1/config/languages", answer: [] },

  "knowledgeBases.create": {
    use: (p) => p.knowledgeBases.create({ name: "prices", description: "" }),
    line: "POST /v1/knowledge-bases",
    body: { name: "prices", description: "" },
    answer: { id: "k1" },
  },
  "knowledgeBases.list": { use: (p) => p.knowledgeBases.list(), line: "GET /v1/knowledge-bases", answer: [] },
  "knowledgeBases.get": {
    use: (p) => p.knowledgeBases.get("k1"),
    line: "GET /v1/knowledge-bases/k1",
    answer: { id: "k1" },
  },
  "knowledgeBases.delete": {
    use: (p) => p.knowledgeBases.delete("k1"),
    line: "DELETE /v1/knowledge-bases/k1",
  },
  "knowledgeBases.addDocument": {
    use: (p) => p.knowledgeBases.addDocument("k1", { data: Buffer.from("text"), filename: "a.txt" }),
    line: "POST /v1/knowledge-bases/k1/documents",
  },
  "knowledgeBases.deleteDocument": {
    use: (p) => p.knowledgeBases.deleteDocument("k1", "d1"),
    line: "DELETE /v1/knowledge-bases/k1/documents/d1",
  },

  "apiKeys.create": {
    use: (p) =>
      p.apiKeys.create({
        name: "ci",
        scopes: ["calls:read"],
        expires_in_days: 730,
        rate_limit_tier: "free",
        ip_allowlist: ["10.0.0.0/8"],
      }),
    line: "POST /v1/api-keys",
    body: {
      name: "ci",
      scopes: ["calls:read"],
      expires_in_days: 730,
      rate_limit_tier: "free",
      ip_allowlist: ["10.0.0.0/8"],
    },
    answer: { id: "q1", key: "secret" },
  },
  "apiKeys.list": {
    use: (p) => p.apiKeys.list({ include_inactive: true }),
    line: "GET /v1/api-keys?include_inactive=true",
    answer: [],
  },
  "apiKeys.get": { use: (p) => p.apiKeys.get("q1"), line: "GET /v1/api-keys/q1", answer: { id: "q1" } },
  "apiKeys.update": {
    use: (p) => p.apiKeys.update("q1", { is_active: false }),
    line: "PATCH /v1/api-keys/q1",
    body: { is_active: false },
    answer: { id: "q1" },
  },
  "apiKeys.delete": { use: (p) => p.apiKeys.delete("q1"), line: "DELETE /v1/api-keys/q1" },
  "apiKeys.rotate": {
    use: (p) => p.apiKeys.rotate("q1"),
    line: "POST /v1/api-keys/q1/rotate",
    body: {},
    answer: { id: "q1", key: "secret" },
  },
  "apiKeys.usage": { use: (p) => p.apiKeys.usage("q1"), line: "GET /v1/api-keys/q1/usage" },

  "chat.create": {
    use: (p) =>
      p.chat.create({ agent_id: "a1", transport: "livekit", channel_type: "api", external_user_key: "u1" }),
    line: "POST /v1/chat/sessions",
    body: { agent_id: "a1", transport: "livekit", channel_type: "api", external_user_key: "u1" },
    answer: { id: "h1" },
  },
  "chat.send": {
    use: (p) => p.chat.send("h1", "hello"),
    line: "POST /v1/chat/sessions/h1/messages",
    body: { content: "hello" },
  },
  "chat.test": {
    use: (p) => p.chat.test({ agent_id: "a1", temp_config: {} }),
    line: "POST /v1/chat/test",
    body: { agent_id: "a1", temp_config: {} },
    answer: { id: "h1" },
  },
  "chat.list": {
    use: (p) => p.chat.list({ limit: 5, status: "closed", channel_type: "api" }),
    line: "GET /v1/chat/sessions?limit=5&status=closed&channel_type=api",
    answer: [],
  },
  "chat.get": { use: (p) => p.chat.get("h1"), line: "GET /v1/chat/sessions/h1", answer: { id: "h1" } },
  "chat.close": { use: (p) => p.chat.close("h1"), line: "POST /v1/chat/sessions/h1/close" },
};

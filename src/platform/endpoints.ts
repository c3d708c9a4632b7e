/** One operation of the platform, a row of contract section 4. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly route: `/v1/${string}`;
  /**
   * A read changes nothing on the platform, whatever its method; a write may. Only a read may be sent
   * again when it is not known whether the platform has acted on it.
   */
  readonly access: "read" | "write";
  /** It ends calls, or keeps some from beginning: it is not held back (limiter.ts). */
  readonly atOnce?: true;
  /** Another route that some deployments serve the same operation under (forms.ts says when it is asked). */
  readonly alternate?: `/v1/${string}`;
}

/**
 * Every operation this client speaks, keyed by the method of `Platform` that sends it; in the contract's
 * order, with the contract's names of path parameters.
 */
export const endpoints = {
  // 4.1 Agents
  "agents.create": { method: "POST", route: "/v1/agents", access: "write" },
  "agents.get": { method: "GET", route: "/v1/agents/{agent_id}", access: "read" },
  "agents.list": { method: "GET", route: "/v1/agents", access: "read" },
  "agents.update": { method: "PATCH", route: "/v1/agents/{agent_id}", access: "write" },
  "agents.delete": { method: "DELETE", route: "/v1/agents/{agent_id}", access: "write" },
  "agents.publish": { method: "POST", route: "/v1/agents/{agent_id}/publish", access: "write" },
  "agents.versions": { method: "GET", route: "/v1/agents/{agent_id}/versions", access: "read" },
  "agents.export": { method: "GET", route: "/v1/agents/{agent_id}/export", access: "read" },
  "agents.import": { method: "POST", route: "/v1/agents/import", access: "write" },
  "agents.linkWorkflow": {
    method: "POST",
    route: "/v1/agents/{agent_id}/workflows/{workflow_id}",
    access: "write",
  },
  "agents.unlinkWorkflow": {
    method: "DELETE",
    route: "/v1/agents/{agent_id}/workflows/{workflow_id}",
    access: "write",
  },
  "agents.workflows": { method: "GET", route: "/v1/agents/{agent_id}/workflows", access: "read" },

  // 4.2 Calls
  "calls.phone": { method: "POST", route: "/v1/calls/phone", access: "write" },
  "calls.web": { method: "POST", route: "/v1/calls/web", access: "write" },
  "calls.test": { method: "POST", route: "/v1/calls/test", access: "write" },
  "calls.get": { method: "GET", route: "/v1/calls/{call_id}", access: "read" },
  "calls.list": { method: "GET", route: "/v1/calls", access: "read" },
  "calls.end": { method: "POST", route: "/v1/calls/{call_id}/end", access: "write", atOnce: true },
  "calls.delete": { method: "DELETE", route: "/v1/calls/{call_id}", access: "write" },
  "calls.recording": { method: "GET", route: "/v1/calls/{call_id}/recording", access: "read" },

  // 4.3 Phone numbers
  "phoneNumbers.create": { method: "POST", route: "/v1/phone-numbers", access: "write" },
  "phoneNumbers.get": { method: "GET", route: "/v1/phone-numbers/{id}", access: "read" },
  "phoneNumbers.list": { method: "GET", route: "/v1/phone-numbers", access: "read" },
  "phoneNumbers.update": { method: "PATCH", route: "/v1/phone-numbers/{id}", access: "write" },
  "phoneNumbers.delete": { method: "DELETE", route: "/v1/phone-numbers/{id}", access: "write" },
  "phoneNumbers.setAgents": { method: "PATCH", route: "/v1/phone-numbers/{id}/agents", access: "write" },
  "sipConnections.create": {
    method: "POST",
    route: "/v1/phone-numbers/{id}/sip-connections",
    access: "write",
  },
  "sipConnections.get": {
    method: "GET",
    route: "/v1/phone-numbers/{id}/sip-connections/{connection_id}",
    access: "read",
  },
  "sipConnections.list": { method: "GET", route: "/v1/phone-numbers/{id}/sip-connections", access: "read" },
  "sipConnections.update": {
    method: "PATCH",
    route: "/v1/phone-numbers/{id}/sip-connections/{connection_id}",
    access: "write",
  },
  "sipConnections.delete": {
    method: "DELETE",
    route: "/v1/phone-numbers/{id}/sip-connections/{connection_id}",
    access: "write",
  },
  "dispatchRules.list": { method: "GET", route: "/v1/phone-numbers/{id}/dispatch-rules", access: "read" },

  // 4.4 Batch calls
  "batchCalls.create": { method: "POST", route: "/v1/batch-calls", access: "write" },
  "batchCalls.get": { method: "GET", route: "/v1/batch-calls/{batch_id}", access: "read" },
  "batchCalls.list": { method: "GET", route: "/v1/batch-calls", access: "read" },
  "batchCalls.active": { method: "GET", route: "/v1/batch-calls/active", access: "read" },
  "batchCalls.items": { method: "GET", route: "/v1/batch-calls/{batch_id}/items", access: "read" },
  "batchCalls.delete": {
    method: "DELETE",
    route: "/v1/batch-calls/{batch_id}",
    access: "write",
    atOnce: true,
  },
  "batchCalls.start": { method: "POST", route: "/v1/batch-calls/{batch_id}/start", access: "write" },
  "batchCalls.pause": {
    method: "POST",
    route: "/v1/batch-calls/{batch_id}/pause",
    access: "write",
    atOnce: true,
  },
  "batchCalls.resume": { method: "POST", route: "/v1/batch-calls/{batch_id}/resume", access: "write" },
  "batchCalls.cancel": {
    method: "POST",
    route: "/v1/batch-calls/{batch_id}/cancel",
    access: "write",
    atOnce: true,
  },

  // 4.5 Workflows
  "workflows.create": {
    method: "POST",
    route: "/v1/workflows",
    access: "write",
    alternate: "/v1/workflows/",
  },
  "workflows.generate": { method: "POST", route: "/v1/workflows/generate", access: "write" },
  "workflows.refine": { method: "POST", route: "/v1/workflows/{workflow_id}/refine", access: "write" },
  "workflows.get": { method: "GET", route: "/v1/workflows/{workflow_id}", access: "read" },
  "workflows.list": { method: "GET", route: "/v1/workflows", access: "read", alternate: "/v1/workflows/" },
  "workflows.update": { method: "PATCH", route: "/v1/workflows/{workflow_id}", access: "write" },
  "workflows.delete": { method: "DELETE", route: "/v1/workflows/{workflow_id}", access: "write" },
  "workflows.restore": { method: "POST", route: "/v1/workflows/{workflow_id}/restore", access: "write" },
  "workflows.setSecrets": { method: "POST", route: "/v1/workflows/{workflow_id}/secrets", access: "write" },
  "workflows.credentialSchema": {
    method: "GET",
    route: "/v1/workflows/{workflow_id}/credential-schema",
    access: "read",
  },
  "workflows.deploy": { method: "POST", route: "/v1/workflows/{workflow_id}/deploy", access: "write" },
  "workflows.test": { method: "POST", route: "/v1/workflows/{workflow_id}/test", access: "write" },
  "workflows.execute": { method: "POST", route: "/v1/workflows/{workflow_id}/execute", access: "write" },
  "workflows.executions": { method: "GET", route: "/v1/workflows/{workflow_id}/executions", access: "read" },
  "workflows.export": { method: "GET", route: "/v1/workflows/{workflow_id}/export", access: "read" },
  "workflows.import": { method: "POST", route: "/v1/workflows/import", access: "write" },
  "workflows.linkAgent": {
    method: "POST",
    route: "/v1/workflows/{workflow_id}/agents/{agent_id}",
    access: "write",
  },
  "workflows.updateAgentLink": {
    method: "PATCH",
    route: "/v1/workflows/{workflow_id}/agents/{agent_id}",
    access: "write",
  },
  "workflows.unlinkAgent": {
    method: "DELETE",
    route: "/v1/workflows/{workflow_id}/agents/{agent_id}",
    access: "write",
  },
  "workflows.agents": { method: "GET", route: "/v1/workflows/{workflow_id}/agents", access: "read" },
  "workflows.setSchedule": { method: "POST", route: "/v1/workflows/{workflow_id}/schedule", access: "write" },
  "workflows.schedule": { method: "GET", route: "/v1/workflows/{workflow_id}/schedule", access: "read" },
  "workflows.deleteSchedule": {
    method: "DELETE",
    route: "/v1/workflows/{workflow_id}/schedule",
    access: "write",
  },
  "workflows.schedules": {
    method: "GET",
    route: "/v1/workflows/schedules",
    access: "read",
    alternate: "/v1/workflows/schedules/all",
  },

  // 4.6 Analytics
  "analytics.summary": { method: "GET", route: "/v1/analytics/summary", access: "read" },
  "analytics.latency": { method: "GET", route: "/v1/analytics/latency", access: "read" },
  "analytics.callsByDay": { method: "GET", route: "/v1/analytics/calls-by-day", access: "read" },

  // 4.7 Billing
  "billing.balance": { method: "GET", route: "/v1/billing/balance", access: "read" },
  "billing.check": { method: "GET", route: "/v1/billing/balance/check", access: "read" },
  "billing.transactions": { method: "GET", route: "/v1/billing/transactions", access: "read" },
  "billing.usage": { method: "GET", route: "/v1/billing/usage", access: "read" },
  "billing.usageSummary": { method: "GET", route: "/v1/billing/usage/summary", access: "read" },
  "billing.usageDaily": { method: "GET", route: "/v1/billing/usage/daily", access: "read" },
  "billing.callUsage": { method: "GET", route: "/v1/billing/usage/calls/{call_id}", access: "read" },
  "billing.pricing": { method: "GET", route: "/v1/billing/pricing", access: "read" },
  "billing.estimate": { method: "POST", route: "/v1/billing/pricing/estimate", access: "read" },

  // 4.8 Config
  "config.providers": { method: "GET", route: "/v1/config/providers", access: "read" },
  "config.category": { method: "GET", route: "/v1/config/providers/{category}", access: "read" },
  "config.defaults": { method: "GET", route: "/v1/config/defaults", access: "read" },
  "config.languages": { method: "GET", route: "/v1/config/languages", access: "read" },

  // 4.9 Knowledge bases
  "knowledgeBases.create": { method: "POST", route: "/v1/knowledge-bases", access: "write" },
  "knowledgeBases.list": { method: "GET", route: "/v1/knowledge-bases", access: "read" },
  "knowledgeBases.get": { method: "GET", route: "/v1/knowledge-bases/{kb_id}", access: "read" },
  "knowledgeBases.delete": { method: "DELETE", route: "/v1/knowledge-bases/{kb_id}", access: "write" },
  "knowledgeBases.addDocument": {
    method: "POST",
    route: "/v1/knowledge-bases/{kb_id}/documents",
    access: "write",
  },
  "knowledgeBases.deleteDocument": {
    method: "DELETE",
    route: "/v1/knowledge-bases/{kb_id}/documents/{document_id}",
    access: "write",
  },

  // 4.10 API keys
  "apiKeys.create": { method: "POST", route: "/v1/api-keys", access: "write" },
  "apiKeys.list": { method: "GET", route: "/v1/api-keys", access: "read" },
  "apiKeys.get": { method: "GET", route: "/v1/api-keys/{key_id}", access: "read" },
  "apiKeys.update": { method: "PATCH", route: "/v1/api-keys/{key_id}", access: "write" },
  "apiKeys.delete": { method: "DELETE", route: "/v1/api-keys/{key_id}", access: "write" },
  "apiKeys.rotate": { method: "POST", route: "/v1/api-keys/{key_id}/rotate", access: "write" },
  "apiKeys.usage": { method: "GET", route: "/v1/api-keys/{key_id}/usage", access: "read" },

  // 4.11 Chat sessions
  "chat.create": { method: "POST", route: "/v1/chat/sessions", access: "write" },
  "chat.send": { method: "POST", route: "/v1/chat/sessions/{id}/messages", access: "write" },
  // Not in the contract's table, which says that they exist; paths as the platform's published clients use them.
  "chat.test": { method: "POST", route: "/v1/chat/test", access: "write" },
  "chat.list": { method: "GET", route: "/v1/chat/sessions", access: "read" },
  "chat.get": { method: "GET", route: "/v1/chat/sessions/{id}", access: "read" },
  "chat.close": { method: "POST", route: "/v1/chat/sessions/{id}/close", access: "write" },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;

type ParamsIn<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsIn<Rest>
  : never;

/** The path parameters that an operation needs: a missing or misspelt one is a type error. */
export type RouteParams<Name extends EndpointName> = Readonly<
  Record<ParamsIn<(typeof endpoints)[Name]["route"]>, string>
>;

/**
 * Every operation of the platform, written down by hand from the contract's section 4, row by row and in its order.
 * Nothing here is derived from the client or the sandbox: both are held against it.
 */
export interface Row {
  readonly section: string;
  /** Method and path, as the contract writes them. */
  readonly row: string;
}

const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  "4.1": [
    "POST /v1/agents",
    "GET /v1/agents/{agent_id}",
    "GET /v1/agents",
    "PATCH /v1/agents/{agent_id}",
    "DELETE /v1/agents/{agent_id}",
    "POST /v1/agents/{agent_id}/publish",
    "GET /v1/agents/{agent_id}/versions",
    "GET /v1/agents/{agent_id}/export",
    "POST /v1/agents/import",
    "POST /v1/agents/{agent_id}/workflows/{workflow_id}",
    "DELETE /v1/agents/{agent_id}/workflows/{workflow_id}",
    "GET /v1/agents/{agent_id}/workflows",
  ],
  "4.2": [
    "POST /v1/calls/phone",
    "POST /v1/calls/web",
    "POST /v1/calls/test",
    "GET /v1/calls/{call_id}",
    "GET /v1/calls",
    "POST /v1/calls/{call_id}/end",
    "DELETE /v1/calls/{call_id}",
    "GET /v1/calls/{call_id}/recording",
  ],
  "4.3": [
    "POST /v1/phone-numbers",
    "GET /v1/phone-numbers/{id}",
    "GET /v1/phone-numbers",
    "PATCH /v1/phone-numbers/{id}",
    "DELETE /v1/phone-numbers/{id}",
    "PATCH /v1/phone-numbers/{id}/agents",
    "POST /v1/phone-numbers/{id}/sip-connections",
    "GET /v1/phone-numbers/{id}/sip-connections/{connection_id}",
    "GET /v1/phone-numbers/{id}/sip-connections",
    "PATCH /v1/phone-numbers/{id}/sip-connections/{connection_id}",
    "DELETE /v1/phone-numbers/{id}/sip-connections/{connection_id}",
    "GET /v1/phone-numbers/{id}/dispatch-rules",
  ],
  "4.4": [
    "POST /v1/batch-calls",
    "GET /v1/batch-calls/{batch_id}",
    "GET /v1/batch-calls",
    "GET /v1/batch-calls/active",
    "GET /v1/batch-calls/{batch_id}/items",
    "DELETE /v1/batch-calls/{batch_id}",
    // One row of the contract for four operations.
    "POST /v1/batch-calls/{batch_id}/start",
    "POST /v1/batch-calls/{batch_id}/pause",
    "POST /v1/batch-calls/{batch_id}/resume",
    "POST /v1/batch-calls/{batch_id}/cancel",
  ],
  "4.5": [
    "POST /v1/workflows",
    "POST /v1/workflows/generate",
    "POST /v1/workflows/{workflow_id}/refine",
    "GET /v1/workflows/{workflow_id}",
    "GET /v1/workflows",
    "PATCH /v1/workflows/{workflow_id}",
    "DELETE /v1/workflows/{workflow_id}",
    "POST /v1/workflows/{workflow_id}/restore",
    "POST /v1/workflows/{workflow_id}/secrets",
    "GET /v1/workflows/{workflow_id}/credential-schema",
    "POST /v1/workflows/{workflow_id}/deploy",
    "POST /v1/workflows/{workflow_id}/test",
    "POST /v1/workflows/{workflow_id}/execute",
    "GET /v1/workflows/{workflow_id}/executions",
    "GET /v1/workflows/{workflow_id}/export",
    "POST /v1/workflows/import",
    "POST /v1/workflows/{workflow_id}/agents/{agent_id}",
    "PATCH /v1/workflows/{workflow_id}/agents/{agent_id}",
    "DELETE /v1/workflows/{workflow_id}/agents/{agent_id}",
    "GET /v1/workflows/{workflow_id}/agents",
    "POST /v1/workflows/{workflow_id}/schedule",
    "GET /v1/workflows/{workflow_id}/schedule",
    "DELETE /v1/workflows/{workflow_id}/schedule",
    "GET /v1/workflows/schedules",
  ],
  "4.6": ["GET /v1/analytics/summary", "GET /v1/analytics/latency", "GET /v1/analytics/calls-by-day"],
  "4.7": [
    "GET /v1/billing/balance",
    "GET /v1/billing/balance/check",
    "GET /v1/billing/transactions",
    "GET /v1/billing/usage",
    "GET /v1/billing/usage/summary",
    "GET /v1/billing/usage/daily",
    "GET /v1/billing/usage/calls/{call_id}",
    "GET /v1/billing/pricing",
    "POST /v1/billing/pricing/estimate",
  ],
  "4.8": [
    "GET /v1/config/providers",
    "GET /v1/config/providers/{category}",
    "GET /v1/config/defaults",
    "GET /v1/config/languages",
  ],
  "4.9": [
    "POST /v1/knowledge-bases",
    "GET /v1/knowledge-bases",
    "GET /v1/knowledge-bases/{kb_id}",
    "DELETE /v1/knowledge-bases/{kb_id}",
    "POST /v1/knowledge-bases/{kb_id}/documents",
    "DELETE /v1/knowledge-bases/{kb_id}/documents/{document_id}",
  ],
  "4.10": [
    "POST /v1/api-keys",
    "GET /v1/api-keys",
    "GET /v1/api-keys/{key_id}",
    "PATCH /v1/api-keys/{key_id}",
    "DELETE /v1/api-keys/{key_id}",
    "POST /v1/api-keys/{key_id}/rotate",
    "GET /v1/api-keys/{key_id}/usage",
  ],
  "4.11": ["POST /v1/chat/sessions", "POST /v1/chat/sessions/{id}/messages"],
};

/** The contract says of these that they exist, and shows no path; published clients use these. */
const EXTRA_ROWS = [
  "POST /v1/chat/test",
  "GET /v1/chat/sessions",
  "GET /v1/chat/sessions/{id}",
  "POST /v1/chat/sessions/{id}/close",
] as const;

export const rows: readonly Row[] = [
  ...Object.entries(SECTIONS).flatMap(([section, lines]) => lines.map((row) => ({ section, row }))),
  ...EXTRA_ROWS.map((row) => ({ section: "4.11", row })),
];

/** The other paths and methods with which published clients are seen to ask for the same (a trailing slash aside). */
export const ALTERNATE_ROWS: readonly string[] = [
  "GET /v1/workflows/schedules/all",
  "GET /v1/workflows/by-agent/{agent_id}",
  "GET /v1/workflows/credential-schema/{type}",
  "PUT /v1/phone-numbers/{id}/agents",
  "GET /v1/billing/usage/call/{call_id}",
];

/** A row without the names of its parameters, which client and sandbox choose for themselves. */
export function nameless(row: string): string {
  return row.replaceAll(/\{\w+\}|:\w+/g, "{}");
}

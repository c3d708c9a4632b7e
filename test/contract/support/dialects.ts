import type { Reshaping } from "./reshaping-proxy.ts";

/** The named ids, each of which also arrives as `id` (a record's own, not those that it refers to). */
const OWN_IDS = [
  "item_id",
  "call_id",
  "batch_call_id",
  "sip_connection_id",
  "dispatch_rule_id",
  "phone_number_id",
  "execution_id",
  "workflow_id",
  "session_id",
  "agent_id",
];

type Fields = Record<string, unknown>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The records of an answer, each replaced: it is one, or a list of them, or an envelope. */
function eachRecord(value: unknown, change: (record: Fields) => Fields): unknown {
  if (Array.isArray(value)) return value.map((row) => (isRecord(row) ? change(row) : row));
  if (!isRecord(value)) return value;
  for (const name of ["items", "entries", "events"]) {
    const rows = value[name];
    if (Array.isArray(rows) && "total" in value) return { ...value, [name]: eachRecord(rows, change) };
  }
  return change(value);
}

/** The name of a record's own id: the first that it has, an item's before its call's, a call's before its agent's. */
const ownIdOf = (record: Fields) => OWN_IDS.find((name) => typeof record[name] === "string");

function idAsId(record: Fields): Fields {
  const name = ownIdOf(record);
  if (name === undefined || "id" in record) return record;
  const { [name]: id, agent_name: agentName, ...rest } = record;
  return {
    id,
    ...rest,
    ...(name === "agent_id" && { name: agentName }),
    ...(name !== "agent_id" && agentName !== undefined && { agent_name: agentName }),
  };
}

/** Fields on which nobody who drives campaigns may depend. */
const COSMETIC = [
  "created_at",
  "updated_at",
  "agent_name",
  "agent_type",
  "agent_mode",
  "description",
  "versions",
  "linked_workflows",
  "published_version",
  "nickname",
  "provider",
  "inbound_agent_id",
  "outbound_agent_id",
  "progress_percent",
  "counts",
  "processed",
  "name",
  "call_type",
  "access_token",
  "room_name",
  "room_url",
  "recording_url",
  "call_analysis",
  "call_summary",
  "call_sentiment",
  "latency_metrics",
  "workflow_executions",
  "transcript",
  "call_cost",
  "total_credits_added",
  "total_credits_used",
];

const nullOf = (record: Fields): Fields =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, COSMETIC.includes(name) ? null : value]),
  );

const without = (record: Fields): Fields =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !COSMETIC.includes(name)));

/** The other ways in which the platform is seen to speak, each with what its answers then are. */
export const dialects: Readonly<Record<string, Reshaping>> = {
  "ids as id, an agent's name as name": { body: (value) => eachRecord(value, idAsId) },
  "bare arrays instead of envelopes": {
    body: (value) => (isRecord(value) && Array.isArray(value["items"]) ? value["items"] : value),
  },
  "everything under /api": { prefix: "/api" },
  "a slash at the end where workflows are created and listed": { slashes: true },
  "nulls wherever the engine does not decide by the field": {
    body: (value) => eachRecord(value, nullOf),
    withheld: COSMETIC,
  },
  "no field that the engine does not decide by": {
    body: (value) => eachRecord(value, without),
    withheld: COSMETIC,
  },
  "fields that nobody knows, in every record": {
    body: (value) =>
      eachRecord(value, (record) => ({
        ...record,
        tenant: { region: "eu", shards: [1, 2] },
        _links: [],
        is_beta: null,
      })),
  },
  "numbers as texts": {
    body: (value) =>
      eachRecord(value, (record) =>
        Object.fromEntries(
          Object.entries(record).map(([name, field]) => [
            name,
            typeof field === "number" && !["version", "published_version", "agent_version"].includes(name)
              ? String(field)
              : field,
          ]),
        ),
      ),
  },
  "204 for deletes and actions": { silent: true },
};

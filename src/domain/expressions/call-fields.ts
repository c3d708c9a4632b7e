/*
 * What expressions know of a call, wherever they stand: rules over what it came to, follow-ups, and `last_call` of
 * sequences. One list, so that a condition means the same in all of them.
 */

export type FieldKind = "text" | "number" | "flag" | "map";

/** The fields of a call by the kind of their values. None of them is ever missing, but for keys of `analysis`. */
export const CALL_FIELDS = {
  call_id: "text",
  /** The platform's word for the call, in lower case with underscores; where that is not known, its item's. */
  status: "text",
  direction: "text",
  /** The how manieth call to the contact, from 1. */
  attempt: "number",
  duration_seconds: "number",
  /** What the platform says went wrong. */
  error: "text",
  /** What it came to. In rules that decide that: what the tables alone say. */
  disposition: "text",
  /** What decided. */
  reason: "text",
  started_at: "text",
  ended_at: "text",
  /** Whether the platform has processed it: without that the three below are empty. */
  processed: "flag",
  analysis: "map",
  summary: "text",
  /** Lines of its transcript. */
  transcript_length: "number",
} as const satisfies Record<string, FieldKind>;

export type CallField = keyof typeof CALL_FIELDS;

export const CALL_FIELD_NAMES: readonly string[] = Object.keys(CALL_FIELDS);

/** Those that are there only once the platform has processed the call: who asks for one waits for that. */
export const PROCESSED_FIELDS: ReadonlySet<string> = new Set<CallField>([
  "processed",
  "analysis",
  "summary",
  "transcript_length",
]);

/** Those that the call itself has to be looked at for: what is said of it in the batch's items does not hold them. */
export const LISTED_FIELDS: ReadonlySet<string> = new Set<CallField>([
  "status",
  "duration_seconds",
  "direction",
]);

/** Further fields of the platform's own record of a call (contract 2.3), which follow-ups may read. */
export const PLATFORM_CALL_FIELDS: readonly string[] = [
  "call_type",
  "agent_id",
  "agent_name",
  "from_number",
  "to_number",
  "batch_call_id",
  "start_time",
  "end_time",
  "created_at",
  "transcript",
  "recording_url",
  "call_analysis",
  "call_summary",
  "call_sentiment",
  "call_cost",
  "latency_metrics",
  "processing_status",
  "workflow_executions",
  "metadata",
  "dynamic_variables",
];

export function kindOfCallField(name: string): FieldKind | undefined {
  return Object.hasOwn(CALL_FIELDS, name) ? CALL_FIELDS[name as CallField] : undefined;
}

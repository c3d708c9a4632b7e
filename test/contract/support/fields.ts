/** The names of answers' fields, word by word as the contract's section 2 lists them. */
const split = (names: string): readonly string[] => names.split(", ");

/** 2.2 */
export const AGENT = split(
  "agent_id, agent_name, description, is_published, published_version, agent_type, agent_mode, created_at, " +
    "updated_at, versions, linked_workflows",
);

/** 2.3 */
export const CALL = split(
  "call_id, call_type, status, agent_id, from_number, to_number, access_token, room_name, room_url, start_time, " +
    "end_time, duration_seconds, transcript, recording_url, call_analysis, call_summary, call_sentiment, call_cost, " +
    "latency_metrics, processing_status, workflow_executions, created_at",
);

/** As published clients show a CallListItem; the contract names no fields of it. */
export const CALL_LIST_ITEM = split(
  "call_id, call_type, status, agent_id, agent_name, from_number, to_number, duration_seconds, start_time, created_at",
);

/** 2.4 */
export const PHONE_NUMBER = split(
  "phone_number_id, phone_number, nickname, provider, inbound_agent_id, outbound_agent_id, status, created_at",
);
export const PHONE_NUMBER_DETAIL = [
  ...PHONE_NUMBER,
  ...split("sip_connections, dispatch_rules, inbound_agent_name, outbound_agent_name"),
  ...split("allowed_inbound_countries, allowed_outbound_countries"),
];
export const SIP_CONNECTION = split(
  "sip_connection_id, phone_number_id, termination_uri, username, nickname, connection_type, transport, " +
    "livekit_trunk_id, sync_status, sync_error, created_at, updated_at",
);
/** As published clients show it. */
export const DISPATCH_RULE = split(
  "dispatch_rule_id, name, rule_type, room_name, room_prefix, agent_id, priority",
);

/** 2.5 */
export const BATCH_STATUS = split(
  "batch_call_id, name, status, total, pending, active, completed, failed, processed, counts, progress_percent, " +
    "started_at, completed_at",
);
export const BATCH_ITEM = split(
  "item_id, phone_number, status, attempt_count, call_id, error_message, started_at, completed_at",
);

/** 2.6 */
export const WORKFLOW_DETAIL = split(
  "workflow_id, workflow_json, detected_credentials, generation_history, n8n_workflow_id, created_at, updated_at",
);
export const GENERATED = split("workflow_id, workflow_json, required_secrets, visualization");
export const DEPLOYED = split("status, workflow_id, n8n_workflow_id, error");
export const EXECUTED = split("status, execution_id, execution_time_ms, output, error");
/** "status, timing, error details, input and output snapshots", by the names of published clients. */
export const EXECUTION = split(
  "execution_id, status, execution_time_ms, started_at, completed_at, error_message, input_snapshot, output_data",
);
export const LINK = split("trigger_condition_description, priority, execution_mode_override, is_enabled");
export const CREDENTIAL = split("credential_type, fields, source");
export const SCHEDULE = split(
  "workflow_id, is_scheduled, trigger_type, trigger_config, next_run, job_details",
);

/** 2.7 */
export const KNOWLEDGE_BASE = split("id, name, description");
export const DOCUMENT = split("id, filename, file_type, file_size_bytes, status, chunk_count, created_at");

/** 2.8 */
export const API_KEY = split("key_prefix, name, scopes, rate_limit_tier, ip_allowlist, is_active");
export const API_KEY_USAGE = split(
  "total_requests, last_used_at, last_used_ip, rate_limit_tier, rate_limits, is_active, expires_at",
);

/** 2.9 */
export const ANALYTICS_SUMMARY = split(
  "total_calls, completed_calls, failed_calls, total_duration_seconds, average_duration_seconds, success_rate, " +
    "from_date, to_date",
);
export const STAGES = split("e2e, stt, llm, tts");
export const PERCENTILES = split("p50, p90, p95, p99");
export const CALLS_BY_DAY = split("date, count");
export const BALANCE = split("current_balance, total_credits_added, total_credits_used, organization_id");
export const BALANCE_CHECK = split("sufficient, balance, required, min_balance, shortfall");
export const USAGE_SUMMARY = split("period, total_events, total_price_usd, breakdown");
export const DAILY_USAGE = split("date, event_count, total_price_usd");
export const PRICING = split("voice_call_pricing, service_pricing, credit_config");
export const ESTIMATE = split(
  "total_per_minute, pricing_type, components, post_call_analytics_per_execution",
);
export const PROVIDERS = split("stt, llm, tts, realtime, analytics, languages, defaults");
export const LANGUAGE = split("code, name, native_name");

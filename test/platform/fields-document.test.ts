import { expect, test } from "vitest";

import { PAGE, platformFieldsPage } from "../../scripts/platform-fields.mjs";
import { operations, resources } from "../../src/platform/index.ts";
import { readings } from "../../src/platform/decoding.ts";
import { readText } from "../docs/support/documents.ts";

test("docs/platform-fields.md is what the program would write today", () => {
  expect(readText(PAGE)).toBe(platformFieldsPage({ operations, resources, readings }));
});

/** Every field that the contract, section 2, or published clients name in an answer, written down by hand. */
const named: Readonly<Record<string, string>> = {
  "agents.get":
    "agent_id agent_name description is_published published_version agent_type agent_mode created_at updated_at versions linked_workflows",
  "calls.get":
    "call_id call_type status agent_id from_number to_number access_token room_name room_url start_time end_time duration_seconds transcript recording_url call_analysis call_summary call_sentiment call_cost latency_metrics processing_status workflow_executions created_at",
  "phoneNumbers.get":
    "phone_number_id phone_number nickname provider inbound_agent_id outbound_agent_id status created_at sip_connections dispatch_rules inbound_agent_name outbound_agent_name allowed_inbound_countries allowed_outbound_countries",
  "sipConnections.get":
    "sip_connection_id phone_number_id termination_uri username nickname connection_type transport livekit_trunk_id sync_status sync_error created_at updated_at",
  "dispatchRules.list": "dispatch_rule_id name rule_type room_name room_prefix agent_id priority",
  "batchCalls.get":
    "batch_call_id name status total pending active completed failed processed counts progress_percent started_at completed_at agent_id from_number max_concurrent_calls retry_attempts",
  "batchCalls.items":
    "item_id phone_number status attempt_count call_id error_message started_at completed_at",
  "workflows.get":
    "workflow_id workflow_json detected_credentials generation_history n8n_workflow_id created_at updated_at webhook_slug deployed_at last_executed_at original_description visualization",
  "workflows.generate": "workflow_id workflow_json required_secrets visualization",
  "workflows.deploy": "status workflow_id n8n_workflow_id error",
  "workflows.execute": "status execution_id execution_time_ms output error",
  "workflows.executions":
    "execution_id workflow_id call_id trigger_type trigger_source n8n_execution_id status input_snapshot output_data error_message error_stack execution_time_ms retry_count is_retry started_at completed_at",
  "workflows.credentialSchema": "credential_type fields source",
  "workflows.agents":
    "agent_id trigger_condition_description priority execution_mode_override is_enabled agent_name",
  "workflows.schedule": "workflow_id is_scheduled trigger_type trigger_config next_run job_details",
  "knowledgeBases.get": "id name description documents",
  "apiKeys.get":
    "id name key_prefix scopes rate_limit_tier ip_allowlist is_active usage_count last_used_at last_used_ip expires_at grace_period_ends_at",
  "apiKeys.create": "key key_prefix name scopes message",
  "apiKeys.usage":
    "key_id key_name key_prefix total_requests last_used_at last_used_ip rate_limit_tier rate_limits is_active expires_at",
  "analytics.summary":
    "total_calls completed_calls failed_calls total_duration_seconds average_duration_seconds success_rate from_date to_date",
  "analytics.latency": "e2e stt llm tts",
  "analytics.callsByDay": "date count",
  "billing.balance": "current_balance total_credits_added total_credits_used organization_id",
  "billing.check": "sufficient balance required min_balance shortfall",
  "billing.transactions":
    "id organization_id transaction_type amount_usd balance_before balance_after description reference_id reference_type metadata created_at",
  "billing.usage":
    "id organization_id event_type reference_id reference_type provider model price_usd created_at",
  "billing.usageSummary": "organization_id period total_events total_price_usd breakdown",
  "billing.usageDaily": "date event_count total_price_usd",
  "billing.callUsage": "call_id events total_price_usd",
  "billing.pricing": "voice_call_pricing service_pricing credit_config",
  "billing.estimate": "total_per_minute pricing_type components post_call_analytics_per_execution",
  "config.providers": "stt llm tts realtime analytics languages defaults",
  "config.languages": "code name native_name",
  "chat.get":
    "session_id organization_id agent_id agent_version channel_type external_user_key status message_count agent_reply_count total_tokens_in total_tokens_out started_at last_message_at closed_at created_at greeting access_token room_url room_name dynamic_variables session_metadata messages",
  "chat.send":
    "session_id assistant_content tool_calls tokens_in tokens_out session_closed close_reason user_message_id assistant_message_id",
};

test.each(Object.entries(named))("%s: every field that is documented has a type", (name, fields) => {
  const { answer } = operations.find((one) => one.name === name) ?? expect.unreachable();
  const schema = answer.kind === "object" ? answer.of : "row" in answer ? answer.row : undefined;
  const known = Object.keys((schema && readings.get(schema)?.fields) ?? {});
  expect(known).toEqual(expect.arrayContaining(fields.split(" ")));
});

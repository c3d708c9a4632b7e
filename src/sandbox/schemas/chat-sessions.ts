import { z } from "zod";

import { agentPatchBody } from "./agents.ts";
import { periodQuery } from "./analytics.ts";
import { pageQuery } from "./page.ts";
import { dynamicVariables } from "./phone.ts";

export const TRANSPORTS = ["rest", "livekit"] as const;
export const CHANNEL_TYPES = ["api", "web_widget", "dashboard_test"] as const;
export const CHAT_STATUSES = ["active", "idle", "closed"] as const;
export const CLOSE_REASONS = [
  "agent_end_chat",
  "message_cap",
  "insufficient_credits",
  "explicit_close",
] as const;

const transport = z.enum(TRANSPORTS).default("rest");

/** Contract 4.11, with the names that published clients use. */
export const chatCreateBody = z.object({
  agent_id: z.string().min(1),
  transport,
  channel_type: z.enum(CHANNEL_TYPES).default("api"),
  dynamic_variables: dynamicVariables.nullish(),
  external_user_key: z.string().min(1).max(255).nullish(),
});

/** Drafts are accepted; `temp_config` is used and not kept with the agent. */
export const chatTestBody = z.object({
  agent_id: z.string().min(1),
  transport,
  temp_config: agentPatchBody.nullish(),
  dynamic_variables: dynamicVariables.nullish(),
});

export const chatMessageBody = z.object({ content: z.string().min(1).max(4_000) });

export const chatSessionsQuery = pageQuery(50).extend({
  agent_id: z.string().optional(),
  status: z.string().optional(),
  channel_type: z.string().optional(),
  ...periodQuery.shape,
});

const message = z.object({
  message_id: z.string(),
  role: z.enum(["user", "assistant"]),
  content: z.string(),
  created_at: z.string(),
});

/** A chat session (contract 2.10). */
export const chatSessionResponse = z.object({
  id: z.string(),
  organization_id: z.string(),
  agent_id: z.string(),
  agent_version: z.int(),
  transport: z.enum(TRANSPORTS),
  channel_type: z.enum(CHANNEL_TYPES),
  external_user_key: z.string().nullable(),
  status: z.enum(CHAT_STATUSES),
  close_reason: z.enum(CLOSE_REASONS).nullable(),
  message_count: z.int(),
  tokens_in: z.int(),
  tokens_out: z.int(),
  /** Null until the session is closed. */
  processing_status: z.enum(["queued", "processing", "done"]).nullable(),
  created_at: z.string(),
  closed_at: z.string().nullable(),
});

/** What creation answers: the greeting with `rest`, the room with `livekit`; the other is null. */
export const chatCreatedResponse = chatSessionResponse.extend({
  greeting: message.nullable(),
  access_token: z.string().nullable(),
  room_url: z.string().nullable(),
  room_name: z.string().nullable(),
});

export const chatSessionDetailResponse = chatSessionResponse.extend({ messages: z.array(message) });

/** The agent's reply. */
export const chatReplyResponse = z.object({
  session_id: z.string(),
  assistant_content: z.string(),
  tool_calls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })),
  tokens_in: z.int(),
  tokens_out: z.int(),
  session_closed: z.boolean(),
  close_reason: z.enum(CLOSE_REASONS).nullable(),
  user_message_id: z.string(),
  assistant_message_id: z.string(),
});

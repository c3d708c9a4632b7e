import { z } from "zod";

import { published } from "../dialect.ts";
import { agentPatchBody } from "./agents.ts";
import { pageQuery, wholeListQuery } from "./page.ts";
import { periodFields } from "./period.ts";
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
export const chatTestBody = chatCreateBody.extend({
  channel_type: z.enum(CHANNEL_TYPES).default("dashboard_test"),
  temp_config: agentPatchBody.nullish(),
});

export const chatMessageBody = z.object({ content: z.string().min(1).max(4_000) });

export const chatSessionsQuery = pageQuery(50, {
  agent_id: z.string().optional(),
  status: z.string().optional(),
  channel_type: z.string().optional(),
  ...periodFields,
});

/** The messages of one session; all of them unless a part is asked for. */
export const chatSessionQuery = wholeListQuery({});

const toolCalls = z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }));

const message = z
  .object({
    message_id: z.string(),
    role: z.enum(["user", "assistant"]),
    content: z.string(),
    tool_calls: toolCalls,
    /** Of what the user said. */
    tokens_in: z.int(),
    /** Of what the agent said. */
    tokens_out: z.int(),
    created_at: z.string(),
  })
  .register(published, { idFrom: "message_id" });

/** A chat session (contract 2.10), by both names of its id: clients read either. */
export const chatSessionResponse = z.object({
  session_id: z.string(),
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
  /** Messages of the agent that answer one of the user. */
  agent_reply_count: z.int(),
  total_tokens_in: z.int(),
  total_tokens_out: z.int(),
  /** Null until the session is closed. */
  processing_status: z.enum(["queued", "processing", "done"]).nullable(),
  started_at: z.string(),
  last_message_at: z.string(),
  created_at: z.string(),
  closed_at: z.string().nullable(),
  /** Null where the agent waits for the user, and where it greets in the room. */
  greeting: message.nullable(),
});

/** What creation answers: the greeting with `rest`, the room with `livekit`; the other is null. */
export const chatCreatedResponse = chatSessionResponse.extend({
  access_token: z.string().nullable(),
  room_url: z.string().nullable(),
  room_name: z.string().nullable(),
});

export const chatSessionDetailResponse = chatSessionResponse.extend({
  dynamic_variables: dynamicVariables,
  session_metadata: z.record(z.string(), z.unknown()),
  messages: z.array(message),
});

/** The agent's reply. */
export const chatReplyResponse = z.object({
  session_id: z.string(),
  assistant_content: z.string(),
  tool_calls: toolCalls,
  tokens_in: z.int(),
  tokens_out: z.int(),
  session_closed: z.boolean(),
  close_reason: z.enum(CLOSE_REASONS).nullable(),
  user_message_id: z.string(),
  assistant_message_id: z.string(),
});

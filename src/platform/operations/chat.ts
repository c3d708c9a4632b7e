import { z } from "zod";
import { flag, id, list, listOf, map, number, readings, record, text, within, words } from "../decoding.ts";
import {
  characters,
  idRule,
  objectRule,
  periodRules,
  variablesRule,
  windowRules,
  wordRule,
} from "../rules.ts";
import { get, object, type OperationsOf, page, post } from "./operation.ts";

const sessionFields = {
  agent_id: idRule,
  transport: z.enum(["rest", "livekit"]).optional(),
  channel_type: z.enum(["api", "web_widget", "dashboard_test"]).optional(),
  dynamic_variables: variablesRule.optional(),
  external_user_key: wordRule.optional(),
};

const createRules = z.strictObject(sessionFields);

/**
 * Contract 4.11: `transport` (default `rest`) and a published agent. The other names are not shown there;
 * published clients use these.
 */
export type ChatSessionCreate = z.input<typeof createRules>;

const testBody = z.strictObject({ ...sessionFields, temp_config: objectRule.optional() });

/** A session with a draft agent; `temp_config`: overrides that are not kept. */
export type ChatTestCreate = z.input<typeof testBody>;

/** What a message is, over REST and in a room. */
export const sendRules = z.strictObject({ content: characters(4000) });

const listQuery = z.strictObject({
  ...windowRules,
  agent_id: idRule.optional(),
  status: wordRule.optional(),
  channel_type: wordRule.optional(),
  ...periodRules,
});

/** `skip` from 0 (default 0), `limit` 1 to 1,000 (default 50). Dates are ISO 8601. */
export type ChatSessionsQuery = z.input<typeof listQuery>;

const MESSAGE_NAMES = { message_id: "id" } as const;

const message = record(MESSAGE_NAMES, {
  message_id: text,
  role: text,
  content: words,
  tool_calls: list,
  tokens_in: number,
  tokens_out: number,
  created_at: text,
});

/** What was said in a chat session, by `role` (`assistant`, `user`). */
export type ChatMessage = z.output<typeof message>;

/** The agent's first message; its words alone are one, too. */
const greeting = z
  .preprocess(
    (value) => (typeof value === "string" && value !== "" ? { role: "assistant", content: value } : value),
    within(message),
  )
  .register(readings, { as: "record", row: message });

export const session = record(
  { session_id: "id", total_tokens_in: "tokens_in", total_tokens_out: "tokens_out" },
  {
    session_id: id,
    organization_id: text,
    agent_id: text,
    agent_version: number,
    transport: text,
    channel_type: text,
    external_user_key: text,
    status: text,
    close_reason: text,
    processing_status: text,
    message_count: number,
    agent_reply_count: number,
    total_tokens_in: number,
    total_tokens_out: number,
    greeting,
    messages: listOf(message),
    dynamic_variables: map,
    session_metadata: map,
    access_token: text,
    room_url: text,
    room_name: text,
    started_at: text,
    last_message_at: text,
    closed_at: text,
    created_at: text,
  },
);

/**
 * Contract 2.10. On `rest`, `greeting` is the agent's first message; on `livekit`, `access_token`, `room_url`
 * and `room_name` let a real-time client join. `messages` come with a single session.
 */
export type ChatSession = z.output<typeof session>;

export const reply = record(
  { assistant_content: "content" },
  {
    session_id: text,
    assistant_content: text,
    tool_calls: list,
    tokens_in: number,
    tokens_out: number,
    session_closed: flag,
    close_reason: text,
    user_message_id: text,
    assistant_message_id: text,
  },
);

/** The agent's answer to a message. */
export type ChatReply = z.output<typeof reply>;

export const chatOperations = {
  "chat.create": post("/v1/chat/sessions", {
    summary: "Open a chat session",
    body: createRules,
    answer: object(session),
  }),
  "chat.send": post("/v1/chat/sessions/{id}/messages", {
    summary: "Send a message and read the reply",
    body: sendRules,
    answer: { ...object(reply), known: { session_id: "id" } },
  }),
  // Not in the contract's table, which says that they exist; paths as the platform's published clients use them.
  "chat.test": post("/v1/chat/test", {
    summary: "Open a test session, with a draft agent, too",
    body: testBody,
    answer: object(session),
  }),
  "chat.list": get("/v1/chat/sessions", {
    summary: "List chat sessions",
    query: listQuery,
    answer: page("skip", 50, session, "session_id", "sessions"),
  }),
  "chat.get": get("/v1/chat/sessions/{id}", {
    summary: "Show a chat session with its messages",
    answer: object(session),
  }),
  "chat.close": post("/v1/chat/sessions/{id}/close", {
    summary: "Close a chat session",
    answer: { ...object(session), about: { param: "id", field: "session_id" } },
  }),
} as const satisfies OperationsOf<"chat">;

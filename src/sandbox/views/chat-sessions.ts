import type { z } from "zod";

import type { Clock } from "../clock.ts";
import type {
  chatReplyResponse,
  chatSessionDetailResponse,
  chatSessionResponse,
} from "../schemas/chat-sessions.ts";
import { rowsOf } from "../schemas/page.ts";
import type { PageAsked } from "../schemas/page.ts";
import { tokensIn } from "../state/chat-script.ts";
import type { ChatMessage, ChatRecord, ChatReply } from "../state/chat-sessions.ts";
import type { Organization } from "../state/organization.ts";

/** A chat session (contract 2.10). */
export function chatSessionView(
  session: ChatRecord,
  organization: Organization,
  clock: Clock,
): z.output<typeof chatSessionResponse> {
  const { chatSessions } = organization;
  const [first] = session.messages;
  const greets = first?.role === "assistant";
  const replies = session.messages.filter(({ role }) => role === "assistant").length - (greets ? 1 : 0);
  return {
    session_id: session.id,
    id: session.id,
    organization_id: organization.id,
    agent_id: session.agentId,
    agent_version: session.agentVersion,
    transport: session.transport,
    channel_type: session.channelType,
    external_user_key: session.externalUserKey,
    status: chatSessions.statusOf(session),
    close_reason: session.closeReason,
    message_count: session.messages.length,
    agent_reply_count: replies,
    total_tokens_in: session.tokensIn,
    total_tokens_out: session.tokensOut,
    processing_status: chatSessions.processingStatusOf(session),
    started_at: clock.iso(session.createdAt),
    last_message_at: clock.iso(session.lastAt),
    created_at: clock.iso(session.createdAt),
    closed_at: clock.isoOrNull(session.closedAt),
    greeting: greets ? chatMessageView(first, session, clock) : null,
  };
}

export function chatSessionDetailView(
  session: ChatRecord,
  organization: Organization,
  clock: Clock,
  window: PageAsked,
): z.output<typeof chatSessionDetailResponse> {
  return {
    ...chatSessionView(session, organization, clock),
    dynamic_variables: session.variables ?? {},
    session_metadata: { transport: session.transport },
    messages: rowsOf(session.messages, window, (message) => chatMessageView(message, session, clock)),
  };
}

/** The tokens of all messages are those of the session. */
function chatMessageView(message: ChatMessage, session: ChatRecord, clock: Clock) {
  const { id, role, content, createdAt } = message;
  const tokens = tokensIn(content);
  return {
    message_id: id,
    role,
    content,
    tool_calls: message === session.messages.at(-1) ? toolCallsOf(session) : [],
    tokens_in: role === "user" ? tokens : 0,
    tokens_out: role === "user" ? 0 : tokens,
    created_at: clock.iso(createdAt),
  };
}

/** What the agent called with its last message: it ends chats by a tool. */
function toolCallsOf({ closeReason }: ChatRecord) {
  return closeReason === "agent_end_chat" ? [{ name: "end_chat", arguments: {} }] : [];
}

/** What a message is answered with; the tokens are those of this exchange. */
export function chatReplyView(session: ChatRecord, reply: ChatReply): z.output<typeof chatReplyResponse> {
  return {
    session_id: session.id,
    assistant_content: reply.assistant.content,
    tool_calls: toolCallsOf(session),
    tokens_in: tokensIn(reply.user.content),
    tokens_out: tokensIn(reply.assistant.content),
    session_closed: session.closedAt !== null,
    close_reason: session.closeReason,
    user_message_id: reply.user.id,
    assistant_message_id: reply.assistant.id,
  };
}

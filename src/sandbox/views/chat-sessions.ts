import type { z } from "zod";

import type { Clock } from "../clock.ts";
import type {
  chatReplyResponse,
  chatSessionDetailResponse,
  chatSessionResponse,
} from "../schemas/chat-sessions.ts";
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
  return {
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
    tokens_in: session.tokensIn,
    tokens_out: session.tokensOut,
    processing_status: chatSessions.processingStatusOf(session),
    created_at: clock.iso(session.createdAt),
    closed_at: clock.isoOrNull(session.closedAt),
  };
}

export function chatSessionDetailView(
  session: ChatRecord,
  organization: Organization,
  clock: Clock,
): z.output<typeof chatSessionDetailResponse> {
  return {
    ...chatSessionView(session, organization, clock),
    messages: session.messages.map((message) => chatMessageView(message, clock)),
  };
}

export function chatMessageView({ id, role, content, createdAt }: ChatMessage, clock: Clock) {
  return { message_id: id, role, content, created_at: clock.iso(createdAt) };
}

/** What a message is answered with; the tokens are those of this exchange. */
export function chatReplyView(session: ChatRecord, reply: ChatReply): z.output<typeof chatReplyResponse> {
  const endsChat = session.closeReason === "agent_end_chat";
  return {
    session_id: session.id,
    assistant_content: reply.assistant.content,
    tool_calls: endsChat ? [{ name: "end_chat", arguments: {} }] : [],
    tokens_in: tokensIn(reply.user.content),
    tokens_out: tokensIn(reply.assistant.content),
    session_closed: session.closedAt !== null,
    close_reason: session.closeReason,
    user_message_id: reply.user.id,
    assistant_message_id: reply.assistant.id,
  };
}

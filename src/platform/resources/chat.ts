import type { Caller } from "../caller.ts";
import type { Page } from "../decoding.ts";
import { iterate } from "../lists.ts";
import type {
  ChatReply,
  ChatSession,
  ChatSessionCreate,
  ChatSessionsQuery,
  ChatTestCreate,
} from "../operations/chat.ts";
import type { WalkOptions } from "../paging.ts";
import type { CallOptions } from "../request.ts";
import type { Answering } from "../sent.ts";

/**
 * Text conversations with an agent (contract 4.11, 2.10). The contract shows paths for `create` and `send`; the
 * others are as published clients use them.
 */
export interface Chat {
  /** Opens a session with a published agent, pinned to the version that is live now. */
  create(session: ChatSessionCreate, options?: CallOptions): Promise<ChatSession>;
  /** Sends a message of 1 to 4,000 characters and resolves with the agent's reply (REST transport only). */
  send(sessionId: string, content: string, options?: CallOptions): Promise<ChatReply>;
  /** Opens a session in which the agent may be a draft. */
  test(session: ChatTestCreate, options?: CallOptions): Promise<ChatSession>;
  /** One page. */
  list(query?: ChatSessionsQuery, options?: CallOptions): Promise<Page<ChatSession>>;
  iterate(query?: ChatSessionsQuery, options?: WalkOptions): AsyncGenerator<ChatSession, void, undefined>;
  /** One session with its messages. */
  get(sessionId: string, options?: CallOptions): Promise<ChatSession>;
  /** Closes it. What of the session the answer does not say (published clients read its id and status) is undefined. */
  close(sessionId: string, options?: CallOptions): Promise<ChatSession>;
}

export function chat(caller: Caller): Answering<Chat> {
  return {
    create: (body, options) => caller.call("chat.create", { params: {}, body }, options),
    send: (id, content, options) => caller.call("chat.send", { params: { id }, body: { content } }, options),
    test: (body, options) => caller.call("chat.test", { params: {}, body }, options),
    list: (query, options) => caller.call("chat.list", { params: {}, query }, options),
    iterate: (query, options) => iterate(caller, "chat.list", { params: {}, query }, options),
    get: (id, options) => caller.call("chat.get", { params: { id } }, options),
    close: (id, options) => caller.call("chat.close", { params: { id } }, options),
  };
}

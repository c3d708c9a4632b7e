import type { Clock } from "../clock.ts";
import type { IdSequence } from "../ids.ts";
import { Random } from "../random.ts";
import type { AgentFields } from "../schemas/agents.ts";
import type { CHANNEL_TYPES, CHAT_STATUSES, CLOSE_REASONS, TRANSPORTS } from "../schemas/chat-sessions.ts";
import type { Billing } from "./billing.ts";
import { offerOf, CHAT_MESSAGE_MICROS } from "./config.ts";
import { filledIn, replyTo, tokensIn } from "./chat-script.ts";
import type { Kept } from "./kept.ts";

export type ChatStatus = (typeof CHAT_STATUSES)[number];
export type CloseReason = (typeof CLOSE_REASONS)[number];

export interface ChatMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly content: string;
  readonly createdAt: number;
}

export interface ChatInput {
  readonly agentId: string;
  readonly agentVersion: number;
  /** The configuration that the session is pinned to. */
  readonly fields: AgentFields;
  readonly transport: (typeof TRANSPORTS)[number];
  readonly channelType: (typeof CHANNEL_TYPES)[number];
  readonly externalUserKey: string | null;
  readonly variables: Record<string, string> | null;
}

/** A chat, plain data. Times are the clock's `now()`. */
export interface ChatRecord extends ChatInput {
  readonly index: number;
  readonly id: string;
  readonly createdAt: number;
  readonly messages: ChatMessage[];
  tokensIn: number;
  tokensOut: number;
  lastAt: number;
  closedAt: number | null;
  closeReason: CloseReason | null;
}

export interface ChatReply {
  readonly user: ChatMessage;
  readonly assistant: ChatMessage;
}

/** A session without a message for so long is idle until the next one, simulated. */
const IDLE_MS = 300_000;

/** The most messages of the user in one session; the reply to the last one closes it. */
export const MOST_USER_MESSAGES = 100;

/** From the close of a session until processing begins, and the bounds of how long that takes; simulated. */
const PROCESSING_BEGINS_MS = 1_000;
const PROCESSING_TAKES_MS = [2_000, 8_000] as const;

const DEFAULT_GREETING = "Hello! How can I help you?";
const OUT_OF_CREDITS = "This chat is not available any more.";

interface SavedChats {
  readonly messages: number;
  readonly sessions: readonly ChatRecord[];
}

/** The chat sessions of an organization, oldest first (contract 2.10, 4.11). */
export class ChatSessions implements Kept<SavedChats> {
  readonly #seed: number;
  readonly #clock: Clock;
  readonly #ids: IdSequence;
  readonly #messageIds: IdSequence;
  readonly #billing: Billing;
  readonly #sessions = new Map<string, ChatRecord>();
  readonly #onClosed: ((session: ChatRecord) => void)[] = [];
  #messages = 0;

  constructor(seed: number, clock: Clock, ids: IdSequence, messageIds: IdSequence, billing: Billing) {
    this.#seed = seed;
    this.#clock = clock;
    this.#ids = ids;
    this.#messageIds = messageIds;
    this.#billing = billing;
  }

  /** Opens a session. With `rest` the greeting is its first message; in a room it is said there. */
  open(input: ChatInput): ChatRecord {
    const now = this.#clock.now();
    const index = this.#sessions.size;
    const session: ChatRecord = {
      ...input,
      index,
      id: this.#ids.at(index),
      createdAt: now,
      messages: [],
      tokensIn: 0,
      tokensOut: 0,
      lastAt: now,
      closedAt: null,
      closeReason: null,
    };
    this.#sessions.set(session.id, session);
    if (input.transport === "rest") {
      this.greet(session);
    }
    return session;
  }

  /** Says the greeting, the first message; null where the agent is to wait for the user. */
  greet(session: ChatRecord): ChatMessage | null {
    // An empty greeting is one that somebody chose (contract 2.2).
    const greeting = session.fields.greeting_message ?? DEFAULT_GREETING;
    return greeting === "" ? null : this.#say(session, "assistant", filledIn(greeting, session.variables));
  }

  /** Tells of each session that closes, whoever closed it. */
  onClosed(listener: (session: ChatRecord) => void): void {
    this.#onClosed.push(listener);
  }

  find(id: string): ChatRecord | null {
    return this.#sessions.get(id) ?? null;
  }

  all(): ChatRecord[] {
    return [...this.#sessions.values()];
  }

  /** Takes a message of the user and answers it, by the script. Paid by the reply; may close the session. */
  send(session: ChatRecord, content: string): ChatReply {
    const user = this.#say(session, "user", content);
    if (this.#billing.exhausted) {
      const assistant = this.#say(session, "assistant", OUT_OF_CREDITS);
      this.close(session, "insufficient_credits");
      return { user, assistant };
    }
    const reply = replyTo(content, new Random(this.#seed, "chat", session.index, session.messages.length));
    const assistant = this.#say(session, "assistant", reply.content);
    const { llm_provider: provider, llm_model: model } = session.fields;
    const { microsPerSecond: _perSecond, ...offer } = offerOf("llm", provider, model);
    this.#billing.charge({
      referenceType: "chat_session",
      referenceId: session.id,
      service: "chat_message",
      ...offer,
      micros: CHAT_MESSAGE_MICROS,
    });
    if (reply.ends) {
      this.close(session, "agent_end_chat");
    } else if (session.messages.filter(({ role }) => role === "user").length >= MOST_USER_MESSAGES) {
      this.close(session, "message_cap");
    }
    return { user, assistant };
  }

  /** Null is what the contract has no word for: nobody was there any more, or the room was gone. */
  close(session: ChatRecord, reason: CloseReason | null): void {
    session.closedAt = this.#clock.now();
    session.closeReason = reason;
    for (const listener of this.#onClosed) {
      listener(session);
    }
  }

  /** A matter of time alone, so it needs no timer. */
  statusOf(session: ChatRecord): ChatStatus {
    if (session.closedAt !== null) {
      return "closed";
    }
    return this.#clock.simulated(this.#clock.now() - session.lastAt) < IDLE_MS ? "active" : "idle";
  }

  /** Null until the session is closed. */
  processingStatusOf(session: ChatRecord): "queued" | "processing" | "done" | null {
    if (session.closedAt === null) {
      return null;
    }
    const sinceMs = this.#clock.simulated(this.#clock.now() - session.closedAt);
    if (sinceMs < PROCESSING_BEGINS_MS) {
      return "queued";
    }
    const takesMs = new Random(this.#seed, "chat processing", session.index).between(...PROCESSING_TAKES_MS);
    return sinceMs < PROCESSING_BEGINS_MS + takesMs ? "processing" : "done";
  }

  dump(): SavedChats {
    return { messages: this.#messages, sessions: this.all() };
  }

  restore(saved: SavedChats): void {
    this.#messages = saved.messages;
    for (const session of saved.sessions) {
      this.#sessions.set(session.id, session);
    }
  }

  #say(session: ChatRecord, role: ChatMessage["role"], content: string): ChatMessage {
    const now = this.#clock.now();
    const message = { id: this.#messageIds.at(this.#messages), role, content, createdAt: now };
    this.#messages += 1;
    session.messages.push(message);
    session.lastAt = now;
    if (role === "user") {
      session.tokensIn += tokensIn(content);
    } else {
      session.tokensOut += tokensIn(content);
    }
    return message;
  }
}

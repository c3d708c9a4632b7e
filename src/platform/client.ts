import type { Caller } from "./caller.ts";
import { openCaller } from "./caller.ts";
import type { ClockReading } from "./clock.ts";
import type { EndpointName } from "./endpoints.ts";
import { iterateAny, wholeList } from "./lists.ts";
import { operationOf } from "./operations.ts";
import type { BatchCall } from "./operations/batch-calls.ts";
import type { Call } from "./operations/calls.ts";
import { type PlatformOptions, settle } from "./options.ts";
import type { WalkOptions } from "./paging.ts";
import type { CallOptions, RawRequest, RequestInput } from "./request.ts";
import { type Agents, agents } from "./resources/agents.ts";
import { type Analytics, analytics } from "./resources/analytics.ts";
import { type ApiKeys, apiKeys } from "./resources/api-keys.ts";
import { type BatchCalls, batchCalls } from "./resources/batch-calls.ts";
import { type Billing, billing } from "./resources/billing.ts";
import type { ChatSession } from "./operations/chat.ts";
import { type Calls, calls } from "./resources/calls.ts";
import { type Chat, chat } from "./resources/chat.ts";
import { type Config, config } from "./resources/config.ts";
import { type CallRoom, joinCall } from "./rooms/call-room.ts";
import { type ChatRoom, joinChat } from "./rooms/chat-room.ts";
import type { JoinedRoom, JoinOptions } from "./rooms/joined-room.ts";
import { type KnowledgeBases, knowledgeBases } from "./resources/knowledge-bases.ts";
import {
  type DispatchRules,
  dispatchRules,
  type PhoneNumbers,
  phoneNumbers,
  type SipConnections,
  sipConnections,
} from "./resources/phone-numbers.ts";
import { type Workflows, workflows } from "./resources/workflows.ts";
import { type Answering, Sending, type Sent } from "./sent.ts";
import { type BatchStream, type BatchStreamRequest, openBatchStream } from "./stream/batch-stream.ts";
import { type BatchEvent, follow, type FollowOptions } from "./stream/events.ts";
import { isBatchEnded, isCallEnded, isCallProcessed, waitUntil, type WaitOptions } from "./waiting.ts";

/**
 * The voice-agent platform. Every method resolves with what the platform answered, read tolerantly
 * (decoding.ts), or rejects with a `PlatformError` whose `effect` says what the request may have done.
 */
export interface Platform {
  /** Where it is: the base URL without a trailing slash, for links that people follow. */
  readonly address: string;
  readonly agents: Agents;
  readonly calls: Calls;
  readonly phoneNumbers: PhoneNumbers;
  readonly sipConnections: SipConnections;
  readonly dispatchRules: DispatchRules;
  readonly batchCalls: BatchCalls;
  readonly workflows: Workflows;
  readonly analytics: Analytics;
  readonly billing: Billing;
  readonly config: Config;
  readonly knowledgeBases: KnowledgeBases;
  readonly apiKeys: ApiKeys;
  readonly chat: Chat;
  /**
   * Sends any operation of the table (operations.ts), checked and decoded by it, for whoever does not know it
   * in advance. Resolves with the record, a `Page`, an array, a `Download`, or undefined, by the kind of its
   * answer.
   */
  send(name: EndpointName, input: RequestInput, options?: CallOptions): Promise<unknown>;
  /** All rows of any list of the table. Throws `TypeError` for an operation that is no list. */
  iterate(
    name: EndpointName,
    input: RequestInput,
    options?: WalkOptions,
  ): AsyncGenerator<unknown, void, undefined>;
  /** Opens the live stream of a batch (stream/batch-stream.ts); closed with the client. */
  openBatchStream(request: BatchStreamRequest): BatchStream;
  /** The newest reading of the platform's clock; undefined until an answer had a date. */
  clock(): ClockReading | undefined;
  /** The `X-Powered-By` header of the newest answer that had one: proxies put their own name into `Server`. */
  software(): string | undefined;
  /** How many requests were answered so far in a way that can be used: what was asked, or why it is refused. */
  answers(): number;
  /** Closes the streams, takes no new request, and resolves when those under way have ended. */
  close(): Promise<void>;
}

/** Calls, and waiting for them. A wait sends nothing but looks: what is waited for goes on when it is given up. */
export interface ClientCalls extends Answering<Calls> {
  /** Joins the room of a web or test call, as `chat.join` does: to hear, to speak, to hang up. */
  join(call: Call, options?: JoinOptions): Promise<CallRoom>;
  /** Resolves with the call when it is over. Rejects with `TimeoutError` where it is not within `withinMs`. */
  waitUntilEnded(callId: string, options?: WaitOptions): Promise<Call>;
  /** The same for when its transcript, recording and analysis are there, or will not be. */
  waitUntilProcessed(callId: string, options?: WaitOptions): Promise<Call>;
}

/** Chats, and joining the rooms of those that have one. */
export interface ClientChat extends Answering<Chat> {
  /**
   * Joins the room of a session that was created with transport `livekit`, by LiveKit's library, which is not installed
   * with this one: `npm install @livekit/rtc-node`. A room that is lost is joined again.
   */
  join(session: ChatSession, options?: JoinOptions): Promise<ChatRoom>;
}

/** Batches, waiting for them, and following them. */
export interface ClientBatchCalls extends Answering<BatchCalls> {
  /** Resolves with the batch when it calls nobody any more. Rejects with `TimeoutError` where that takes too long. */
  waitUntilEnded(batchCallId: string, options?: WaitOptions): Promise<BatchCall>;
  /** What its stream says, and looks at it, until it is over (stream/events.ts). */
  events(batchCallId: string, options?: FollowOptions): AsyncGenerator<BatchEvent, void, undefined>;
}

/**
 * What `createPlatform` gives: a `Platform` whose promises of answers know status and headers, and whose lists can be
 * walked on from.
 */
export interface PlatformClient extends Platform {
  readonly agents: Answering<Agents>;
  readonly calls: ClientCalls;
  readonly phoneNumbers: Answering<PhoneNumbers>;
  readonly sipConnections: Answering<SipConnections>;
  readonly dispatchRules: Answering<DispatchRules>;
  readonly batchCalls: ClientBatchCalls;
  readonly workflows: Answering<Workflows>;
  readonly analytics: Answering<Analytics>;
  readonly billing: Answering<Billing>;
  readonly config: Answering<Config>;
  readonly knowledgeBases: Answering<KnowledgeBases>;
  readonly apiKeys: Answering<ApiKeys>;
  readonly chat: ClientChat;
  /** Sends what the table does not have, with the same key, limits, retries and errors; resolves with the answer's JSON. */
  request(raw: RawRequest, options?: CallOptions): Sent<unknown>;
  /** `close` at the end of a block, by `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Makes a client with a connection pool of its own. Nothing is sent before the first call. Address and key that are
 * left out are the environment's. Throws `InvalidRequestError` naming an option that can't be used.
 */
export function createPlatform(options: PlatformOptions = {}): PlatformClient {
  const settings = settle(options);
  const caller = openCaller(settings);
  const streams = new Set<BatchStream>();
  const openStream = (request: BatchStreamRequest): BatchStream => {
    const { wsUrl, apiKey, streamTokenInQuery: tokenInQuery, headers, sender } = settings;
    const proxy = sender.kind === "proxy" ? sender.url : undefined;
    const stream = openBatchStream({ ...request, wsUrl, apiKey, tokenInQuery, headers, proxy });
    streams.add(stream);
    void stream.closed.then(() => streams.delete(stream));
    return stream;
  };
  const rooms = new Set<JoinedRoom>();
  let isClosed = false;
  const keepRoom = (room: JoinedRoom): void => {
    rooms.add(room);
    void room.gone.then(() => rooms.delete(room));
    // It was being joined when the client was closed.
    if (isClosed) void room.leave();
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    await Promise.all([
      ...Array.from(streams, (stream) => stream.close()),
      ...Array.from(rooms, (room) => room.leave()),
      caller.close(),
    ]);
  };
  const ofCalls = calls(caller);
  const ofBatches = batchCalls(caller);
  const ofChats = chat(caller);
  return {
    address: settings.base.origin + settings.base.prefix,
    agents: agents(caller),
    calls: {
      ...ofCalls,
      ...waitsForCalls(ofCalls),
      join: (call, given) => joinCall(ofCalls, call, given, keepRoom),
    },
    phoneNumbers: phoneNumbers(caller),
    sipConnections: sipConnections(caller),
    dispatchRules: dispatchRules(caller),
    batchCalls: {
      ...ofBatches,
      waitUntilEnded: (id, given) =>
        waitUntil(`the batch ${id}`, (looking) => ofBatches.get(id, looking), isBatchEnded, given),
      events: (id, given = {}) =>
        follow(id, { open: openStream, look: (looking) => ofBatches.get(id, looking) }, given),
    },
    workflows: workflows(caller),
    analytics: analytics(caller),
    billing: billing(caller),
    config: config(caller),
    knowledgeBases: knowledgeBases(caller),
    apiKeys: apiKeys(caller),
    chat: { ...ofChats, join: (session, given) => joinChat(ofChats, session, given, keepRoom) },
    send: (name, input, callOptions) => sendAny(caller, name, input, callOptions),
    iterate: (name, input, walkOptions) => iterateAny(caller, name, input, walkOptions),
    openBatchStream: openStream,
    clock: () => caller.clock(),
    software: () => caller.software(),
    answers: () => caller.answers(),
    close,
    request: (raw, given) => caller.request(raw, given),
    [Symbol.asyncDispose]: close,
  };
}

function waitsForCalls(calls: Calls) {
  const wait = (id: string, isSo: (call: Call) => boolean, options?: WaitOptions) =>
    waitUntil(`the call ${id}`, (looking) => calls.get(id, looking), isSo, options);
  return {
    waitUntilEnded: (id: string, options?: WaitOptions) => wait(id, isCallEnded, options),
    waitUntilProcessed: (id: string, options?: WaitOptions) => wait(id, isCallProcessed, options),
  };
}

function sendAny(
  caller: Caller,
  name: EndpointName,
  input: RequestInput,
  options?: CallOptions,
): Sent<unknown> {
  const { kind } = operationOf(name).answer;
  if (kind === "bytes") return caller.download(name, input, options);
  if (kind === "array") return wholeList(caller, name, input, options);
  return new Sending(caller.ask(name, input, options));
}

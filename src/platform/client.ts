import type { Caller } from "./caller.ts";
import { openCaller } from "./caller.ts";
import type { ClockReading } from "./clock.ts";
import type { EndpointName } from "./endpoints.ts";
import { iterateAny, wholeList } from "./lists.ts";
import { operationOf } from "./operations.ts";
import { type PlatformOptions, settle } from "./options.ts";
import type { WalkOptions } from "./paging.ts";
import type { CallOptions, RequestInput } from "./request.ts";
import { type Agents, agents } from "./resources/agents.ts";
import { type Analytics, analytics } from "./resources/analytics.ts";
import { type ApiKeys, apiKeys } from "./resources/api-keys.ts";
import { type BatchCalls, batchCalls } from "./resources/batch-calls.ts";
import { type Billing, billing } from "./resources/billing.ts";
import { type Calls, calls } from "./resources/calls.ts";
import { type Chat, chat } from "./resources/chat.ts";
import { type Config, config } from "./resources/config.ts";
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
import { type BatchStream, type BatchStreamRequest, openBatchStream } from "./stream/batch-stream.ts";

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

/**
 * Makes a client with a connection pool of its own. Nothing is sent before the first call.
 * Throws `InvalidRequestError` naming an option that can't be used.
 */
export function createPlatform(options: PlatformOptions): Platform {
  const settings = settle(options);
  const caller = openCaller(settings);
  const streams = new Set<BatchStream>();
  return {
    address: settings.base.origin + settings.base.prefix,
    agents: agents(caller),
    calls: calls(caller),
    phoneNumbers: phoneNumbers(caller),
    sipConnections: sipConnections(caller),
    dispatchRules: dispatchRules(caller),
    batchCalls: batchCalls(caller),
    workflows: workflows(caller),
    analytics: analytics(caller),
    billing: billing(caller),
    config: config(caller),
    knowledgeBases: knowledgeBases(caller),
    apiKeys: apiKeys(caller),
    chat: chat(caller),
    send: (name, input, callOptions) => sendAny(caller, name, input, callOptions),
    iterate: (name, input, walkOptions) => iterateAny(caller, name, input, walkOptions),
    openBatchStream: (request) => {
      const { wsUrl, apiKey, streamTokenInQuery: tokenInQuery } = settings;
      const stream = openBatchStream({ ...request, wsUrl, apiKey, tokenInQuery });
      streams.add(stream);
      void stream.closed.then(() => streams.delete(stream));
      return stream;
    },
    clock: () => caller.clock(),
    software: () => caller.software(),
    answers: () => caller.answers(),
    close: async () => {
      await Promise.all([...Array.from(streams, (stream) => stream.close()), caller.close()]);
    },
  };
}

async function sendAny(
  caller: Caller,
  name: EndpointName,
  input: RequestInput,
  options?: CallOptions,
): Promise<unknown> {
  const { kind } = operationOf(name).answer;
  if (kind === "bytes") return caller.download(name, input, options);
  if (kind === "array") return wholeList(caller, name, input, options);
  return caller.send(name, input, options);
}

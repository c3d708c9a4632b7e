import type { Dispatcher } from "undici";
import type { BackoffBounds } from "./backoff.ts";
import { fromEnvironment, keyFromEnvironment, VARIABLES } from "./environment.ts";
import type { Fetch } from "./fetch-dispatcher.ts";
import type { PlatformHooks } from "./hooks.ts";
import { checkApiKey } from "./key-rule.ts";
import { createLimiter, type Limiter } from "./limiter.ts";
import { type BaseUrl, deriveWsUrl, invalidOption, parseBaseUrl } from "./url.ts";

/** Bounds on waiting, in milliseconds. 30 s each is what the platform's published clients use. */
export interface Timeouts {
  /** For a connection to be made: DNS, TCP and TLS. */
  readonly connectMs?: number;
  /** From the request being sent to the answer's headers. */
  readonly headersMs?: number;
  /**
   * For one try as a whole, the wait for a free connection and the answer's body included. Operations that the
   * contract lets work longer (runs of workflows: 300 s) have that time beside it.
   */
  readonly wholeMs?: number;
  /**
   * For one upload or download as a whole; `headersMs` then bounds each silence in it, and `wholeMs` nothing.
   * Default 15 minutes: 200 MB at 2 Mbit/s.
   */
  readonly transferMs?: number;
}

/**
 * How this client itself repeats what failed: a read on 429, 500, 502, 503, 504 and connection failures, a
 * write only where it provably did not happen (429, a connection that was never made).
 */
export interface RetryPolicy {
  /** Tries in all, the first included. */
  readonly attempts: number;
  /** Default 500 ms, doubling with each try. */
  readonly baseDelayMs?: number;
  /** Default 30 s. */
  readonly maxDelayMs?: number;
}

export interface PlatformOptions {
  /** http or https; a path prefix is allowed: `https://voice.example.com/api`. Default: `PLATFORM_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** ws or wss; by default `PLATFORM_WS_URL` where the base URL is the environment's, too, or the base URL with `ws` for `http`. */
  readonly wsUrl?: string | undefined;
  /**
   * The key, or what says which one is in use now: it is asked for every request and every connection of a stream,
   * so it must be quick. A request that was refused for its key (401) is sent once more where it then says another.
   * Default: `PLATFORM_API_KEY`, or what the file `PLATFORM_API_KEY_FILE` holds.
   */
  readonly apiKey?: string | (() => string) | undefined;
  readonly timeouts?: Timeouts;
  /** Default `none`: the caller owns retries, as Temporal does. One retry owner a call. */
  readonly retry?: "none" | RetryPolicy;
  /**
   * Holds requests back before the platform refuses them (limiter.ts); share one among all clients of a key.
   * By default a client with a retry policy has one of its own, for `maxConnections` requests at once, and one
   * without has `none`: whoever owns the retries owns the pace.
   */
  readonly limiter?: Limiter | "none";
  /** Connections open at once; further requests wait for one, within their timeout. Default 16. */
  readonly maxConnections?: number;
  /** The largest JSON answer that is read, in bytes. Default 10 MB. */
  readonly maxResponseBytes?: number;
  /** Default true: batch streams carry the key in the query as well as in the header. */
  readonly streamTokenInQuery?: boolean;
  readonly hooks?: PlatformHooks;
  /** Sent with every request and every connection of a stream, beside the client's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** http or https: requests and streams go through it, user and password in its address where it wants them. */
  readonly proxy?: string;
  /**
   * Sends the requests in the place of the client's own connections, and is closed by whoever made it. It must not
   * repeat what failed: the client could not tell any more what may have happened.
   */
  readonly dispatcher?: Dispatcher;
  /** The same for a `fetch`. From its call on a request counts as sent. */
  readonly fetch?: Fetch;
}

/** What sends the requests. */
export type Sender =
  | { readonly kind: "pool" }
  | { readonly kind: "proxy"; readonly url: URL }
  | { readonly kind: "dispatcher"; readonly dispatcher: Dispatcher }
  | { readonly kind: "fetch"; readonly fetch: Fetch };

/** Options with every default in place. */
export interface Settings {
  readonly base: BaseUrl;
  readonly wsUrl: string;
  /** The key in use now. Throws `InvalidRequestError` for one that can't be used. */
  readonly apiKey: () => string;
  /** The keys that requests carried lately: none of them may stand in an error. */
  readonly secrets: () => readonly string[];
  readonly timeouts: Required<Timeouts>;
  readonly retry: { readonly attempts: number; readonly backoff: BackoffBounds };
  readonly limiter: Limiter | undefined;
  readonly maxConnections: number;
  readonly maxResponseBytes: number;
  readonly streamTokenInQuery: boolean;
  readonly hooks: PlatformHooks;
  readonly headers: Readonly<Record<string, string>>;
  readonly sender: Sender;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_TRANSFER_MS = 15 * 60_000;

/** Enough for a worker's activities; a hundred idle sockets a process are no use to anybody. */
const DEFAULT_MAX_CONNECTIONS = 16;

/** A page of 1,000 items is some 300 KB; a call with a very long transcript a few MB. */
const DEFAULT_MAX_RESPONSE_BYTES = 10_000_000;

/** As the platform's published clients wait: from 0.5 s, doubling to 30 s. */
const DEFAULT_BASE_DELAY_MS = 500;
const DEFAULT_MAX_DELAY_MS = 30_000;

/** The longest delay that Node's timers take; longer ones fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Checks options and fills in defaults. Throws `InvalidRequestError`, which names the option, never its value. */
export function settle(options: PlatformOptions): Settings {
  const keys = keysOf(options.apiKey ?? keyFromEnvironment());
  keys.apiKey();
  const baseUrl = options.baseUrl ?? fromEnvironment("baseUrl");
  if (baseUrl === undefined)
    throw invalidOption("baseUrl", `is needed: give it, or set ${VARIABLES.baseUrl}`);
  const base = parseBaseUrl("baseUrl", baseUrl);
  const wsUrl = wsUrlOf(options, baseUrl);
  parseBaseUrl("wsUrl", wsUrl);
  const retry = settleRetry(options.retry ?? "none");
  const timeouts = options.timeouts ?? {};
  const maxConnections = checkCount("maxConnections", options.maxConnections ?? DEFAULT_MAX_CONNECTIONS);
  return {
    base,
    wsUrl,
    ...keys,
    timeouts: {
      connectMs: checkMs("timeouts.connectMs", timeouts.connectMs ?? DEFAULT_TIMEOUT_MS),
      headersMs: checkMs("timeouts.headersMs", timeouts.headersMs ?? DEFAULT_TIMEOUT_MS),
      wholeMs: checkMs("timeouts.wholeMs", timeouts.wholeMs ?? DEFAULT_TIMEOUT_MS),
      transferMs: checkMs("timeouts.transferMs", timeouts.transferMs ?? DEFAULT_TRANSFER_MS),
    },
    retry,
    limiter: limiterOf(options, retry.attempts, maxConnections),
    maxConnections,
    maxResponseBytes: checkCount("maxResponseBytes", options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES),
    streamTokenInQuery: options.streamTokenInQuery ?? true,
    hooks: options.hooks ?? {},
    headers: checkedHeaders(options.headers),
    sender: senderOf(options),
  };
}

/** The stream of a base URL that was given is not that of the environment's. */
function wsUrlOf(options: PlatformOptions, baseUrl: string): string {
  if (options.wsUrl !== undefined) return options.wsUrl;
  const named = options.baseUrl === undefined ? fromEnvironment("wsUrl") : undefined;
  return named ?? deriveWsUrl(baseUrl);
}

/** A retry policy with its defaults. Throws `InvalidRequestError`. */
export function settleRetry(given: "none" | RetryPolicy): Settings["retry"] {
  const policy: RetryPolicy = given === "none" ? { attempts: 1 } : given;
  return {
    attempts: checkCount("retry.attempts", policy.attempts),
    backoff: {
      baseMs: checkMs("retry.baseDelayMs", policy.baseDelayMs ?? DEFAULT_BASE_DELAY_MS),
      maxMs: checkMs("retry.maxDelayMs", policy.maxDelayMs ?? DEFAULT_MAX_DELAY_MS),
    },
  };
}

/** A token of RFC 9110, and what may stand behind it. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\x20-\x7e\t]*$/;

/** What the client says itself, since it must be true of the request and of its connection. */
const OWN_HEADERS = new Set([
  "authorization",
  "accept",
  "accept-encoding",
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);

/** Headers by lower-case name. Throws `InvalidRequestError`, which names the header, never its value. */
export function checkedHeaders(headers: PlatformOptions["headers"]): Readonly<Record<string, string>> {
  const checked: Record<string, string> = {};
  for (const [given, value] of Object.entries(headers ?? {})) {
    const name = given.toLowerCase();
    if (!HEADER_NAME.test(name)) throw invalidOption("headers", "must have names that are tokens");
    if (OWN_HEADERS.has(name)) throw invalidOption(`headers.${name}`, "is said by the client itself");
    if (typeof value !== "string" || !HEADER_VALUE.test(value))
      throw invalidOption(`headers.${name}`, "must be a text of visible ASCII and spaces");
    checked[name] = value;
  }
  return checked;
}

function senderOf({ proxy, dispatcher, fetch }: PlatformOptions): Sender {
  const given = Object.entries({ proxy, dispatcher, fetch }).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  if (given.length > 1) throw invalidOption(given.join(" and "), "can't be combined: one of them sends");
  if (dispatcher !== undefined) return { kind: "dispatcher", dispatcher };
  if (fetch !== undefined) return { kind: "fetch", fetch };
  return proxy === undefined ? { kind: "pool" } : { kind: "proxy", url: proxyUrlOf(proxy) };
}

function proxyUrlOf(proxy: string): URL {
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === "")
    throw invalidOption("proxy", "must be an http:// or https:// address");
  return url;
}

function limiterOf(
  { limiter }: PlatformOptions,
  attempts: number,
  maxConcurrent: number,
): Limiter | undefined {
  if (limiter === "none") return undefined;
  return limiter ?? (attempts > 1 ? createLimiter({ maxConcurrent }) : undefined);
}

/** A request lives for minutes and a key for months: the errors of one speak of two keys at most. */
const KEYS_REMEMBERED = 4;

function keysOf(apiKey: string | (() => string)): Pick<Settings, "apiKey" | "secrets"> {
  const used: string[] = [];
  return {
    apiKey: () => {
      const key = typeof apiKey === "function" ? apiKey() : apiKey;
      checkApiKey(key);
      if (!used.includes(key)) used.push(key);
      if (used.length > KEYS_REMEMBERED) used.shift();
      return key;
    },
    secrets: () => used,
  };
}

/** True for a wait that a timer can hold. */
export function isTimerMs(value: number): boolean {
  return Number.isFinite(value) && value >= 1 && value <= LONGEST_TIMER_MS;
}

function checkMs(option: string, value: number): number {
  if (!isTimerMs(value)) throw invalidOption(option, `must be from 1 to ${LONGEST_TIMER_MS} milliseconds`);
  return value;
}

function checkCount(option: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) throw invalidOption(option, "must be a whole number from 1");
  return value;
}

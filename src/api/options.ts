import type { RetryOptions } from "./retries.ts";

export interface ClientOptions extends RetryOptions {
  /** Where the API is, such as `http://127.0.0.1:8480`; it may have a path. In a browser, the page's own by default. */
  baseUrl?: string;
  /** Shown as `Authorization: Bearer ...`. A function is asked before each request. */
  token?: string | (() => string | undefined | Promise<string | undefined>);
  /** Who asks, for the audit. */
  actor?: string;
  /** In place of the global one. */
  fetch?: typeof globalThis.fetch;
}

/** Of operations that replace what somebody else may have replaced meanwhile. */
export interface MatchOptions {
  /** Only while this is what is replaced: the `etag` that `send` had from whatever showed it. */
  ifMatch?: string | undefined;
}

/** What goes with a request beside what it is about. */
export interface RequestOptions {
  /** Gives the request up. */
  signal?: AbortSignal | undefined;
  /** Makes it the same request when it comes again. Each change has one of its own unless one is given. */
  idempotencyKey?: string | undefined;
}

import { Readable } from "node:stream";
import { type Dispatcher, errors } from "undici";

/** As `globalThis.fetch`, as far as it is called here. */
export type Fetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body: string | ReadableStream | null;
    redirect: "manual";
    signal: AbortSignal;
    duplex: "half";
  },
) => Promise<FetchAnswer>;

/** As `Response`, as far as it is read here. */
export interface FetchAnswer {
  readonly status: number;
  readonly headers: Iterable<[string, string]>;
  readonly body: AsyncIterable<Uint8Array> | null;
}

type Handler = Dispatcher.DispatchHandler;

/**
 * A `fetch` in the place of a connection pool.
 *
 * F1 Nobody can see when a `fetch` writes its first byte: from the call on, a request counts as sent.
 * F2 The times of a request hold: for the answer to begin, and between two pieces of it.
 */
export function fetchDispatcher(fetch: Fetch): Pick<Dispatcher, "dispatch"> {
  return {
    dispatch: (options, handler) => {
      void new FetchExchange(options, handler).run(fetch);
      return true;
    },
  };
}

class FetchExchange implements Dispatcher.DispatchController {
  readonly #options: Dispatcher.DispatchOptions;
  readonly #handler: Handler;
  readonly #abort = new AbortController();
  #reason: Error | null = null;
  #resume: (() => void) | undefined;
  #paused = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Dispatcher.DispatchOptions, handler: Handler) {
    this.#options = options;
    this.#handler = handler;
  }

  get aborted(): boolean {
    return this.#abort.signal.aborted;
  }

  get paused(): boolean {
    return this.#paused;
  }

  get reason(): Error | null {
    return this.#reason;
  }

  abort(reason: Error): void {
    if (this.aborted) return;
    this.#reason = reason;
    this.#abort.abort(reason);
    this.resume();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#resume?.();
    this.#resume = undefined;
  }

  async run(fetch: Fetch): Promise<void> {
    const { headersTimeout, bodyTimeout } = this.#options;
    try {
      this.#handler.onRequestStart?.(this, undefined);
      this.#abort.signal.throwIfAborted();
      this.#within(headersTimeout, new errors.HeadersTimeoutError());
      const answer = await fetch(...this.#request());
      this.#handler.onResponseStart?.(this, answer.status, Object.fromEntries(answer.headers), "");
      for await (const chunk of answer.body ?? []) {
        this.#handler.onResponseData?.(this, Buffer.from(chunk));
        clearTimeout(this.#timer);
        if (this.#paused) await new Promise<void>((resolve) => (this.#resume = resolve));
        this.#abort.signal.throwIfAborted();
        this.#within(bodyTimeout, new errors.BodyTimeoutError());
      }
      this.#handler.onResponseEnd?.(this, {});
    } catch (error) {
      this.#handler.onResponseError?.(this, this.#reason ?? failureOf(error));
    } finally {
      clearTimeout(this.#timer);
    }
  }

  #request(): Parameters<Fetch> {
    const { origin, path, method, headers, body } = this.#options;
    // A `fetch` says itself how long a body is.
    const { "content-length": _, ...own } = Object.fromEntries(Object.entries(headers ?? {}));
    return [
      `${String(origin)}${path}`,
      {
        method,
        headers: own,
        body: body instanceof Readable ? Readable.toWeb(body) : typeof body === "string" ? body : null,
        redirect: "manual",
        signal: this.#abort.signal,
        duplex: "half",
      },
    ];
  }

  #within(ms: number | null | undefined, late: Error): void {
    clearTimeout(this.#timer);
    if (typeof ms === "number" && ms > 0) this.#timer = setTimeout(() => this.abort(late), ms);
  }
}

/** What a `fetch` fails with says `fetch failed`; why stands behind it. */
function failureOf(error: unknown): Error {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause;
  return new errors.SocketError(cause instanceof Error ? cause.name : "the fetch failed");
}

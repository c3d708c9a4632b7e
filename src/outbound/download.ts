import { Agent } from "undici";

import { onAbort } from "../platform/abort.ts";
import { Exchange, type Received } from "../platform/exchange.ts";
import { parseAllowList } from "./allow-list.ts";
import { toOutboundError } from "./client.ts";
import { guardedConnector, lookupByMachine, type Lookup } from "./connector.ts";
import { OutboundError, type OutboundErrorKind } from "./errors.ts";
import { nextHop, targetOf } from "./redirects.ts";
import { redactUrl } from "./redaction.ts";
import { checkRequest } from "./request-check.ts";

/** A body that is fetched from an address that somebody configured, as large as a contact list. */
export interface DownloadRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/**
 * Fetches what is too large for `Outbound`, with the same checks of each connection.
 *
 * `read` hands the body on as it arrives; whoever reads slower than it comes makes the sender wait. What was handed
 * on is whole only where `read` resolves.
 *
 * `read` @throws OutboundRefusedError where the address is not allowed, DownloadRefusedError where the answer is no
 * body to take, OutboundError where the answer did not come or broke off.
 */
export interface Downloads {
  read<T>(request: DownloadRequest, take: (body: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** An answer came, and there is nothing in it to take. The message repeats nothing of what was sent. */
export class DownloadRefusedError extends Error {
  override readonly name = "DownloadRefusedError";
  /** Whether the same request may be answered better in a while: 408, 429 and 5xx. */
  readonly mayPass: boolean;

  constructor(message: string, mayPass: boolean) {
    super(message);
    this.mayPass = mayPass;
  }
}

interface DownloadOptions {
  /** Hosts, addresses and ranges that may be private. */
  allow: readonly string[];
  /** Given by tests alone: the machine's resolver can't be made to lie. */
  lookup?: Lookup;
  bounds?: Partial<DownloadBounds>;
}

interface DownloadBounds {
  /** From the first byte sent to the last one read, redirects included. */
  wholeMs: number;
  /** Without a byte arriving while we wait for one. */
  idleMs: number;
  maxBytes: number;
}

const BOUNDS: DownloadBounds = {
  // 2 GB within it take 10 Mbit/s; a slower source had better send less.
  wholeMs: 30 * 60_000,
  // An export that is computed while it is asked for answers late, and then steadily.
  idleMs: 60_000,
  // As much as the import takes.
  maxBytes: 2 * 1024 ** 3,
};

const MAX_HEADER_BYTES = 16_384;
const MAX_REDIRECTS = 3;

/** A GET stays one, whichever of these words is used. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** @throws RangeError where an entry of `allow` can't be read. */
export function createDownloads(options: DownloadOptions): Downloads {
  const agent = new Agent({
    connect: guardedConnector(parseAllowList(options.allow), options.lookup ?? lookupByMachine),
    // One worker loads few lists at once.
    connections: 4,
    pipelining: 1,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Our own clocks know when we are the slow ones.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const bounds = { ...BOUNDS, ...options.bounds };
  let closing: Promise<void> | undefined;
  return {
    read: async (request, take) => {
      let url = checkRequest({ ...request, body: undefined });
      if (closing !== undefined) throw new OutboundError(url.hostname, "closed", "closed", false);
      const endsAtMs = performance.now() + bounds.wholeMs;
      for (let redirects = 0; ; redirects += 1) {
        const download = new Download(agent, url, request, { ...bounds, endsAtMs });
        try {
          const next = await download.redirect();
          if (next === undefined) return await take(download.body());
          if (redirects === MAX_REDIRECTS)
            throw new DownloadRefusedError(`${url.host} redirects again and again`, false);
          url = next;
        } finally {
          download.end();
        }
      }
    },
    close: () => (closing ??= agent.destroy()),
  };
}

/** One request and its answer. */
class Download {
  readonly #exchange = new Exchange();
  readonly #url: URL;
  readonly #bounds: DownloadBounds & { endsAtMs: number };
  readonly #forget: () => void;
  readonly #deadline: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;
  #received: Received | undefined;

  constructor(
    agent: Agent,
    url: URL,
    request: DownloadRequest,
    bounds: DownloadBounds & { endsAtMs: number },
  ) {
    this.#url = url;
    this.#bounds = bounds;
    const leftMs = Math.max(0, bounds.endsAtMs - performance.now());
    this.#deadline = setTimeout(() => this.#giveUp("timeout", "not through in time"), leftMs);
    this.#forget = onAbort(request.signal, () => this.#giveUp("aborted", "aborted"));
    const headers: Record<string, string> = { "user-agent": "outdial", "accept-encoding": "identity" };
    for (const [name, value] of Object.entries(request.headers)) headers[name.toLowerCase()] = value;
    this.#wait();
    agent.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method: "GET", headers },
      this.#exchange,
    );
  }

  /** Where the answer leads to instead. @throws DownloadRefusedError for any other answer than a whole body. */
  async redirect(): Promise<URL | undefined> {
    this.#received = await this.#exchange.answered.catch((error: unknown) => {
      throw toOutboundError(this.#url.hostname, error, this.#exchange.sent);
    });
    this.#stopWaiting();
    const { status, headers } = this.#received;
    const { host } = this.#url;
    if (REDIRECTS.has(status)) {
      const answer = { status: 307, headers: { location: headers["location"] ?? "" }, body: "" };
      const seen = { ...answer, retryAfterMs: undefined };
      const next = nextHop(this.#url, seen);
      if (next !== undefined) return next;
      const where = targetOf(this.#url, seen);
      const to = where === undefined ? "" : ` to ${redactUrl(where.href)}`;
      throw new DownloadRefusedError(
        `${host} answered ${status}, it has moved${to}: put its new address there, secrets go to no other host by themselves`,
        false,
      );
    }
    if (status !== 200) {
      const mayPass = status === 408 || status === 429 || status >= 500;
      throw new DownloadRefusedError(`${host} answered ${status} instead of 200 with a list`, mayPass);
    }
    if ((headers["content-encoding"] ?? "identity").toLowerCase() !== "identity")
      throw new DownloadRefusedError(
        `${host} sent its answer compressed (${headers["content-encoding"]}), unasked: have it send the list as it is`,
        false,
      );
    // Without either, the end of the connection is the end of the list, and so is a connection that broke.
    if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined)
      throw new DownloadRefusedError(
        `${host} does not say where its answer ends (neither Content-Length nor chunks): half a list could not be told from a whole one`,
        false,
      );
    return undefined;
  }

  async *body(): AsyncGenerator<Uint8Array> {
    if (this.#received === undefined) throw new TypeError("there is no answer yet");
    let bytes = 0;
    this.#wait();
    try {
      for await (const chunk of this.#received.body) {
        // While it is being handled nobody waits for the sender.
        this.#stopWaiting();
        const piece: Buffer = chunk;
        bytes += piece.length;
        if (bytes > this.#bounds.maxBytes) throw this.#tooLarge();
        yield piece;
        this.#wait();
      }
    } catch (error) {
      if (error instanceof DownloadRefusedError) throw error;
      throw toOutboundError(this.#url.hostname, error, true);
    } finally {
      this.#stopWaiting();
    }
  }

  #tooLarge(): DownloadRefusedError {
    const { maxBytes } = this.#bounds;
    return new DownloadRefusedError(
      `${this.#url.host} sent more than ${maxBytes} bytes: split the list`,
      false,
    );
  }

  /** Drops what is left of it. */
  end(): void {
    clearTimeout(this.#deadline);
    this.#stopWaiting();
    this.#forget();
    this.#received?.body.destroy();
  }

  #wait(): void {
    this.#stopWaiting();
    this.#idle = setTimeout(() => this.#giveUp("timeout", "nothing came for a while"), this.#bounds.idleMs);
  }

  #stopWaiting(): void {
    clearTimeout(this.#idle);
  }

  #giveUp(kind: OutboundErrorKind, code: string): void {
    this.#exchange.giveUp(new OutboundError(this.#url.hostname, kind, code, this.#exchange.sent));
  }
}

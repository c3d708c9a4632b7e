/**
 * One try of one request over what sends it (dispatching.ts). It speaks of sockets only: what a failure
 * means for the platform is said in failures.ts.
 *
 * T1 `sent` is false only if not a byte of the request was written (exchange.ts).
 * T2 Nothing waits longer than the limits, not even for a free connection.
 * T3 An answer is consumed to its end or its connection is dropped; none is left half read in the pool.
 */
import { Readable } from "node:stream";
import { errors } from "undici";
import { onAbort } from "./abort.ts";
import { openOutlet, type Outlet } from "./dispatching.ts";
import { PlatformError } from "./errors.ts";
import { Exchange, type Received } from "./exchange.ts";
import type { Settings } from "./options.ts";
import { SourceError } from "./upload.ts";
import type { Endpoint } from "./endpoint.ts";

export interface Wire {
  readonly method: Endpoint["method"];
  /** Path and query, the base URL's prefix included. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is destroyed with the exchange. */
  readonly body: string | Readable | undefined;
}

export interface Limits {
  readonly wholeMs: number;
  /** For the answer to begin, once the request is written. */
  readonly headersMs: number;
  /** Between two pieces of the answer. */
  readonly idleMs: number;
  readonly signal: AbortSignal | undefined;
  /** It is not held back by the limiter. */
  readonly atOnce: boolean;
}

/**
 * `connection`: not made, or lost. `timeout`: a limit was reached. `aborted`: the caller's signal.
 * `not_http`: what came back is not HTTP, or more than a header may be. `source`: what was to be sent failed.
 */
type WireFailureKind = "connection" | "timeout" | "aborted" | "not_http" | "source";

/** Why there is no answer. `code` is a word for it that is safe to show, such as `ECONNREFUSED`. */
export class WireFailure extends Error {
  readonly kind: WireFailureKind;
  readonly code: string;
  readonly sent: boolean;

  constructor(kind: WireFailureKind, code: string, sent: boolean, cause: unknown) {
    super(`${kind}: ${code}`, { cause });
    this.name = "WireFailure";
    this.kind = kind;
    this.code = code;
    this.sent = sent;
  }
}

export interface Judge {
  readonly accept: (received: Received) => Promise<void>;
  readonly lost: (failure: WireFailure) => Error;
}

export interface Transport {
  /**
   * Sends the request and hands the answer to `consume`, all within the limits.
   * Throws `WireFailure`, or what `consume` itself throws.
   */
  exchange<T>(wire: Wire, limits: Limits, consume: (received: Received) => Promise<T>): Promise<T>;
  /**
   * Sends the request and hands back the answer as soon as `accept` has let it pass; its body then belongs to
   * the caller, who reads it to its end or destroys it. The limits hold until then. Throws as `exchange` does;
   * a body fails with what `lost` makes of its failure.
   */
  open(wire: Wire, limits: Limits, judge: Judge): Promise<Received>;
  readonly closed: boolean;
  /** Takes no new request; resolves when those under way have ended. */
  close(): Promise<void>;
}

/** Connections are made when they are needed. */
export function openTransport(settings: Settings): Transport {
  const outlet = openOutlet(settings);
  const underWay = new Set<Promise<unknown>>();
  const begin = (wire: Wire, limits: Limits): Begun => {
    const begun = hand(outlet, settings.base.origin, wire, limits);
    const { ended } = begun.exchange;
    underWay.add(ended);
    void ended.then(() => underWay.delete(ended));
    return begun;
  };
  let closing: Promise<void> | undefined;
  return {
    exchange: async (wire, limits, consume) => {
      const { exchange, release } = begin(wire, limits);
      try {
        const received = await exchange.answered;
        try {
          return await consume(received);
        } finally {
          received.body.destroy();
        }
      } catch (error) {
        throw toWireFailure(error, exchange.sent);
      } finally {
        release();
      }
    },
    open: async (wire, limits, { accept, lost }) => {
      const { exchange, release } = begin(wire, limits);
      try {
        const received = await exchange.answered;
        received.body.once("close", release);
        await accept(received).catch((error: unknown) => {
          received.body.destroy();
          throw error;
        });
        return { ...received, body: inOurWords(received.body, lost) };
      } catch (error) {
        release();
        throw toWireFailure(error, exchange.sent);
      }
    },
    get closed() {
      return closing !== undefined;
    },
    close: () =>
      (closing ??= (async () => {
        await Promise.all([outlet.close(), ...underWay]);
      })()),
  };
}

interface Begun {
  readonly exchange: Exchange;
  /** Ends the limits, and what was being sent. */
  readonly release: () => void;
}

/** Hands a request over to be sent. */
function hand({ dispatcher }: Outlet, origin: string, wire: Wire, limits: Limits): Begun {
  const { signal, headersMs, idleMs } = limits;
  if (signal?.aborted === true) {
    throw new WireFailure("aborted", "aborted by the caller", false, signal.reason);
  }
  const exchange = new Exchange();
  const forget = limit(exchange, limits);
  const release = (): void => {
    forget();
    if (wire.body instanceof Readable) wire.body.destroy();
  };
  try {
    dispatcher.dispatch(
      { ...wire, origin, body: wire.body ?? null, headersTimeout: headersMs, bodyTimeout: idleMs },
      exchange,
    );
  } catch (error) {
    release();
    throw toWireFailure(error, false);
  }
  return { exchange, release };
}

/** The body with its failures in other words. Destroying it drops the connection. */
function inOurWords(body: Readable, lost: (failure: WireFailure) => Error): Readable {
  const ours = Readable.from(
    (async function* () {
      try {
        for await (const chunk of body) yield chunk;
      } catch (error) {
        const failure = toWireFailure(error, true);
        throw failure instanceof WireFailure ? lost(failure) : failure;
      }
    })(),
    { objectMode: false },
  );
  // Whoever reads the body sees the failure; without a listener it would end the process where nobody does.
  ours.on("error", () => {});
  // A body that nobody has begun to read would otherwise keep its connection.
  ours.once("close", () => body.destroy());
  return ours;
}

/** Gives the exchange up at its time limit or when the signal says so. Returns what undoes that. */
function limit(exchange: Exchange, { wholeMs, signal }: Limits): () => void {
  const stop = (kind: "timeout" | "aborted", code: string, cause: unknown): void =>
    exchange.giveUp(new WireFailure(kind, code, exchange.sent, cause));
  const timer = setTimeout(
    () => stop("timeout", `no answer within ${Math.round(wholeMs)} ms`, undefined),
    wholeMs,
  );
  const forget = onAbort(signal, () => stop("aborted", "aborted by the caller", signal?.reason));
  return () => {
    clearTimeout(timer);
    forget();
  };
}

/** What the pool calls a failure, in our words. Verdicts of `consume` pass as they are. */
function toWireFailure(error: unknown, sent: boolean): unknown {
  if (error instanceof WireFailure || error instanceof PlatformError) return error;
  if (error instanceof errors.HeadersTimeoutError) {
    return new WireFailure("timeout", "the answer did not begin in time", sent, error);
  }
  if (error instanceof errors.BodyTimeoutError) {
    return new WireFailure("timeout", "the answer stalled", sent, error);
  }
  if (error instanceof errors.ConnectTimeoutError) {
    return new WireFailure("timeout", "no connection in time", sent, error);
  }
  if (error instanceof SourceError) return new WireFailure("source", error.message, sent, error.cause);
  const code = codeOf(error);
  if (error instanceof errors.HTTPParserError || code === "UND_ERR_HEADERS_OVERFLOW") {
    // Without the cause: it carries what was received, phone numbers and all.
    return new WireFailure("not_http", code ?? "unreadable answer", sent, undefined);
  }
  if (error instanceof errors.UndiciError || code !== undefined) {
    return new WireFailure("connection", code ?? "connection failed", sent, error);
  }
  return error;
}

/** Node's or undici's code of an error; a word without values in it. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

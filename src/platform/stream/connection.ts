import type { Agent } from "node:http";
import { WebSocket } from "ws";
import { parseRetryAfter } from "../retry-after.ts";

/** How a connection came to its end. Words and numbers only: no URL, which carries the key. */
export type ConnectionEnd =
  /** The upgrade was answered with an HTTP status. */
  | { readonly kind: "refused"; readonly status: number; readonly retryAfterMs: number | undefined }
  /** The server closed it with a close frame. */
  | { readonly kind: "closed"; readonly code: number }
  /** No sign of life within the bound. */
  | { readonly kind: "silent" }
  /** A frame larger than the bound. */
  | { readonly kind: "oversize" }
  /** It could not be made, broke, or does not speak the protocol. */
  | { readonly kind: "failed"; readonly code: string };

export interface ConnectionTiming {
  /** For the upgrade to be answered. */
  readonly handshakeMs: number;
  /** Between pings. */
  readonly pingMs: number;
  /** Without a frame, ping or pong for so long, the connection is taken for dead; seen at the next ping. */
  readonly idleMs: number;
}

export interface ConnectionTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Makes its connection, where that is not made directly. */
  readonly agent?: Agent;
}

export interface ConnectionEvents {
  readonly onOpen: () => void;
  readonly onFrame: (frame: string) => void;
  /** Called once, unless the connection was closed by `close`. */
  readonly onEnd: (end: ConnectionEnd) => void;
}

/** A status event is some hundred bytes; a frame with all items of a batch of 100 some 30 KB. */
const MAX_FRAME_BYTES = 256 * 1024;

/** How long the server may take to answer our close frame. */
const GOODBYE_MS = 1_000;

const OVERSIZE = "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";
const NORMAL_CLOSURE = 1000;
const ABNORMAL_CLOSURE = 1006;

/** One socket, from the first byte of its upgrade to its end. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #timing: ConnectionTiming;
  readonly #events: ConnectionEvents;
  readonly #gone: Promise<void>;
  readonly #handshake: NodeJS.Timeout;
  #heartbeat: NodeJS.Timeout | undefined;
  #lastLifeMs = performance.now();
  #over = false;

  constructor(target: ConnectionTarget, timing: ConnectionTiming, events: ConnectionEvents) {
    this.#timing = timing;
    this.#events = events;
    this.#socket = new WebSocket(target.url, {
      headers: target.headers,
      agent: target.agent,
      maxPayload: MAX_FRAME_BYTES,
      followRedirects: false, // A redirect would carry the key to an address nobody configured.
      perMessageDeflate: false, // What a compressed frame unpacks to is not bounded by what was received.
      skipUTF8Validation: true, // Bad text is a malformed frame to us, no reason to lose the connection.
    });
    this.#gone = new Promise<void>((resolve) => {
      this.#socket.once("close", () => resolve());
    });
    this.#handshake = setTimeout(() => this.#end({ kind: "silent" }), timing.handshakeMs);
    this.#listen();
  }

  /** Stops reading; what the server sends waits in its own buffers. */
  pause(): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.pause();
  }

  resume(): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.resume();
  }

  /** Says goodbye and resolves when the socket is gone, at most `GOODBYE_MS` later. No event follows. */
  async close(): Promise<void> {
    this.#stop();
    const deadline = setTimeout(() => this.#socket.terminate(), GOODBYE_MS);
    this.resume(); // The answer to the close frame has to be read.
    if (this.#socket.readyState === WebSocket.CONNECTING) this.#socket.terminate();
    else this.#socket.close(NORMAL_CLOSURE);
    await this.#gone;
    clearTimeout(deadline);
  }

  #listen(): void {
    const socket = this.#socket;
    const alive = (): void => {
      this.#lastLifeMs = performance.now();
    };
    socket.on("open", () => this.#open());
    socket.on("message", (data) => {
      alive();
      if (!this.#over && Buffer.isBuffer(data)) this.#events.onFrame(data.toString("utf8"));
    });
    socket.on("ping", alive);
    socket.on("pong", alive);
    socket.on("unexpected-response", (_request, response) => {
      const { "retry-after": retryAfter, date } = response.headers;
      const retryAfterMs = parseRetryAfter(retryAfter, { date, nowMs: Date.now() });
      this.#end({ kind: "refused", status: response.statusCode ?? 0, retryAfterMs });
    });
    socket.on("error", (error) => this.#end(failureOf(error)));
    socket.on("close", (code) => {
      const lost = code === ABNORMAL_CLOSURE;
      this.#end(lost ? { kind: "failed", code: "connection lost" } : { kind: "closed", code });
    });
  }

  #open(): void {
    if (this.#over) return;
    clearTimeout(this.#handshake);
    this.#lastLifeMs = performance.now();
    this.#heartbeat = setInterval(() => this.#beat(), this.#timing.pingMs);
    this.#events.onOpen();
  }

  #beat(): void {
    if (performance.now() - this.#lastLifeMs >= this.#timing.idleMs) this.#end({ kind: "silent" });
    else this.#socket.ping();
  }

  #end(why: ConnectionEnd): void {
    if (this.#over) return;
    this.#stop();
    this.#socket.terminate();
    this.#events.onEnd(why);
  }

  #stop(): void {
    this.#over = true;
    clearTimeout(this.#handshake);
    clearInterval(this.#heartbeat);
  }
}

/** A code, never the message: some of ws's messages quote what they were given. */
function failureOf(error: Error): ConnectionEnd {
  const code = "code" in error && typeof error.code === "string" ? error.code : "protocol error";
  return code === OVERSIZE ? { kind: "oversize" } : { kind: "failed", code };
}

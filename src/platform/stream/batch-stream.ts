/**
 * Follows the live events of one batch (contract 6.2) over a WebSocket that is lost and made again.
 *
 * S1 Nothing that comes out of here is truth (I4). A hint says "look now"; REST says what is. A stream that is
 *    dead, garbled or lying makes things slower, never different.
 * S2 A stream has at most one socket, which belongs to the phase that it is in.
 * S3 It never ends by itself, not even when the batch seems over: until it is closed or aborted it connects, is
 *    open, or waits for a bounded time.
 * S4 Hints are handed over at most once per window; what waits is one merged hint. A burst is read up to a
 *    bound and then left in the server's buffers.
 * S5 After `closed` no callback is called.
 * S6 The key stands in the request only. No state, hint, counter or error carries a URL or a header.
 * S7 A connection without any sign of life is dropped within a bound, and a lost one comes back after a
 *    jittered, growing, capped wait.
 */
import { onAbort } from "../abort.ts";
import { notify } from "../hooks.ts";
import { checkApiKey } from "../key-rule.ts";
import { isPathSegment, invalidOption, parseBaseUrl } from "../url.ts";
import {
  Connection,
  type ConnectionEnd,
  type ConnectionTarget,
  type ConnectionTiming,
} from "./connection.ts";
import { type HintWindow, openHintWindow } from "./hint-window.ts";
import { frameFields, type Hint, hintOf } from "./hint.ts";
import { nextWait, type ReconnectTiming, type WaitReason } from "./reconnect.ts";
import { tunnelAgent } from "./tunnel.ts";

export type StreamState = "connecting" | "open" | "waiting" | "closed";

/** What `onState` is told. */
export type StreamStateChange =
  | { readonly state: "connecting" | "open" | "closed" }
  | {
      readonly state: "waiting";
      readonly reason: WaitReason;
      /** The HTTP status of a refused upgrade, the code of a close frame, or the word for a failed connection. */
      readonly code: number | string | undefined;
      readonly delayMs: number;
    };

/** Since the stream was opened. */
export interface StreamCounters {
  /** Frames received, malformed ones included. */
  readonly frames: number;
  /** Frames that are not a JSON object, or too large. */
  readonly malformed: number;
  /** Hints handed over. */
  readonly hints: number;
  /** Connections begun, but for the first. */
  readonly reconnects: number;
}

export interface StreamTiming extends ConnectionTiming, ReconnectTiming {
  /** At most one hint in this time. */
  readonly hintWindowMs: number;
}

/** What a listener says; the rest is known to the client. */
export interface BatchStreamRequest {
  readonly batchCallId: string;
  /** Aborting is the same as closing. */
  readonly signal?: AbortSignal | undefined;
  /** Called synchronously; wake something up and return. */
  readonly onHint: (hint: Hint) => void;
  /** Called for every frame that is a JSON object, however many come in a window. */
  readonly onFrame?: ((data: Readonly<Record<string, unknown>>, hint: Hint) => void) | undefined;
  readonly onState?: ((change: StreamStateChange) => void) | undefined;
  readonly timing?: Partial<StreamTiming> | undefined;
}

export interface BatchStreamOptions extends BatchStreamRequest {
  /** ws or wss, a path prefix is allowed. */
  readonly wsUrl: string;
  /** The key, or what says which one is in use at each connection. */
  readonly apiKey: string | (() => string);
  /** Default true: the key goes into the query as `token`, too, where published clients put it. */
  readonly tokenInQuery?: boolean;
  /** Sent with each connection beside the stream's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Connections go through it. */
  readonly proxy?: URL | undefined;
}

export interface BatchStream {
  readonly state: StreamState;
  readonly counters: StreamCounters;
  /** Resolves when the stream was closed or aborted and its socket is gone. */
  readonly closed: Promise<void>;
  /** Ends the stream. Resolves when its socket is gone, a second later at most. */
  close(): Promise<void>;
}

export const STREAM_TIMING: StreamTiming = {
  handshakeMs: 10_000,
  // Proxies drop connections that are quiet for a minute; three pings fit before we give one up.
  pingMs: 15_000,
  idleMs: 45_000,
  backoffBaseMs: 500,
  backoffMaxMs: 30_000,
  // Longer than a server that accepts and then closes takes to do so.
  stableMs: 10_000,
  // A key, scope or batch does not come back within seconds.
  refusedMs: 60_000,
  // Twice this is about what a person calls at once; a look at the items takes as long.
  hintWindowMs: 250,
};

/** 250 frames in 250 ms: more than a batch of 100 has to say. */
const MAX_FRAMES_PER_WINDOW = 250;

type Phase =
  | { readonly state: "connecting"; readonly connection: Connection }
  | { readonly state: "open"; readonly connection: Connection; readonly sinceMs: number }
  | { readonly state: "waiting"; readonly timer: NodeJS.Timeout }
  | { readonly state: "closed" };

/**
 * Opens the stream of a batch; it is connecting when this returns. Throws `InvalidRequestError` for an address,
 * key or id that can't be used, and nothing afterwards.
 */
export function openBatchStream(options: BatchStreamOptions): BatchStream {
  return new Supervisor(options, targetOf(options));
}

class Supervisor implements BatchStream {
  readonly closed: Promise<void>;
  readonly #options: BatchStreamOptions;
  #target: ConnectionTarget;
  readonly #timing: StreamTiming;
  readonly #hints: HintWindow;
  readonly #counters = { frames: 0, malformed: 0, hints: 0, reconnects: 0 };
  #markClosed: () => void = () => {};
  #forgetSignal: () => void = () => {};
  #phase: Phase = { state: "closed" };
  /** Losses in a row. */
  #failures = 0;
  /** What this connection's newest frame about the batch seemed to say. */
  #batchEnded = false;

  constructor(options: BatchStreamOptions, target: ConnectionTarget) {
    this.#options = options;
    this.#target = target;
    this.#timing = { ...STREAM_TIMING, ...options.timing };
    this.#hints = openHintWindow({
      windowMs: this.#timing.hintWindowMs,
      maxFrames: MAX_FRAMES_PER_WINDOW,
      deliver: (hint) => {
        this.#counters.hints += 1;
        notify(options.onHint, hint);
      },
      onWindowEnd: () => {
        if (this.#phase.state === "open") this.#phase.connection.resume();
      },
    });
    this.closed = new Promise((resolve) => {
      this.#markClosed = resolve;
    });
    if (options.signal?.aborted === true) {
      this.#markClosed();
      return;
    }
    this.#forgetSignal = onAbort(options.signal, () => void this.close());
    this.#dial();
  }

  get state(): StreamState {
    return this.#phase.state;
  }

  get counters(): StreamCounters {
    return { ...this.#counters };
  }

  async close(): Promise<void> {
    const last = this.#phase;
    if (last.state === "closed") return this.closed;
    this.#forgetSignal();
    this.#hints.clear();
    if (last.state === "waiting") clearTimeout(last.timer);
    this.#enter({ state: "closed" }, { state: "closed" });
    if (last.state !== "waiting") await last.connection.close();
    this.#markClosed();
  }

  #enter(phase: Phase, change: StreamStateChange): void {
    this.#phase = phase;
    notify(this.#options.onState, change);
  }

  #dial(): void {
    this.#batchEnded = false;
    const connection = new Connection(this.#target, this.#timing, {
      onOpen: () => this.#onOpen(connection),
      onFrame: (frame) => this.#onFrame(frame),
      onEnd: (end) => this.#onEnd(end),
    });
    this.#enter({ state: "connecting", connection }, { state: "connecting" });
  }

  /** With the key that is in use now; where that can't be used, the last one has to do. */
  #renewTarget(): void {
    try {
      this.#target = targetOf(this.#options);
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : new Error("the source of the key threw"));
    }
  }

  #onOpen(connection: Connection): void {
    this.#enter({ state: "open", connection, sinceMs: performance.now() }, { state: "open" });
  }

  #onFrame(frame: string): void {
    const data = frameFields(frame);
    const hint = data && hintOf(data, Date.now());
    this.#counters.frames += 1;
    if (data !== undefined && hint !== undefined && this.#options.onFrame !== undefined)
      notify(([fields, seen]) => this.#options.onFrame?.(fields, seen), [data, hint] as const);
    if (hint === undefined) this.#counters.malformed += 1;
    if (hint?.terminal !== undefined) this.#batchEnded = hint.terminal;
    const wanted = this.#hints.frame(hint);
    if (!wanted && this.#phase.state === "open") this.#phase.connection.pause();
  }

  #onEnd(end: ConnectionEnd): void {
    const livedMs = this.#phase.state === "open" ? performance.now() - this.#phase.sinceMs : 0;
    if (end.kind === "oversize") {
      this.#counters.frames += 1;
      this.#counters.malformed += 1;
    }
    const loss = { end, livedMs, failures: this.#failures, batchEnded: this.#batchEnded };
    const { reason, delayMs, failures } = nextWait(loss, this.#timing);
    this.#failures = failures;
    const timer = setTimeout(() => {
      this.#counters.reconnects += 1;
      this.#renewTarget();
      this.#dial();
    }, delayMs);
    this.#enter({ state: "waiting", timer }, { state: "waiting", reason, code: codeOf(end), delayMs });
  }
}

function targetOf(options: BatchStreamOptions): ConnectionTarget {
  const { wsUrl, batchCallId, tokenInQuery = true } = options;
  const apiKey = typeof options.apiKey === "function" ? options.apiKey() : options.apiKey;
  const { origin, prefix } = parseBaseUrl("wsUrl", wsUrl);
  checkApiKey(apiKey);
  if (!isPathSegment(batchCallId)) throw invalidOption("batchCallId", "must be an id of 1 to 255 characters");
  const token = tokenInQuery ? `?${new URLSearchParams({ token: apiKey }).toString()}` : "";
  return {
    url: `${origin}${prefix}/ws/batch-call/${encodeURIComponent(batchCallId)}${token}`,
    headers: { "user-agent": "outdial", ...options.headers, authorization: `Bearer ${apiKey}` },
    ...(options.proxy && {
      agent: tunnelAgent(options.proxy, {
        isSecure: origin.startsWith("wss:"),
        withinMs: options.timing?.handshakeMs ?? STREAM_TIMING.handshakeMs,
      }),
    }),
  };
}

function codeOf(end: ConnectionEnd): number | string | undefined {
  switch (end.kind) {
    case "refused":
      return end.status;
    case "closed":
    case "failed":
      return end.code;
    case "silent":
    case "oversize":
      return undefined;
  }
}

/** The stream of a batch as an async iterator, for whoever shows it; campaigns live by hints (batch-stream.ts). */
import { type BatchStream, type BatchStreamRequest, type StreamStateChange } from "./batch-stream.ts";
import type { Hint } from "./hint.ts";
import type { BatchCall } from "../operations/batch-calls.ts";
import { checkWaits, isBatchEnded, passes } from "../waiting.ts";
import type { CallOptions } from "../request.ts";

/** What is told while a batch is followed. Nothing of a frame is truth: `batch` is what REST says. */
export type BatchEvent =
  /** A frame of the stream: `data` as it came, and what it seems to say. */
  | { readonly kind: "frame"; readonly data: Readonly<Record<string, unknown>>; readonly hint: Hint }
  /** The stream is connecting, open, or waits to connect again. */
  | { readonly kind: "state"; readonly change: StreamStateChange }
  /** So many frames came faster than they were taken, and are left out. */
  | { readonly kind: "missed"; readonly frames: number }
  /** A look at the batch. */
  | { readonly kind: "batch"; readonly batch: BatchCall };

export interface FollowOptions {
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal | undefined;
  /** A look at the batch at least so often, stream or not. Default 10 s. */
  readonly lookEveryMs?: number | undefined;
}

export interface Following {
  readonly open: (request: BatchStreamRequest) => BatchStream;
  readonly look: (options: CallOptions) => Promise<BatchCall>;
}

/** Frames that wait for their reader; more are counted and left out. */
const MOST_WAITING = 1_000;

const LOOK_EVERY_MS = 10_000;

/** Looks that a talkative stream brings about come no closer than this. */
const LOOK_APART_MS = 1_000;

/**
 * Yields what a batch's stream says, and what the batch is: at the beginning, when the stream speaks of its end, and
 * every so often. Ends after the look that finds it ended; the stream is then closed, as it is where the reader stops.
 *
 * @throws PlatformError of a look that fails for good; InvalidRequestError for a `lookEveryMs` that is no time
 */
export async function* follow(
  batchCallId: string,
  { open, look }: Following,
  { signal, lookEveryMs = LOOK_EVERY_MS }: FollowOptions,
): AsyncGenerator<BatchEvent, void, undefined> {
  checkWaits({ lookEveryMs });
  const waiting: BatchEvent[] = [];
  let missed = 0;
  let dueMs = 0;
  let wake = (): void => {};
  const put = (event: BatchEvent): void => {
    if (event.kind === "frame" && waiting.length >= MOST_WAITING) missed += 1;
    else waiting.push(event);
    wake();
  };
  const stream = open({
    batchCallId,
    signal,
    onHint: () => {},
    onFrame: (data, hint) => {
      if (hint.terminal === true) dueMs = Math.min(dueMs, performance.now() + LOOK_APART_MS);
      put({ kind: "frame", data, hint });
    },
    onState: (change) => put({ kind: "state", change }),
  });
  void stream.closed.then(() => wake());
  const isAborted = (): boolean => signal?.aborted === true;
  const abort = (): void => wake();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    for (;;) {
      if (isAborted()) return;
      yield* waiting.splice(0);
      if (missed > 0) {
        yield { kind: "missed", frames: missed };
        missed = 0;
      }
      if (performance.now() >= dueMs) {
        const batch = await lookAt(look, signal);
        dueMs = performance.now() + lookEveryMs;
        // What came meanwhile is older than what was just seen.
        yield* waiting.splice(0);
        if (batch !== undefined) yield { kind: "batch", batch };
        if (batch !== undefined && isBatchEnded(batch)) return;
      }
      if (waiting.length > 0) continue;
      // A stream that is closed for good is no reason not to wait: looks go on without it.
      if (isAborted()) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(1, dueMs - performance.now()));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    await stream.close();
  }
}

/** What is needed of a client. */
export interface Followed {
  openBatchStream(request: BatchStreamRequest): BatchStream;
  readonly batchCalls: { get(batchCallId: string, options?: CallOptions): Promise<BatchCall> };
}

/** The same of any client. `PlatformClient.batchCalls.events` is it. */
export function followBatch(
  platform: Followed,
  batchCallId: string,
  options: FollowOptions = {},
): AsyncGenerator<BatchEvent, void, undefined> {
  const look = (looking: CallOptions) => platform.batchCalls.get(batchCallId, looking);
  return follow(batchCallId, { open: (request) => platform.openBatchStream(request), look }, options);
}

/** Undefined: it failed in a way that passes, or is not wanted any more. */
async function lookAt(
  look: Following["look"],
  signal: AbortSignal | undefined,
): Promise<BatchCall | undefined> {
  try {
    return await look({ signal });
  } catch (error) {
    if (signal?.aborted === true || passes(error)) return undefined;
    throw error;
  }
}

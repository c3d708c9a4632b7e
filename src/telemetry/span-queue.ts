import type { ReadableSpan, SpanProcessor } from "@opentelemetry/sdk-trace";

/*
 * Spans on their way out of the process:
 *
 * 1. Whoever ends a span waits for nobody: it is put down here, or it is lost.
 * 2. What waits is bounded, and so is everything that sends it. One sending is under way at a time.
 * 3. A span that is lost is counted, with the reason. The first of a stretch is told in the log, and the end of it.
 */

/** What became of spans. */
export type SpanResult = "sent" | "no_room" | "unanswered" | "refused" | "cut_off";

export type Sent =
  | { kind: "taken"; rejected: number }
  /** It may be taken later. `waitMs`: as long as the receiver asks for. */
  | { kind: "later"; why: string; waitMs: number | undefined }
  | { kind: "refused"; why: string };

export interface SpanQueueInput {
  /** Never throws; within `SEND_WITHIN_MS` or so. */
  send: (spans: ReadableSpan[], signal: AbortSignal) => Promise<Sent>;
  count: (result: SpanResult, spans: number) => void;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

/** Some megabytes: half a minute of a busy process, for a receiver that starts anew. */
const MOST_WAITING = 4_096;

/** A request of some hundred kilobytes, which takes the loop a few milliseconds to write. */
const MOST_AT_ONCE = 256;

/** Nobody looks at a trace sooner. */
const EVERY_MS = 1_000;

/** After these a piece is given up: newer spans are worth more than old ones. */
const MOST_TRIES = 3;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;

/** A process that ends waits for no receiver. */
const FLUSH_WITHIN_MS = 2_000;

export class SpanQueue implements SpanProcessor {
  readonly #input: SpanQueueInput;
  #waiting: ReadableSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  readonly #stop = new AbortController();
  #endPause = () => {};
  #lost = 0;
  #isFlushing = false;

  constructor(input: SpanQueueInput) {
    this.#input = input;
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if ((span.spanContext().traceFlags & SAMPLED) === 0) return;
    if (this.#stop.signal.aborted) return this.#lose("cut_off", 1, "the process ends");
    if (this.#waiting.length >= MOST_WAITING)
      return this.#lose("no_room", 1, `${MOST_WAITING} spans wait to be sent`);
    this.#waiting.push(span);
    if (this.#waiting.length >= MOST_AT_ONCE) this.#begin();
    else this.#timer ??= setTimeout(() => this.#begin(), EVERY_MS).unref();
  }

  /** Sends what waits, as far as that goes within `FLUSH_WITHIN_MS`. */
  async forceFlush(): Promise<void> {
    this.#isFlushing = true;
    this.#endPause();
    this.#begin();
    let late: NodeJS.Timeout | undefined;
    const bound = new Promise<void>((resolve) => {
      late = setTimeout(resolve, FLUSH_WITHIN_MS);
    });
    await Promise.race([this.#sending, bound]);
    clearTimeout(late);
    this.#isFlushing = false;
  }

  async shutdown(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    await this.forceFlush();
    this.#stop.abort();
    this.#endPause();
    clearTimeout(this.#timer);
    await this.#sending;
    const left = this.#waiting.splice(0).length;
    if (left > 0) this.#lose("cut_off", left, "the process ends");
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      if (this.#waiting.length > 0 && !this.#stop.signal.aborted)
        this.#timer ??= setTimeout(() => this.#begin(), EVERY_MS).unref();
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#stop.signal.aborted)
      await this.#sendPiece(this.#waiting.splice(0, MOST_AT_ONCE));
  }

  async #sendPiece(spans: ReadableSpan[]): Promise<void> {
    const { send, count } = this.#input;
    for (let tries = 1; ; tries += 1) {
      const sent = await send(spans, this.#stop.signal);
      if (sent.kind === "taken") {
        count("sent", spans.length - sent.rejected);
        if (sent.rejected > 0) this.#lose("refused", sent.rejected, "the receiver rejected some of a piece");
        else this.#recover();
        return;
      }
      if (sent.kind === "refused") return this.#lose("refused", spans.length, sent.why);
      if (this.#stop.signal.aborted) return this.#lose("cut_off", spans.length, "the process ends");
      if (tries >= MOST_TRIES || this.#isFlushing) return this.#lose("unanswered", spans.length, sent.why);
      const waitMs = Math.max(sent.waitMs ?? 0, FIRST_WAIT_MS * 2 ** (tries - 1));
      await this.#pause(Math.min(LONGEST_WAIT_MS, waitMs));
    }
  }

  #pause(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs).unref();
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #lose(result: SpanResult, spans: number, why: string): void {
    this.#input.count(result, spans);
    if (this.#lost === 0)
      this.#input.log.warn({ result, error: why }, "spans of traces are lost; nothing else is");
    this.#lost += spans;
  }

  #recover(): void {
    if (this.#lost === 0) return;
    this.#input.log.info({ lost: this.#lost }, "spans of traces are taken again");
    this.#lost = 0;
  }
}

/** W3C Trace Context: the only flag that says something of spans. */
const SAMPLED = 1;

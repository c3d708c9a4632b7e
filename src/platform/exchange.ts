import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";

/** By lower-case name. Of a header that was sent more than once, the first. */
export type AnswerHeaders = Readonly<Record<string, string | undefined>>;

/** An answer whose headers are there and whose body still flows. */
export interface Received {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Destroying it drops the connection. */
  readonly body: Readable;
}

/**
 * One request inside the pool, from queued to answered.
 *
 * The pool calls `onRequestStart` in the moment before it writes the first byte. That makes `sent` a proof:
 * while it is false, nothing was written; and a request given up before that moment is refused in it, so that
 * it is never written afterwards.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  #sent = false;
  #givenUp: Error | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #body: Readable | undefined;
  #resolve: (received: Received) => void = () => {};
  #reject: (reason: Error) => void = () => {};
  /** Resolves with the answer's headers; rejects with the pool's error, or with what `giveUp` was told. */
  readonly answered = new Promise<Received>((resolve, reject) => {
    this.#resolve = resolve;
    this.#reject = reject;
  });

  #markEnded: () => void = () => {};
  /** Resolves when nothing of it is under way any more. */
  readonly ended = new Promise<void>((resolve) => {
    this.#markEnded = resolve;
  });

  get sent(): boolean {
    return this.#sent;
  }

  /** Ends the exchange at once, wherever it is. A connection in use is dropped. */
  giveUp(reason: Error): void {
    this.#givenUp ??= reason;
    this.#reject(reason);
    this.#body?.destroy(reason);
    this.#controller?.abort(reason);
    this.#markEnded();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#givenUp !== undefined) {
      controller.abort(this.#givenUp);
      return;
    }
    this.#sent = true;
    this.#controller = controller;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return; // An informational answer: the real one follows.
    const body = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        // A complete answer has left the connection free; aborting is then without effect.
        controller.abort(error ?? new Error("the answer was not read to its end"));
        done(error);
      },
    });
    // Whoever reads the body sees the failure; without a listener it would end the process where nobody does.
    body.on("error", () => {});
    this.#body = body;
    this.#resolve({ status, headers: singleValued(headers), body });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#body?.push(chunk) === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#body?.push(null);
    this.#markEnded();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error);
    this.#body?.destroy(error);
    this.#markEnded();
  }
}

function singleValued(headers: IncomingHttpHeaders): AnswerHeaders {
  const pairs = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value[0] : value,
  ]);
  return Object.fromEntries(pairs);
}

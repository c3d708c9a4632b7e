import {
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type ConnectionOptions,
} from "@temporalio/client";
import { setTimeout as delay } from "node:timers/promises";

/** How the client repeats requests that Temporal did not take. */
export interface RequestRetry {
  readonly interceptors: NonNullable<ConnectionOptions["interceptors"]>;
  /**
   * Nothing is repeated from now on; resolves, within a second or so, when no repetition is left to come. To be
   * waited for before the connection is closed: a repetition on a closed one would end the process.
   */
  stop(): Promise<void>;
}

/** Between two tries, at most: closing waits for it. */
const LONGEST_DELAY_MS = 1_000;

/** Some half a minute in all, in which a server that restarts is back. */
const MOST_TRIES = 30;

/** Timers may be late by some milliseconds. */
const MARGIN_MS = 50;

export function createRequestRetry(): RequestRetry {
  const usual = defaultGrpcRetryOptions();
  let stopped = false;
  let lastMs = 0;
  return {
    interceptors: [
      makeGrpcRetryInterceptor({
        retryableDecider: (attempt, status) =>
          !stopped && attempt < MOST_TRIES && usual.retryableDecider(1, status),
        delayFunction(attempt, status) {
          const delayMs = Math.min(LONGEST_DELAY_MS, usual.delayFunction(attempt, status));
          lastMs = Math.max(lastMs, performance.now() + delayMs);
          return delayMs;
        },
      }),
    ],
    async stop() {
      stopped = true;
      const waitMs = lastMs - performance.now();
      if (waitMs > -MARGIN_MS) await delay(waitMs + MARGIN_MS);
    },
  };
}

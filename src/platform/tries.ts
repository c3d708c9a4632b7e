/** One try of one request: permitted, timed, observed and, where it fails, said in this client's errors. */
import type { ClockReading } from "./clock.ts";
import { watchClock } from "./clock.ts";
import { PlatformError, RateLimitedError } from "./errors.ts";
import type { Received } from "./exchange.ts";
import { heldBackError, requestIdOf, wireError } from "./failures.ts";
import { notify } from "./hooks.ts";
import { HeldBack, type Permit, type Verdict } from "./limiter.ts";
import type { Settings } from "./options.ts";
import type { Prepared } from "./request.ts";
import { type Limits, type Wire, WireFailure } from "./transport.ts";
import type { Endpoint } from "./endpoint.ts";

/** What a try is made with. */
export interface Try {
  readonly endpoint: Endpoint;
  readonly wire: Wire;
  readonly limits: Limits;
  /** To be told the answer as soon as its headers are there. */
  readonly note: (received: Received) => void;
}

export interface Tries {
  /** Makes the n-th try. Throws `PlatformError`. */
  run<T>(
    endpoint: Endpoint,
    prepared: Prepared,
    nth: number,
    exchange: (made: Try) => Promise<T>,
  ): Promise<T>;
  clock(): ClockReading | undefined;
  /** What the newest answer called the software that gave it. */
  software(): string | undefined;
}

export function openTries({ hooks, limiter }: Settings): Tries {
  const clock = watchClock();
  let software: string | undefined;

  /** The limits of a try, less the time for which it was held back. */
  async function permitted({ limits }: Prepared): Promise<{ permit: Permit | undefined; limits: Limits }> {
    const { signal, wholeMs, atOnce } = limits;
    if (limiter === undefined) return { permit: undefined, limits };
    const askedMs = performance.now();
    const permit = await limiter.acquire({ signal, withinMs: wholeMs, atOnce });
    return {
      permit,
      limits: { ...limits, wholeMs: Math.max(1, wholeMs - (performance.now() - askedMs)) },
    };
  }

  return {
    run: async (endpoint, prepared, nth, exchange) => {
      const event = { method: endpoint.method, route: endpoint.route, attempt: nth };
      const startedMs = performance.now();
      let waitedMs: number | undefined;
      let permit: Permit | undefined;
      let received: Received | undefined;
      let failure: PlatformError | undefined;
      const note = (answered: Received): void => {
        received = answered;
        clock.note(answered.headers);
        const name = answered.headers["x-powered-by"];
        if (typeof name === "string") software = name;
      };
      notify(hooks.onRequest, event);
      try {
        const begun = await permitted(prepared);
        permit = begun.permit;
        waitedMs = performance.now() - startedMs;
        return await exchange({ endpoint, wire: prepared.wire(endpoint), limits: begun.limits, note });
      } catch (error) {
        failure = asPlatformError(endpoint, prepared, error);
        throw failure ?? error;
      } finally {
        permit?.end(verdictOf(received, failure));
        const durationMs = performance.now() - startedMs;
        notify(hooks.onResponse, {
          ...event,
          status: received?.status,
          durationMs,
          waitedMs: waitedMs ?? durationMs,
          isHeldBack: waitedMs === undefined,
          requestId: received && requestIdOf(received.headers),
          error: failure?.code,
        });
      }
    },
    clock: () => clock.read(),
    software: () => software,
  };
}

function asPlatformError(
  endpoint: Endpoint,
  { limits }: Prepared,
  error: unknown,
): PlatformError | undefined {
  if (error instanceof PlatformError) return error;
  if (error instanceof WireFailure) return wireError(endpoint, error);
  return error instanceof HeldBack ? heldBackError(endpoint, error, limits) : undefined;
}

function verdictOf(received: Received | undefined, failure: PlatformError | undefined): Verdict {
  if (failure instanceof RateLimitedError) return { kind: "refused", retryAfterMs: failure.retryAfterMs };
  return { kind: received === undefined || received.status >= 500 ? "unclear" : "served" };
}

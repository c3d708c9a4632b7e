import type { PlatformErrorCode } from "./errors.ts";
import type { Endpoint } from "./endpoint.ts";

/** One try of one request is about to be made. */
export interface RequestEvent {
  readonly method: Endpoint["method"];
  /** The template, never the path: safe as a metric's label. */
  readonly route: string;
  /** From 1; more than 1 only where the client has a retry policy. */
  readonly attempt: number;
}

/** One try has ended. */
export interface ResponseEvent extends RequestEvent {
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  /**
   * From wanting to send to the end of the answer, waits for the limiter and for a connection included; of a
   * download, to its headers.
   */
  readonly durationMs: number;
  /** Of it, for how long the limiter held it back. */
  readonly waitedMs: number;
  /** The limiter did not let it go: nothing was sent. */
  readonly isHeldBack: boolean;
  readonly requestId: string | undefined;
  /** Undefined where the try succeeded. */
  readonly error: PlatformErrorCode | undefined;
}

/** For logs and metrics. Called synchronously, so keep them cheap. */
export interface PlatformHooks {
  readonly onRequest?: (event: RequestEvent) => void;
  readonly onResponse?: (event: ResponseEvent) => void;
}

/**
 * Calls an observer. One that throws is reported as a process warning and otherwise ignored: a metric that
 * breaks must not turn a write that happened into one that seems to have failed, nor kill a stream.
 */
export function notify<Event>(observer: ((event: Event) => void) | undefined, event: Event): void {
  try {
    observer?.(event);
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : new Error("a platform observer threw"));
  }
}

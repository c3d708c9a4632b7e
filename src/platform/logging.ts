import type { PlatformHooks } from "./hooks.ts";
import { maskText } from "./masking.ts";

/** What is needed of a logger; pino has it. */
export interface RequestLogger {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * Hooks that log every request when it ends: successes as debug, failures as warnings. Method, route template,
 * status, duration, request id and try; no path, no body, no key, no phone number.
 */
export function loggingHooks(logger: RequestLogger): PlatformHooks {
  return {
    onResponse: (event) => {
      const fields = {
        method: event.method,
        route: event.route,
        status: event.status,
        durationMs: Math.round(event.durationMs),
        requestId: event.requestId && maskText(event.requestId),
        attempt: event.attempt,
        error: event.error,
      };
      if (event.error === undefined) logger.debug(fields, "platform request");
      else logger.warn(fields, "platform request failed");
    },
  };
}

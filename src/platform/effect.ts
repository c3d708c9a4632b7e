import type { Effect } from "./errors.ts";
import type { Endpoint } from "./endpoint.ts";

/**
 * Statuses that say "refused, nothing was done" of a write.
 *
 * The contract's own (section 7) and those seen beside it: the key, the scopes, the money, the input, the
 * resource or its state did not fit, or the rate limiter stood in front. Then the statuses that HTTP defines
 * as refusals of the request as it was written (RFC 9110, RFC 6585): 400, 405, 411, 413, 414, 415, 421, 426,
 * 428, 431. 307 and 308 ask for the same request elsewhere, so it was not acted on here.
 *
 * Everything else is doubtful on purpose. 303 is how a server answers a POST that it has carried out, and
 * 301 and 302 are sent both ways. 408 comes from proxies that waited for the application, too. 500 may be
 * raised after the work was committed; 502 and 504 are a proxy that lost or outwaited the application. 503
 * looks like "nobody was there", but proxies send it as well when the connection to the application broke
 * after the request had been passed on, and nothing in the answer tells the two apart.
 */
const REFUSED: ReadonlySet<number> = new Set([
  307, 308, 400, 401, 402, 403, 404, 405, 409, 411, 413, 414, 415, 421, 422, 426, 428, 429, 431,
]);

/** What a request that was answered with an unsuccessful status may have done. */
export function effectOfStatus(access: Endpoint["access"], status: number): Effect {
  if (access === "read") return "none";
  return REFUSED.has(status) ? "did_not_happen" : "may_have_happened";
}

/**
 * What a request may have done that got no answer, or none that can be read.
 * `sent` is false only where not a byte of it was written: from the first byte on, anything may have happened.
 */
export function effectOfSilence(access: Endpoint["access"], sent: boolean): Effect {
  if (access === "read") return "none";
  return sent ? "may_have_happened" : "did_not_happen";
}

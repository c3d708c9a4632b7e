import { invalidOption } from "./url.ts";

/** Visible ASCII only: a key can't end the header it stands in. */
const HEADER_SAFE = /^[\x21-\x7e]+$/;

/** Refuses a key that can't stand in a header as it is, and what is no key at all: not every caller has types. */
export function checkApiKey(apiKey: unknown): void {
  if (typeof apiKey !== "string" || !HEADER_SAFE.test(apiKey)) {
    throw invalidOption("apiKey", "must be visible ASCII without spaces");
  }
}

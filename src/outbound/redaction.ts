import { shownPathStart } from "../domain/ground/secret-signs.ts";

/**
 * An address fit for records and logs: without credentials, fragment and a path that is a secret, and of its query
 * only that there is one.
 */
export function redactUrl(url: string): string {
  if (!URL.canParse(url)) return "(no address)";
  const parsed = new URL(url);
  const query = parsed.search === "" ? "" : "?...";
  const start = shownPathStart(parsed);
  return `${parsed.protocol}//${parsed.host}${start === undefined ? parsed.pathname : `${start}...`}${query}`;
}

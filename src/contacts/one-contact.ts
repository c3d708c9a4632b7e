import { ContactRows } from "./contact-row.ts";
import { phoneRegion } from "./phone.ts";

/** One person to call, as lists give them: see contact-row.ts. */
export type OneContact =
  | { ok: true; phone: string; region: string | undefined; zones: readonly string[] }
  | { ok: false; code: string; reason: string };

export interface OneContactOptions {
  /** ISO 3166-1 alpha-2: the country of numbers without `+`, where `region` says nothing. */
  readonly defaultRegion?: string | undefined;
  /** The person's own country, as people write it. */
  readonly region?: string | undefined;
  /** The zone that the person is known to be in. */
  readonly timeZone?: string | undefined;
}

/**
 * Reads a number as people write it, by the rules that rows of lists are read by: E.164, its country, and every
 * zone that its owner may be in.
 */
export function readContact(phone: string, options: OneContactOptions = {}): OneContact {
  const home = options.defaultRegion === undefined ? undefined : phoneRegion(options.defaultRegion);
  const row = new ContactRows(home).row(
    { line: 1, raw: "" },
    { phone, timeZone: options.timeZone ?? "", region: options.region ?? "", variables: {} },
  );
  if (row.kind === "rejected") return { ok: false, code: row.code, reason: row.reason };
  return { ok: true, phone: row.phone, region: row.region, zones: row.zones };
}

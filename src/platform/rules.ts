/** The contract's rules for single values that are sent. Rules of whole requests stand in operations/. */
import { isIP, isIPv4 } from "node:net";
import { z } from "zod";
import { zoneNames } from "./zone-names.ts";

/** A string identifier (contract 4). Not held to be a UUID: the contract does not say so. */
export const idRule = z.string().min(1).max(255);

/** Contract 2.1.3: E.164. */
export const phoneRule = z
  .string()
  .regex(/^\+[1-9]\d{1,14}$/, "must be E.164: a plus sign, the country code, the number");

/** Contract 4.4: object string to string. */
export const variablesRule = z.record(z.string(), z.string());

/** A JSON object whose inner shape the contract leaves open. */
export const objectRule = z.record(z.string(), z.unknown());

/** Contract 2.1.4. A date alone, or a date and time with its offset. */
const dateRule = z.union([z.iso.date(), z.iso.datetime({ offset: true })], "must be ISO 8601");

/** A text with something in it. */
export const wordRule = z.string().min(1);

/** A text of at most so many characters, counted as code points: an emoji is one, not two. */
export function characters(most: number) {
  return z
    .string()
    .refine((text) => text !== "" && Array.from(text).length <= most, `must be 1 to ${most} characters long`)
    .meta({ minLength: 1, maxLength: most });
}

export const urlRule = z.url({ protocol: /^https?$/, error: "must be an http or https address" });

/** Contract 2.2: BCP-47 (RFC 5646), as far as its form goes. */
export const languageRule = z
  .string()
  .refine(isLanguageTag, "must be a BCP-47 language tag, for example en-US")
  .meta({ examples: ["en-US"] });

function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false; // A RangeError: not a tag.
  }
}

/** A name of the IANA time zone database. */
export const zoneRule = z.string().refine(isZoneName, "must be a time zone, for example Europe/Berlin");

/** Five fields, or six with seconds; what stands in them is for the platform to judge. */
export const cronRule = z
  .string()
  .regex(/^\s*\S+(?:\s+\S+){4,5}\s*$/, "must be a cron expression of five or six fields");

/** Contract 4.10: an IP address or a CIDR. */
export const addressRule = z
  .string()
  .refine(isAddress, "must be an IP address or a CIDR, for example 203.0.113.0/24");

function isAddress(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  if (rest.length > 0 || isIP(address) === 0 || address.includes("%")) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128));
}

/** Contract 5.4. */
export const scopeRule = z.enum([
  "agents:read",
  "agents:write",
  "agents:delete",
  "calls:read",
  "calls:write",
  "calls:delete",
  "phone_numbers:read",
  "phone_numbers:write",
  "phone_numbers:delete",
  "batch_calls:read",
  "batch_calls:write",
  "batch_calls:delete",
  "workflows:read",
  "workflows:write",
  "workflows:delete",
  "analytics:read",
  "knowledge_bases:read",
  "knowledge_bases:write",
  "knowledge_bases:delete",
  "webhooks:read",
  "webhooks:write",
  "config:read",
  "api_keys:read",
  "api_keys:write",
  "api_keys:delete",
  "*",
]);

/** Pages above 1,000 rows are not seen anywhere. */
const limitRule = z.int().min(1).max(1000);

const positionRule = z.int().min(0);

/** The window of a `skip`/`limit` list (contract 2.1.2). */
export const windowRules = { skip: positionRule.optional(), limit: limitRule.optional() };

/** The window of a `limit`/`offset` list (contract 2.1.2, billing). */
export const offsetRules = { limit: limitRule.optional(), offset: positionRule.optional() };

/** The window of a `page`/`per_page` list (contract 2.1.2, workflows); pages count from 1. */
export const pageRules = { page: z.int().min(1).optional(), per_page: limitRule.optional() };

/** The same of billing lists: the contract shows no names, published clients use these. */
export const ledgerPeriodRules = {
  start_date: dateRule.optional(),
  end_date: dateRule.optional(),
  days: z.int().min(1).optional(),
};

/** From and to, as filters (contract 2.1.4). */
export const periodRules = { from_date: dateRule.optional(), to_date: dateRule.optional() };

let known: ReadonlySet<string> | undefined;

/** Whether it is a name of the IANA time zone database, in any case. What Node knows of it is as old as its build. */
function isZoneName(name: string): boolean {
  known ??= new Set(zoneNames().map((one) => one.toLowerCase()));
  return known.has(name.toLowerCase());
}

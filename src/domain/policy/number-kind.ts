import { isSupportedCountry, parsePhoneNumberFromString, type PhoneNumberType } from "libphonenumber-js/max";

/**
 * Kinds of numbers that cost many times what others do, or that nobody can tell the price of: a list from a stranger
 * must not run up a bill.
 */
export const COSTLY_KINDS = ["premium_rate", "shared_cost", "personal", "satellite"] as const;

export type CostlyKind = (typeof COSTLY_KINDS)[number];

/** What is known of a number by its digits. */
export interface NumberKind {
  /** ISO 3166-1 alpha-2; undefined for numbers of no one country. */
  country: string | undefined;
  costly: CostlyKind | undefined;
}

const COSTLY_TYPES: Partial<Record<PhoneNumberType, CostlyKind>> = {
  PREMIUM_RATE: "premium_rate",
  SHARED_COST: "shared_cost",
  // British 070 is charged like premium rate, and is a trade of frauds.
  PERSONAL_NUMBER: "personal",
};

/** Universal personal telecommunications (ITU-T E.168): they follow a person, as 070 does. */
const PERSONAL_CODE = "878";

/** ITU-T E.164 gives these to Inmarsat, to other satellite systems, and to networks that are of no country. */
const SATELLITE_CODES: ReadonlySet<string> = new Set(["870", "881", "882", "883"]);

/** @param phone E.164. */
export function numberKindOf(phone: string): NumberKind {
  const number = parsePhoneNumberFromString(phone);
  if (!number) return { country: undefined, costly: undefined };
  const { country, countryCallingCode: code } = number;
  if (SATELLITE_CODES.has(code)) return { country, costly: "satellite" };
  if (code === PERSONAL_CODE) return { country, costly: "personal" };
  const type = number.getType();
  return { country, costly: type && COSTLY_TYPES[type] };
}

/** Which numbers may be called at all. */
export interface NumberPolicy {
  /** ISO 3166-1 alpha-2; undefined: of any country, and of none. */
  countries: readonly string[] | undefined;
  /** Costly kinds that are called all the same. */
  kinds: readonly CostlyKind[];
}

/** Why a number may not be called; undefined where it may. */
export function numberProblem(
  { country, costly }: NumberKind,
  { countries, kinds }: NumberPolicy,
): string | undefined {
  if (costly !== undefined && !kinds.includes(costly))
    return `a number of the kind ${costly}, which numbers.kinds does not name`;
  if (countries !== undefined && (country === undefined || !countries.includes(country)))
    return `a number of ${country ?? "no one country"}, which numbers.countries does not name`;
  return undefined;
}

/** Whether numbering plans know a country by this code. */
export function isNumberedCountry(code: string): boolean {
  return isSupportedCountry(code);
}

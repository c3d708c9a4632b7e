import {
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
  type CountryCode,
  type PhoneNumber,
  type PhoneNumberType,
} from "libphonenumber-js/max";
import { dialString, rejectPhone, type PhoneRejection } from "./phone-text.ts";

/** Where a number without `+` is from: a country, or only a calling code such as `49`. */
export type NationalHome = { readonly region: CountryCode } | { readonly callingCode: string };

/** A number that its country's numbering plan knows. */
export interface NormalisedPhone {
  readonly ok: true;
  /** E.164: `+` and at most 15 digits. */
  readonly phone: string;
  /** ISO 3166-1 alpha-2, undefined for numbers of no country (+800, +883...) or where several could be meant. */
  readonly region: string | undefined;
  /** Without `+`. */
  readonly callingCode: string;
  /** Undefined where the country's plan does not tell types apart. */
  readonly type: PhoneNumberType | undefined;
}

export type PhoneResult = NormalisedPhone | PhoneRejection;

// E.164 section 6: 15 digits at most.
const maxE164Length = 16;

// A national number that begins with 011 (Delhi, Sao Paulo, Sapporo, Johannesburg) has 12 digits at most,
// so from 13 on it can only be North America's prefix for international calls.
const minDigitsAfterNanpPrefix = 13;

/** ISO 3166-1 alpha-2 in any case, or undefined if no telephone numbering plan has it. */
export function phoneRegion(text: string): CountryCode | undefined {
  const code = text.trim().toUpperCase();
  return isSupportedCountry(code) ? code : undefined;
}

function parse(digits: string, home: NationalHome | undefined): PhoneNumber | undefined {
  if (home === undefined) return parsePhoneNumberFromString(digits);
  return "region" in home
    ? parsePhoneNumberFromString(digits, home.region)
    : parsePhoneNumberFromString(digits, { defaultCallingCode: home.callingCode });
}

function accept(digits: string, home: NationalHome | undefined): NormalisedPhone | undefined {
  const number = parse(digits, home);
  if (number === undefined || number.ext !== undefined) return undefined;
  const type = number.getType();
  // A type is only ever found for a valid number, and most countries have types: one test instead of two.
  if (type === undefined && !number.isValid()) return undefined;
  if (number.number.length > maxE164Length) return undefined;
  return {
    ok: true,
    phone: number.number,
    region: number.country,
    callingCode: number.countryCallingCode,
    type,
  };
}

/** The same digits read as international: `00` (ITU-T E.123) anywhere, `011` only where nothing else fits. */
function acceptInternationalPrefix(digits: string): NormalisedPhone | undefined {
  if (digits.startsWith("00")) return accept(`+${digits.slice(2)}`, undefined);
  if (digits.startsWith("011") && digits.length >= minDigitsAfterNanpPrefix) {
    return accept(`+${digits.slice(3)}`, undefined);
  }
  return undefined;
}

function homeName(home: NationalHome): string {
  return "region" in home
    ? `${home.region} (+${getCountryCallingCode(home.region)})`
    : `+${home.callingCode}`;
}

function lengthProblem(digits: string, home: NationalHome | undefined): string | undefined {
  if (home === undefined) return validatePhoneNumberLength(digits);
  return "region" in home
    ? validatePhoneNumberLength(digits, home.region)
    : validatePhoneNumberLength(digits, { defaultCallingCode: home.callingCode });
}

function explain(digits: string, home: NationalHome | undefined): PhoneRejection {
  const international = digits.startsWith("+") || digits.startsWith("00");
  const dialed = digits.startsWith("00") ? `+${digits.slice(2)}` : digits;
  if (!international && digits.length <= 6) {
    return rejectPhone(
      "phone_short_code",
      "It is an emergency number or a short code, not a subscriber's number: give the full number.",
    );
  }
  if (!international && home === undefined) {
    const withPlus = accept(`+${digits}`, undefined);
    return rejectPhone(
      "phone_no_country",
      withPlus === undefined
        ? "It is a national number and nothing says of which country: write it with + and the country's code, or give a default region."
        : `It has no + in front: write +${withPlus.callingCode}... if it is one of ${withPlus.region ?? "that calling code"}, or give a default region.`,
    );
  }
  const where = international || home === undefined ? "its country" : homeName(home);
  const plusHint =
    !international && accept(`+${digits}`, undefined) !== undefined
      ? " With + in front it would be a number of another country: add the + if that is meant."
      : "";
  const problem = lengthProblem(dialed, home);
  if (problem === "TOO_SHORT") {
    return rejectPhone("phone_too_short", `It has too few digits for ${where}: give all of them.${plusHint}`);
  }
  if (problem === "TOO_LONG") {
    return rejectPhone(
      "phone_too_long",
      `It has too many digits for ${where}: check for a second number or a doubled country code.${plusHint}`,
    );
  }
  if (problem === "INVALID_COUNTRY") {
    return rejectPhone(
      "phone_unknown_calling_code",
      "No country has the calling code that it begins with: check the digits after the +.",
    );
  }
  if (problem === "NOT_A_NUMBER") {
    return rejectPhone("phone_not_a_number", "It is not a phone number: give one in full.");
  }
  return rejectPhone(
    "phone_not_valid",
    `No such number exists in ${where}: check its digits and the country.${plusHint}`,
  );
}

const plainE164 = /^\+[1-9]\d{6,14}$/;

/**
 * A national number, unless its digits are also a whole international number that lost its `+`: where
 * lengths vary (Germany, Austria) 4915112345678 is both, and one of the two belongs to a stranger.
 */
function acceptNational(digits: string, home: NationalHome): PhoneResult | undefined {
  const national = accept(digits, home);
  if (national === undefined || !digits.startsWith(national.callingCode)) return national;
  const international = accept(`+${digits}`, undefined);
  if (international === undefined || international.phone === national.phone) return national;
  return rejectPhone(
    "phone_ambiguous",
    `It can be read as a number within +${national.callingCode} or as a whole number without its +: write the + in front, or the national prefix (mostly 0).`,
  );
}

/**
 * Normalises what people and programs write for a phone number to E.164.
 * Never guesses a country: without `home`, only numbers with an international prefix are taken.
 * The message of a rejection names the problem and the remedy, and holds none of the number's own digits
 * beyond its calling code.
 */
export function normalisePhone(cell: string, home?: NationalHome): PhoneResult {
  if (plainE164.test(cell)) return accept(cell, undefined) ?? explain(cell, undefined);
  const text = dialString(cell);
  if (!text.ok) return text;
  const { digits } = text;
  if (digits.startsWith("+")) return accept(digits, undefined) ?? explain(digits, undefined);
  const national = home === undefined ? undefined : acceptNational(digits, home);
  return national ?? acceptInternationalPrefix(digits) ?? explain(digits, home);
}

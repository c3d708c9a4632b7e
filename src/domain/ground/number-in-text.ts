import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/** Seven to fifteen digits with what people write between them: fewer are no number, and E.164 has no more. */
const NUMBER = /\d(?:[ ().\-/]{0,3}\d){6,}/;

/** The digits of the first number that stands in a text, as they are written; undefined where there is none. */
export function numberIn(text: string): string | undefined {
  const digits = NUMBER.exec(text)?.[0].replaceAll(/\D/g, "");
  // With the 00 or 011 that is dialed before a country.
  return digits !== undefined && digits.length <= MOST_DIGITS ? digits : undefined;
}

const MOST_DIGITS = 18;

/**
 * As which digits people write a number: with its country, as it is dialed from abroad, and as it is dialed at home.
 *
 * @param phone E.164.
 */
export function writingsOf(phone: string): string[] {
  const digits = phone.slice(1);
  const national = parsePhoneNumberFromString(phone)?.nationalNumber;
  const atHome = national === undefined ? [] : [national, `0${national}`];
  return [...new Set([digits, `00${digits}`, `011${digits}`, ...atHome])];
}

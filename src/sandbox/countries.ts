import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from "libphonenumber-js/max";

/**
 * Whether a number may be called from, or call, a number with this list of countries (contract 4.3): `*` is all of
 * them. A number that its form does not pin to one country (made-up ones mostly) counts as of each country that
 * shares its calling code; one without a country, such as a satellite phone, is allowed by `*` alone.
 */
export function isCountryAllowed(allowed: readonly string[], phone: string): boolean {
  return allowed.includes("*") || countriesOf(phone).some((country) => allowed.includes(country));
}

function countriesOf(phone: string): readonly string[] {
  const parsed = parsePhoneNumberFromString(phone);
  if (parsed === undefined) {
    return [];
  }
  if (parsed.country !== undefined) {
    return [parsed.country];
  }
  return getCountries().filter((country) => getCountryCallingCode(country) === parsed.countryCallingCode);
}

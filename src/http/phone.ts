import { nationalHome } from "../contacts/phone-region.ts";
import { normalisePhone } from "../contacts/phone.ts";
import { Problem } from "./problem.ts";

const E164 = /^\+[1-9]\d{6,14}$/;

/**
 * A number that a request names. One that is in the ledger already is found, whatever number plans say of it today.
 *
 * @param defaultRegion the country of a number without `+`
 * @throws Problem 422 where it is none
 */
export function requirePhone(text: string, defaultRegion?: string): string {
  if (E164.test(text)) return text;
  const number = normalisePhone(text, defaultRegion === undefined ? undefined : nationalHome(defaultRegion));
  if (number.ok) return number.phone;
  throw invalid("phone", number.message);
}

/** 422 for one field of a request. */
export function invalid(field: string, message: string): Problem {
  return new Problem({
    status: 422,
    code: "invalid_request",
    detail: `${field}: ${message}`,
    errors: [{ field, message }],
  });
}

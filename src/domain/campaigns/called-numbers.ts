/** Fewer digits than this are no number that anybody can be called at from outside. */
const FEWEST_DIGITS = 7;

/** E.164 has no more. */
const MOST_DIGITS = 15;

/**
 * The digits of a number as a listing of calls shows it, in whichever usual spelling.
 *
 * @returns undefined where it can't be told which number is meant: it is missing, masked, or no number.
 */
export function listedDigits(text: string | undefined): string | undefined {
  const bare = (text ?? "")
    .trim()
    .replace(/^(?:tel|sips?):/i, "")
    .replace(/[@;].*$/, "")
    .replace(/[\s().\-/]/g, "");
  const digits = /^\+?(?:00)?(\d+)$/.exec(bare)?.[1] ?? "";
  return digits.length >= FEWEST_DIGITS && digits.length <= MOST_DIGITS ? digits : undefined;
}

/**
 * Whether a call to one of these is, or may be, one to this number: a listing may leave out the country, so that the
 * shorter of the two decides.
 *
 * @param listed digits
 * @param phone E.164
 */
export function mayBeAmong(listed: ReadonlySet<string>, phone: string): boolean {
  const own = phone.replace(/\D/g, "");
  if (listed.has(own)) return true;
  return [...listed].some((digits) => own.endsWith(withoutTrunk(digits)) || digits.endsWith(own));
}

/** Many countries put a 0 before a number that is called from within. */
function withoutTrunk(digits: string): string {
  const rest = digits.replace(/^0+/, "");
  return rest.length >= FEWEST_DIGITS ? rest : digits;
}

/**
 * Takes phone numbers and secrets out of what goes to logs, errors and screens. Pure.
 * Where a text only looks like a phone number, it is masked: a log line less readable is the cheaper mistake.
 */

const MASK = "***";

/** Below this many digits, what stays visible at both ends would be most of the number. */
const SHORTEST_SHOWN_DIGITS = 7;

/** A phone number with its first two and last two digits left: `+12***00`. Shorter ones lose everything. */
export function maskPhone(phone: string): string {
  const digits = phone.replaceAll(/\D/g, "");
  if (digits.length < SHORTEST_SHOWN_DIGITS) return MASK;
  return `${phone.trimStart().startsWith("+") ? "+" : ""}${digits.slice(0, 2)}${MASK}${digits.slice(-2)}`;
}

/**
 * Ids and timestamps are all digits now and then, and are what a reader of a log searches for: kept. A date with more
 * digits beside it may be the middle of a number: `1000 0000-01-08`.
 */
const KEPT =
  /(\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b|(?<!\+|\d[\s().\-/]{0,3})\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\s().\-/]{0,3}\d))/i;

/** Seven or more digits with the separators people write between them, or six in a row. */
const PHONE_LIKE = /\+?\(?\d(?:[\s().\-/]{0,3}\d){6,}|\+?\d{6,}/g;

const BEARER = /\b(bearer\s+)[^\s"',;]+/gi;
const SECRET_IN_QUERY = /([?&](?:token|api_key|key|access_token)=)[^&\s"'#]+/gi;

/**
 * A text without phone numbers, bearer tokens, tokens in URLs and the given secrets.
 * No six digits in a row of a phone number remain.
 */
export function maskText(text: string, secrets: readonly string[] = []): string {
  let masked = text;
  for (const secret of secrets) {
    if (secret !== "") masked = masked.replaceAll(secret, MASK);
  }
  masked = masked.replaceAll(BEARER, `$1${MASK}`).replaceAll(SECRET_IN_QUERY, `$1${MASK}`);
  return masked
    .split(KEPT)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(PHONE_LIKE, maskPhone)))
    .join("");
}

const SECRET_NAME = /authorization|api[-_]?key|secret|password|token|cookie/i;

/** Whether what stands under this name is a secret, as far as a name can tell. */
export function looksSecret(name: string): boolean {
  return SECRET_NAME.test(name);
}

const PHONE_NAME = /phone|msisdn|(?:^|_)(?:from|to)_?number$/i;

/** Deeper or longer than this is not for a log line, and a cycle ends here. */
const MAX_DEPTH = 8;
const MAX_ENTRIES = 200;

/**
 * A copy of any value that is fit for a log: every text masked, values under names of secrets replaced,
 * numbers under names of phone numbers masked. Bounded in depth and width, so that cycles end.
 * Meant for a logger's serializer, whose own redaction does not look into nested objects.
 */
export function maskValue(value: unknown, secrets: readonly string[] = [], depth = 0): unknown {
  if (typeof value === "string") return maskText(value, secrets);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (depth >= MAX_DEPTH) return MASK;
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ENTRIES).map((entry) => maskValue(entry, secrets, depth + 1));
  }
  const entries = value instanceof Error ? errorEntries(value) : Object.entries(value);
  return Object.fromEntries(
    entries.slice(0, MAX_ENTRIES).map(([name, entry]) => [name, maskEntry(name, entry, secrets, depth)]),
  );
}

function maskEntry(name: string, entry: unknown, secrets: readonly string[], depth: number): unknown {
  if (looksSecret(name) && entry !== null && entry !== undefined) return MASK;
  if (PHONE_NAME.test(name) && (typeof entry === "string" || typeof entry === "number")) {
    return maskPhone(String(entry));
  }
  return maskValue(entry, secrets, depth + 1);
}

function errorEntries(error: Error): [string, unknown][] {
  const own = Object.entries(error).filter(([name]) => name !== "name");
  const cause: [string, unknown][] = error.cause === undefined ? [] : [["cause", error.cause]];
  return [["name", error.name], ["message", error.message], ["stack", error.stack], ...own, ...cause];
}

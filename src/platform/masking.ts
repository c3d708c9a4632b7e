/**
 * Takes phone numbers and secrets out of what goes to logs, errors and screens. Pure.
 * Where a text only looks like a phone number, it is masked: a log line less readable is the cheaper mistake.
 */

const MASK = "***";

/** Below this many digits, what stays visible at both ends would be most of the number. */
const SHORTEST_SHOWN_DIGITS = 7;

/** A character as an address writes it: its digits belong to no number. */
const PERCENT_CODE = /%[\da-f]{2}/gi;

/** A phone number with its first two and last two digits left: `+12***00`. Shorter ones lose everything. */
export function maskPhone(phone: string): string {
  const digits = phone.replaceAll(PERCENT_CODE, "").replaceAll(/\P{Nd}/gu, "");
  if (digits.length < SHORTEST_SHOWN_DIGITS) return MASK;
  return `${phone.trimStart().startsWith("+") ? "+" : ""}${digits.slice(0, 2)}${MASK}${digits.slice(-2)}`;
}

const DATE = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?`;
/** What people, spreadsheets and addresses write between the digits of a number. */
const BETWEEN = String.raw`(?:[\s().\-/[\]\u00AD\u00B7\u200B-\u200F\u2010-\u2015\u2022\u202A-\u202E\u2060-\u2069\u2212\u30FB\u30FC\uFE58\uFE63\uFEFF\uFF08\uFF09\uFF0D-\uFF0F\uFF3B\uFF3D]|%(?:2[\da-f]|5[bd])){0,3}`;

/**
 * Ids and times are all digits now and then, and are what a reader of a log searches for: kept, where nobody writes
 * a phone number like that.
 */
const KEPT = new RegExp(
  `(${[
    // A UUID.
    String.raw`(?<![\da-z])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])`,
    // The mark of an installation of Outdial, in the names of its queues and batches.
    String.raw`(?<=\boutdial-)[\da-f]{8}(?=-(?:engine|follow|act)\b)`,
    String.raw`(?<=\boutdial/)[\da-f]{8}(?=/[\da-f]{8}-)`,
    // A digest or the id of a trace: letters and digits change off as they do not beside a number.
    String.raw`(?<![\da-z])(?=(?:[\da-f]*?(?:\d(?=[a-f])|[a-f](?=\d))){3})(?:[\da-f]{64}|[\da-f]{40}|[\da-f]{32})(?![\da-z])`,
    // The address of a machine, with a port or in a link.
    String.raw`(?<=://)(?:\d{1,3}\.){3}\d{1,3}(?![\d.])`,
    String.raw`(?<![\d.+])(?:\d{1,3}\.){3}\d{1,3}(?=:\d{2,5}\b)`,
    // A date with a time: no number has a colon.
    String.raw`(?<!\d)${DATE}[T ]${TIME}(?:Z|[+-]\d{2}:?\d{2})?`,
    String.raw`(?<!\d)${TIME} ${DATE}(?!\d)`,
    // A date alone, where no digits beside it may make it the middle of a number: `1000 0000-01-08`.
    String.raw`(?<!\+|\p{Nd}${BETWEEN})${DATE}(?:(?:\s|\s?(?:/|-|\.\.|to)\s?)${DATE})*(?!${BETWEEN}\p{Nd})`,
  ].join("|")})`,
  "iu",
);

/** Seven or more digits, of any script, with separators between them, or six in a row. */
const PHONE_LIKE = new RegExp(String.raw`\+?\(?\p{Nd}(?:${BETWEEN}\p{Nd}){6,}|\+?\p{Nd}{6,}`, "giu");

const BEARER = /\b(bearer\s+)[^\s"',;]+/gi;
const SECRET_IN_QUERY = /([?&](?:token|api_key|key|access_token)=)[^&\s"'#]+/gi;
const PASSWORD_IN_URL = /(\b[a-z][a-z\d+.-]*:\/\/[^\s/:@]*:)[^\s/@]+@/gi;

/**
 * A text without phone numbers, bearer tokens, tokens and passwords in URLs and the given secrets.
 * No six digits in a row of a phone number remain.
 */
export function maskText(text: string, secrets: readonly string[] = []): string {
  let masked = text;
  for (const secret of secrets) {
    if (secret !== "") masked = masked.replaceAll(secret, MASK);
  }
  masked = masked
    .replaceAll(BEARER, `$1${MASK}`)
    .replaceAll(SECRET_IN_QUERY, `$1${MASK}`)
    .replaceAll(PASSWORD_IN_URL, `$1${MASK}@`);
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

/** A number that is no text is a phone number only where its name says so; a count has fewer digits. */
const MAY_HOLD_PHONE = /phone|msisdn|number|caller|callee|mobile/i;
const LEAST_PHONE = 1_000_000;

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
    entries
      .slice(0, MAX_ENTRIES)
      .map(([name, entry]) => [maskText(name, secrets), maskEntry(name, entry, secrets, depth)]),
  );
}

function maskEntry(name: string, entry: unknown, secrets: readonly string[], depth: number): unknown {
  if (looksSecret(name) && entry !== null && entry !== undefined) return MASK;
  if (Array.isArray(entry) && depth + 1 < MAX_DEPTH) {
    return entry.slice(0, MAX_ENTRIES).map((one) => maskEntry(name, one, secrets, depth + 1));
  }
  if (typeof entry === "string" && PHONE_NAME.test(name)) return maskPhone(entry);
  const isPhone = PHONE_NAME.test(name) || (MAY_HOLD_PHONE.test(name) && Number(entry) >= LEAST_PHONE);
  if (isPhone && (typeof entry === "number" || typeof entry === "bigint")) return maskPhone(String(entry));
  return maskValue(entry, secrets, depth + 1);
}

function errorEntries(error: Error): [string, unknown][] {
  const own = Object.entries(error).filter(([name]) => name !== "name");
  const cause: [string, unknown][] = error.cause === undefined ? [] : [["cause", error.cause]];
  return [["name", error.name], ["message", error.message], ["stack", error.stack], ...own, ...cause];
}

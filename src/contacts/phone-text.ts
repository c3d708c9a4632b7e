import type { PhoneRejectionCode } from "./rejection.ts";

export interface PhoneRejection {
  readonly ok: false;
  readonly code: PhoneRejectionCode;
  /** The problem and its remedy; never the number itself. */
  readonly message: string;
}

/** Digits with at most a leading `+`. */
export interface DialString {
  readonly ok: true;
  readonly digits: string;
}

export function rejectPhone(code: PhoneRejectionCode, message: string): PhoneRejection {
  return { ok: false, code, message };
}

// Longer than any number with its punctuation; libphonenumber refuses to look at more as well.
const maxCellChars = 250;

// The least digits that make a telephone number of their own in a list of several: 7 is the shortest
// subscriber number that people write without an area code (ITU-T E.164 countries with less have no list).
const minSeparateNumberDigits = 7;

// E.164 section 6.
const maxE164Digits = 15;

const invisible = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;
const unicodeSpace = /[\s\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]+/gu;
const unicodeDash = /[\u2010-\u2015\u2212\u30FC\uFE58\uFE63\uFF0D]/gu;
const foreignDigit = /[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\uFF10-\uFF19]/gu;

/** Writes the number's text in ASCII: full-width and Arabic-Indic digits, dashes, spaces, invisible marks. */
function asciiForm(text: string): string {
  return text
    .replace(invisible, "")
    .replace(unicodeSpace, " ")
    .replace(unicodeDash, "-")
    .replace(/[\uFF0B\uFE62]/gu, "+")
    .replace(/[\uFF08\uFF3B]/gu, "(")
    .replace(/[\uFF09\uFF3D]/gu, ")")
    .replace(/[\u00B7\u2022\u30FB\uFF0E]/gu, ".")
    .replace(/\uFF0F/gu, "/")
    .replace(/[\u2018\u2019]/gu, "'")
    .replace(foreignDigit, (digit) => {
      const code = digit.codePointAt(0) ?? 0;
      const zero = [0x660, 0x6f0, 0x966, 0xff10].find((start) => code >= start && code <= start + 9) ?? code;
      return String(code - zero);
    });
}

const damage = [
  /^[+-]?\d+(?:[.,]\d+)?[eE]\+?\d+$/,
  /^[+-]?\d+[.,]0{1,2}$/,
  /^#+$/,
  /^#(?:N\/A|REF!|VALUE!|NAME\?|NUM!|NULL!|DIV\/0!)$/i,
];

function isSpreadsheetDamage(text: string): boolean {
  return damage.some((pattern) => pattern.test(text));
}

const digitCount = (text: string): number => text.replace(/\D/g, "").length;

const listSeparator = /[;,|&\r\n/]|\s(?:or|and|oder|und|ou|et|o|y|e)\s/i;

function holdsSeveralNumbers(text: string): boolean {
  const parts = text.split(listSeparator);
  if (parts.filter((part) => digitCount(part) >= minSeparateNumberDigits).length > 1) return true;
  if ((text.match(/\+/g) ?? []).length > 1) return true;
  // "089 1234567/68" names two lines; joined it would be a third party's number.
  if (/(?:\d[\s.()-]*){6}\/\s*\d{1,3}$/.test(text)) return true;
  const words = text.split(" ").filter((word) => digitCount(word) >= minSeparateNumberDigits);
  // "0049151 12345678" is one number with its prefix, "5550123 5550124" is two.
  return words.length > 1 && (digitCount(text) > maxE164Digits || !/^(?:\+|00)/.test(text));
}

const extension =
  /(?:;ext=|[,;#~]|\bext(?:ension|n)?\b|(?<![a-z])x|\bint\b|\banexo\b|\bposte\b|\bdw\b|durchwahl|nebenstelle|доб)[\s.:#=,;-]*\d{1,7}\s*#?$/i;

/** RFC 3966: the subscriber part, with a global `phone-context` put before a local number. */
function telUriNumber(text: string): string {
  const [number = "", ...parameters] = text.replace(/^tel:(?:\/\/)?/i, "").split(";");
  const context = parameters.find((parameter) => /^phone-context=\+/i.test(parameter));
  const ext = parameters.find((parameter) => /^ext=/i.test(parameter));
  const head = context === undefined || /^\s*\+/.test(number) ? number : context.slice(14) + number;
  return ext === undefined ? head : `${head};${ext}`;
}

function decodeTelUri(text: string): string {
  if (!/^tel:/i.test(text)) return text;
  try {
    return telUriNumber(decodeURIComponent(text));
  } catch {
    // A stray % in hand-made URIs: take the text as it stands, the character check refuses the %.
    return telUriNumber(text);
  }
}

/** `'+49...` and `="+49..."`: how people keep Excel from treating a number as a number. */
function unwrapSpreadsheetText(text: string): string {
  return (/^="(.*)"$/.exec(text)?.[1] ?? text).replace(/^'/, "").trim();
}

const letters = "It has letters: write the digits only (for a word such as FLOWERS, the digits of its keys).";

function checkCharacters(text: string): PhoneRejection | undefined {
  const digits = digitCount(text);
  if (digits > 0 && /^[*#\d\s-]+$/.test(text) && /[*#]/.test(text)) {
    return rejectPhone(
      "phone_short_code",
      "It is a star or hash code, not a subscriber's number: give the full number.",
    );
  }
  if (holdsSeveralNumbers(text)) {
    return rejectPhone("phone_several", "It holds more than one number: keep one a row.");
  }
  if (extension.test(text) && digits >= minSeparateNumberDigits) {
    return rejectPhone(
      "phone_extension",
      "It has an extension, which can't be dialed: give a direct number, without the extension.",
    );
  }
  if (/\p{L}/u.test(text)) return rejectPhone("phone_letters", letters);
  if (digits === 0) return rejectPhone("phone_not_a_number", "It has no digits: give a phone number.");
  if (!/^[([]?\+?[\d\s()[\]./-]+$/.test(text) || text.startsWith("-")) {
    return rejectPhone(
      "phone_not_a_number",
      "It has characters that are in no phone number: use digits, spaces, dashes, dots, parentheses, and + in front.",
    );
  }
  return undefined;
}

// Most numbers are written like this, and then none of the checks below can find anything: no dots (`1234.0`)
// or slashes (`1234567/68`), and one digit less than two numbers of a list have.
const plainNumber = /^\(?\+?\d[\d ()-]{5,24}$/;
const maxPlainDigits = 2 * minSeparateNumberDigits - 1;

/** Reduces a cell's text to what would be dialed, or says why it can't be. */
export function dialString(cell: string): DialString | PhoneRejection {
  if (plainNumber.test(cell)) {
    const digits = cell.replace(/\D/g, "");
    if (digits.length <= maxPlainDigits)
      return { ok: true, digits: cell.includes("+") ? `+${digits}` : digits };
  }
  if (cell.length > maxCellChars) {
    return rejectPhone("phone_not_a_number", "It is far longer than a phone number: give one number a row.");
  }
  // Newlines separate numbers in a cell; every other space is only layout.
  const lines = cell.trim().replace(/[\r\n]+/g, ";");
  const text = decodeTelUri(unwrapSpreadsheetText(asciiForm(lines).trim()));
  if (text === "") {
    return rejectPhone("phone_empty", "There is no phone number: fill the cell or remove the row.");
  }
  if (isSpreadsheetDamage(text)) {
    return rejectPhone(
      "phone_spreadsheet_damage",
      "A spreadsheet changed this number and lost digits: format the column as Text in the original and export it again.",
    );
  }
  const problem = checkCharacters(text);
  if (problem !== undefined) return problem;
  const digits = text.replace(/\D/g, "");
  return { ok: true, digits: text.includes("+") ? `+${digits}` : digits };
}

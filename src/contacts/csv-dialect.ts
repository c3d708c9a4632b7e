import { columnsFor, foldedName } from "./header-aliases.ts";
import { ImportOptionError } from "./import-errors.ts";

export interface CsvDialect {
  readonly delimiter: string;
  /** Where the header begins in the text, behind Excel's `sep=` line. */
  readonly start: number;
  readonly firstLine: number;
}

const candidates = [",", ";", "\t", "|"];

/** Excel's own way to state the delimiter: a first line `sep=;`. */
const excelSeparator = /^"?sep=([^\r\n])"?[^\S\r\n]*(?:\r\n|\r|\n|$)/i;

/** The text up to the first line end outside quotes, without blank lines before it. */
function headerText(text: string): string {
  const begin = /\S/.exec(text)?.index ?? 0;
  let inQuotes = false;
  for (let at = begin; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') inQuotes = !inQuotes;
    else if (!inQuotes && (character === "\n" || character === "\r")) return text.slice(begin, at);
  }
  return text.slice(begin);
}

function splitOutsideQuotes(header: string, delimiter: string): string[] {
  const names: string[] = [];
  let name = "";
  let inQuotes = false;
  for (const character of header) {
    if (character === '"') inQuotes = !inQuotes;
    else if (character === delimiter && !inQuotes) {
      names.push(name);
      name = "";
    } else name += character;
  }
  return [...names, name];
}

/**
 * The delimiter that gives the header a phone column, then the one that gives it most columns; a comma if
 * none occurs. `phoneName` is the phone column the caller named.
 */
function sniffDelimiter(text: string, phoneName: string | undefined): string {
  const header = headerText(text);
  let best = { delimiter: ",", hasPhone: false, count: 1 };
  for (const delimiter of candidates) {
    const names = splitOutsideQuotes(header, delimiter).map(foldedName);
    const hasPhone =
      phoneName === undefined ? columnsFor("phone", names).length > 0 : names.includes(foldedName(phoneName));
    const count = names.length;
    if (count === 1) continue;
    const better = hasPhone === best.hasPhone ? count > best.count : hasPhone;
    if (better) best = { delimiter, hasPhone, count };
  }
  return best.delimiter;
}

/** @throws {ImportOptionError} unless the delimiter is one character that can separate cells */
export function checkDelimiter(delimiter: string): void {
  if (delimiter.length !== 1 || /["\r\n\0\p{L}\p{N}]/u.test(delimiter)) {
    throw new ImportOptionError(
      `The delimiter ${JSON.stringify(delimiter)} can't separate cells: give one character, such as ";" or a tab.`,
    );
  }
}

/** How the CSV that begins with this text separates its cells, and where its header begins. */
export function csvDialect(
  text: string,
  given: string | undefined,
  phoneName: string | undefined,
): CsvDialect {
  const stated = excelSeparator.exec(text);
  const start = stated?.[0].length ?? 0;
  const firstLine = stated === null ? 1 : 2;
  const delimiter = given ?? stated?.[1] ?? sniffDelimiter(text.slice(start), phoneName);
  return { delimiter, start, firstLine };
}

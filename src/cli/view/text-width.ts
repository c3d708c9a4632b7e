import { stripVTControlCharacters } from "node:util";

/** Scripts and signs that terminals give two columns (Unicode TR 11, the wide blocks). */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1F64F}\u{1F680}-\u{1F6FF}\u{1F900}-\u{1F9FF}\u{20000}-\u{3FFFD}]/u;
const NO_WIDTH = /[\p{M}\p{Cf}]/u;

function characterWidth(character: string): number {
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Columns that a text takes in a terminal, colours not counted. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) width += characterWidth(character);
  return width;
}

/** A colour, as colours.ts writes them. */
// eslint-disable-next-line no-control-regex
const ESCAPE = /\u001B\[[\d;]*m/y;

/** The beginning of a text that fits into so many columns; an ellipsis stands for the rest. Colours stay whole. */
export function fitText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let fitted = "";
  let width = 0;
  for (let index = 0; index < text.length;) {
    ESCAPE.lastIndex = index;
    const escape = ESCAPE.exec(text)?.[0];
    if (escape !== undefined) {
      fitted += escape;
      index += escape.length;
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
    index += character.length;
    const next = width + characterWidth(character);
    if (next > columns - 1) continue;
    fitted += character;
    width = next;
  }
  return `${fitted}…`;
}

/** Fills a text up to a width with spaces, on its right. */
export function padText(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - textWidth(text)));
}

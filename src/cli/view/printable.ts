/** The codes that colours.ts writes, and no others. */
const OURS = "\\[(?:1|2|22|31|32|33|39)m";

/*
 * What terminals act on instead of showing it: control characters of both sets but tab and line break, and the signs
 * by which Unicode turns the direction of writing round.
 */
// eslint-disable-next-line no-control-regex
const ACTED_ON = new RegExp(
  `\\u001B(?!${OURS})|[\\u0000-\\u0008\\u000B-\\u001A\\u001C-\\u001F\\u007F-\\u009F\\u202A-\\u202E\\u2066-\\u2069]`,
  "g",
);

/** A text as it may go to a terminal: names and events come from outside, and may hold what would drive it. */
export function printable(text: string): string {
  return text.replaceAll(ACTED_ON, "\uFFFD");
}

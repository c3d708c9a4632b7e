/** Letters that may differ, in a long word: of a short one a few are all of it. */
const MOST_EDITS = 3;
const MOST_PART = 1 / 3;

/** Longer ones are not compared: names are short. */
const MOST_CHARS = 60;

/** So many letters that begin one name alone are that name, not written to its end. */
const FEWEST_BEGUN = 3;

/** The name that is meant, in words, where one is near enough; empty where none is. */
export function nearMiss(name: string, known: readonly string[]): string {
  const others = known.filter((one) => one !== name);
  const meant = nearestWord(name, others);
  return meant === undefined ? "" : ` (is ${meant} meant?)`;
}

/** The one of some words that another one may be a misspelling, or a part, of; undefined where none is near. */
export function nearestWord(word: string, among: readonly string[]): string | undefined {
  if (word.length > MOST_CHARS) return undefined;
  const within = Math.min(MOST_EDITS, Math.floor(word.length * MOST_PART));
  let nearest: string | undefined;
  let fewest = within + 1;
  for (const other of among) {
    if (Math.abs(other.length - word.length) > within) continue;
    const edits = editsBetween(word.toLowerCase(), other.toLowerCase());
    if (edits >= fewest) continue;
    fewest = edits;
    nearest = other;
  }
  if (nearest !== undefined) return nearest;
  const parts = among.filter((other) => isBegun(word, other) || isBegun(other, word));
  return parts.length === 1 ? parts[0] : undefined;
}

function isBegun(begin: string, whole: string): boolean {
  return begin.length >= FEWEST_BEGUN && whole.startsWith(begin);
}

/** Letters that are put in, left out or put in another's place. */
function editsBetween(from: string, to: string): number {
  let before = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const edits = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const swapped = (before[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      edits.push(Math.min(swapped, (before[column] ?? 0) + 1, (edits[column - 1] ?? 0) + 1));
    }
    before = edits;
  }
  return before[to.length] ?? 0;
}

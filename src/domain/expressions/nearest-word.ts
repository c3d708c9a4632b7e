/** Words that are further apart than this are not each other, misspelt. */
const MOST_EDITS = 2;
/** Longer ones are not compared: names are short. */
const MOST_CHARS = 60;

/** So much of a name, and it is known which one is meant. */
const FEWEST_OF_A_PART = 4;

/** The one of some words that another one may be a misspelling, or a part, of; undefined where none is near. */
export function nearestWord(word: string, among: readonly string[]): string | undefined {
  if (word.length > MOST_CHARS) return undefined;
  const within = Math.min(MOST_EDITS, Math.floor(word.length / 3));
  let nearest: string | undefined;
  let fewest = within + 1;
  for (const other of among) {
    if (Math.abs(other.length - word.length) > within) continue;
    const edits = editsBetween(word.toLowerCase(), other.toLowerCase());
    if (edits >= fewest) continue;
    fewest = edits;
    nearest = other;
  }
  const parts = among.filter((other) => other.startsWith(word) || word.startsWith(other));
  return nearest ?? (word.length >= FEWEST_OF_A_PART && parts.length === 1 ? parts[0] : undefined);
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

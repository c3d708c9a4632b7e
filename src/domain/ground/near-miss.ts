/** The name that differs in the fewest letters, in words, where that is near enough to be meant; empty where none is. */
export function nearMiss(name: string, known: readonly string[]): string {
  const near = Math.min(NEAR_LETTERS, Math.floor(name.length * NEAR_PART));
  const [best] = known
    .filter((one) => one !== name && Math.abs(one.length - name.length) <= near)
    .map((one) => ({ one, letters: lettersApart(name.slice(0, MOST_NAME_CHARS), one) }))
    .toSorted((a, b) => a.letters - b.letters);
  const begun = name.length < LEAST_BEGUN ? [] : known.filter((one) => one !== name && one.startsWith(name));
  const meant =
    best !== undefined && best.letters <= near ? best.one : begun.length === 1 ? begun[0] : undefined;
  return meant === undefined ? "" : ` (is ${meant} meant?)`;
}

/** Longer than any name; bounds the comparison. */
const MOST_NAME_CHARS = 40;

/** So many letters that begin one name alone are that name, not written to its end. */
const LEAST_BEGUN = 3;

/** Of a short name a few letters are all of it. */
const NEAR_LETTERS = 3;
const NEAR_PART = 1 / 3;

/** Letters to put in, take out or change. */
function lettersApart(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of one.split("").entries()) {
    const line = [row + 1];
    for (const [column, its] of other.split("").entries()) {
      const changed = (before[column] ?? 0) + (letter === its ? 0 : 1);
      line.push(Math.min(changed, (before[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1));
    }
    before = line;
  }
  return before.at(-1) ?? 0;
}

/* Values of people that stand in the ledger encrypted (ledger/ground/data-keys.ts). */

/** The values of one contact: by column, each sealed for itself, all with one key. */
export interface Sealed {
  /** The key's id. */
  with: string;
  values: Readonly<Record<string, string>>;
}

/** What is shown instead of a value. */
const SENSITIVE = "(sensitive)";

/** Variables as people may see them: that there is a sensitive one, and nothing of what it says. */
export function shownVariables(
  variables: Readonly<Record<string, string>>,
  sealedNames: readonly string[],
): Record<string, string> {
  return { ...variables, ...Object.fromEntries(sealedNames.map((name) => [name, SENSITIVE])) };
}

/** So many of those beside a row have to open for each other that does not, for the row to be what is wrong. */
const OPENING_FOR_EACH = 4;

/** Where there are few beside it, one other that does not open takes away as little as this many prove. */
const OPENING_FOR_ONE = 3;

/** Whether what was sealed before and after a row, with the same key, opens; the nearest ones, in the order of their sealing. */
export interface Beside {
  before: readonly boolean[];
  after: readonly boolean[];
}

/**
 * Whether it is the row that is to blame, where its values do not open with the key that has their key's id. Another key
 * with that id opens nothing of what was sealed before it came, so that what does not open stands side by side: more than
 * a few there are the key's fault, and nothing is concluded of any of them.
 */
export function isRowToBlame({ before, after }: Beside): boolean {
  const opening = [...before, ...after].filter(Boolean).length;
  const others = before.length + after.length - opening;
  return (
    opening > 0 && (opening >= OPENING_FOR_EACH * others || (others === 1 && opening >= OPENING_FOR_ONE))
  );
}

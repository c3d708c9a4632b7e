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

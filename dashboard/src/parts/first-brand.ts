/** The brand that the API takes where none is said. */
const STANDARD = "default";

/**
 * Of which brand something new is at first.
 *
 * @param looked the brand that is looked at; undefined: there is none to choose
 * @param brands of whoever is signed in; null: of every brand
 */
export function firstBrand(looked: string | undefined, brands: readonly string[] | null): string {
  return looked ?? brands?.[0] ?? STANDARD;
}

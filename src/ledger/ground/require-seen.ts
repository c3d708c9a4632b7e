/**
 * Told what stands before it is replaced, within the transaction that replaces it; undefined: there is nothing. What
 * makes no change does not ask.
 *
 * @throws where that is not what whoever changes it has looked at
 */
export type RequireSeen = (before: unknown) => void;

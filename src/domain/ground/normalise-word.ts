/** A word for a state as the platform has it, so that its spellings are one: lower case, `_` between its parts. */
export function normaliseWord(status: string): string {
  return status
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .slice(0, 60);
}

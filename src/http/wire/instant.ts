/** A moment as the API writes it. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

export function isoOrNull(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : isoOf(ms);
}

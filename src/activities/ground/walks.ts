/*
 * Walks through lists of the platform that move. A row that goes from the part that was read moves all behind it up, and
 * the walk passes over as many where its next page begins (platform/paging.ts, P5).
 */

/** Whether no row of one walk is gone from the next one: where one is, others may have been passed over. */
export function showsAllOf(before: ReadonlySet<string>, shown: ReadonlySet<string>): boolean {
  for (const id of before) if (!shown.has(id)) return false;
  return true;
}

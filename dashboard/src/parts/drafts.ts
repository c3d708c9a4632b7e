/*
 * What somebody wrote and has not put yet, for as long as the page is open and they are signed in: a link, or the way back,
 * leads away from an editor, and to it again.
 */

const drafts = new Map<string, unknown>();

/** @param key of what is written, as the one who keeps it made it */
export function readDraft<Draft>(key: string): Draft | undefined {
  return drafts.get(key) as Draft | undefined;
}

/** @param draft undefined: there is nothing that could be lost any more */
export function keepDraft(key: string, draft: unknown): void {
  if (draft === undefined) drafts.delete(key);
  else drafts.set(key, draft);
}

/** They are nobody else's. */
export function dropDrafts(): void {
  drafts.clear();
}

import { ITEM_WORDS, readCall } from "../../domain/campaigns/call-outcome.ts";
import { PlatformError, type BatchCallItem } from "../../platform/index.ts";
import type { Study, View } from "./study.ts";
import { normaliseWord } from "../../domain/ground/normalise-word.ts";

/*
 * Which words of the platform's own end an item. The engine gives a slot back at such a word, so that one which
 * is seen while a phone is up must never be among them: items lag behind calls, and an item may still say "live
 * leg" when its call is over.
 */

/** Keeps a word that was seen, as the platform wrote it. */
export function noteWord(words: string[], word: string | undefined): void {
  if (word === undefined || word === "" || words.length >= 100) return;
  const kept = word.slice(0, 60);
  if (!words.includes(kept)) words.push(kept);
}

/**
 * Strikes out the words of items whose call is not over. A call is asked for only while its item's word may still
 * end items, and not again once it is over.
 */
export async function strikeWords(study: Study, items: readonly BatchCallItem[]): Promise<void> {
  const { found, words } = study;
  for (const item of items) {
    const word = strangeWord(item);
    if (word === undefined || words.up.has(word) || (await isOver(study, item))) continue;
    words.up.add(word);
    found.ended_item_words = found.ended_item_words.filter((text) => normaliseWord(text) !== word);
  }
}

/**
 * Keeps the words that two looks at a batch that was over agree on, for items whose call had ended before the
 * first of them.
 *
 * @param endedBefore the calls that were over at the first look
 */
export function noteEndedWords(
  { found, words }: Study,
  endedBefore: ReadonlySet<string>,
  first: View,
  second: View,
): void {
  for (const item of second.items) {
    const word = strangeWord(item);
    const before = first.items.find(({ item_id: id }) => id === item.item_id);
    if (word === undefined || words.up.has(word) || before?.status !== item.status) continue;
    if (item.call_id === undefined || !endedBefore.has(item.call_id)) continue;
    noteWord(found.ended_item_words, item.status);
  }
}

/** An item's word in its normal form, where the product does not know it. */
function strangeWord({ status = "" }: BatchCallItem): string | undefined {
  const word = normaliseWord(status);
  return word === "" || Object.hasOwn(ITEM_WORDS, word) ? undefined : word;
}

/** Whether an item's call is known to be over. Without a call only its time of end says that. */
async function isOver({ platform, found, words, signal }: Study, item: BatchCallItem): Promise<boolean> {
  const { call_id: callId } = item;
  if (callId === undefined) return item.completed_at !== undefined;
  if (words.overCalls.has(callId)) return true;
  try {
    const { status = "", duration_seconds: durationSeconds } = await platform.calls.get(callId, { signal });
    noteWord(found.words.call, status);
    const facts = { callId, status, durationSeconds, startedAtMs: undefined, endedAtMs: undefined };
    if (readCall(facts) === undefined) return false;
  } catch (error) {
    // A call that can't be read is none that is known to be over.
    if (error instanceof PlatformError && error.status === 404) return false;
    throw error;
  }
  words.overCalls.add(callId);
  return true;
}

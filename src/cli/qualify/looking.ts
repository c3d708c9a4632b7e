import { looksUndialed, readItem, type ItemFacts } from "../../domain/campaigns/call-outcome.ts";
import { momentOf, PlatformError, type BatchCall, type BatchCallItem } from "../../platform/index.ts";
import { waitFor } from "../interrupts.ts";
import type { Study, View } from "./study.ts";
import { noteWord, strikeWords } from "./words.ts";

export async function look(study: Study, batchId: string): Promise<View> {
  const { platform, found, signal } = study;
  const batch = await platform.batchCalls.get(batchId, { signal });
  noteWord(found.words.batch, batch.status);
  const items: BatchCallItem[] = [];
  for await (const item of platform.batchCalls.iterateItems(batchId, {}, { signal, maxPages: 20 })) {
    items.push(item);
    noteWord(found.words.item, item.status);
  }
  await strikeWords(study, items);
  return { batch, items };
}

/** Looks until something is so; undefined where it did not become so in time. */
export async function lookUntil(
  study: Study,
  batchId: string,
  withinMs: number,
  isSo: (view: View) => boolean,
): Promise<{ view: View; tookMs: number } | undefined> {
  const begunMs = performance.now();
  for (;;) {
    const view = await look(study, batchId);
    const tookMs = performance.now() - begunMs;
    if (isSo(view)) return { view, tookMs };
    if (tookMs > withinMs) return undefined;
    await waitFor(study.pace.lookMs, study.signal);
    study.signal.throwIfAborted();
  }
}

/** What an item's state amounts to, by the product's own words. */
export function phaseOf(item: Partial<BatchCallItem>): ReturnType<typeof readItem>["phase"] {
  return readItem(factsOf(item)).phase;
}

/** Whether a call to it may be up. A word that nobody knows says that by itself only until a time of end is there. */
export function isUp(item: BatchCallItem): boolean {
  const phase = phaseOf(item);
  return phase === "up" || (phase === "unrecognised" && item.completed_at === undefined);
}

/** Whether it was called, or may have been. */
export function isTouched(item: BatchCallItem): boolean {
  return !looksUndialed(factsOf(item));
}

/** An item as the engine reads it. */
function factsOf(item: Partial<BatchCallItem>): ItemFacts {
  const { started_at: startedAt, completed_at: completedAt } = item;
  return {
    status: item.status ?? "",
    errorText: item.error_message,
    callId: item.call_id,
    dialCount: item.attempt_count,
    startedAtMs: momentOf(startedAt),
    completedAtMs: momentOf(completedAt),
    hasStart: startedAt !== undefined,
  };
}

/** Does something that the platform may refuse, and tells in words what came of it. */
export async function attempt(
  action: () => Promise<BatchCall | void>,
): Promise<{ done: boolean; text: string }> {
  try {
    const answer = await action();
    const word = answer?.status === undefined ? "" : `, status ${answer.status.slice(0, 60)}`;
    return { done: true, text: `accepted${word}` };
  } catch (error) {
    if (!(error instanceof PlatformError) || error.code === "aborted") throw error;
    if (error.effect === "may_have_happened") return { done: false, text: `unclear (${error.code})` };
    return { done: false, text: `refused (${error.status ?? error.code})` };
  }
}

/** Creates a batch that dials each phone once; it is not started. */
export async function createBatch(
  study: Study,
  phones: readonly string[],
  atOnce: number,
): Promise<BatchCall> {
  const batch = await study.platform.batchCalls.create(
    {
      agent_id: study.agentId,
      from_number: study.fromNumber,
      contacts: phones.map((phone) => ({ phone_number: phone })),
      name: `outdial qualify ${study.found.made_at}`,
      max_concurrent_calls: atOnce,
      retry_attempts: 0,
    },
    { signal: study.signal },
  );
  study.made.add(batch.batch_call_id);
  noteWord(study.found.words.batch, batch.status);
  return batch;
}

/** Deletes a batch and tells whether it is gone. */
export async function deleteBatch({ platform, made }: Study, batchId: string): Promise<string> {
  const deleted = await attempt(() => platform.batchCalls.delete(batchId));
  if (!deleted.done) return deleted.text;
  const again = await attempt(() => platform.batchCalls.get(batchId));
  if (again.done) return `${deleted.text}, and it is still there`;
  made.delete(batchId);
  return `${deleted.text}; asked for again: ${again.text}`;
}

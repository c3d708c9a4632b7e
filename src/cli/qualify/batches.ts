import { phaseOfBatch, showsBegun } from "../../domain/campaigns/platform-batch.ts";
import { maskPhone } from "../../platform/index.ts";
import { waitFor } from "../interrupts.ts";
import { studyFilters } from "./filters.ts";
import { listen, type Listening } from "./listening.ts";
import { largestPage } from "./lists.ts";
import type { Study, View } from "./study.ts";
import { findUncalled } from "./uncalled.ts";
import { noteEndedWords } from "./words.ts";
import { attempt, createBatch, deleteBatch, isTouched, isUp, look, lookUntil, phaseOf } from "./looking.ts";

/** What a batch that was never started does when it is paused, cancelled and deleted. Nobody is called. */
export async function studyUnstarted(study: Study, phones: readonly string[]): Promise<void> {
  const { platform, found, say } = study;
  const { batch_call_id: id } = await createBatch(study, phones, 1);
  await look(study, id);
  found.page_limits.items = await largestPage(study, "items", (limit) =>
    platform.batchCalls.items(id, { limit }, { signal: study.signal }),
  );
  const paused = await attempt(() => platform.batchCalls.pause(id));
  found.effects.pause_unstarted = `${paused.text}; ${wordsOf(await look(study, id))}`;
  const cancelled = await attempt(() => platform.batchCalls.cancel(id));
  found.effects.cancel_unstarted = `${cancelled.text}; ${wordsOf(await look(study, id))}`;
  found.deletes.unstarted_batch = await deleteBatch(study, id);
  say(`a batch that was not started: pause ${paused.text}, cancel ${cancelled.text}`);
}

/**
 * Pauses a batch of two while its first call is up, and cancels it when that has ended: one phone rings, and the
 * other one should not.
 *
 * @returns the phones that were provably not called, and may be called by another batch
 */
export async function studyInterrupted(study: Study, phones: readonly string[]): Promise<string[]> {
  const { found, pace, say } = study;
  if (!(await mayCall(study, phones))) {
    found.not_tried.push("pause and cancel of a running batch: not allowed");
    return [...phones];
  }
  const started = await startBatch(study, phones, 1);
  if (!started) return [];
  const { id, listening } = started;
  try {
    await untilCalled(study, id);
    await studyOrder(study, id, "pause", listening);
    await studyOrder(study, id, "cancel", listening);
    const last = await lookUntil(study, id, pace.callMs, isOver);
    if (!last) {
      found.phones_rung += phones.length;
      found.not_tried.push("the end of a cancelled batch: not seen in time");
      return [];
    }
    const later = await lookLater(study, id, last.view);
    noteItems(study, later);
    const uncalled = await findUncalled(study, phones, last.view, later);
    found.deletes.ended_batch = await deleteBatch(study, id);
    found.phones_rung += phones.length - uncalled.length;
    const leftOut = phones.length - later.items.filter(isTouched).length - uncalled.length;
    if (leftOut > 0) {
      found.not_tried.push(
        "phones of a cancelled batch: left out, since it is unclear whether they were called",
      );
    }
    say(`pause ${found.effects.pause ?? "was not tried"}; cancel ${found.effects.cancel ?? "was not tried"}`);
    return uncalled;
  } finally {
    await listening.close();
  }
}

/** Gives one order, and waits until the batch shows it and no call of it is up. */
async function studyOrder(
  study: Study,
  id: string,
  order: "pause" | "cancel",
  listening: Listening,
): Promise<void> {
  const { platform, found, pace } = study;
  const ordered = await attempt(() => platform.batchCalls[order](id));
  const wanted = order === "pause" ? ["paused", "terminal"] : ["terminal"];
  const shown = await lookUntil(study, id, pace.actMs, ({ batch }) => wanted.includes(phaseOfBatch(batch)));
  if (ordered.done && shown) found.timings_ms[order] = Math.round(shown.tookMs);
  const quiet = await lookUntil(study, id, pace.callMs, (view) => {
    listening.note(view.items);
    return !view.items.some(isUp);
  });
  const view = quiet?.view ?? (await look(study, id));
  found.effects[order] = `${ordered.text}; ${wordsOf(view)}`;
}

/** Calls the phones of a batch to their end, and starts it a second time while it runs. */
export async function studyWhole(study: Study, phones: readonly string[]): Promise<void> {
  const { platform, found, pace, say } = study;
  if (!(await mayCall(study, phones))) {
    found.not_tried.push("a batch from start to end: not allowed");
    return;
  }
  // Asked before it runs: calls do not wait for an answer.
  const again = await study.ask(
    "Start a batch a second time while it runs? The same phones may ring once more.",
  );
  const started = await startBatch(study, phones, phones.length);
  if (!started) return;
  const { id, listening } = started;
  try {
    if (again && (await untilCalled(study, id))) {
      const second = await attempt(() => platform.batchCalls.start(id));
      found.effects.second_start = `${second.text}; ${wordsOf(await look(study, id))}`;
    } else if (!again) {
      found.not_tried.push("second start: not allowed");
    }
    const ended = await lookUntil(study, id, pace.callMs, (view) => {
      listening.note(view.items);
      return isOver(view);
    });
    if (!ended) {
      found.not_tried.push("the end of a batch: not seen in time");
      return;
    }
    const view = await lookLater(study, id, ended.view);
    noteItems(study, view);
    if (found.effects.second_start) found.effects.second_start += `; ${dialsText(view)}`;
    found.phones_rung += view.items.filter(isTouched).length;
    say(`a batch from start to end: ${wordsOf(view)}`);
    await studyFilters(study, view);
    found.deletes.ended_batch ??= await deleteBatch(study, id);
  } finally {
    await listening.close();
  }
}

/** Asked again before a batch is started: minutes may have passed, and who sits at a phone may have left it. */
async function mayCall({ ask }: Study, phones: readonly string[]): Promise<boolean> {
  return await ask(`Start a batch that calls ${phones.map(maskPhone).join(", ")} now?`);
}

/** Looks again at a batch that is over, a quiet time later, and keeps the words that both looks agree on. */
async function lookLater(study: Study, id: string, first: View): Promise<View> {
  const endedBefore = new Set(study.words.overCalls);
  await waitFor(study.pace.quietMs, study.signal);
  study.signal.throwIfAborted();
  const second = await look(study, id);
  noteEndedWords(study, endedBefore, first, second);
  return second;
}

/** Starts a batch, once, and waits until it shows. An unclear start is never sent again: it is looked for. */
async function startBatch(
  study: Study,
  phones: readonly string[],
  atOnce: number,
): Promise<{ id: string; listening: Listening } | undefined> {
  const { platform, found, pace, say } = study;
  const { batch_call_id: id } = await createBatch(study, phones, atOnce);
  const listening = listen(study, id);
  try {
    await listening.settled;
    say(`calling ${phones.map(maskPhone).join(", ")}`);
    const start = await attempt(() => platform.batchCalls.start(id));
    const begun = await lookUntil(study, id, pace.actMs, ({ batch, items }) => {
      const facts = { ...batch, startedAt: batch.started_at };
      const { status, active, processed, startedAt } = facts;
      return showsBegun({ status, active, processed, startedAt }) || items.some(isTouched);
    });
    if (begun && start.done) {
      const before = found.timings_ms.pickup ?? 0;
      found.timings_ms.pickup = Math.max(before, Math.round(begun.tookMs));
    }
    if (begun) return { id, listening };
    found.not_tried.push(`a start did not show in time: ${start.text}`);
  } catch (error) {
    await listening.close();
    throw error;
  }
  await listening.close();
  return undefined;
}

/** By the batch's word; where that is one that nobody knows, by its items. */
function isOver({ batch, items }: View): boolean {
  const allEnded = items.every((item) => ["ended", "cancelled"].includes(phaseOf(item)));
  if (phaseOfBatch(batch) === "unrecognised") return items.length > 0 && allEnded;
  return phaseOfBatch(batch) === "terminal" && !items.some((item) => phaseOf(item) === "up");
}

/** Waits until a call of the batch is up, or was. */
async function untilCalled(study: Study, id: string): Promise<boolean> {
  const { found, pace } = study;
  const called = await lookUntil(
    study,
    id,
    pace.callMs,
    (view) => view.items.some(isTouched) || isOver(view),
  );
  if (!called) {
    found.not_tried.push("a call of a running batch: none was seen in time");
    return false;
  }
  found.timings_ms.first_call = Math.max(found.timings_ms.first_call ?? 0, Math.round(called.tookMs));
  return true;
}

/** Which facts items carry once they were called. */
function noteItems({ found }: Study, { items }: View): void {
  const called = items.filter(isTouched);
  if (called.length === 0) return;
  const facts = found.item_facts;
  for (const name of ["call_id", "attempt_count", "started_at", "completed_at"] as const) {
    facts[name] = called.every((item) => item[name] !== undefined);
  }
  const [first] = called;
  if (first) found.ids_as_id["items"] = Object.hasOwn(first, "id");
}

/** `batch running; items active 1, pending 1`. */
function wordsOf({ batch, items }: View): string {
  const counts = new Map<string, number>();
  for (const { status = "without status" } of items) counts.set(status, (counts.get(status) ?? 0) + 1);
  const words = [...counts].map(([word, count]) => `${word} ${count}`).join(", ");
  return `batch ${batch.status ?? "without status"}; items ${words}`.slice(0, 300);
}

function dialsText({ items }: View): string {
  const more = items.filter(({ attempt_count: count = 0 }) => count > 1).length;
  const counted = items.some(({ attempt_count: count }) => count !== undefined);
  if (!counted) return "the platform does not count calls";
  return more === 0 ? "no phone was called twice" : `${more} called more than once`;
}

import type { z } from "zod";

import type { Clock } from "../clock.ts";
import type { Faults } from "../faults.ts";
import type {
  batchCreatedResponse,
  batchItemResponse,
  batchListItem,
  batchStatusResponse,
} from "../schemas/batch-calls.ts";
import { activeOf } from "../state/batches.ts";
import type { BatchRecord, ItemRecord } from "../state/batches.ts";
import { ITEM_STATUSES, wordOf } from "../state/item-status.ts";
import type { ItemStatus, ItemWords } from "../state/item-status.ts";

/** How batches and their items are shown, under words that a fault may change. */
export class BatchViews {
  readonly #clock: Clock;
  readonly #words: ItemWords;
  readonly #faults: Faults;

  constructor(clock: Clock, words: ItemWords, faults: Faults) {
    this.#clock = clock;
    this.#words = words;
    this.#faults = faults;
  }

  /** BatchCallStatusResponse (contract 2.5). */
  status(batch: BatchRecord): z.output<typeof batchStatusResponse> {
    const completed = completedOf(batch);
    const failed = failedOf(batch);
    return {
      batch_call_id: batch.id,
      name: batch.name,
      status: this.#statusWord(batch),
      total: batch.items.length,
      pending: batch.tally.pending,
      active: activeOf(batch),
      completed,
      failed,
      processed: completed + failed,
      counts: this.#counts(batch),
      progress_percent: progressOf(batch),
      started_at: this.#clock.isoOrNull(batch.startedAt),
      completed_at: this.#clock.isoOrNull(batch.completedAt),
    };
  }

  /** BatchCallResponse as create answers it. */
  created(batch: BatchRecord): z.output<typeof batchCreatedResponse> {
    return {
      ...this.status(batch),
      agent_id: batch.agent.id,
      from_number: batch.fromNumber,
      max_concurrent_calls: batch.maxConcurrent,
      retry_attempts: batch.retryAttempts,
      created_at: this.#clock.iso(batch.createdAt),
    };
  }

  /** BatchCallResponse as lists show it. */
  listed(batch: BatchRecord): z.output<typeof batchListItem> {
    return {
      batch_call_id: batch.id,
      name: batch.name,
      agent_id: batch.agent.id,
      from_number: batch.fromNumber,
      total_count: batch.items.length,
      completed_count: completedOf(batch),
      failed_count: failedOf(batch),
      max_concurrent: batch.maxConcurrent,
      retry_attempts: batch.retryAttempts,
      status: this.#statusWord(batch),
      progress_percent: progressOf(batch),
      created_at: this.#clock.iso(batch.createdAt),
      started_at: this.#clock.isoOrNull(batch.startedAt),
      completed_at: this.#clock.isoOrNull(batch.completedAt),
    };
  }

  /** BatchCallItemResponse (contract 2.5). */
  item(item: ItemRecord): z.output<typeof batchItemResponse> {
    const { organization } = item.batch;
    return {
      item_id: organization.batches.itemIdOf(item),
      phone_number: item.phone,
      status: this.word(item.status),
      attempt_count: item.attempts,
      call_id: item.call === null ? null : organization.calls.idOf(item.call),
      error_message: item.error,
      started_at: this.#clock.isoOrNull(item.startedAt),
      completed_at: this.#clock.isoOrNull(item.completedAt),
    };
  }

  /** An item as if nobody had dialed it, whatever became of it (the fault `items_forgotten`). */
  undialed(item: ItemRecord): z.output<typeof batchItemResponse> {
    return {
      ...this.item(item),
      status: this.word(item.batch.status === "cancelled" ? "cancelled" : "pending"),
      attempt_count: 0,
      call_id: null,
      error_message: null,
      started_at: null,
      completed_at: null,
    };
  }

  /** The word under which an item status is shown now. */
  word(status: ItemStatus): string {
    const word = wordOf(status, this.#words);
    return this.#faults.peek("item_words")?.words[word] ?? word;
  }

  #statusWord({ status }: BatchRecord): string {
    return this.#faults.peek("batch_words")?.words[status] ?? status;
  }

  #counts(batch: BatchRecord): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const status of ITEM_STATUSES) {
      const count = batch.tally[status];
      if (count > 0) {
        const word = this.word(status);
        counts[word] = (counts[word] ?? 0) + count;
      }
    }
    return counts;
  }
}

/** Contacts that somebody or a machine answered for. */
function completedOf(batch: BatchRecord): number {
  return batch.tally.completed + batch.tally.voicemail;
}

/** Contacts that no attempt reached. Cancelled ones are neither completed nor failed. */
function failedOf(batch: BatchRecord): number {
  return batch.tally.no_answer + batch.tally.busy + batch.tally.failed;
}

function progressOf(batch: BatchRecord): number {
  const processed = completedOf(batch) + failedOf(batch);
  return Math.round((processed / batch.items.length) * 1_000) / 10;
}

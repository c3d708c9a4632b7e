import type { Clock, Timer } from "../clock.ts";
import type { IdSequence } from "../ids.ts";
import type { BatchCreate } from "../schemas/batch-calls.ts";
import { normalizedPhone } from "../schemas/phone.ts";
import type { AgentRecord } from "./agents.ts";
import type { BatchStatus } from "./batch-status.ts";
import type { CallRecord } from "./calls.ts";
import { ITEM_STATUSES } from "./item-status.ts";
import type { ItemStatus } from "./item-status.ts";
import type { Organization } from "./organization.ts";

/** One contact of a batch. Times are milliseconds of the clock's `now()`. */
export interface ItemRecord {
  readonly index: number;
  readonly batch: BatchRecord;
  readonly phone: string;
  readonly variables: Record<string, string> | null;
  status: ItemStatus;
  attempts: number;
  /** The last call. */
  call: CallRecord | null;
  /** What the last call failed with. */
  error: string | null;
  startedAt: number | null;
  completedAt: number | null;
}

export interface BatchRecord {
  readonly id: string;
  readonly organization: Organization;
  readonly name: string;
  readonly agent: AgentRecord;
  readonly fromNumber: string;
  readonly maxConcurrent: number;
  readonly retryAttempts: number;
  readonly items: readonly ItemRecord[];
  /** Items by status. */
  readonly tally: Record<ItemStatus, number>;
  /** Every call made for it, deleted ones included. */
  readonly calls: CallRecord[];
  readonly createdAt: number;
  status: BatchStatus;
  startedAt: number | null;
  completedAt: number | null;
  /** The first item that may not have been dialed yet. */
  cursor: number;
  /** Items whose pause before another attempt is over, in that order. */
  readonly retries: ItemRecord[];
  pickup: Timer | null;
  peakActive: number;
  /** Whether the API still knows it. A batch can go on dialing after it was forgotten. */
  known: boolean;
}

/** The batches of an organization, oldest first. */
export class Batches {
  readonly #organization: Organization;
  readonly #clock: Clock;
  readonly #ids: IdSequence;
  readonly #itemIds: IdSequence;
  readonly #batches: BatchRecord[] = [];
  #items = 0;

  constructor(organization: Organization, clock: Clock, ids: IdSequence, itemIds: IdSequence) {
    this.#organization = organization;
    this.#clock = clock;
    this.#ids = ids;
    this.#itemIds = itemIds;
  }

  create(input: BatchCreate, agent: AgentRecord): BatchRecord {
    const items: ItemRecord[] = [];
    const batch: BatchRecord = {
      id: this.#ids.at(this.#batches.length),
      organization: this.#organization,
      name: input.name ?? `Batch ${this.#batches.length + 1}`,
      agent,
      fromNumber: normalizedPhone(input.from_number),
      maxConcurrent: input.max_concurrent_calls,
      retryAttempts: input.retry_attempts,
      items,
      tally: emptyTally(),
      calls: [],
      createdAt: this.#clock.now(),
      status: "pending",
      startedAt: null,
      completedAt: null,
      cursor: 0,
      retries: [],
      pickup: null,
      peakActive: 0,
      known: true,
    };
    for (const contact of input.contacts) {
      items.push(this.#item(batch, contact));
    }
    batch.tally.pending = items.length;
    this.#batches.push(batch);
    return batch;
  }

  #item(batch: BatchRecord, contact: BatchCreate["contacts"][number]): ItemRecord {
    this.#items += 1;
    return {
      index: this.#items - 1,
      batch,
      phone: normalizedPhone(contact.phone_number),
      variables: contact.dynamic_variables ?? null,
      status: "pending",
      attempts: 0,
      call: null,
      error: null,
      startedAt: null,
      completedAt: null,
    };
  }

  itemIdOf(item: ItemRecord): string {
    return this.#itemIds.at(item.index);
  }

  find(id: string): BatchRecord | null {
    const batch = this.findForgotten(id);
    return batch?.known === true ? batch : null;
  }

  /** Finds batches that the API does not know any more, too. */
  findForgotten(id: string): BatchRecord | null {
    const index = this.#ids.indexOf(id);
    return index === null ? null : (this.#batches[index] ?? null);
  }

  /** Every batch that there ever was, forgotten ones included. */
  everyone(): readonly BatchRecord[] {
    return this.#batches;
  }

  /** Takes a batch back as it was before a restart; batches come in their order. */
  takeBack(batch: BatchRecord): void {
    this.#batches.push(batch);
    this.#items += batch.items.length;
  }

  all(): BatchRecord[] {
    return this.#batches.filter((batch) => batch.known);
  }
}

/** The calls of a batch that are up. */
export function activeOf(batch: BatchRecord): number {
  return batch.tally.dialing + batch.tally.in_progress;
}

export function setItemStatus(item: ItemRecord, status: ItemStatus): void {
  item.batch.tally[item.status] -= 1;
  item.batch.tally[status] += 1;
  item.status = status;
}

/** Items counted by status. */
export function tallyOf(items: readonly { readonly status: ItemStatus }[]): Record<ItemStatus, number> {
  const tally = emptyTally();
  for (const { status } of items) {
    tally[status] += 1;
  }
  return tally;
}

function emptyTally(): Record<ItemStatus, number> {
  // Every status is a key by construction.
  return Object.fromEntries(ITEM_STATUSES.map((status) => [status, 0])) as Record<ItemStatus, number>;
}

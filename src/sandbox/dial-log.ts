import type { Clock } from "./clock.ts";
import type { CallRecord } from "./state/calls.ts";

/** One dial, as the outside world saw it. */
export interface DialLogEntry {
  /** Counts from 1, without gaps. */
  readonly seq: number;
  /** ISO 8601, wall-clock. */
  readonly at: string;
  readonly phone: string;
  readonly from_number: string;
  readonly batch_call_id: string | null;
  readonly item_id: string | null;
  readonly call_id: string;
  /** Whether an item of a batch or a request for a single call was behind it. */
  readonly source: "batch" | "phone";
  /** The how manieth dial of this number in the life of the sandbox, from 1. */
  readonly nth: number;
}

export interface DialCounts {
  readonly dials: number;
  readonly by_source: Readonly<Record<"batch" | "phone", number>>;
  readonly numbers: number;
  /** The most dials that any one number got. */
  readonly most_dials_of_a_number: number;
}

/**
 * The outside witness: every dial, in order, whatever became of its call, its batch or the request behind it.
 * Nothing is ever taken out. It keeps the call records themselves and words the entries when they are read.
 */
export class DialLog {
  readonly #clock: Clock;
  readonly #calls: CallRecord[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  append(call: CallRecord): void {
    this.#calls.push(call);
  }

  /** The calls themselves, oldest first. */
  calls(): readonly CallRecord[] {
    return this.#calls;
  }

  get length(): number {
    return this.#calls.length;
  }

  /** Entries with a `seq` greater than `after`, oldest first. */
  entries(after = 0, limit = Number.POSITIVE_INFINITY): DialLogEntry[] {
    return this.#calls.slice(after, after + limit).map((call, index) => this.#entry(call, after + index + 1));
  }

  /** The dials of one number, oldest first. */
  of(phone: string): DialLogEntry[] {
    return this.#calls.flatMap((call, index) => (call.phone === phone ? [this.#entry(call, index + 1)] : []));
  }

  counts(): DialCounts {
    const numbers = new Set<string>();
    const bySource = { batch: 0, phone: 0 };
    let most = 0;
    for (const call of this.#calls) {
      numbers.add(call.phone);
      bySource[sourceOf(call)] += 1;
      most = Math.max(most, call.nth);
    }
    return {
      dials: this.#calls.length,
      by_source: bySource,
      numbers: numbers.size,
      most_dials_of_a_number: most,
    };
  }

  #entry(call: CallRecord, seq: number): DialLogEntry {
    return {
      seq,
      at: this.#clock.iso(call.createdAt),
      phone: call.phone,
      from_number: call.fromNumber,
      batch_call_id: call.batch?.id ?? null,
      item_id: call.item === null ? null : call.organization.batches.itemIdOf(call.item),
      call_id: call.organization.calls.idOf(call),
      source: sourceOf(call),
      nth: call.nth,
    };
  }
}

function sourceOf(call: CallRecord): "batch" | "phone" {
  return call.item === null ? "phone" : "batch";
}

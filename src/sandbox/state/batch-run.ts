import type { Clock } from "../clock.ts";
import { conflict, paymentRequired } from "../errors.ts";
import type { Faults } from "../faults.ts";
import { isOver, nextBatchStatus } from "./batch-status.ts";
import type { BatchEvent } from "./batch-status.ts";
import { activeOf, setItemStatus } from "./batches.ts";
import type { BatchRecord, ItemRecord } from "./batches.ts";
import type { CallObserver, CallRun } from "./call-run.ts";
import type { CallRecord } from "./calls.ts";
import { isRetried, itemStatusAfter } from "./item-status.ts";

/** Hears of what changes in batches. */
export interface BatchObserver {
  itemChanged(item: ItemRecord): void;
  batchChanged(batch: BatchRecord): void;
}

/** From a start until a dialer takes the batch up, simulated. */
const PICKUP_MS = 2_000;

/** Between an attempt that failed and the platform's own next one, simulated. */
const RETRY_AFTER_MS = 60_000;

/** Runs batches: who is dialed when (contract 3.3). */
export class BatchRun implements CallObserver {
  readonly #clock: Clock;
  readonly #calls: CallRun;
  readonly #faults: Faults;
  readonly #observer: BatchObserver;

  constructor(clock: Clock, calls: CallRun, faults: Faults, observer: BatchObserver) {
    this.#clock = clock;
    this.#calls = calls;
    this.#faults = faults;
    this.#observer = observer;
    calls.observe(this);
  }

  /**
   * Queues a pending or paused batch. Throws 409 from any other status, 402 without credits. `regardless` makes it
   * happen whatever the status is, and contacts that were cancelled undialed are dialed after all.
   */
  start(batch: BatchRecord, regardless: boolean): void {
    this.#queue(batch, "start", regardless);
  }

  /** Queues a paused batch again; as `start`, but from no other status. */
  resume(batch: BatchRecord, regardless: boolean): void {
    this.#queue(batch, "resume", regardless);
  }

  /** No new call starts; calls that are up go on. Throws 409 unless queued or running. */
  pause(batch: BatchRecord): void {
    this.#apply(batch, "pause");
    this.#clock.cancel(batch.pickup);
    this.#observer.batchChanged(batch);
  }

  /** Pending items become cancelled; calls that are up run to their end. Throws 409 if the batch is over. */
  cancel(batch: BatchRecord): void {
    this.#apply(batch, "cancel");
    this.#clock.cancel(batch.pickup);
    this.#cancelPending(batch);
    batch.completedAt = this.#clock.now();
    this.#observer.batchChanged(batch);
  }

  /** Forgets a batch. Throws 409 while it is running. Calls that are up go on, and stay in the list of calls. */
  remove(batch: BatchRecord): void {
    this.#apply(batch, "delete");
    this.#clock.cancel(batch.pickup);
    batch.known = false;
    this.#observer.batchChanged(batch);
  }

  /** Makes the API know a batch only so much later (the fault `visible_late`). Real milliseconds. */
  hide(batch: BatchRecord, ms: number): void {
    batch.known = false;
    this.#clock.afterReal(ms, () => {
      batch.known = true;
    });
  }

  /** Makes the API forget a batch that goes on as if nothing were (the fault `vanish`). */
  vanish(batch: BatchRecord): void {
    batch.known = false;
    this.#observer.batchChanged(batch);
  }

  /**
   * Goes on with a batch after a restart. Contacts whose pause before another attempt was running are ready at once.
   */
  goOn(batch: BatchRecord, pickupDueAt: number | null): void {
    if (batch.status === "queued") {
      batch.pickup = this.#clock.at(pickupDueAt ?? 0, () => {
        this.#pickUp(batch);
      });
    }
    const ready = new Set(batch.retries);
    for (const item of batch.items) {
      if (item.status === "pending" && item.attempts > 0 && !ready.has(item)) {
        batch.retries.push(item);
      }
    }
    if (batch.status === "running") {
      this.#fill(batch);
    }
  }

  callConnected(call: CallRecord): void {
    if (call.item !== null) {
      setItemStatus(call.item, "in_progress");
      this.#observer.itemChanged(call.item);
    }
  }

  callEnded(call: CallRecord): void {
    const { item } = call;
    if (item === null) {
      return;
    }
    const status = itemStatusAfter(call.outcome);
    item.error = call.error;
    if (isRetried(status) && item.attempts <= item.batch.retryAttempts && !isOver(item.batch.status)) {
      setItemStatus(item, "pending");
      this.#clock.afterSimulated(RETRY_AFTER_MS, () => {
        this.#readyAgain(item);
      });
    } else {
      setItemStatus(item, status);
      item.completedAt = this.#clock.now();
    }
    this.#observer.itemChanged(item);
    this.#fill(item.batch);
  }

  #apply(batch: BatchRecord, event: BatchEvent): void {
    const next = nextBatchStatus(batch.status, event);
    if (next === null) {
      throw conflict(`Cannot ${event} a batch call that is ${batch.status}`);
    }
    batch.status = next;
  }

  #queue(batch: BatchRecord, event: "start" | "resume", regardless: boolean): void {
    if (regardless) {
      this.#reopen(batch);
    } else {
      if (nextBatchStatus(batch.status, event) !== null && batch.organization.billing.exhausted) {
        throw paymentRequired();
      }
      this.#apply(batch, event);
    }
    this.#clock.cancel(batch.pickup);
    const never = regardless ? null : this.#faults.take("never_picked_up");
    if (never !== null) {
      batch.status = never.shown_as ?? "queued";
      if (batch.status === "running") {
        batch.startedAt ??= this.#clock.now();
      }
      this.#observer.batchChanged(batch);
      return;
    }
    const delay = this.#faults.take("pickup_delay");
    const pickupMs = PICKUP_MS / this.#clock.speed + (delay?.ms ?? 0);
    batch.pickup = this.#clock.afterReal(pickupMs, () => {
      this.#pickUp(batch);
    });
    this.#observer.batchChanged(batch);
  }

  #reopen(batch: BatchRecord): void {
    batch.status = "queued";
    batch.completedAt = null;
    batch.cursor = 0;
    for (const item of batch.items) {
      if (item.status === "cancelled" && item.attempts === 0) {
        setItemStatus(item, "pending");
        item.completedAt = null;
      }
    }
  }

  #pickUp(batch: BatchRecord): void {
    const { organization } = batch;
    if (batch.status !== "queued") {
      // Its last calls ended while it was queued again, and nothing was left to dial.
      return;
    }
    const agent = organization.agents.find(batch.agent.id);
    if (
      agent === null ||
      agent.publishedVersion === null ||
      !organization.phoneNumbers.owns(batch.fromNumber)
    ) {
      this.#apply(batch, "refuse");
      this.#cancelPending(batch);
      batch.completedAt = this.#clock.now();
    } else {
      this.#apply(batch, "pickup");
      batch.startedAt ??= this.#clock.now();
      this.#fill(batch);
    }
    this.#observer.batchChanged(batch);
  }

  /** Dials until the batch has as many calls up as it may, or nobody is left to dial. */
  #fill(batch: BatchRecord): void {
    while (batch.status === "running" && activeOf(batch) < batch.maxConcurrent) {
      const item = nextItem(batch);
      if (item === null) {
        break;
      }
      if (batch.organization.billing.exhausted) {
        batch.retries.unshift(item);
        this.#apply(batch, "starve");
        this.#observer.batchChanged(batch);
        return;
      }
      this.#dial(item);
    }
    this.#drainIfDone(batch);
  }

  #dial(item: ItemRecord): void {
    const { batch } = item;
    item.attempts += 1;
    item.error = null;
    item.startedAt ??= this.#clock.now();
    setItemStatus(item, "dialing");
    item.call = this.#calls.dial({
      organization: batch.organization,
      agent: batch.agent,
      kind: "outbound",
      fromNumber: batch.fromNumber,
      phone: item.phone,
      batch,
      item,
      request: null,
    });
    batch.calls.push(item.call);
    batch.peakActive = Math.max(batch.peakActive, activeOf(batch));
    this.#observer.itemChanged(item);
  }

  #readyAgain(item: ItemRecord): void {
    // A cancel in the meantime has taken it.
    if (item.status === "pending") {
      item.batch.retries.push(item);
      this.#fill(item.batch);
    }
  }

  #drainIfDone(batch: BatchRecord): void {
    if (activeOf(batch) + batch.tally.pending > 0) {
      return;
    }
    if (nextBatchStatus(batch.status, "drain") !== null) {
      this.#apply(batch, "drain");
      batch.completedAt = this.#clock.now();
    }
    // Told also for a cancelled batch whose last call has ended now.
    this.#observer.batchChanged(batch);
  }

  #cancelPending(batch: BatchRecord): void {
    for (const item of batch.items) {
      if (item.status === "pending") {
        setItemStatus(item, "cancelled");
        item.completedAt = this.#clock.now();
        this.#observer.itemChanged(item);
      }
    }
  }
}

/** Contacts that were never dialed come first, in the order of the list; then those whose retry is due. */
function nextItem(batch: BatchRecord): ItemRecord | null {
  while (batch.cursor < batch.items.length) {
    const item = batch.items[batch.cursor];
    batch.cursor += 1;
    if (item?.status === "pending" && item.attempts === 0) {
      return item;
    }
  }
  for (;;) {
    const item = batch.retries.shift();
    if (item === undefined || item.status === "pending") {
      return item ?? null;
    }
  }
}

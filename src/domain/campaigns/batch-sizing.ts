/**
 * How many contacts and slots the next batches get (guided self-scheduling).
 *
 * A slot's share of the work shrinks with the work that is left, so that all slots end at about the same time;
 * a batch is small enough to drain within `MAX_DRAIN_MS`, so that a stop, a closing window or a crash of ours
 * concerns few contacts for a short time; and it has slots enough that a campaign keeps some twenty batches at
 * most, because each batch costs requests and Temporal actions of its own (docs/costs.md).
 */

/** The platform's own cap on `max_concurrent_calls`, and the most contacts that we put in one batch. */
export const MAX_BATCH_SIZE = 100;

/** What the platform does with a started batch while we are down is bounded by this (I2). */
export const MAX_DRAIN_MS = 10 * 60_000;

/** How long a call holds its slot, as long as a campaign has no measure of its own. */
export const DEFAULT_HOLD_MS = 60_000;

/** A campaign keeps about this many batches at once. */
const BATCHES_AT_ONCE = 20;

/** New batches in one planning: bounds the transaction and the fan-out of child workflows. */
export const MAX_BATCHES_PER_PLAN = 20;

export interface SizingInput {
  /** Contacts that could be dialed now. */
  due: number;
  /** Slots that nobody holds. */
  freeSlots: number;
  /** The campaign's concurrency. */
  limit: number;
  /** Mean time that an attempt holds a slot. */
  holdMs: number;
  /** Time until these contacts may no longer be dialed. */
  leadMs: number;
  maxBatches: number;
}

export interface BatchSize {
  contacts: number;
  /** `max_concurrent_calls` of the batch; never more than its contacts. */
  slots: number;
}

/** Slots below which it is not worth a batch while others are still to come free. */
export function slotQuantum(limit: number): number {
  return Math.max(1, Math.min(MAX_BATCH_SIZE, Math.floor(limit / BATCHES_AT_ONCE)));
}

export function sizeBatches(input: SizingInput): BatchSize[] {
  const { limit, holdMs, leadMs } = input;
  const drainMs = Math.min(MAX_DRAIN_MS, leadMs);
  const rounds = Math.max(
    1,
    Math.floor(
      Math.min(input.due / (2 * limit), drainMs / Math.max(1, holdMs), MAX_BATCH_SIZE / slotQuantum(limit)),
    ),
  );
  const slotsPerBatch = Math.max(1, Math.floor(MAX_BATCH_SIZE / rounds));
  const sizes: BatchSize[] = [];
  let due = input.due;
  let freeSlots = input.freeSlots;
  while (due > 0 && freeSlots > 0 && sizes.length < input.maxBatches) {
    const slots = Math.min(slotsPerBatch, freeSlots, due);
    const contacts = Math.min(due, slots * rounds, MAX_BATCH_SIZE);
    sizes.push({ contacts, slots });
    due -= contacts;
    freeSlots -= slots;
  }
  return sizes;
}

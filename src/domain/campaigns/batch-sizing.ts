/**
 * How many contacts and slots the next batches get (guided self-scheduling).
 *
 * A slot's share of the work shrinks with the work that is left, so that all slots end at about the same time;
 * a batch is small enough to drain within `MAX_DRAIN_MS`, so that a stop, a closing window or a crash of ours
 * concerns few contacts for a short time. While others are still to come free, slots are gathered until what they
 * would take is worth a batch: each costs requests and Temporal actions of its own (docs/costs.md).
 *
 * Lines are idle while their slots are gathered, and while a batch that ends is not yet known to. The figures below are
 * where `npm run bench -- fill-simulation` has its bend between full lines and few requests (docs/performance.md).
 */

/** The platform's own cap on `max_concurrent_calls`, and the most contacts that we put in one batch. */
export const MAX_BATCH_SIZE = 100;

/** What the platform does with a started batch while we are down is bounded by this (I2). */
export const MAX_DRAIN_MS = 10 * 60_000;

/** How long a call holds its slot, as long as a campaign has no measure of its own. */
export const DEFAULT_HOLD_MS = 60_000;

/** New batches in one planning: bounds the transaction and the fan-out of child workflows. */
export const MAX_BATCHES_PER_PLAN = 20;

/** A campaign keeps about this many batches at once: as many as a process has streams for (I6). */
const BATCHES_AT_ONCE = 100;

/** Of what is left, a slot takes this share of its part: the rest evens out that some calls are longer than others. */
const SHARE_OF_WHAT_IS_LEFT = 1 / 1.2;

/** Contacts that are worth a batch, however few slots take them. */
export const WORTH_A_BATCH = 20;

/** Slots that are worth a batch, however few contacts they take: this part of all. */
const SLOTS_WORTH_A_BATCH = 1 / 20;

/** Slots that are gathered however many contacts fewer would take: with a thousand lines some come free each second. */
const SLOTS_GATHERED = 1 / 100;

/** What the next batches are to take on. */
export interface WorkLeft {
  /** Contacts that could be dialed now. */
  due: number;
  /** The campaign's concurrency. */
  limit: number;
  /** Mean time that an attempt holds a slot. */
  holdMs: number;
}

export interface SizingInput extends WorkLeft {
  /** Slots that nobody holds. */
  freeSlots: number;
  /** Time until these contacts may no longer be dialed. */
  leadMs: number;
  maxBatches: number;
  /** Calls of a batch that may begin at once, where each begins with its start (call-rate.ts). */
  begunAtOnce?: number | undefined;
}

export interface BatchSize {
  contacts: number;
  /** `max_concurrent_calls` of the batch; never more than its contacts. */
  slots: number;
}

/** Slots below which it is not worth a batch while others are still to come free. From 1. */
export function slotQuantum(work: WorkLeft): number {
  const wanted = Math.max(WORTH_A_BATCH / roundsOf(work, MAX_DRAIN_MS), work.limit * SLOTS_GATHERED);
  const enough = Math.min(wanted, work.limit * SLOTS_WORTH_A_BATCH, work.due, MAX_BATCH_SIZE);
  return Math.max(1, Math.ceil(enough));
}

export function sizeBatches(input: SizingInput): BatchSize[] {
  const { begunAtOnce } = input;
  const rounds = roundsIn(input);
  const slotsPerBatch = Math.max(1, Math.floor(Math.min(MAX_BATCH_SIZE, begunAtOnce ?? Infinity) / rounds));
  const sizes: BatchSize[] = [];
  let due = input.due;
  let freeSlots = input.freeSlots;
  while (due > 0 && freeSlots > 0 && sizes.length < input.maxBatches) {
    const slots = Math.min(slotsPerBatch, freeSlots, due);
    const contacts = Math.min(due, Math.floor(slots * rounds), MAX_BATCH_SIZE);
    sizes.push({ contacts, slots });
    due -= contacts;
    freeSlots -= slots;
  }
  return sizes;
}

/** Calls that a slot of these batches makes one after the other. */
function roundsIn(input: Omit<SizingInput, "freeSlots" | "maxBatches">): number {
  return input.begunAtOnce === undefined ? roundsOf(input, Math.min(MAX_DRAIN_MS, input.leadMs)) : 1;
}

/** Of a group of contacts that may share batches: how many are next, and the slots that take them. */
export interface GroupInOrder {
  contacts: number;
  slots: number;
}

/**
 * Whom slots take where some are to be called before others and not all may share a batch: the first of all of them, as
 * far as slots go, so that nobody gets one since they happen to share a batch with somebody who comes early.
 *
 * @param order by the place of their groups in `groups`, whoever is called first.
 */
export function slotsInOrder(
  order: readonly number[],
  groups: readonly Omit<SizingInput, "freeSlots" | "maxBatches">[],
  freeSlots: number,
): GroupInOrder[] {
  const rounds = groups.map((group) => Math.floor(roundsIn(group)));
  const next = groups.map(() => ({ contacts: 0, slots: 0 }));
  let slotsLeft = freeSlots;
  for (const index of order) {
    const group = next[index];
    if (group === undefined) continue;
    if (group.contacts >= group.slots * (rounds[index] ?? 1)) {
      if (slotsLeft === 0) break;
      slotsLeft -= 1;
      group.slots += 1;
    }
    group.contacts += 1;
  }
  return next;
}

/** Calls that a slot of a batch makes one after the other: 1, and from 2 no whole number. */
function roundsOf({ due, limit, holdMs }: WorkLeft, drainMs: number): number {
  const share = (due / limit) * SHARE_OF_WHAT_IS_LEFT;
  const fair = share < 2 ? 1 : share;
  const drained = Math.floor(drainMs / Math.max(1, holdMs));
  return Math.max(1, Math.min(fair, drained, (MAX_BATCH_SIZE * BATCHES_AT_ONCE) / limit));
}

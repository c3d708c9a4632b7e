import {
  DEFAULT_HOLD_MS,
  MAX_BATCHES_PER_PLAN,
  sizeBatches,
  slotQuantum,
  type WorkLeft,
} from "../../src/domain/campaigns/batch-sizing.ts";
import { readIsDue, slotsHeardFree, type FollowPace } from "../../src/domain/campaigns/follow-pacing.ts";
import { Simulator } from "../../src/sandbox/simulator.ts";
import { EventQueue } from "./event-queue.ts";
import { fillOf, type Fill, type Span } from "./fill.ts";

/*
 * A campaign on a platform as a queue of events: pure, seeded, without clocks, sockets or a ledger. What decides is
 * Outdial's own code (batch-sizing, follow-pacing), so that a change of it is tried in a second and not in an hour.
 *
 * Times are milliseconds of speed 1.
 */

export interface SimulationInput {
  contacts: number;
  lines: number;
  seed: number;
  /** Without one, the counts of all running batches are listed. */
  isStreamOpen: boolean;
  /** So many times the slots that Outdial gathers: what a batch with more or fewer would cost and bring. */
  gathering?: number;
  /** From a planning to the answer to the start of what it planned. */
  turnMs?: number;
  requestMs?: number;
}

export interface Simulated extends Fill {
  seconds: number;
  /** So many times as long as where each line takes the next contact at once. */
  againstList: number;
  batchesPerContact: number;
  requestsPerContact: number;
}

/** From a start until a dialer takes the batch up, as the sandbox has it. */
const PICKUP_MS = 2_000;

/** What a batch costs whatever is in it: create, start, its stream, a look after its first minute, its calls. */
const REQUESTS_OF_A_BATCH = 5;

/** Of the pace at which Outdial follows (activities/deps.ts). */
const PACE: FollowPace = { minGapMs: 1_000, hintStaleMs: 90_000, pollMs: 90_000, blindPollMs: 15_000 };
const WAITED_POLL_MS = 8_000;
const BUSY_LOOK_MS = 60_000;
const WAKE_GAP_MS = 1_000;

interface Batch {
  readonly slots: number;
  readonly size: number;
  undialed: number;
  up: number;
  ended: number;
  /** Calls that had ended by what was heard last, and at the last read; what the ledger has open. */
  heard: number;
  endedAtRead: number;
  open: number;
  lastReadMs: number;
  fruitless: number;
  isPickedUp: boolean;
}

export function simulateFill(input: SimulationInput): Simulated {
  const simulation = new Simulation(input);
  simulation.run();
  return simulation.result();
}

class Simulation {
  readonly #input: SimulationInput;
  readonly #lengths: number[];
  readonly #events = new EventQueue();
  readonly #spans: Span[] = [];
  readonly #live = new Set<Batch>();
  #waiting: number;
  #dialed = 0;
  #batches = 0;
  #requests = 0;
  #planning = false;
  #woken = false;
  #lastWakeMs = Number.NEGATIVE_INFINITY;
  #wakeIsComing = false;
  readonly #held = { sumMs: 0, count: 0 };

  constructor(input: SimulationInput) {
    this.#input = input;
    this.#waiting = input.contacts;
    const simulator = new Simulator(input.seed);
    this.#lengths = Array.from({ length: input.contacts }, (_, n) => {
      const { ringMs, talkMs } = simulator.plan(`+1202555${n}`, 1);
      return ringMs + talkMs;
    });
  }

  run(): void {
    this.#lookByItself();
    this.#follow();
    if (!this.#input.isStreamOpen) this.#listRunning();
    this.#events.run();
  }

  result(): Simulated {
    const { contacts, lines } = this.#input;
    const firstMs = this.#spans[0]?.fromMs ?? 0;
    const lastMs = this.#spans.at(-1)?.fromMs ?? 0;
    return {
      ...fillOf(this.#spans, lines, lastMs),
      seconds: Math.round((lastMs - firstMs) / 1_000),
      againstList: (lastMs - firstMs) / listMs(this.#lengths, lines),
      batchesPerContact: this.#batches / contacts,
      requestsPerContact: this.#requests / contacts,
    };
  }

  /** As planning would have it: what is free, less than what is worth a batch, waits. */
  #plan(): void {
    if (this.#planning) {
      this.#woken = true;
      return;
    }
    const { lines, turnMs = 400 } = this.#input;
    const free = lines - sum(this.#live, ({ slots, open }) => Math.min(slots, open));
    if (this.#waiting === 0 || free <= 0) return;
    if (this.#live.size > 0 && free < this.#quantum()) return;
    const sizes = sizeBatches({
      ...this.#workLeft(),
      freeSlots: free,
      leadMs: Number.POSITIVE_INFINITY,
      maxBatches: MAX_BATCHES_PER_PLAN,
    });
    for (const { contacts, slots } of sizes) this.#begin(contacts, slots);
    this.#planning = true;
    this.#woken = sizes.length === MAX_BATCHES_PER_PLAN;
    // The next planning begins once the batches of this one are handed over.
    this.#events.after(turnMs / 2, () => {
      this.#planning = false;
      if (this.#woken) this.#plan();
    });
  }

  #workLeft(): WorkLeft {
    const { sumMs, count } = this.#held;
    const holdMs = count === 0 ? DEFAULT_HOLD_MS : sumMs / count;
    return { due: this.#waiting, limit: this.#input.lines, holdMs };
  }

  #quantum(): number {
    return Math.max(1, Math.round(slotQuantum(this.#workLeft()) * (this.#input.gathering ?? 1)));
  }

  #begin(size: number, slots: number): void {
    this.#waiting -= size;
    this.#batches += 1;
    this.#requests += REQUESTS_OF_A_BATCH;
    const batch: Batch = {
      slots,
      size,
      undialed: size,
      up: 0,
      ended: 0,
      heard: 0,
      endedAtRead: 0,
      open: size,
      lastReadMs: this.#events.nowMs,
      fruitless: 0,
      isPickedUp: false,
    };
    this.#live.add(batch);
    this.#events.after((this.#input.turnMs ?? 400) + PICKUP_MS, () => {
      batch.isPickedUp = true;
      this.#dial(batch);
    });
  }

  #dial(batch: Batch): void {
    while (batch.up < batch.slots && batch.undialed > 0) {
      const lengthMs = this.#lengths[this.#dialed] ?? 0;
      this.#dialed += 1;
      batch.undialed -= 1;
      batch.up += 1;
      this.#spans.push({ fromMs: this.#events.nowMs, toMs: this.#events.nowMs + lengthMs });
      this.#events.after(lengthMs, () => this.#end(batch, lengthMs));
    }
  }

  #end(batch: Batch, lengthMs: number): void {
    batch.up -= 1;
    batch.ended += 1;
    this.#held.sumMs += lengthMs;
    this.#held.count += 1;
    this.#dial(batch);
    if (!this.#input.isStreamOpen) return;
    batch.heard = batch.ended;
    this.#lookAt(batch, this.#slotsWanted());
  }

  /** Whether those that came free by what was heard are worth a batch. */
  #slotsWanted(): boolean {
    if (this.#waiting === 0) return false;
    let free = this.#input.lines;
    for (const { slots, open, heard, endedAtRead } of this.#live) {
      const hintedEnded = Math.max(0, heard - endedAtRead);
      free -= Math.min(slots, open) - slotsHeardFree({ open, slots, hintedEnded });
    }
    return free >= this.#quantum();
  }

  #lookAt(batch: Batch, slotsWanted: boolean): void {
    if (!batch.isPickedUp || batch.open === 0) return;
    const { size, slots, open, fruitless } = batch;
    const hintedEnded = batch.heard - batch.endedAtRead;
    const isDue = readIsDue(
      {
        open,
        slots,
        size,
        sinceReadMs: this.#events.nowMs - batch.lastReadMs,
        hintedEnded,
        hintedOver: batch.heard === size,
        streamOpen: this.#input.isStreamOpen,
        countsMoved: false,
        slotsWanted,
        fruitless,
      },
      PACE,
    );
    if (isDue) this.#read(batch);
  }

  #read(batch: Batch): void {
    this.#requests += 1;
    batch.lastReadMs = this.#events.nowMs;
    const { ended } = batch;
    batch.endedAtRead = ended;
    batch.heard = Math.max(batch.heard, ended);
    this.#events.after(this.#input.requestMs ?? 50, () => {
      const before = Math.min(batch.slots, batch.open);
      const open = batch.size - ended;
      batch.fruitless = open < batch.open ? 0 : batch.fruitless + 1;
      batch.open = open;
      if (open === 0) this.#live.delete(batch);
      if (Math.min(batch.slots, open) < before) this.#wake();
    });
  }

  /** Its campaign is woken once a second at most. */
  #wake(): void {
    if (this.#wakeIsComing) return;
    this.#wakeIsComing = true;
    this.#events.at(Math.max(this.#events.nowMs, this.#lastWakeMs + WAKE_GAP_MS), () => {
      this.#lastWakeMs = this.#events.nowMs;
      this.#wakeIsComing = false;
      this.#plan();
    });
  }

  #follow(): void {
    const slotsWanted = this.#slotsWanted();
    for (const batch of this.#live) this.#lookAt(batch, slotsWanted);
    if (this.#live.size > 0 || this.#waiting > 0)
      this.#events.after(PACE.minGapMs, () => {
        this.#follow();
      });
  }

  #listRunning(): void {
    if (this.#live.size > 0) this.#requests += 1;
    for (const batch of this.#live) batch.heard = batch.ended;
    if (this.#live.size > 0 || this.#waiting > 0)
      this.#events.after(this.#waiting > 0 ? WAITED_POLL_MS : PACE.blindPollMs, () => {
        this.#listRunning();
      });
  }

  #lookByItself(): void {
    this.#plan();
    if (this.#waiting > 0)
      this.#events.after(BUSY_LOOK_MS, () => {
        this.#lookByItself();
      });
  }
}

/** List scheduling: until the last contact is dialed where each line takes the next one at once. */
function listMs(lengths: readonly number[], lines: number): number {
  const queue = new EventQueue();
  let next = 0;
  let lastMs = 0;
  const dial = () => {
    const lengthMs = lengths[next];
    if (lengthMs === undefined) return;
    next += 1;
    lastMs = queue.nowMs;
    queue.after(lengthMs, dial);
  };
  for (let line = 0; line < lines; line += 1) dial();
  queue.run();
  return lastMs;
}

function sum<T>(all: Iterable<T>, of: (one: T) => number): number {
  let total = 0;
  for (const one of all) total += of(one);
  return total;
}

import { performance } from "node:perf_hooks";

/**
 * How long expired timers may run before sockets get a turn. A burst of thousands of them (speed 600 and above)
 * would otherwise hold every request back.
 */
const SLICE_MS = 5;

/** The longest delay that setTimeout takes; a later timer is armed again when this one fires. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** A pending call-back. `run` is null once it ran or was cancelled. */
export interface Timer {
  readonly dueMs: number;
  readonly sequence: number;
  run: (() => void) | null;
}

/**
 * The sandbox's time. Simulated durations are divided by the speed; timestamps are wall-clock. All timers share one
 * heap and one setTimeout, so thousands of calls cost the event loop one timer.
 *
 * A timer set from inside a timer counts from the moment when that one was due, not from when it got to run: a busy
 * event loop makes calls late, but not longer.
 */
export class Clock {
  readonly speed: number;
  /** When the sandbox began: milliseconds since 1970. A restart with its state goes on from the same moment. */
  readonly epochMs: number;
  #latestMs = 0;
  #heap: Timer[] = [];
  #sequence = 0;
  #disarm: (() => void) | null = null;
  #armedForMs = Number.POSITIVE_INFINITY;
  #firingMs: number | null = null;
  #closed = false;

  constructor(speed: number, epochMs = Date.now()) {
    this.speed = speed;
    this.epochMs = epochMs;
  }

  /**
   * Milliseconds since the epoch of this sandbox, never fewer than before: a wall clock that is set back stands still here.
   * Small integers, which records keep without a box of their own.
   */
  now(): number {
    this.#latestMs = Math.max(this.#latestMs, Date.now() - this.epochMs);
    return this.#latestMs;
  }

  /** The wall-clock moment of a `now()`, as ISO 8601 in UTC. */
  iso(atMs: number): string {
    return new Date(this.epochMs + atMs).toISOString();
  }

  isoOrNull(atMs: number | null): string | null {
    return atMs === null ? null : this.iso(atMs);
  }

  /** Milliseconds since 1970 of this moment, by `now()`. */
  wallMs(): number {
    return this.epochMs + this.now();
  }

  /** Turns a wall-clock moment (milliseconds since 1970) into the terms of `now()`. */
  since(wallMs: number): number {
    return wallMs - this.epochMs;
  }

  /** Simulated milliseconds that passed in a stretch of real ones. */
  simulated(realMs: number): number {
    return realMs * this.speed;
  }

  /** Runs something after a simulated duration. */
  afterSimulated(durationMs: number, run: () => void): Timer {
    return this.afterReal(durationMs / this.speed, run);
  }

  /** Runs something after a duration of the real world, whatever the speed. */
  afterReal(durationMs: number, run: () => void): Timer {
    const fromMs = this.#firingMs ?? performance.now();
    const timer: Timer = { dueMs: fromMs + durationMs, sequence: this.#sequence, run };
    this.#sequence += 1;
    if (!this.#closed) {
      this.#push(timer);
      this.#arm();
    }
    return timer;
  }

  /** Resolves after a duration of the real world; never, if the clock closes first. */
  async wait(durationMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.afterReal(durationMs, resolve);
    });
  }

  /** When a pending timer is due, in the terms of `now()`; null if there is none. */
  dueAt(timer: Timer | null): number | null {
    return timer === null || timer.run === null ? null : this.now() + timer.dueMs - performance.now();
  }

  /** Runs something at a moment of `now()`, at once if it has passed: for timers taken over from before a restart. */
  at(dueAt: number, run: () => void): Timer {
    return this.afterReal(Math.max(0, dueAt - this.now()), run);
  }

  /** Cancels a timer; harmless if it ran. It leaves the heap when its time comes. */
  cancel(timer: Timer | null): void {
    if (timer !== null) {
      timer.run = null;
    }
  }

  /** Drops every timer; nothing runs any more. */
  close(): void {
    this.#closed = true;
    this.#heap = [];
    this.#forget();
  }

  #arm(): void {
    const first = this.#heap[0];
    if (first === undefined || this.#firingMs !== null || this.#armedForMs <= first.dueMs) {
      return;
    }
    this.#forget();
    this.#armedForMs = first.dueMs;
    const delayMs = first.dueMs - performance.now();
    const fire = () => {
      this.#fire();
    };
    if (delayMs <= 0) {
      const immediate = setImmediate(fire);
      this.#disarm = () => {
        clearImmediate(immediate);
      };
    } else {
      const timeout = setTimeout(fire, Math.min(Math.ceil(delayMs), LONGEST_TIMEOUT_MS));
      this.#disarm = () => {
        clearTimeout(timeout);
      };
    }
  }

  #forget(): void {
    this.#disarm?.();
    this.#disarm = null;
    this.#armedForMs = Number.POSITIVE_INFINITY;
  }

  #fire(): void {
    this.#forget();
    const startedMs = performance.now();
    try {
      for (;;) {
        const first = this.#heap[0];
        const nowMs = performance.now();
        if (first === undefined || first.dueMs > nowMs || nowMs - startedMs > SLICE_MS) {
          break;
        }
        this.#pop();
        const run = first.run;
        first.run = null;
        this.#firingMs = first.dueMs;
        run?.();
      }
    } finally {
      this.#firingMs = null;
      if (!this.#closed) {
        this.#arm();
      }
    }
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let hole = heap.length;
    while (hole > 0) {
      const parentAt = (hole - 1) >> 1;
      const parent = heap[parentAt];
      if (parent === undefined || !isBefore(timer, parent)) {
        break;
      }
      heap[hole] = parent;
      hole = parentAt;
    }
    heap[hole] = timer;
  }

  /** Removes the first timer: the last one moves into its place and sinks. */
  #pop(): void {
    const heap = this.#heap;
    const moved = heap.pop();
    if (moved === undefined || heap.length === 0) {
      return;
    }
    let hole = 0;
    for (;;) {
      let childAt = 2 * hole + 1;
      let child = heap[childAt];
      if (child === undefined) {
        break;
      }
      const right = heap[childAt + 1];
      if (right !== undefined && isBefore(right, child)) {
        childAt += 1;
        child = right;
      }
      if (!isBefore(child, moved)) {
        break;
      }
      heap[hole] = child;
      hole = childAt;
    }
    heap[hole] = moved;
  }
}

/** Timers due at the same moment run in the order in which they were set. */
function isBefore(one: Timer, other: Timer): boolean {
  return one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.sequence < other.sequence);
}

/*
 * The clocks of one time zone. A local time is written as the Unix milliseconds at which a clock on UTC shows the same:
 * 1970-01-02T00:00 on the wall is 86,400,000, wherever the wall stands. Offsets are what a clock is ahead of UTC.
 */

/** A moment at which a zone's clocks are put forward or back. */
export interface ClockChange {
  /** The first instant that goes by the new clocks. Unix milliseconds. */
  atMs: number;
  /** How far they go, in milliseconds: above 0 local times are left out, below 0 they come twice. */
  byMs: number;
  /** UTC offset before it, in milliseconds. */
  offsetBeforeMs: number;
}

/** When a local time comes. */
type Showing =
  | { kind: "shown"; firstMs: number; lastMs: number }
  /** The clocks leave it out: the time before and behind the change that is as far from it as that one is wide. */
  | { kind: "skipped"; beforeMs: number; afterMs: number; change: ClockChange };

/** No clock was ever farther from UTC: Alaska's and Manila's, until the 19th century, by 16 hours. */
const FARTHEST_MS = 24 * 3_600_000;

export class Zone {
  readonly name: string;
  readonly #startsMs: Float64Array;
  readonly #offsetsMs: Int32Array;

  /**
   * @param stretches the offset since ever, and from each instant on at which it changes, in order.
   */
  constructor(name: string, stretches: readonly { startMs: number; offsetMs: number }[]) {
    this.name = name;
    const changing = stretches.filter(
      ({ offsetMs }, index) => index === 0 || offsetMs !== stretches[index - 1]?.offsetMs,
    );
    this.#startsMs = Float64Array.from(changing, ({ startMs }, index) => (index === 0 ? -Infinity : startMs));
    this.#offsetsMs = Int32Array.from(changing, ({ offsetMs }) => offsetMs);
  }

  /** Milliseconds by which its clocks are ahead of UTC at an instant. */
  offsetMs(atMs: number): number {
    return this.#offset(this.#stretchAt(atMs));
  }

  /** What its clocks show at an instant. */
  localMs(atMs: number): number {
    return atMs + this.offsetMs(atMs);
  }

  /**
   * The instant of a local time: of one that comes twice, the one asked for. One that does not exist is as far
   * before (`earlier`) or behind (`later`) the change of the clocks as it lies in the gap.
   */
  instantMs(localMs: number, which: "earlier" | "later"): number {
    const showing = this.#showing(localMs);
    if (showing.kind === "skipped") return which === "earlier" ? showing.beforeMs : showing.afterMs;
    return which === "earlier" ? showing.firstMs : showing.lastMs;
  }

  /** The first instant of a local time; of one that does not exist, the first instant behind the gap. */
  firstInstantMs(localMs: number): number {
    const showing = this.#showing(localMs);
    return showing.kind === "skipped" ? showing.change.atMs : showing.firstMs;
  }

  /** The changes in (fromMs, toMs], in order. A zone has a few a year. */
  changes(fromMs: number, toMs: number): ClockChange[] {
    const changes: ClockChange[] = [];
    const last = this.#stretchAt(toMs);
    for (let index = this.#stretchAt(fromMs); index < last; index += 1)
      changes.push(this.#changeBehind(index));
    return changes;
  }

  #showing(localMs: number): Showing {
    const last = this.#stretchAt(localMs + FARTHEST_MS);
    let shown: { firstMs: number; lastMs: number } | undefined;
    let skipped: Showing | undefined;
    for (let index = this.#stretchAt(localMs - FARTHEST_MS); index <= last; index += 1) {
      const atMs = localMs - this.#offset(index);
      const endMs = this.#start(index + 1);
      if (atMs >= this.#start(index) && atMs < endMs)
        shown = { firstMs: shown?.firstMs ?? atMs, lastMs: atMs };
      const beforeMs = index < last ? localMs - this.#offset(index + 1) : Infinity;
      if (atMs >= endMs && beforeMs < endMs)
        skipped = { kind: "skipped", beforeMs, afterMs: atMs, change: this.#changeBehind(index) };
    }
    if (shown) return { kind: "shown", ...shown };
    if (skipped) return skipped;
    throw new Error(`the clocks of ${this.name} neither show nor skip ${localMs}`);
  }

  #changeBehind(index: number): ClockChange {
    const offsetBeforeMs = this.#offset(index);
    return {
      atMs: this.#start(index + 1),
      byMs: this.#offset(index + 1) - offsetBeforeMs,
      offsetBeforeMs,
    };
  }

  /** The last stretch that begins at or before an instant. */
  #stretchAt(atMs: number): number {
    if (!Number.isFinite(atMs)) throw new RangeError(`${atMs} is no instant`);
    let low = 0;
    let high = this.#startsMs.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#start(middle) <= atMs) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #start(index: number): number {
    return this.#startsMs[index] ?? Infinity;
  }

  #offset(index: number): number {
    return this.#offsetsMs[index] ?? 0;
  }
}

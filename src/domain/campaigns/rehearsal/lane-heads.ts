const NEVER = Number.POSITIVE_INFINITY;

/**
 * Whose turn is next among lanes, in the planner's order, by the head of each: the highest priority first, within it
 * retries that are due, the longest due one first, then first calls. A list under `us-states` has thousands of lanes and
 * a rehearsal makes millions of calls, so that none of them may cost a look at every lane.
 */
export class LaneHeads {
  /** The highest priority first. */
  readonly #groups: readonly Group[];
  /** By lane: its group, and its index there. */
  readonly #placeOf: readonly { group: Group; at: number }[];

  constructor(priorities: readonly number[]) {
    const lanesOf = new Map<number, number[]>();
    for (const [lane, priority] of priorities.entries()) {
      const lanes = lanesOf.get(priority);
      if (lanes) lanes.push(lane);
      else lanesOf.set(priority, [lane]);
    }
    const groups = [...lanesOf]
      .toSorted(([a], [b]) => b - a)
      .map(([, lanes]) => ({
        lanes,
        firsts: new LeastKey(lanes.length),
        retries: new LeastKey(lanes.length),
      }));
    const placeOf: { group: Group; at: number }[] = [];
    for (const group of groups) for (const [at, lane] of group.lanes.entries()) placeOf[lane] = { group, at };
    this.#groups = groups;
    this.#placeOf = placeOf;
  }

  /**
   * Says what stands at the head of a lane.
   *
   * @param firstKey of those who were never called, the least of all lanes goes first; undefined: nobody
   * @param retryMs when the first retry is due; infinite: none
   */
  show(lane: number, firstKey: number | undefined, retryMs: number): void {
    const place = this.#placeOf[lane];
    place?.group.firsts.set(place.at, firstKey ?? NEVER);
    place?.group.retries.set(place.at, retryMs);
  }

  /** The lane whose head is called now; undefined: nobody is due. */
  next(nowMs: number): number | undefined {
    for (const { lanes, firsts, retries } of this.#groups) {
      if (retries.leastKey <= nowMs) return lanes[retries.least];
      if (firsts.leastKey < NEVER) return lanes[firsts.least];
    }
    return undefined;
  }

  /** When somebody is due: now, where somebody waits for a first call; never, where nobody does. */
  dueMs(nowMs: number): number {
    let dueMs = NEVER;
    for (const { firsts, retries } of this.#groups) {
      if (firsts.leastKey < NEVER) return nowMs;
      dueMs = Math.min(dueMs, retries.leastKey);
    }
    return dueMs;
  }
}

interface Group {
  /** In their order, by which two of the same key go. */
  lanes: readonly number[];
  firsts: LeastKey;
  retries: LeastKey;
}

/** The least of many keys, each of which changes: a tree of the winners of pairs. Of two that are equal the earlier one. */
class LeastKey {
  readonly #keys: Float64Array;
  /** Winners from the top, at 1, down to the keys themselves, each its own. */
  readonly #winners: Int32Array;
  readonly #leaves: number;

  constructor(count: number) {
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(count, 1)));
    this.#keys = new Float64Array(this.#leaves).fill(NEVER);
    this.#winners = new Int32Array(2 * this.#leaves);
    for (let index = 0; index < this.#leaves; index += 1) this.#winners[this.#leaves + index] = index;
    for (let node = this.#leaves - 1; node >= 1; node -= 1) this.#settle(node);
  }

  get least(): number {
    return this.#winners[1] ?? 0;
  }

  get leastKey(): number {
    return this.#key(this.least);
  }

  set(index: number, key: number): void {
    if (this.#key(index) === key) return;
    this.#keys[index] = key;
    for (let node = (this.#leaves + index) >> 1; node >= 1; node >>= 1) this.#settle(node);
  }

  #settle(node: number): void {
    const left = this.#winners[2 * node] ?? 0;
    const right = this.#winners[2 * node + 1] ?? 0;
    this.#winners[node] = this.#key(left) <= this.#key(right) ? left : right;
  }

  #key(index: number): number {
    return this.#keys[index] ?? NEVER;
  }
}

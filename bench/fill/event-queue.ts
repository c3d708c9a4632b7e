interface Event {
  atMs: number;
  nth: number;
  run: () => void;
}

/** Events in the order of their times, and of their making where times are the same. */
export class EventQueue {
  nowMs = 0;
  readonly #heap: Event[] = [];
  #made = 0;

  after(ms: number, run: () => void): void {
    this.at(this.nowMs + ms, run);
  }

  at(atMs: number, run: () => void): void {
    const heap = this.#heap;
    const event = { atMs, nth: this.#made, run };
    this.#made += 1;
    let hole = heap.length;
    heap.push(event);
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(event, above)) break;
      heap[hole] = above;
      hole = parent;
    }
    heap[hole] = event;
  }

  run(): void {
    for (let event = this.#pop(); event !== undefined; event = this.#pop()) {
      this.nowMs = event.atMs;
      event.run();
    }
  }

  #pop(): Event | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const moved = heap.pop();
    if (moved === undefined || heap.length === 0) return first;
    let hole = 0;
    for (;;) {
      let below = 2 * hole + 1;
      const [left, right] = [heap[below], heap[below + 1]];
      if (left === undefined) break;
      if (right !== undefined && isBefore(right, left)) below += 1;
      const least = heap[below];
      if (least === undefined || !isBefore(least, moved)) break;
      heap[hole] = least;
      hole = below;
    }
    heap[hole] = moved;
    return first;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.nth < other.nth);
}

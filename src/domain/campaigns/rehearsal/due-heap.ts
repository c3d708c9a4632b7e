/** Numbers in the order of when they are due. A binary heap in two arrays: a rehearsal makes millions of entries. */
export class DueHeap {
  readonly #dueMs: number[] = [];
  readonly #ids: number[] = [];

  get size(): number {
    return this.#ids.length;
  }

  /** When the first one is due; never, where there is none. */
  get firstMs(): number {
    return this.#dueMs[0] ?? Number.POSITIVE_INFINITY;
  }

  push(dueMs: number, id: number): void {
    let hole = this.#ids.length;
    this.#dueMs.push(dueMs);
    this.#ids.push(id);
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (this.#at(parent) <= dueMs) break;
      this.#move(parent, hole);
      hole = parent;
    }
    this.#dueMs[hole] = dueMs;
    this.#ids[hole] = id;
  }

  /** Takes the first one out; undefined where there is none. */
  pop(): number | undefined {
    const [first] = this.#ids;
    const dueMs = this.#dueMs.pop();
    const id = this.#ids.pop();
    const { length } = this.#ids;
    if (dueMs === undefined || id === undefined || length === 0) return first;
    let hole = 0;
    for (;;) {
      let below = 2 * hole + 1;
      if (below >= length) break;
      if (below + 1 < length && this.#at(below + 1) < this.#at(below)) below += 1;
      if (this.#at(below) >= dueMs) break;
      this.#move(below, hole);
      hole = below;
    }
    this.#dueMs[hole] = dueMs;
    this.#ids[hole] = id;
    return first;
  }

  #at(index: number): number {
    return this.#dueMs[index] ?? Number.POSITIVE_INFINITY;
  }

  #move(from: number, to: number): void {
    this.#dueMs[to] = this.#at(from);
    this.#ids[to] = this.#ids[from] ?? 0;
  }
}

/** What came and waits for its reader; beyond `most` the oldest is left out. One reader at a time. */
export class Queue<Item> {
  readonly #most: number;
  readonly #waiting: Item[] = [];
  #wake = (): void => {};
  #end: { readonly error: unknown } | "well" | null = null;
  #missed = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** How many were left out. */
  get missed(): number {
    return this.#missed;
  }

  put(item: Item): void {
    if (this.#end !== null) return;
    this.#waiting.push(item);
    if (this.#waiting.length > this.#most) {
      this.#waiting.shift();
      this.#missed += 1;
    }
    this.#wake();
  }

  /** Nothing comes any more; what waits is still read. */
  end(failure?: { readonly error: unknown }): void {
    this.#end ??= failure ?? "well";
    this.#wake();
  }

  async *read(): AsyncGenerator<Item, void, undefined> {
    for (;;) {
      // One by one: what a reader that stops has not read waits for the next one.
      while (this.#waiting.length > 0) yield* this.#waiting.splice(0, 1);
      if (this.#end === "well") return;
      if (this.#end !== null) throw this.#end.error;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

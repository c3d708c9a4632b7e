/**
 * Numbers that follow from a seed and names alone: what a call comes to is the same however many lines there are, and
 * in whatever order people are called, so that two rehearsals differ by what was changed between them and not by luck.
 */
export class Seeded {
  #state = 0;

  /** Begins the numbers of one thing: the same parts, the same numbers. */
  begin(seed: number, part: number, detail: number): void {
    this.#state = mixed(Math.imul(mixed(Math.imul(mixed(seed | 0), 31) + part), 31) + detail);
  }

  /** In [0, 1): splitmix32. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    return mixed(this.#state) / 2 ** 32;
  }

  /** Of the standard normal distribution. */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()));
    return radius * Math.cos(2 * Math.PI * this.next());
  }
}

/** MurmurHash3's finalizer: neighbours differ. */
function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

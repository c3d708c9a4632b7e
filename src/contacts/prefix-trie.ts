import type { ZoneSet } from "./zone-set.ts";

const digitAt = (digits: string, index: number): number => digits.charCodeAt(index) - 48;

/** Digits to zones by longest prefix: ten children a node in one flat array. */
export class PrefixTrie {
  #children = new Uint16Array(10 * 1024);
  readonly #values: (ZoneSet | undefined)[] = [undefined];

  set(prefix: string, value: ZoneSet): void {
    let node = 0;
    for (let index = 0; index < prefix.length; index += 1) {
      const slot = node * 10 + digitAt(prefix, index);
      let child = this.#children[slot] ?? 0;
      if (child === 0) {
        child = this.#values.push(undefined) - 1;
        this.#children[slot] = child;
        if ((child + 1) * 10 > this.#children.length) this.#grow();
      }
      node = child;
    }
    this.#values[node] = value;
  }

  #grow(): void {
    const larger = new Uint16Array(this.#children.length * 2);
    larger.set(this.#children);
    this.#children = larger;
  }

  longest(digits: string): { zones: ZoneSet; length: number } | undefined {
    let node = 0;
    let zones: ZoneSet | undefined;
    let length = 0;
    for (let index = 0; index < digits.length; index += 1) {
      node = this.#children[node * 10 + digitAt(digits, index)] ?? 0;
      if (node === 0) break;
      const found = this.#values[node];
      if (found !== undefined) {
        zones = found;
        length = index + 1;
      }
    }
    return zones === undefined ? undefined : { zones, length };
  }
}

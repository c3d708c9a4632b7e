// The smallest table; doubled whenever it is half full.
const initialSlots = 1 << 12;

// 16 million numbers in a table of 256 MiB (384 MiB for the moment of its last growth): the bound that keeps
// a check of any file inside an ordinary process.
const maxNumbers = 1 << 24;

function hash(value: number, mask: number): number {
  const low = (value % 0x1_0000_0000) | 0;
  const high = (value / 0x1_0000_0000) | 0;
  // Odd multipliers from MurmurHash3's finalizer: neighbouring numbers land far apart.
  let mixed = Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0xc2b2ae35);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x27d4eb2f);
  return (mixed ^ (mixed >>> 13)) & mask;
}

/** E.164 numbers in 16 to 32 bytes each: open addressing over doubles, which hold 15 digits exactly. */
export class NumberSet {
  #slots = new Float64Array(initialSlots);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.#slots.byteLength;
  }

  /** True once no more numbers are taken in: from then on only numbers seen before that are recognised. */
  get full(): boolean {
    return this.#size >= maxNumbers;
  }

  /** Takes `+` and 1 to 15 digits in; false if they were in before. */
  add(phone: string): boolean {
    const value = Number(phone);
    const slot = this.#find(value);
    if (this.#slots[slot] === value) return false;
    if (this.full) return true;
    this.#slots[slot] = value;
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#grow();
    return true;
  }

  #find(value: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash(value, mask);
    for (;;) {
      const held = this.#slots[slot];
      if (held === 0 || held === value) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Float64Array(old.length * 2);
    for (const value of old) if (value !== 0) this.#slots[this.#find(value)] = value;
  }
}

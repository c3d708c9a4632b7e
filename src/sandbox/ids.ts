import { hashOf } from "./random.ts";

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Any odd number permutes 32 bits by multiplication; the second undoes the first (their product is 1 mod 2^32). */
const SCATTER = 0x9e3779b1;
const GATHER = inverseOf(SCATTER);

/** Newton's iteration: each round doubles the number of right bits, and an odd number starts with three. */
function inverseOf(odd: number): number {
  let inverse = odd;
  for (let round = 0; round < 5; round += 1) {
    inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
  }
  return inverse;
}

/**
 * The ids of one kind of record: UUIDs (version 4 in form) that are a function of the seed, the kind and the
 * record's index. The index can be read back from the id, so hundreds of thousands of records need neither stored
 * ids nor a map from id to record.
 */
export class IdSequence {
  readonly #key: number;

  constructor(seed: number, kind: string) {
    this.#key = hashOf(seed, "id", kind);
  }

  at(index: number): string {
    const first = Math.imul(index, SCATTER) ^ this.#key;
    const second = hashOf(this.#key, first, 1);
    const third = hashOf(this.#key, first, 2);
    const fourth = hashOf(this.#key, first, 3);
    return (
      `${hex(first >>> 24)}${hex(first >>> 16)}${hex(first >>> 8)}${hex(first)}-` +
      `${hex(second >>> 24)}${hex(second >>> 16)}-` +
      `${hex(((second >>> 8) & 0x0f) | 0x40)}${hex(second)}-` +
      `${hex(((third >>> 24) & 0x3f) | 0x80)}${hex(third >>> 16)}-` +
      `${hex(third >>> 8)}${hex(third)}${hex(fourth >>> 24)}${hex(fourth >>> 16)}${hex(fourth >>> 8)}${hex(fourth)}`
    );
  }

  /** The index behind an id of this sequence; null for any other text. */
  indexOf(id: string): number | null {
    const lower = id.toLowerCase();
    if (!UUID.test(lower)) {
      return null;
    }
    const first = Number.parseInt(lower.slice(0, 8), 16);
    const index = Math.imul(first ^ this.#key, GATHER) >>> 0;
    return this.at(index) === lower ? index : null;
  }
}

function hex(value: number): string {
  return HEX[value & 0xff] ?? "00";
}

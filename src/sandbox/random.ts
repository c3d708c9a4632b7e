/**
 * Randomness that is a function of its inputs: the same seed and the same names give the same numbers in every
 * process, in any order of asking. Nothing in the sandbox that a test may assert on uses any other randomness.
 */

/** Mixes a seed and names (text or numbers) into 32 bits. MurmurHash3's mixing: cheap, and neighbours differ. */
export function hashOf(seed: number, ...parts: readonly (string | number)[]): number {
  let hash = mix(0x9e3779b9, seed | 0);
  for (const part of parts) {
    if (typeof part === "number") {
      hash = mix(hash, part | 0);
    } else {
      for (let index = 0; index < part.length; index += 1) {
        hash = mix(hash, part.charCodeAt(index));
      }
    }
    // A separator, so that ("ab", "c") and ("a", "bc") are two names.
    hash = mix(hash, 0x1f);
  }
  return finalize(hash);
}

function mix(hash: number, value: number): number {
  let word = Math.imul(value, 0xcc9e2d51);
  word = (word << 15) | (word >>> 17);
  word = Math.imul(word, 0x1b873593);
  const mixed = hash ^ word;
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

function finalize(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A small stream of numbers (splitmix32) started from a hash. */
export class Random {
  #state: number;

  constructor(seed: number, ...parts: readonly (string | number)[]) {
    this.#state = hashOf(seed, ...parts);
  }

  /** A number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    return finalize(this.#state) / 2 ** 32;
  }

  /** An integer in [low, high]. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(first: T, ...rest: readonly T[]): T {
    const index = this.between(0, rest.length);
    return index === 0 ? first : (rest[index - 1] ?? first);
  }

  /** A log-normal number with the given median; sigma is the spread of its logarithm. */
  logNormal(median: number, sigma: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()));
    return median * Math.exp(sigma * radius * Math.cos(2 * Math.PI * this.next()));
  }
}

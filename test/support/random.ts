import { testSeed } from "./seed.ts";

/** A seeded generator for tests that choose moments at random; each name has numbers of its own. */
export function seededRandom(name: string): () => number {
  let state = testSeed();
  for (const letter of name) state = (Math.imul(state, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  // mulberry32: good enough to scatter moments, and short.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A seeded generator for tests that choose moments at random; the seed is printed and can be given back. */
export function seededRandom(name: string): () => number {
  const seed = Number(process.env["OUTDIAL_TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`${name}: seed ${seed} (OUTDIAL_TEST_SEED=${seed} repeats it)`);
  let state = seed >>> 0;
  // mulberry32: good enough to scatter moments, and short.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

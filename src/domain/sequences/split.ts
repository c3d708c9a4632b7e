import { createHash } from "node:crypto";

/** 2^48: as many bits of a hash as a number holds with room to spare. */
const RANGE = 281_474_976_710_656;

/**
 * Which way of a split somebody takes: the same for the same person, step and sequence, whenever and however often
 * it is asked, and in proportion to the weights over many people.
 */
export function takeSplit(ways: readonly { weight: number; to: string }[], about: readonly string[]): string {
  const total = ways.reduce((sum, { weight }) => sum + weight, 0);
  // JSON keeps the parts apart: ("ab", "c") is not ("a", "bc").
  const hash = createHash("sha256").update(JSON.stringify(about)).digest();
  let point = (hash.readUIntBE(0, 6) / RANGE) * total;
  for (const { weight, to } of ways) {
    point -= weight;
    if (point < 0) return to;
  }
  const last = ways.at(-1);
  if (!last) throw new Error("a split without ways: its definition was never read");
  return last.to;
}

import { createHash } from "node:crypto";

/** 2^48: as many bits of a hash as a number holds with room to spare. */
const RANGE = 281_474_976_710_656;

/** A share from 0 to below 1: the same for the same texts, whenever it is asked, and even over many. */
export function stableShare(about: readonly string[]): number {
  // JSON keeps the parts apart: ("ab", "c") is not ("a", "bc").
  return createHash("sha256").update(JSON.stringify(about)).digest().readUIntBE(0, 6) / RANGE;
}

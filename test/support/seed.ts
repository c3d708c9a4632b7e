import { execFileSync } from "node:child_process";

const VARIABLE = "OUTDIAL_TEST_SEED";

/**
 * What random tests begin from. A commit has a seed of its own: a gate that was green for it stays green, and each
 * commit looks elsewhere. The long form, or a tree without Git, begins anywhere.
 *
 * @returns a whole number from 0 to 2 ** 31 - 1.
 */
export function testSeed(): number {
  const given = process.env[VARIABLE];
  if (given === undefined) return Math.floor(Math.random() * 2 ** 31);
  const seed = Number(given);
  if (given.trim() === "" || !Number.isInteger(seed) || seed < 0 || seed >= 2 ** 31)
    throw new Error(`${VARIABLE} is ${JSON.stringify(given)}: give a whole number from 0 to 2147483647.`);
  return seed;
}

/**
 * The one life that is to be lived again, as a failure names it: `OUTDIAL_TEST_LIFE=1:33` for `{ seed: 1, path: "33" }`.
 * Undefined: all that are drawn.
 */
export function askedLife(): { seed: number; path: string } | undefined {
  const given = process.env["OUTDIAL_TEST_LIFE"];
  if (given === undefined) return undefined;
  const [, seed, path] = /^(-?\d+):(\d+(?::\d+)*)$/.exec(given) ?? [];
  if (seed === undefined || path === undefined)
    throw new Error(
      `OUTDIAL_TEST_LIFE is ${JSON.stringify(given)}: give the seed and the path of a failure, such as 1:33.`,
    );
  return { seed: Number(seed), path };
}

/** Chooses the seed for all processes of a run, and prints it. Before any of them begins. */
export function chooseSeed(): void {
  if (process.env[VARIABLE] === undefined) {
    const ofCommit = process.env["OUTDIAL_TEST_LONG"] === undefined ? seedOfCommit() : undefined;
    process.env[VARIABLE] = String(ofCommit ?? testSeed());
    console.log(`Random tests begin from seed ${testSeed()} (${VARIABLE}=${testSeed()} repeats it).`);
  }
}

function seedOfCommit(): number | undefined {
  try {
    const args = ["rev-parse", "--verify", "--quiet", "HEAD"];
    const commit = execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const seed = Number.parseInt(commit.slice(0, 8), 16) & 0x7fff_ffff;
    return Number.isNaN(seed) ? undefined : seed;
  } catch {
    return undefined;
  }
}

import type { World } from "./world.ts";

/** Uses an operation as it is meant, checks the answer by the contract's names, and reads the effect back. */
export type Walk = (world: World) => Promise<void>;

/** By row of the contract, `METHOD /path/{parameter}`. */
export type Walks = Readonly<Record<string, Walk>>;

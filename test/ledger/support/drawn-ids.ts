import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/*
 * Ids are random, and rows that are alike but for them come in their order. Where a life is to be the same from its seed
 * alone, its ids are drawn from that, too.
 */

const real = crypto.randomUUID;

/** From here on ids follow from the seed; two in a row are in no order. */
export function drawIds(seed: string): void {
  let given = 0;
  put(() => {
    const digest = crypto.hash("sha1", `${seed} ${(given += 1)}`);
    return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}` as const;
  });
}

/** They are nobody's guess again. */
export function randomIds(): void {
  put(real);
}

function put(randomUUID: typeof real): void {
  crypto.randomUUID = randomUUID;
  syncBuiltinESMExports();
}

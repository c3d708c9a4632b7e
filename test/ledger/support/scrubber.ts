import { declareSource } from "../../../src/ledger/campaigns/renewing.ts";
import type { Ledger } from "../../../src/ledger/ground/connection.ts";
import { DAY_MS, NOW_MS, PACE } from "./scenario.ts";

/** A service that is to be asked about each number of a brand, and for whose answers people wait. */
export async function declareScrubber(ledger: Ledger, name: string, brand: string): Promise<void> {
  await declareSource(ledger, {
    name,
    brand,
    maxAgeMs: undefined,
    type: "scrub",
    scrub: { url: "https://scrub.example", secret: "scrub-key", cacheMs: DAY_MS, whenAway: "wait" },
    actor: "test",
    dialByMarginMs: PACE.dialByMarginMs,
    nowMs: NOW_MS,
  });
}

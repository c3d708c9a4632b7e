import { performance } from "node:perf_hooks";

export const RATE_TIERS = ["free", "starter", "professional", "enterprise"] as const;
export type RateTier = (typeof RATE_TIERS)[number];

export interface RateLimit {
  /** What a key may send in the long run. */
  readonly requests_per_minute: number;
  /** What it may send at once after a pause. */
  readonly burst: number;
}

/**
 * The contract names the tiers without numbers; these are the sandbox's. `enterprise`, the tier of the keys that the
 * sandbox starts with, is above what one process can answer, so load tests see no 429 that they did not ask for.
 */
export const RATE_LIMITS: Readonly<Record<RateTier, RateLimit>> = {
  free: { requests_per_minute: 60, burst: 20 },
  starter: { requests_per_minute: 600, burst: 100 },
  professional: { requests_per_minute: 3_000, burst: 500 },
  enterprise: { requests_per_minute: 1_200_000, burst: 100_000 },
};

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/**
 * One token bucket a key, in real time: the network of a fast sandbox is no faster. Buckets are not kept over a
 * restart. Refused requests take nothing, so a client that waits as told gets through.
 */
export class RateLimiter {
  readonly #buckets = new Map<string, Bucket>();

  /** Takes a token of the key. 0 if there was one, else the whole seconds until there will be. */
  take(keyId: string, tier: RateTier): number {
    const limit = RATE_LIMITS[tier];
    const now = performance.now();
    const bucket = this.#buckets.get(keyId) ?? { tokens: limit.burst, filledAtMs: now };
    const perMs = limit.requests_per_minute / 60_000;
    bucket.tokens = Math.min(limit.burst, bucket.tokens + (now - bucket.filledAtMs) * perMs);
    bucket.filledAtMs = now;
    this.#buckets.set(keyId, bucket);
    if (bucket.tokens < 1) {
      return Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1_000));
    }
    bucket.tokens -= 1;
    return 0;
  }
}

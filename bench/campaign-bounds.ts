import type { Measure } from "./measure-campaign.ts";

/** Asked for by the clock, however many contacts there are. */
const BY_THE_CLOCK = [
  "GET /v1/agents/:id",
  "GET /v1/api-keys",
  "GET /v1/billing/balance",
  "GET /v1/billing/transactions",
  "POST /v1/billing/pricing/estimate",
];

/** What a campaign may cost, whatever its size (docs/costs.md). */
const BOUNDS = {
  actionsPerContact: 0.5,
  requestsPerContact: 0.25,
  /** 1.25 of the 4,096 events at which Temporal suggests a new run. */
  longestHistory: 5_120,
  workerPeakMb: 600,
} as const;

/** The bounds that a measure breaks, in words; none where it keeps them all. */
export function brokenBounds(measure: Measure): string[] {
  const byClock = BY_THE_CLOCK.reduce((sum, route) => sum + (measure.requests[route] ?? 0), 0);
  const counted = { ...measure, requestsPerContact: measure.requestsPerContact - byClock / measure.contacts };
  return Object.entries(BOUNDS).flatMap(([name, bound]) => {
    const value = counted[name as keyof typeof BOUNDS];
    return value !== undefined && value > bound ? [`${name} is ${value}, and may be ${bound}`] : [];
  });
}

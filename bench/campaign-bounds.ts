import type { Measure } from "./measure-campaign.ts";

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
  return Object.entries(BOUNDS).flatMap(([name, bound]) => {
    const value = measure[name as keyof typeof BOUNDS];
    return value !== undefined && value > bound ? [`${name} is ${value}, and may be ${bound}`] : [];
  });
}

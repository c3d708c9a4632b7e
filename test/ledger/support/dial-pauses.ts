import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { CampaignEvent } from "./dial-records.ts";
import { durationMs } from "./dial-oracle.ts";

/* A second reading of when a campaign pauses itself: by its canary and its breaker, from what happened to it alone. */

type Breaker = NonNullable<CampaignSpecInput["breaker"]>;

type BreakerState = "closed" | "open" | "probing";

const FAILED: readonly Disposition[] = ["failed", "unknown"];

/** Too many of these came to what nobody wants. */
function isTooMany(
  came: readonly Disposition[],
  { failed, voicemail, newest = 50 }: Breaker,
  most: number,
): boolean {
  const seen = came.slice(-Math.max(newest, most));
  const share = (of: readonly Disposition[]) => seen.filter((one) => of.includes(one)).length / seen.length;
  return (
    (failed !== undefined && share(FAILED) >= failed) ||
    (voicemail !== undefined && share(["voicemail"]) >= voicemail)
  );
}

/** What speaks against dials of a campaign. */
export function pauseObjections(events: readonly CampaignEvent[]): string[] {
  return [...canaryObjections(events), ...breakerObjections(events)];
}

/** So many calls, and no more until somebody has approved of them. */
function canaryObjections(events: readonly CampaignEvent[]): string[] {
  const found: string[] = [];
  let dialed = 0;
  for (const event of events) {
    if (event.kind === "approved") return found;
    if (event.kind !== "dialed") continue;
    dialed += 1;
    const { canary } = event.spec;
    if (canary !== undefined && dialed > canary)
      found.push(`call ${dialed} at ${event.atMs} is made without approval of the first ${canary}`);
  }
  return found;
}

function breakerObjections(events: readonly CampaignEvent[]): string[] {
  const found: string[] = [];
  let came: Disposition[] = [];
  let state = "closed" as BreakerState;
  let probesAtMs: number | undefined;
  let probed = 0;
  let opened = 0;
  // What was planned before it went on says nothing of how it goes since.
  let sinceMs = Number.NEGATIVE_INFINITY;
  const open = (breaker: Breaker, atMs: number) => {
    state = "open";
    opened += 1;
    const { probe } = breaker;
    probesAtMs =
      probe === undefined || opened > (probe.tries ?? 3) ? undefined : atMs + durationMs(probe.after);
  };
  for (const { atMs, spec, ...event } of events) {
    const { breaker } = spec;
    switch (event.kind) {
      case "approved":
        // Whoever approved of one that had paused for that has it go on, too.
        break;
      case "resumed":
        [state, opened, came, sinceMs] = ["closed", 0, [], atMs];
        break;
      case "planned":
        if (state === "open" && probesAtMs !== undefined && atMs >= probesAtMs && breaker?.probe)
          [state, probed, came, sinceMs] = ["probing", 0, [], atMs];
        break;
      case "settled": {
        if (breaker === undefined) break;
        if (event.plannedMs >= sinceMs) came.push(...event.dispositions);
        if (state === "open") break;
        const probes = state === "probing" ? (breaker.probe?.calls ?? 5) : 0;
        if (came.length < (state === "probing" ? probes : (breaker.at_least ?? 20))) break;
        if (isTooMany(came, breaker, probes)) open(breaker, atMs);
        else if (state === "probing") [state, opened, came] = ["closed", 0, []];
        break;
      }
      case "dialed": {
        // What its batch was told before goes on as far as its stop lets it.
        if (event.dial.isLate || breaker === undefined) break;
        if (state === "open") found.push(`a call at ${atMs} is made while its breaker is open`);
        if (state !== "probing") break;
        probed += 1;
        const most = breaker.probe?.calls ?? 5;
        if (probed > most) found.push(`call ${probed} of a probe of ${most} is made at ${atMs}`);
      }
    }
  }
  return found;
}

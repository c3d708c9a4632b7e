import { policyOf, rampUpMsOf, type CampaignSpec } from "../campaign-spec.ts";
import { HOUR_MS, lastOf, type ContactGroup } from "../outlook.ts";
import type { NumberKind } from "../../policy/number-kind.ts";
import type { Disposition } from "../../policy/disposition.ts";
import { WindowBook } from "./lane-hours.ts";
import { PeopleGatherer } from "./people.ts";
import { withBlackouts, type PlanInput } from "./plan-of-spec.ts";
import type { Plan } from "./plan.ts";

/*
 * A rehearsal of what is left of a campaign that is under way, small enough to be made for whoever looks at its page:
 *
 * 1. Some thousands stand for everybody, each group by its share, with as much fewer lines and as much slower a rate. What
 *    a page shows of it are hours and days, to which that makes no difference.
 * 2. Whoever is open has their numbers and consent looked at already, or is left out when their turn comes: here they
 *    are taken to be callable.
 */

/** As many that luck says little. With ten runs some tenths of a second of a core, under the dearest presets a second. */
const MOST_PEOPLE = 2_000;

const ANY_NUMBER: NumberKind = { country: undefined, costly: undefined };

interface StandingInput extends Omit<PlanInput, "people"> {
  groups: readonly ContactGroup[];
  /** When it began, or went on last; undefined: it was not started. */
  sinceMs: number | undefined;
}

/** With how many people each of the rehearsed stands for. Undefined: nobody is open. */
export function planOfStanding(
  spec: CampaignSpec,
  { groups, blackouts, sinceMs, lines, rate, ...given }: StandingInput,
): { plan: Plan; factor: number } | undefined {
  const open = groups.filter(({ lane }) => lane !== undefined);
  const all = open.reduce((sum, { contacts }) => sum + contacts, 0);
  if (all === 0) return undefined;
  const factor = Math.max(1, all / MOST_PEOPLE);
  const policy = policyOf(spec, 1);
  const window = withBlackouts(policy.window, blackouts);
  const fewer = Math.max(1, Math.round(lines / factor));
  const { fromMs } = given;
  const rampMs = rampUpMsOf(spec);
  const plan: Plan = {
    ...given,
    ...peopleOf(open, factor, fromMs),
    policy: { ...policy, window, requiredSources: [], consent: undefined, presetConsents: [] },
    windows: new WindowBook(window),
    lines: fewer,
    lineFactor: (fewer * factor) / lines,
    rate: rate && { calls: rate.calls, withinMs: rate.withinMs * factor },
    // One that is over adds nothing, and one that is under way begins anew: it is of minutes.
    rampMs: sinceMs !== undefined && sinceMs + rampMs <= fromMs ? 0 : rampMs,
    isNewestFirst: spec.order === "newest_first",
  };
  return { plan, factor };
}

/** Each group by its share, rounded so that all together are as many as they should be. */
function peopleOf(
  groups: readonly ContactGroup[],
  factor: number,
  fromMs: number,
): Pick<Plan, "people" | "standing"> {
  const gatherer = new PeopleGatherer();
  const calls: number[] = [];
  const dueMs: number[] = [];
  const cameTo: (Disposition | undefined)[] = [];
  let counted = 0;
  for (const group of groups) {
    const { lane, attempts, dueHours, contacts } = group;
    if (!lane) continue;
    const before = Math.floor(counted / factor);
    counted += contacts;
    // A group of whole hours falls due in their midst.
    const dueAtMs = dueHours === null || dueHours < 0 ? fromMs : fromMs + (dueHours + 0.5) * HOUR_MS;
    for (let n = before; n < Math.floor(counted / factor + 1e-9); n += 1) {
      gatherer.add({ ...lane, kind: ANY_NUMBER });
      calls.push(attempts);
      dueMs.push(dueAtMs);
      cameTo.push(lastOf(group));
    }
  }
  return {
    people: gatherer.people(),
    standing: { calls: Uint8Array.from(calls), dueMs: Float64Array.from(dueMs), cameTo },
  };
}

import { sql } from "drizzle-orm";

import { allowanceOf, answeredOf, MAX_NEWEST_OF_NUMBER } from "../../domain/campaigns/caller-ids.ts";
import { callerIdPolicyOf } from "../../domain/campaigns/caller-ids-spec.ts";
import type { CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import { rows, type Db } from "../ground/connection.ts";
import { json } from "../ground/sql.ts";
import { readFacts } from "./caller-use.ts";

/** Where a number to call from stands, for whoever looks after it. */
export interface CallerState {
  number: string;
  /** Calls from it that began within the last hour and the last day, or are to begin, whichever campaign's. */
  lastHour: number;
  lastDay: number;
  /** Its newest calls since it rested last, as many as are looked at, and how many of them were answered. */
  newest: number;
  answered: number;
  restsUntilMs: number | undefined;
  /** When it was called from first by a campaign that says `caller_ids`. */
  firstUsedAtMs: number | undefined;
  /** Calls that the campaign's spec lets it begin now; undefined: it bounds them by nothing. */
  left: number | undefined;
}

/** The numbers of a campaign, in the order of its spec. */
export async function readCallerStates(db: Db, spec: CampaignSpec, nowMs: number): Promise<CallerState[]> {
  const { from_numbers: numbers } = spec;
  const policy = callerIdPolicyOf(spec);
  const facts = await readFacts(db, numbers, nowMs);
  const noted = await rows<{ number: string; newest_calls: string }>(
    db,
    sql`select c.number, c.newest_calls from jsonb_array_elements_text(${json(numbers)}) as n(number)
        join caller_ids c on c.number = n.number`,
  );
  const newestOf = new Map(noted.map((row) => [row.number, row.newest_calls]));
  return numbers.flatMap((number) => {
    const known = facts.get(number);
    if (!known) return [];
    const newest = (newestOf.get(number) ?? "").slice(-(policy?.health?.newest ?? MAX_NEWEST_OF_NUMBER));
    const left = policy ? allowanceOf(known, policy, nowMs) : Number.POSITIVE_INFINITY;
    const { restsUntilMs, firstUsedAtMs, lastHour, lastDay } = known;
    return [
      {
        number,
        lastHour,
        lastDay,
        newest: newest.length,
        answered: answeredOf(newest),
        restsUntilMs: restsUntilMs !== undefined && nowMs < restsUntilMs ? restsUntilMs : undefined,
        firstUsedAtMs,
        left: Number.isFinite(left) ? left : undefined,
      },
    ];
  });
}

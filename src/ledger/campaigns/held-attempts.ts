import { sql, type SQL } from "drizzle-orm";

import type { Disposition } from "../../domain/policy/disposition.ts";
import type { Finding } from "../../domain/campaigns/findings.ts";
import {
  createOpeningsAhead,
  type OpeningsAhead,
  type Whereabouts,
} from "../../domain/policy/openings-ahead.ts";
import { afterAttempt, type Aftermath } from "../../domain/policy/retry.ts";
import { looksAhead } from "../../domain/policy/retry-delay.ts";
import { rows, type Db } from "../ground/connection.ts";
import { windowInForce } from "../ground/blackouts.ts";
import { listOf, ms } from "../ground/sql.ts";
import type { DialingPolicy } from "../../domain/policy/dialing-policy.ts";

/** An attempt that may still be up, or waits for its call, with what its outcome depends on. */
export interface HeldAttempt {
  id: number;
  phone: string;
  contact_id: number;
  call_id: string | null;
  item_status: string | null;
  sign_unkept: boolean;
  attempt_no: number;
  state: "open" | "provisional";
  planned_ms: number;
  started_ms: number | null;
  ended_ms: number | null;
  by_disposition: Partial<Record<Disposition, number>> | null;
  /** Where its contact may be, and when that was called before, in order; null where no retry of the policy asks. */
  whereabouts: Whereabouts | null;
  called_before_ms: number[] | null;
  /** Of one that was taken back meanwhile (placement-changes.ts, withdrawing.ts): why. */
  withdrawal: string | null;
  /** Of a placement: it is held. */
  is_held: boolean;
}

/** When contact `contact` was called, by its attempts that are over, in order. */
export const calledBefore = (contact: SQL) =>
  sql`(select jsonb_agg(${ms(sql`coalesce(e.started_at, e.ended_at, e.settled_at)`)} order by e.attempt_no) from attempts e
         where e.contact_id = ${contact} and e.state = 'ended')`;

/** Where contacts of lane `lane` may be. */
const whereaboutsOf = (lane: SQL) =>
  sql`(select jsonb_build_object('zones', z.zones, 'places', z.places)
         from lanes l join zone_sets z on z.id = l.zone_set_id where l.id = ${lane})`;

/** The attempts of a batch that findings are about and that have not ended, by number. */
export async function readHeld(
  tx: Db,
  batchId: string,
  { findings, policy }: { findings: readonly Finding[]; policy: DialingPolicy },
): Promise<Map<string, HeldAttempt>> {
  if (findings.length === 0) return new Map();
  const isAhead = looksAhead(policy.delays);
  const found = await rows<HeldAttempt>(
    tx,
    sql`select a.id, a.phone, a.contact_id, a.call_id, a.item_status, a.sign_unkept, a.attempt_no, a.state, ${ms(sql`a.planned_at`)} as planned_ms,
          ${ms(sql`a.started_at`)} as started_ms, ${ms(sql`a.ended_at`)} as ended_ms,
          case when a.attempt_no > 1 then
            (select jsonb_object_agg(d.disposition, d.n) from
              (select e.disposition, count(*) as n from attempts e
                 where e.contact_id = a.contact_id and e.state = 'ended' group by e.disposition) d) end as by_disposition,
          ${isAhead ? sql`${whereaboutsOf(sql`c.lane_id`)} as whereabouts, ${calledBefore(sql`a.contact_id`)}` : sql`null::jsonb as whereabouts, null::jsonb`} as called_before_ms,
          c.reason as withdrawal, c.held as is_held
        from attempts a join contacts c on c.id = a.contact_id
        where a.batch_id = ${batchId}::uuid and a.state in ('open', 'provisional')
          and a.phone in ${listOf(
            findings.map((finding) => finding.phone),
            "text",
          )}`,
  );
  return new Map(found.map((row) => [row.phone, row]));
}

/**
 * The openings by which retries of a policy are due. Blackouts are read only where one of them looks ahead: one statement
 * for a whole batch.
 */
export async function openingsAheadOf(
  tx: Db,
  { policy, brand, nowMs }: { policy: DialingPolicy; brand: string; nowMs: number },
): Promise<OpeningsAhead> {
  const { window, delays } = policy;
  return createOpeningsAhead(looksAhead(delays) ? await windowInForce(tx, { window, brand, nowMs }) : window);
}

/** What an attempt came to, and when it was. Unix milliseconds. */
export interface HeldEnd {
  disposition: Disposition;
  startedAtMs: number | undefined;
  endedAtMs: number;
}

const NOWHERE: Whereabouts = { zones: [], places: [] };

/** What follows an attempt: what the policy says, unless the call was taken back (placement-changes.ts, withdrawing.ts). */
export function aftermathOf(
  attempt: HeldAttempt,
  { disposition, startedAtMs, endedAtMs }: HeldEnd,
  { policy, ahead }: { policy: DialingPolicy; ahead: OpeningsAhead },
): Aftermath | { kind: "final"; reason: string } {
  const next = afterAttempt(
    {
      disposition,
      endedAtMs,
      attempts: attempt.attempt_no,
      sameDisposition: (attempt.by_disposition?.[disposition] ?? 0) + 1,
      where: attempt.whereabouts ?? NOWHERE,
      calledMs: [...(attempt.called_before_ms ?? []), startedAtMs ?? endedAtMs],
    },
    policy,
    ahead,
  );
  if (next.kind === "final") return next;
  return attempt.withdrawal === null ? next : { kind: "final", reason: attempt.withdrawal };
}

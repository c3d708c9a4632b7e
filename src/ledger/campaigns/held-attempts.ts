import { sql } from "drizzle-orm";

import type { Disposition } from "../../domain/policy/disposition.ts";
import type { Finding } from "../../domain/campaigns/findings.ts";
import { afterAttempt, type Aftermath } from "../../domain/policy/retry.ts";
import { rows, type Db } from "../ground/connection.ts";
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
  /** Of one that was taken back meanwhile (placement-changes.ts, withdrawing.ts): why. */
  withdrawal: string | null;
  /** Of a placement: it is held. */
  is_held: boolean;
}

/** The attempts of a batch that findings are about and that have not ended, by number. */
export async function readHeld(
  tx: Db,
  batchId: string,
  findings: readonly Finding[],
): Promise<Map<string, HeldAttempt>> {
  if (findings.length === 0) return new Map();
  const found = await rows<HeldAttempt>(
    tx,
    sql`select a.id, a.phone, a.contact_id, a.call_id, a.item_status, a.sign_unkept, a.attempt_no, a.state, ${ms(sql`a.planned_at`)} as planned_ms,
          ${ms(sql`a.started_at`)} as started_ms, ${ms(sql`a.ended_at`)} as ended_ms,
          case when a.attempt_no > 1 then
            (select jsonb_object_agg(d.disposition, d.n) from
              (select e.disposition, count(*) as n from attempts e
                 where e.contact_id = a.contact_id and e.state = 'ended' group by e.disposition) d) end as by_disposition,
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

/** What follows an attempt: what the policy says, unless the call was taken back (placement-changes.ts, withdrawing.ts). */
export function aftermathOf(
  attempt: HeldAttempt,
  disposition: Disposition,
  endedAtMs: number,
  policy: DialingPolicy,
): Aftermath | { kind: "final"; reason: string } {
  const next = afterAttempt(
    {
      disposition,
      endedAtMs,
      attempts: attempt.attempt_no,
      sameDisposition: (attempt.by_disposition?.[disposition] ?? 0) + 1,
    },
    policy,
  );
  if (next.kind === "final") return next;
  return attempt.withdrawal === null ? next : { kind: "final", reason: attempt.withdrawal };
}

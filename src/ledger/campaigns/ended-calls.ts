import { sql } from "drizzle-orm";
import type { Db } from "../ground/connection.ts";
import type { Campaign } from "./campaigns.ts";
import type { FollowUpRules } from "../../domain/follow-ups/follow-up-rules.ts";
import { selectedDispositions, waitMsOf } from "../../domain/follow-ups/follow-up-rules.ts";
import { rows } from "../ground/connection.ts";
import { GRACE_MS } from "../ground/look-by.ts";
import { at, listOf } from "../ground/sql.ts";
import { putOutbox } from "../ground/outbox.ts";
/**
 * Writes the follow-ups of attempts that ended in this transaction, those that some rule may be for. No statement
 * where there is none, two otherwise, however many calls ended.
 *
 * @returns how many are new.
 */
export async function insertFollowUps(
  tx: Db,
  input: {
    campaign: Pick<Campaign, "id" | "policyVersion"> & { spec: { follow_ups?: FollowUpRules | undefined } };
    ended: readonly { attemptId: number; disposition: string }[];
    nowMs: number;
  },
): Promise<number> {
  const { campaign, nowMs } = input;
  const rules = campaign.spec.follow_ups;
  const selected = new Set<string>(selectedDispositions(rules));
  const attempts = input.ended.flatMap(({ attemptId, disposition }) =>
    selected.has(disposition) ? [attemptId] : [],
  );
  if (attempts.length === 0) return 0;
  // Whoever hears of the end, a follower of many batches as well, hands it on in the trace that had the call placed.
  const written = await rows<{ id: string; trace: string | null }>(
    tx,
    sql`with written as (
        insert into follow_ups (id, attempt_id, campaign_id, contact_id, phone, call_id, disposition, policy_version,
          state, wait_until, hinted_at, created_at, look_by)
        select gen_random_uuid(), a.id, a.campaign_id, a.contact_id, a.phone, a.call_id, a.disposition,
          ${campaign.policyVersion}, 'waiting', ${at(nowMs + waitMsOf(rules ?? []))}, h.last_at, ${at(nowMs)}, ${at(nowMs + GRACE_MS)}
        from attempts a left join call_hints h on h.call_id = a.call_id
        where a.id in ${listOf(attempts, "bigint")} and a.state = 'ended'
        order by a.id
        on conflict (attempt_id) do nothing
        returning id, attempt_id, contact_id)
        select w.id, coalesce(c.trace_parent, b.trace_parent) as trace
        from written w join attempts a on a.id = w.attempt_id left join batches b on b.id = a.batch_id
          left join contacts c on c.id = w.contact_id
        order by w.attempt_id`,
  );
  await putOutbox(
    tx,
    written.map(({ id, trace }) => ({
      kind: "follow_up" as const,
      subject: id,
      dueAtMs: nowMs,
      traceParent: trace ?? undefined,
    })),
  );
  return written.length;
}

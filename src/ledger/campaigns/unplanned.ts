import { sql } from "drizzle-orm";

import { raiseAttention, resolveAttention, rewordAttention } from "../ground/attention.ts";
import { rows, type Db } from "../ground/connection.ts";
import { GRACE_MS } from "../ground/look-by.ts";
import { at } from "../ground/sql.ts";

/*
 * Campaigns that are not planned although their time has come: whoever is to do it is away, or fails. Each says by when
 * it is looked at (ledger/ground/look-by.ts), a minute of grace included: what has used up most of that is told, so that
 * people know within the minute, with the cause.
 */

/** So long behind the time at which it wanted to be planned it counts as stalled: a worker that is replaced takes less. */
const STALLED_AFTER_MS = 40_000;

/** The cause is mostly the same for all: so many say it. */
const SHOWN = 20;

export interface Unplanned {
  id: string;
  name: string;
  brand: string;
  /** It stands on the list already. */
  isTold: boolean;
  /** What of it fails, in a row and for its own sake; null: nothing that is known. */
  failing: string | null;
}

/** Those that wait to be planned for longer than they should: a probe of an index where there are none. */
export function listUnplanned(db: Db, nowMs: number): Promise<Unplanned[]> {
  return rows<Unplanned>(
    db,
    sql`select c.id, c.name, c.brand,
          exists (select 1 from attention t where t.kind = 'campaign_stalled' and t.subject = c.id::text || ' plan'
                    and t.resolved_at is null) as "isTold",
          (select a.summary from attention a
           where a.kind = 'step_failing' and a.resolved_at is null and a.about = 'campaign' and a.about_id = c.id::text limit 1) as failing
        from campaigns c
        where c.look_by <= ${at(nowMs + GRACE_MS - STALLED_AFTER_MS)} and c.ended_at is null and c.state in ('scheduled', 'running')
        order by c.look_by limit ${SHOWN}`,
  );
}

/** Tells people that a campaign is not planned, and why. */
export async function tellUnplanned(
  db: Db,
  { id, name, brand, isTold, cause, nowMs }: Omit<Unplanned, "failing"> & { cause: string; nowMs: number },
): Promise<void> {
  const summary = `campaign ${name} does not go on although its time has come: ${cause}`;
  const kind = "campaign_stalled";
  const subject = subjectOf(id);
  // It is one stall, however often it is looked at; its cause may have become another.
  if (isTold) return rewordAttention(db, { kind, subject, summary, nowMs });
  await raiseAttention(db, {
    kind,
    subject,
    about: { of: "campaign", id, verb: "plan" },
    brand,
    summary,
    remedy: "mend what the cause names (`outdial doctor` looks for it); the campaign goes on by itself then",
    nowMs,
  });
}

/** Campaigns of which people were told so, and which have gone on since, or wait for a person, or are over. */
export async function resolvePlanned(db: Db, nowMs: number): Promise<void> {
  const planned = await rows<{ id: string }>(
    db,
    sql`select c.id from attention a join campaigns c on c.id = a.about_id::uuid
        where a.kind = 'campaign_stalled' and a.verb = 'plan' and a.resolved_at is null
          and (c.ended_at is not null or c.state not in ('scheduled', 'running') or c.look_by is null
               or c.look_by > ${at(nowMs + GRACE_MS - STALLED_AFTER_MS)} and c.unmoved = 0)`,
  );
  for (const { id } of planned)
    await resolveAttention(db, {
      kind: "campaign_stalled",
      subject: subjectOf(id),
      by: "engine",
      resolution: "the campaign goes on, or is over",
      nowMs,
    });
}

/** Beside what is told of its batches, which is another trouble, with another end. */
function subjectOf(campaignId: string): string {
  return `${campaignId} plan`;
}

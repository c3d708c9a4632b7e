import { sql, type SQL } from "drizzle-orm";

import { listAttention, raiseAttention, resolveAttention } from "./attention.ts";
import { firstRow, type Db } from "./connection.ts";
import { movedOf, OPEN_KINDS, type OpenKind, type Overdue } from "./look-by.ts";

/* What does not move, however often it is told: people see it, until it has. */

/** Told in vain so often it has been overdue for an hour (look-by.ts: its grace doubles). */
const TOLD_IN_VAIN = 7;

/** What is wrong is mostly the same for all: so many of a kind say it. */
const SHOWN = 20;

const WORDS: Record<OpenKind, string> = {
  campaign: "campaign",
  batch: "batch",
  key_rotation: "rotation of the platform's key",
  automation: "automation",
  schedule: "schedule",
  schedule_run: "run of a schedule",
  follow_up: "follow-up",
  enrolment: "enrolment",
};

/** Whose it is. */
const OWNERS: Record<OpenKind, SQL> = {
  campaign: sql`select o.brand, o.name from campaigns o`,
  batch: sql`select c.brand, c.name from batches o join campaigns c on c.id = o.campaign_id`,
  key_rotation: sql`select 'default' as brand, null::text as name from key_rotations o`,
  automation: sql`select 'default' as brand, o.name from automations o`,
  schedule: sql`select 'default' as brand, o.name from schedules o`,
  schedule_run: sql`select 'default' as brand, s.name from schedule_runs o join schedules s on s.id = o.schedule_id`,
  follow_up: sql`select c.brand, c.name from follow_ups o join campaigns c on c.id = o.campaign_id`,
  enrolment: sql`select s.brand, s.name from enrolments o join sequences s on s.id = o.sequence_id`,
};

/** Brings those before people that were told in vain for an hour. */
export async function tellOfUnmoved(
  db: Db,
  kind: OpenKind,
  overdue: readonly Overdue[],
  nowMs: number,
): Promise<void> {
  const stuck = overdue.filter(({ unmoved }) => unmoved >= TOLD_IN_VAIN);
  if (stuck.length === 0) return;
  const { total } = await listAttention(db, { kind: "overdue", resolved: false, limit: 1 });
  for (const { id } of stuck.slice(0, Math.max(0, SHOWN - total))) {
    const owner = await firstRow<{ brand: string; name: string | null }>(
      db,
      sql`${OWNERS[kind]} where o.id = ${id}::uuid`,
    );
    const of = owner?.name === null || owner === undefined ? "" : ` of ${owner.name}`;
    await raiseAttention(db, {
      kind: "overdue",
      subject: `${kind} ${id}`,
      brand: owner?.brand ?? "default",
      summary: `${WORDS[kind]} ${id}${of} should have gone on for an hour and does not, however often it is told`,
      remedy:
        "see whether workers run (`outdial doctor`) and what the log says of it; skip, cancel or take it out where it fails for good",
      nowMs,
    });
  }
}

/** Takes those off the list that have moved since, or are over. */
export async function takeOffMoved(db: Db, nowMs: number): Promise<void> {
  const { items } = await listAttention(db, { kind: "overdue", resolved: false, limit: SHOWN });
  for (const kind of OPEN_KINDS) {
    const ids = items.flatMap(({ subject }) => {
      const [of, id] = subject.split(" ");
      return of === kind && id !== undefined ? [id] : [];
    });
    if (ids.length === 0) continue;
    for (const id of await movedOf(db, kind, ids)) {
      const resolution = "it went on, or is over";
      await resolveAttention(db, {
        kind: "overdue",
        subject: `${kind} ${id}`,
        by: "engine",
        resolution,
        nowMs,
      });
    }
  }
}

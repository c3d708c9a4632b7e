import { sql } from "drizzle-orm";

import { writeAudit } from "../ground/audit.ts";
import { lockCampaign } from "../campaigns/campaigns.ts";
import { rows, type Db, type Ledger } from "../ground/connection.ts";
import { noteCommand } from "../ground/given-commands.ts";
import { lookAt, tellEnrolment, tellNextOfSequence, type InboxEntry } from "./enrolment-inbox.ts";
import { takeEnrolmentTurn, type TurnResult } from "./enrolment-turns.ts";
import { lockEnrolment, readEnrolment, type Enrolment } from "./enrolments.ts";
import { moveToVersion } from "./moving.ts";
import { putOutbox } from "../ground/outbox.ts";
import { requestDigest, RequestReusedError } from "../ground/request-keys.ts";
import { readSequenceById } from "./sequences.ts";
import { listStandingOf } from "../campaigns/standing.ts";

/*
 * What people tell one enrolment, or all of a sequence. To one, the turn is taken in the transaction of the command:
 * once it is answered nobody is dialed against it, be Temporal there or not.
 */

/** The enrolment is over; nothing was changed. */
export class EnrolmentOverError extends Error {
  override readonly name = "EnrolmentOverError";
}

export interface EnrolmentCommandResult {
  enrolment: Enrolment;
  /** What is left to be done once the transaction is committed; undefined where the command was given before. */
  turn: TurnResult | undefined;
}

/**
 * @param input.given what whoever tells it calls its request key; by default that itself
 * @throws EnrolmentOverError, RequestReusedError, CommandRefusedError of a move; giving the same command again is none.
 */
export async function commandEnrolment(
  tx: Db,
  input: { enrolmentId: string; entry: InboxEntry; given?: string; nowMs: number },
): Promise<EnrolmentCommandResult> {
  const { enrolmentId, entry, nowMs } = input;
  const told = await tellEnrolment(tx, enrolmentId, entry);
  if (told === "other") throw new RequestReusedError(input.given ?? entry.requestKey, "command or event");
  if (told === "over") {
    throw new EnrolmentOverError(
      "the enrolment is over: enroll the person again where it should go on for them",
    );
  }
  // Events are what programs tell, one after the other: the enrolment's journey has each, and whose it was.
  if (told === "fresh" && entry.kind !== "event")
    await writeAudit(tx, {
      nowMs,
      actor: entry.actor,
      action: `enrolment.${entry.kind}`,
      detail: { enrolment: enrolmentId, ...entry.data },
    });
  if (told === "fresh" && entry.kind === "move") {
    const { version, reason } = entry.data;
    const moved = await lockEnrolment(tx, enrolmentId);
    const to = { version: Number(version), actor: entry.actor, nowMs };
    if (moved)
      await moveToVersion(tx, moved, { ...to, reason: typeof reason === "string" ? reason : undefined });
  }
  const turn = told === "fresh" ? await takeTurns(tx, enrolmentId, nowMs) : undefined;
  // Behind the turn, which locks campaigns: whoever ends a call holds its campaign and then writes this row.
  if (told === "fresh") await putOutbox(tx, lookAt([enrolmentId], entry.atMs));
  const enrolment = await readEnrolment(tx, enrolmentId);
  if (!enrolment) throw new Error(`enrolment ${enrolmentId} vanished while it was told something`);
  return { enrolment, turn };
}

/** As many as it takes to come to the command: events that nobody has taken in yet may stand before it. */
async function takeTurns(tx: Db, enrolmentId: string, nowMs: number): Promise<TurnResult | undefined> {
  const campaignIds = new Set<string>();
  for (;;) {
    const turn = await takeEnrolmentTurn(tx, { enrolmentId, nowMs });
    for (const id of turn?.campaignIds ?? []) campaignIds.add(id);
    if (!turn?.hasMore) return turn && { ...turn, campaignIds: [...campaignIds] };
  }
}

/**
 * Tells everybody who is in a sequence at this moment to leave it, or their present step. Set-based and in short
 * transactions; what became of each is seen when the relay has handed it on.
 *
 * @returns how many were told now; giving the same command again tells those who were not.
 * @throws RequestReusedError where another command was given under its id.
 */
export async function commandAll(
  ledger: Ledger,
  input: { sequenceId: string; commandId: string; entry: InboxEntry; nowMs: number },
): Promise<number> {
  const { sequenceId, commandId, entry, nowMs } = input;
  const { kind, data } = entry;
  await ledger.transaction(async (tx) => {
    const request = requestDigest({ kind, data });
    if (!(await noteCommand(tx, { subject: sequenceId, commandId, request, nowMs }))) return;
    const sequence = await readSequenceById(tx, sequenceId);
    await writeAudit(tx, {
      nowMs,
      actor: entry.actor,
      action: `sequence.${kind}`,
      campaignId: sequenceId,
      detail: { name: sequence?.name ?? "", commandId, ...data },
    });
  });
  let told = 0;
  let afterId: string | undefined;
  for (;;) {
    const from = afterId;
    const next = await ledger.transaction((tx) =>
      tellNextOfSequence(tx, { sequenceId, afterId: from, entry }),
    );
    if (!next) return told;
    told += next.told;
    afterId = next.lastId;
  }
}

/**
 * Keeps the calls of those from being made who were told to leave, or to leave their step, and have not taken that
 * in yet: their turns take the calls back. One statement a campaign, however many there are.
 */
export async function holdCallsOfTold(
  ledger: Ledger,
  input: { sequenceId: string; requestKey: string },
): Promise<void> {
  for (const { id } of await listStandingOf(ledger.db, input.sequenceId)) {
    await ledger.transaction(async (tx) => {
      await lockCampaign(tx, id);
      await rows(
        tx,
        sql`update contacts c set held = true
            where c.lane_id in (select l.id from lanes l where l.campaign_id = ${id}::uuid)
              and c.state = 'open' and c.enrolment_id is not null and not c.held
              and (select e.state = 'active' and i.id > e.inbox_seen
                   from enrolment_inbox i join enrolments e on e.id = i.enrolment_id
                   where i.enrolment_id = c.enrolment_id and i.request_key = ${input.requestKey})`,
      );
    });
  }
}

/**
 * Who of a sequence waits for a call that can be taken back: first those in batches that were not started yet, then
 * those whose call is due next. Probes the planner's own index, and that of the batches under way.
 */
export async function listWaitingForCalls(db: Db, sequenceId: string, limit: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`with own as (
          select k.id from campaigns k
          where k.sequence_id = ${sequenceId}::uuid and k.ended_at is null
        )
        (select c.enrolment_id as id, 0 as turn, c.held, c.due_at, c.id as contact_id
           from batches b join attempts a on a.batch_id = b.id and a.state = 'open'
           join contacts c on c.id = a.contact_id
           where b.campaign_id in (select id from own) and b.state <> 'settled' and b.start_sent_at is null
             and c.enrolment_id is not null)
        union all
        (select c.enrolment_id, 1, c.held, c.due_at, c.id from contacts c
           where c.state = 'open' and c.enrolment_id is not null
             and c.lane_id in (select l.id from lanes l where l.campaign_id in (select id from own)))
        order by turn, held, due_at, contact_id limit ${limit}`,
  );
  return found.map(({ id }) => id);
}

import { sql, type SQL } from "drizzle-orm";

import { beginEra } from "./eras.ts";
import { writeAudit } from "./audit.ts";
import { firstRow, rows, type Db } from "./connection.ts";
import { flag, from, moment, number, optional, record, text, type RecordOf } from "./record.ts";
import { at, atOrNull } from "./sql.ts";

const INSTALLATION = record({
  installationId: text,
  stoppedAtMs: optional(moment),
  stoppedReason: optional(text),
  /** Set while the ledger may be older than reality. */
  recoveryReason: optional(text),
  recoveredAtMs: optional(moment),
  /** When a stop of everything was lifted last. */
  wentOnAtMs: optional(moment),
  /** Credits of the platform's account as they were told last, in millionths of a US dollar. */
  balanceMicros: optional(number),
  balanceAtMs: optional(moment),
  /** Since when it is without credit, and how that became known. */
  noCreditAtMs: optional(moment),
  noCreditReason: optional(text),
  /** When calls were tried last though nobody knows of more credit than there was. */
  noCreditTriedAtMs: optional(moment),
  /** Some brand, or all of them together, may spend no more than so much. */
  hasBudgets: from("exists(select 1 from budgets where removed_at is null)", flag),
  /** Whether its calls are simulated; undefined before its first use. */
  simulated: optional(flag),
});

export interface Installation extends Omit<RecordOf<typeof INSTALLATION>, "stoppedAtMs" | "stoppedReason"> {
  /** Set while `stop-all` is in force. */
  stopped: { atMs: number; reason: string } | undefined;
}

/** What this ledger is, and whether it may dial at all. Made at the first call. */
export async function readInstallation(db: Db): Promise<Installation> {
  let found = await findInstallation(db);
  if (!found) {
    await rows(db, sql`insert into installation default values on conflict do nothing`);
    found = await findInstallation(db);
  }
  if (!found) throw new Error("the ledger lost its installation row");
  return found;
}

/** Whether all dialing is held, and since when it was not. */
export type DialingSwitches = Omit<Installation, "installationId" | "simulated">;

const NEVER_SWITCHED: DialingSwitches = {
  stopped: undefined,
  recoveryReason: undefined,
  recoveredAtMs: undefined,
  wentOnAtMs: undefined,
  balanceMicros: undefined,
  balanceAtMs: undefined,
  noCreditAtMs: undefined,
  noCreditReason: undefined,
  noCreditTriedAtMs: undefined,
  hasBudgets: true,
};

/** As read in a transaction that lasts: it makes no row, since whoever stops everything would wait for that. */
export async function readSwitches(tx: Db): Promise<DialingSwitches> {
  return (await findInstallation(tx)) ?? NEVER_SWITCHED;
}

async function findInstallation(db: Db): Promise<Installation | undefined> {
  const found = await firstRow(db, sql`select ${INSTALLATION.columns} from installation`, INSTALLATION);
  if (!found) return undefined;
  const { stoppedAtMs: atMs, stoppedReason: reason = "", ...installation } = found;
  return { ...installation, stopped: atMs === undefined ? undefined : { atMs, reason } };
}

/**
 * Makes this the ledger of simulated calls or of real ones, for good: the first use decides.
 *
 * @returns what it is: where that is not what was asked for, the caller must not dial.
 */
export async function bindToPlatform(db: Db, simulated: boolean): Promise<{ simulated: boolean }> {
  await readInstallation(db);
  await rows(db, sql`update installation set simulated = ${simulated} where simulated is null`);
  const row = await firstRow<{ simulated: boolean }>(db, sql`select simulated from installation`);
  return { simulated: row?.simulated ?? simulated };
}

/**
 * Holds all dialing until `outdial recover` has booked what the platform dialed meanwhile (I1). Whoever is signed in signs
 * in anew: a session that was ended since, or a link that was opened, would be there again.
 */
export async function requireRecovery(db: Db, reason: string, nowMs: number): Promise<void> {
  await readInstallation(db);
  await hold(db, { reason, nowMs }, sql`true`);
}

async function hold(db: Db, input: { reason: string; nowMs: number }, where: SQL): Promise<void> {
  const { reason, nowMs } = input;
  const changed = await rows(
    db,
    sql`with held as (update installation set recovery_reason = ${reason} where recovery_reason is null and ${where} returning 1),
          ended as (delete from sessions where exists (select 1 from held)),
          taken as (delete from sign_in_codes where exists (select 1 from held))
        select 1 as one from held`,
  );
  if (changed.length > 0) {
    await writeAudit(db, {
      nowMs,
      actor: "engine",
      action: "recovery.required",
      detail: { reason },
      event: { type: "recovery.required", data: { reason } },
    });
  }
}

/**
 * Holds all dialing since something speaks for a ledger that is older than what happened, unless a recovery came to its
 * end after that was looked at: it has booked what there was, and what was seen before says nothing any more.
 *
 * @param input.seenIn the installation as it was before that was looked at
 */
export async function reportRestored(
  db: Db,
  input: { reason: string; seenIn: Pick<Installation, "recoveredAtMs">; nowMs: number },
): Promise<void> {
  const { recoveredAtMs } = input.seenIn;
  await hold(db, input, sql`recovered_at is not distinct from ${atOrNull(recoveredAtMs)}`);
}

/** Whether the ledger may lack what was done already: until it is recovered, nothing new is begun by itself. */
export async function awaitsRecovery(db: Db): Promise<boolean> {
  const found = await rows(db, sql`select 1 as one from installation where recovery_reason is not null`);
  return found.length > 0;
}

/**
 * For what is tried until it goes through.
 *
 * @throws Error while the ledger waits for its recovery.
 */
export async function refuseWhileHeld(db: Db): Promise<void> {
  if (await awaitsRecovery(db)) throw new Error("held until `outdial recover` is through");
}

export async function releaseRecovery(
  tx: Db,
  actor: string,
  nowMs: number,
  detail: Record<string, unknown>,
): Promise<void> {
  await rows(tx, sql`update installation set recovery_reason = null, recovered_at = ${at(nowMs)}`);
  await beginEra(tx);
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "recovery.released",
    detail,
    event: { type: "recovery.released", data: { actor } },
  });
}

/** From the commit of this on, no start is permitted anywhere. */
export async function stopEverything(
  tx: Db,
  input: { actor: string; reason: string; nowMs: number },
): Promise<void> {
  await readInstallation(tx);
  await rows(
    tx,
    sql`update installation set stopped_at = coalesce(stopped_at, ${at(input.nowMs)}), stopped_reason = ${input.reason}`,
  );
  await writeAudit(tx, {
    nowMs: input.nowMs,
    actor: input.actor,
    action: "stop_all",
    detail: { reason: input.reason },
    event: { type: "dialing.stopped", data: { actor: input.actor, reason: input.reason } },
  });
}

/** Lifts `stop-all`. The reason is kept. */
export async function goOn(
  tx: Db,
  input: { actor: string; reason: string; nowMs: number },
): Promise<{ wasStopped: boolean }> {
  const lifted = await rows(
    tx,
    sql`update installation set stopped_at = null, stopped_reason = null, went_on_at = ${at(input.nowMs)}
        where stopped_at is not null returning 1 as one`,
  );
  await writeAudit(tx, {
    nowMs: input.nowMs,
    actor: input.actor,
    action: "go_on",
    detail: { reason: input.reason },
    event: { type: "dialing.resumed", data: { actor: input.actor, reason: input.reason } },
  });
  return { wasStopped: lifted.length > 0 };
}

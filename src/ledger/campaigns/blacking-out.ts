import { sql } from "drizzle-orm";

import { elapsedMs } from "../../domain/time/elapsed.ts";
import {
  addBlackout,
  listUnbound,
  noteBound,
  removeBlackout,
  type Blackout,
  type NewBlackout,
} from "../ground/blackouts.ts";
import { rows, type Db, type Ledger } from "../ground/connection.ts";
import { putOutbox } from "../ground/outbox.ts";
import { boundByWindow } from "./bound-by-window.ts";
import { lockCampaignIfFree } from "./campaigns.ts";

/*
 * A blackout holds from its commit on: whoever permits a start reads it in that transaction, under the campaign's lock.
 * What was under way is bound by it afterwards, campaign by campaign, under that lock where it is free: so a start that
 * had not seen the blackout is bound, too. What is left to do follows from the ledger alone, so anybody may go on with
 * it, as with a stop of everything (stopping.ts), in any process and without Temporal (stop-keeping.ts).
 */

export interface BlackedOut {
  blackout: Blackout;
  isNew: boolean;
  /** Campaigns of the brand that run: told to look again. */
  campaignIds: string[];
  stoppedBatchIds: string[];
  /** Campaigns whose batches could not be bound yet. */
  waiting: Unbound[];
}

export interface Unbound {
  id: string;
  name: string;
  /** Why not, for the log. */
  why: string;
}

/** How much time there is for it; the rest is left to whoever looks next. */
interface Binding {
  dialByMarginMs: number;
  now: () => number;
  forMs: number;
}

/** @throws CommandRefusedError where there are too many already. */
export async function blackOut(
  ledger: Ledger,
  input: NewBlackout & { actor: string } & Binding,
): Promise<BlackedOut> {
  const added = await ledger.transaction(async (tx) => {
    const { blackout, isNew } = await addBlackout(tx, { ...input, nowMs: input.now() });
    return { blackout, isNew, campaignIds: await tellCampaigns(tx, input.brand, input.now()) };
  });
  return { ...added, ...(await bindUnbound(ledger, input)) };
}

/**
 * Binds what is under way by the blackouts of which nobody has seen to that yet, each campaign in a transaction of its
 * own: no failure of one keeps another from it, and none is bound twice by the same.
 *
 * @param input.brand only its campaigns: those that somebody waits for
 */
export async function bindUnbound(
  ledger: Ledger,
  { brand, dialByMarginMs, now, forMs }: Binding & { brand?: string | undefined },
): Promise<Pick<BlackedOut, "stoppedBatchIds" | "waiting">> {
  const begunMs = now();
  const { db } = ledger.urgent;
  const unbound = await listUnbound(db);
  const waiting: Unbound[] = [];
  const stoppedBatchIds: string[] = [];
  if (unbound.length === 0) return { stoppedBatchIds, waiting };
  for (const campaign of await listUnderWay(db, brand)) {
    try {
      const isInTime = elapsedMs(now(), begunMs) < forMs;
      const stopped = isInTime && (await bindOne(ledger, campaign.id, { dialByMarginMs, nowMs: now() }));
      if (stopped) stoppedBatchIds.push(...stopped);
      else waiting.push({ ...campaign, why: isInTime ? "its row is held" : "there was no time for it" });
    } catch (error) {
      waiting.push({ ...campaign, why: String(error) });
    }
  }
  if ((await listUnderWay(db, undefined)).length === 0) await noteBound(db, unbound, now());
  return { stoppedBatchIds, waiting };
}

/** Undefined where somebody holds it. */
function bindOne(
  ledger: Ledger,
  campaignId: string,
  input: { dialByMarginMs: number; nowMs: number },
): Promise<string[] | undefined> {
  return ledger.urgent.transaction(async (tx) => {
    const campaign = await lockCampaignIfFree(tx, campaignId);
    if (!campaign) return undefined;
    // Before its window is read: what is added meanwhile binds it once more.
    await rows(
      tx,
      sql`update campaigns set blackout_bound = (select max(b.id) from blackouts b) where id = ${campaignId}::uuid`,
    );
    return boundByWindow(tx, campaign, input);
  });
}

/** What may be dialed from now on is looked for at once. Undefined where there is none of that id. */
export function liftBlackout(
  ledger: Ledger,
  input: { id: number; reason: string; actor: string; nowMs: number },
): Promise<{ blackout: Blackout; campaignIds: string[] } | undefined> {
  return ledger.transaction(async (tx) => {
    const blackout = await removeBlackout(tx, input);
    return blackout && { blackout, campaignIds: await tellCampaigns(tx, blackout.brand, input.nowMs) };
  });
}

/** Campaigns with batches under way that a blackout is to bind, and has not yet. */
function listUnderWay(db: Db, brand: string | undefined): Promise<Pick<Unbound, "id" | "name">[]> {
  return rows(
    db,
    sql`select c.id, c.name from campaigns c
        where c.id in (select campaign_id from batches where state <> 'settled' and stop_reason is null)
          and exists (select 1 from blackouts b where b.bound_at is null and b.removed_at is null
                        and b.id > c.blackout_bound and (b.brand is null or b.brand = c.brand))
          and (${brand ?? null}::text is null or c.brand = ${brand ?? null}::text)
        order by c.created_at, c.id`,
  );
}

/** Has the campaigns of a brand, or of every brand, look again at once. */
export async function tellCampaigns(tx: Db, brand: string | undefined, nowMs: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    tx,
    sql`select id from campaigns where state = 'running' and (${brand ?? null}::text is null or brand = ${brand ?? null}::text) order by id`,
  );
  const campaignIds = found.map(({ id }) => id);
  await putOutbox(
    tx,
    campaignIds.map((subject) => ({ kind: "campaign", subject, dueAtMs: nowMs })),
  );
  return campaignIds;
}

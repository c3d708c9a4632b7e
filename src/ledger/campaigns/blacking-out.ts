import { sql } from "drizzle-orm";

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
import { listOf } from "../ground/sql.ts";
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
  /** Campaigns that somebody holds: their batches are bound when they are free. */
  waiting: Held[];
}

export interface Held {
  id: string;
  name: string;
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

/** Binds what is under way by the blackouts of which nobody has seen to that yet. */
export async function bindUnbound(
  ledger: Ledger,
  { dialByMarginMs, now, forMs }: Binding,
): Promise<Pick<BlackedOut, "stoppedBatchIds" | "waiting">> {
  const untilMs = now() + forMs;
  const unbound = await listUnbound(ledger.urgent.db);
  const waiting = new Map<string, Held>();
  const stoppedBatchIds: string[] = [];
  if (unbound.length === 0) return { stoppedBatchIds, waiting: [] };
  for (const campaign of await listUnderWay(ledger.urgent.db, unbound)) {
    const isBound =
      now() < untilMs &&
      (await ledger.urgent.transaction(async (tx) => {
        const locked = await lockCampaignIfFree(tx, campaign.id);
        if (!locked) return false;
        stoppedBatchIds.push(...(await boundByWindow(tx, locked, { nowMs: now(), dialByMarginMs })));
        return true;
      }));
    if (!isBound) waiting.set(campaign.id, campaign);
  }
  if (waiting.size === 0) await noteBound(ledger.urgent.db, unbound, now());
  return { stoppedBatchIds, waiting: [...waiting.values()] };
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

/** Campaigns with batches under way that one of these binds. */
function listUnderWay(db: Db, unbound: readonly Blackout[]): Promise<Held[]> {
  const brands = unbound.map(({ brand }) => brand);
  return rows(
    db,
    sql`select c.id, c.name from campaigns c
        where c.id in (select campaign_id from batches where state <> 'settled' and stop_reason is null)
          and (${brands.includes(undefined)}::boolean
               or c.brand in ${listOf(
                 brands.filter((brand) => brand !== undefined),
                 "text",
               )})
        order by c.created_at, c.id`,
  );
}

async function tellCampaigns(tx: Db, brand: string | undefined, nowMs: number): Promise<string[]> {
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

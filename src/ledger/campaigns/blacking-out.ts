import { sql } from "drizzle-orm";

import { rows, type Db, type Ledger } from "../ground/connection.ts";
import { addBlackout, removeBlackout, type Blackout, type NewBlackout } from "../ground/blackouts.ts";
import { putOutbox } from "../ground/outbox.ts";
import { unlessHeld } from "./batches.ts";
import { boundByWindow } from "./bound-by-window.ts";
import { lockCampaign } from "./campaigns.ts";

/*
 * A blackout holds from its commit on: no start is permitted against it. What was started before is bound by it
 * afterwards, campaign by campaign; one that somebody holds meanwhile is bound by its next planning, which the outbox
 * makes sure of.
 */

export interface BlackedOut {
  blackout: Blackout;
  isNew: boolean;
  /** Campaigns of the brand that are not over: told to look again. */
  campaignIds: string[];
  stoppedBatchIds: string[];
}

/** @throws CommandRefusedError where there are too many already. */
export async function blackOut(
  ledger: Ledger,
  input: NewBlackout & { actor: string; dialByMarginMs: number; nowMs: number },
): Promise<BlackedOut> {
  const { brand, nowMs } = input;
  const added = await ledger.transaction(async (tx) => {
    const { blackout, isNew } = await addBlackout(tx, input);
    return { blackout, isNew, campaignIds: await tellCampaigns(tx, brand, nowMs) };
  });
  const stoppedBatchIds: string[] = [];
  for (const campaignId of added.campaignIds) {
    await unlessHeld(() =>
      ledger.urgent.transaction(async (tx) => {
        const campaign = await lockCampaign(tx, campaignId);
        if (campaign) stoppedBatchIds.push(...(await boundByWindow(tx, campaign, input)));
      }),
    );
  }
  return { ...added, stoppedBatchIds };
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

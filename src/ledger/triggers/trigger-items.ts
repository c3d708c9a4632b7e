import { sql } from "drizzle-orm";

import { firstRow, rows, type Db } from "../ground/connection.ts";
import { at, json } from "../ground/sql.ts";

/*
 * What was done for the items of deliveries: each once for a trigger and a key, whichever delivery it comes in, and
 * whoever is in a sequence by then (I5). Claimed before anything else in the transaction that does it, so that two
 * who do it at once take turns; one that is rolled back was never claimed.
 */

/** One thing that an item asks for. */
export interface ItemClaim {
  triggerId: string;
  /** What makes it the same item again. */
  key: string;
  what: "enroll" | "event" | "exit";
  deliveryId: string;
  /** Tells the item from the others of its delivery, wherever it stands among them. */
  element: string;
  /** Whom it is about. */
  phone: string;
  nowMs: number;
}

export type Claimed =
  | { kind: "fresh" }
  /** It was done. `same`: for this very item, whose delivery is worked off again; else it was sent again. */
  | { kind: "done"; same: boolean; result: Record<string, unknown> };

/** Takes it on, or tells what came of it before. One that is fresh is kept or released in the same transaction. */
export async function claimItem(tx: Db, claim: ItemClaim): Promise<Claimed> {
  const { triggerId, key, what, deliveryId, element, phone, nowMs } = claim;
  const row = await firstRow<{
    delivery_id: string;
    element: string;
    result: Record<string, unknown> | null;
  }>(
    tx,
    sql`insert into trigger_items as i (trigger_id, key, what, delivery_id, element, phone, at)
        values (${triggerId}::uuid, ${key}, ${what}, ${deliveryId}::uuid, ${element}, ${phone}, ${at(nowMs)})
        on conflict (trigger_id, key, what) do update set at = i.at
        returning delivery_id, element, result`,
  );
  if (!row) throw new Error("an item of a delivery was neither claimed nor found");
  if (row.result === null) return { kind: "fresh" };
  return {
    kind: "done",
    same: row.delivery_id === deliveryId && row.element === element,
    result: row.result,
  };
}

/** It was done, for good. */
export async function keepItem(tx: Db, claim: ItemClaim, result: Record<string, unknown>): Promise<void> {
  await rows(tx, sql`update trigger_items set result = ${json(result)} where ${isOf(claim)}`);
}

/** It may be done again, by whoever comes. */
export async function releaseItem(tx: Db, claim: ItemClaim): Promise<void> {
  await rows(tx, sql`delete from trigger_items where ${isOf(claim)}`);
}

function isOf({ triggerId, key, what }: ItemClaim) {
  return sql`trigger_id = ${triggerId}::uuid and key = ${key} and what = ${what}`;
}

import { sql } from "drizzle-orm";

import { rows, type Db } from "./connection.ts";
import { json } from "./sql.ts";

/** What a set of zones is found by: its sorted names, joined. */
export function zoneKeyOf(zones: readonly string[]): string {
  return [...zones].sort().join(",");
}

function zonesOfKey(key: string): string[] {
  return key === "" ? [] : key.split(",");
}

/** The ids of sets of zones by their keys, made where they are missing. */
export async function zoneSetIds(tx: Db, keys: Iterable<string>): Promise<Map<string, number>> {
  const sets = json([...new Set(keys)].sort().map((key) => ({ key, zones: zonesOfKey(key) })));
  await rows(
    tx,
    sql`insert into zone_sets (key, zones)
        select r.key, array(select jsonb_array_elements_text(r.zones))
        from jsonb_to_recordset(${sets}) as r(key text, zones jsonb)
        where not exists (select 1 from zone_sets z where z.key = r.key)
        order by r.key
        on conflict (key) do nothing`,
  );
  const found = await rows<{ id: number; key: string }>(
    tx,
    sql`select z.id, z.key from jsonb_to_recordset(${sets}) as r(key text) join zone_sets z on z.key = r.key`,
  );
  return new Map(found.map((row) => [row.key, row.id]));
}

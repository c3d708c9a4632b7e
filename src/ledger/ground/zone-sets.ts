import { sql } from "drizzle-orm";

import { rows, type Db } from "./connection.ts";
import { json } from "./sql.ts";

/** What a set of zones, and of places that somebody may be in, is found by: sorted names, joined. */
export function zoneKeyOf(zones: readonly string[], places: readonly string[] = []): string {
  const key = [...zones].sort().join(",");
  return places.length === 0 ? key : `${key}|${[...places].sort().join(",")}`;
}

/** The rows of such keys. */
export function setsOfKeys(keys: Iterable<string>): { key: string; zones: string[]; places: string[] }[] {
  return [...new Set(keys)].sort().map((key) => {
    const [zones = "", places = ""] = key.split("|");
    return { key, zones: namesIn(zones), places: namesIn(places) };
  });
}

function namesIn(text: string): string[] {
  return text === "" ? [] : text.split(",");
}

/** The ids of sets of zones by their keys, made where they are missing. */
export async function zoneSetIds(tx: Db, keys: Iterable<string>): Promise<Map<string, number>> {
  const sets = json(setsOfKeys(keys));
  await rows(
    tx,
    sql`insert into zone_sets (key, zones, places)
        select r.key, array(select jsonb_array_elements_text(r.zones)), array(select jsonb_array_elements_text(r.places))
        from jsonb_to_recordset(${sets}) as r(key text, zones jsonb, places jsonb)
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

import { sql } from "drizzle-orm";

import { firstRow, type Db } from "./connection.ts";

/*
 * Whose things are, by their ids, for callers who are for some brands alone: a probe by a key each.
 */

export type BrandedThing =
  | "campaign"
  | "sequence"
  | "enrolment"
  | "follow_up"
  | "action"
  | "attention"
  | "blackout"
  | "source"
  | "call";

/**
 * The brand of a thing. Null: of every brand, or of none; undefined: there is no such thing.
 *
 * @param id as the kind has it, and of its form: a UUID, a number, a name, or the platform's id of a call
 */
export async function brandOf(db: Db, kind: BrandedThing, id: string): Promise<string | null | undefined> {
  const found = await firstRow<{ brand: string | null }>(db, statementOf(kind, id));
  return found && found.brand;
}

function statementOf(kind: BrandedThing, id: string) {
  switch (kind) {
    case "campaign":
      return sql`select brand from campaigns where id = ${id}::uuid`;
    case "sequence":
      return sql`select brand from sequences where id = ${id}::uuid`;
    case "enrolment":
      return sql`select s.brand from enrolments e join sequences s on s.id = e.sequence_id where e.id = ${id}::uuid`;
    case "follow_up":
      return sql`select c.brand from follow_ups f join campaigns c on c.id = f.campaign_id where f.id = ${id}::uuid`;
    case "action":
      return sql`select coalesce(c.brand, s.brand) as brand from actions a
          left join follow_ups f on f.id = a.follow_up_id left join campaigns c on c.id = f.campaign_id
          left join enrolments e on e.id = a.enrolment_id left join sequences s on s.id = e.sequence_id
        where a.id = ${id}::uuid`;
    case "attention":
      return sql`select brand from attention where id = ${id}::bigint`;
    case "blackout":
      return sql`select brand from blackouts where id = ${id}::bigint`;
    case "source":
      return sql`select brand from suppression_sources where name = ${id} and removed_at is null`;
    case "call":
      return sql`select c.brand from attempts a join campaigns c on c.id = a.campaign_id where a.call_id = ${id}
        order by a.id desc limit 1`;
  }
}

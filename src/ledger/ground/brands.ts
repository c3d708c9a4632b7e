import { sql, type SQL } from "drizzle-orm";

import { rows, type Db } from "./connection.ts";
import { listOf } from "./sql.ts";

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
  | "call"
  | "trigger"
  | "delivery"
  | "schedule";

/**
 * The brands of a thing: one, or of a trigger all that it acts for. Empty: of every brand, or of none; undefined: there
 * is no such thing.
 *
 * @param id as the kind has it, and of its form: a UUID, a number, a name, or the platform's id of a call
 */
export async function brandsOf(
  db: Db,
  kind: BrandedThing,
  id: string,
): Promise<readonly string[] | undefined> {
  const found = await rows<{ brand: string | null }>(db, statementOf(kind, id));
  return found.length === 0 ? undefined : found.flatMap(({ brand }) => brand ?? []);
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
    case "trigger":
      return sql`select a.brand from triggers t left join lateral ${actsOfTrigger(sql`t.definition`)} a on true
        where t.name = ${id}`;
    case "delivery":
      return sql`select a.brand from deliveries d join triggers t on t.id = d.trigger_id
          left join lateral ${actsOfTrigger(sql`t.definition`)} a on true
        where d.id = ${id}::uuid`;
    case "schedule":
      return sql`select ${brandInSchedule(sql`definition`)} as brand from schedules where name = ${id}`;
  }
}

/** A brand for each thing that a trigger does (`brandsOfTrigger` says the same), for a `from`. */
function actsOfTrigger(definition: SQL): SQL {
  return sql`(select distinct coalesce(act ->> 'brand', 'default') as brand
    from (values (${definition} -> 'enroll'), (${definition} -> 'event'), (${definition} -> 'exit')) as acts(act)
    where jsonb_typeof(act) = 'object')`;
}

/** As `brandOfSchedule` says. */
function brandInSchedule(definition: SQL): SQL {
  return sql`case when ${definition} #> '{run,campaign}' is not null
    then coalesce(${definition} #>> '{run,brand}', 'default') end`;
}

/** Whose things are listed. */
export interface OfBrands {
  /** Only what is of this brand. Undefined: of all, and of none. */
  brand?: string | undefined;
  /** What whoever asks may see: nothing that is of another brand besides. Undefined: all. */
  within?: readonly string[] | undefined;
}

export function isTriggerOf(definition: SQL, { brand, within }: OfBrands): SQL {
  const acts = actsOfTrigger(definition);
  const isIts =
    brand === undefined ? sql`true` : sql`exists (select 1 from ${acts} of where of.brand = ${brand})`;
  const isWithin =
    within === undefined
      ? sql`true`
      : sql`exists (select 1 from ${acts} any_of)
            and not exists (select 1 from ${acts} of where of.brand not in ${listOf(within, "text")})`;
  return sql`(${isIts} and ${isWithin})`;
}

export function isScheduleOf(definition: SQL, { brand, within }: OfBrands): SQL {
  const its = brandInSchedule(definition);
  const isIts = brand === undefined ? sql`true` : sql`${its} = ${brand}`;
  const isWithin = within === undefined ? sql`true` : sql`${its} in ${listOf(within, "text")}`;
  return sql`(${isIts} and ${isWithin})`;
}

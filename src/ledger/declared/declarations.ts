import { sql, type SQL } from "drizzle-orm";

import { DECLARED_KINDS, type DeclaredKey, type DeclaredKind } from "../../domain/declared/documents.ts";
import { writeAudit } from "../ground/audit.ts";
import { isScheduleOf, isTriggerOf } from "../ground/brands.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { moment, optional, record, text, word, type RecordOf } from "../ground/record.ts";
import { at, json, listOf } from "../ground/sql.ts";

/*
 * What was declared, document by document. What was declared and then pruned is remembered as such: a document that
 * comes back opens again what its going had closed, and nothing that a person closed.
 */

const DECLARATION = record({
  kind: word<DeclaredKind>(),
  brand: text,
  name: text,
  digest: optional(text),
  actor: text,
  appliedAtMs: moment,
});

interface Declared extends RecordOf<typeof DECLARATION> {
  pruned: false;
  /** Of its document. */
  digest: string;
}

/** It was pruned, and not declared again since. */
interface Pruned extends RecordOf<typeof DECLARATION> {
  pruned: true;
  digest: undefined;
}

export type Declaration = Declared | Pruned;

function declarationOf({ digest, ...known }: RecordOf<typeof DECLARATION>): Declaration {
  return digest === undefined ? { ...known, pruned: true, digest } : { ...known, pruned: false, digest };
}

export async function findDeclaration(
  db: Db,
  { kind, brand, name }: DeclaredKey,
): Promise<Declaration | undefined> {
  const row = await firstRow(
    db,
    sql`select ${DECLARATION.columns} from declarations where kind = ${kind} and brand = ${brand} and name = ${name}`,
    DECLARATION,
  );
  return row && declarationOf(row);
}

/** All that are declared, pruned ones left out: people write documents one by one. */
export async function listDeclarations(db: Db, within?: Within): Promise<Declared[]> {
  const found = await rows(
    db,
    sql`select ${DECLARATION.columns} from declarations
        where pruned_at is null and kind in ${listOf(DECLARED_KINDS, "text")} and ${isWithin(within)}
        order by kind, brand, name`,
    DECLARATION,
  );
  return found.map(declarationOf).filter((one) => !one.pruned);
}

/** The brands of whoever asks. Undefined: all. */
type Within = readonly string[] | undefined;

/**
 * What declares for these brands alone. Of a trigger or schedule what is there counts as well: its name may be another
 * brand's by now; of one that was pruned nothing else is left. Automations, attention routes and sources are every brand's.
 */
function isWithin(within: Within): SQL {
  if (within === undefined) return sql`true`;
  const of = { within };
  return sql`case kind
      when 'campaign' then brand in ${listOf(within, "text")}
      when 'sequence' then brand in ${listOf(within, "text")}
      when 'suppression-list' then brand in ${listOf(within, "text")}
      when 'trigger' then (document is null or ${isTriggerOf(sql`document`, of)})
        and not exists (select 1 from triggers t where t.name = declarations.name and not ${isTriggerOf(sql`t.definition`, of)})
      when 'schedule' then (document is null or ${isScheduleOf(sql`document`, of)})
        and not exists (select 1 from schedules s where s.name = declarations.name
          and ${isScheduleOf(sql`s.definition`, of)} is not true)
      else false end`;
}

/** Whether a document was declared, and perhaps pruned since, that is within these brands. */
export async function isDeclaredWithin(
  db: Db,
  { kind, brand, name }: DeclaredKey,
  within: Within,
): Promise<boolean> {
  const found = await rows(
    db,
    sql`select 1 as one from declarations
        where kind = ${kind} and brand = ${brand} and name = ${name} and ${isWithin(within)}`,
  );
  return found.length > 0;
}

/** Writes down that a document is in force; the same one again changes nothing. */
export async function writeDeclaration(
  tx: Db,
  input: { key: DeclaredKey; document: unknown; digest: string; actor: string; nowMs: number },
): Promise<void> {
  const { key, document, digest, actor, nowMs } = input;
  const written = await rows(
    tx,
    sql`insert into declarations as d (kind, brand, name, document, digest, actor, applied_at)
        values (${key.kind}, ${key.brand}, ${key.name}, ${json(document)}, ${digest}, ${actor}, ${at(nowMs)})
        on conflict (kind, brand, name) do update
          set document = excluded.document, digest = excluded.digest, actor = excluded.actor, applied_at = excluded.applied_at,
              pruned_at = null
          where d.digest is distinct from excluded.digest
        returning 1 as one`,
  );
  if (written.length > 0)
    await writeAudit(tx, { nowMs, actor, action: "declaration.apply", detail: { ...key, digest } });
}

/**
 * Writes down that what was declared is declared no more. It is remembered as long as there is something to be opened
 * again (`isClosed`), else forgotten.
 */
export async function writePruned(
  tx: Db,
  input: { key: DeclaredKey; isClosed: boolean; actor: string; nowMs: number },
): Promise<void> {
  const { key, isClosed, actor, nowMs } = input;
  const which = sql`kind = ${key.kind} and brand = ${key.brand} and name = ${key.name} and pruned_at is null`;
  const written = await rows(
    tx,
    isClosed
      ? sql`update declarations set document = null, digest = null, actor = ${actor}, applied_at = ${at(nowMs)}, pruned_at = ${at(nowMs)}
            where ${which} returning 1 as one`
      : sql`delete from declarations where ${which} returning 1 as one`,
  );
  if (written.length > 0)
    await writeAudit(tx, { nowMs, actor, action: "declaration.prune", detail: { ...key } });
}

/** Which of these numbers are not suppressed for good in this scope. `brand` undefined: for every brand. */
export async function notSuppressed(
  db: Db,
  input: { phones: readonly string[]; brand: string | undefined },
): Promise<string[]> {
  const found = await rows<{ phone: string }>(
    db,
    sql`select p.value as phone from jsonb_array_elements_text(${json(input.phones)}) as p(value)
        where not exists (
          select 1 from suppressions s
          where s.phone = p.value and s.brand is not distinct from ${input.brand ?? null}::text
            and s.removed_at is null and s.expires_at is null)`,
  );
  return found.map(({ phone }) => phone);
}

/** The newest run of each campaign that is not over, and of those that are declared; by brand and name. */
export async function listDeclarable(
  db: Db,
  page: { after?: { brand: string; name: string } | undefined; limit: number; within?: Within },
): Promise<{ id: string; brand: string; name: string }[]> {
  const { after, within } = page;
  const isIts = within === undefined ? sql`true` : sql`brand in ${listOf(within, "text")}`;
  const behind =
    after === undefined ? sql`true` : sql`(newest.brand, newest.name) > (${after.brand}, ${after.name})`;
  return rows<{ id: string; brand: string; name: string }>(
    db,
    sql`select id, brand, name from (
          select distinct on (brand, name) id, brand, name, ended_at from campaigns
          where not standing order by brand, name, run desc) as newest
        where ${behind} and ${isIts} and (ended_at is null or exists (
          select 1 from declarations d
          where d.kind = 'campaign' and d.brand = newest.brand and d.name = newest.name and d.pruned_at is null))
        order by brand, name limit ${page.limit}`,
  );
}

import { sql } from "drizzle-orm";

import { writeAudit } from "../ground/audit.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { at, ms } from "../ground/sql.ts";

export interface Tag {
  phone: string;
  tag: string;
  /** Who gave it: `follow-up <rule>`. */
  source: string;
  atMs: number;
}

/** Gives a person a word, within a brand. The same again changes nothing. */
export async function addTag(
  tx: Db,
  input: { brand: string; phone: string; tag: string; source: string; nowMs: number },
): Promise<boolean> {
  const added = await rows(
    tx,
    sql`insert into tags (brand, phone, tag, source, at)
        values (${input.brand}, ${input.phone}, ${input.tag}, ${input.source}, ${at(input.nowMs)})
        on conflict do nothing returning 1 as one`,
  );
  return added.length > 0;
}

/** Takes a word back; the audit keeps it, who gave it when, and the reason. False where the person does not have it. */
export async function removeTag(
  tx: Db,
  input: {
    brand: string;
    phone: string;
    tag: string;
    reason: string | undefined;
    actor: string;
    nowMs: number;
  },
): Promise<boolean> {
  const { brand, phone, tag, actor, nowMs } = input;
  const removed = await firstRow<{ source: string; at_ms: number }>(
    tx,
    sql`delete from tags where brand = ${brand} and phone = ${phone} and tag = ${tag}
        returning source, ${ms(sql`at`)} as at_ms`,
  );
  if (removed === undefined) return false;
  const { source } = removed;
  const givenAt = new Date(removed.at_ms).toISOString();
  const detail = { brand, phone, tag, reason: input.reason ?? null, source, givenAt };
  await writeAudit(tx, { nowMs, actor, action: "tag.remove", detail });
  return true;
}

export interface TagFilter {
  brand: string;
  phone?: string;
  tag?: string;
  /** Go on behind this one. */
  after?: { phone: string; tag: string };
  limit: number;
}

/** Words of a brand's people, by number and word. */
export async function listTags(db: Db, filter: TagFilter): Promise<{ items: Tag[]; total: number }> {
  const { phone, tag, after } = filter;
  const condition = sql.join(
    [
      sql`brand = ${filter.brand}`,
      ...(phone === undefined ? [] : [sql`phone = ${phone}`]),
      ...(tag === undefined ? [] : [sql`tag = ${tag}`]),
    ],
    sql` and `,
  );
  const behind = after === undefined ? sql`true` : sql`(phone, tag) > (${after.phone}, ${after.tag})`;
  const found = await rows<Omit<Tag, "atMs"> & { at_ms: number }>(
    db,
    sql`select phone, tag, source, ${ms(sql`at`)} as at_ms from tags where ${condition} and ${behind}
        order by phone, tag limit ${filter.limit}`,
  );
  const total = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from tags where ${condition}`,
  );
  return { items: found.map(({ at_ms: atMs, ...one }) => ({ ...one, atMs })), total: total?.n ?? 0 };
}

/** Whether somebody in a campaign has a word. */
export async function hasTags(db: Db, campaignId: string): Promise<boolean> {
  const row = await firstRow<{ some: boolean }>(
    db,
    sql`select exists (select 1 from campaigns p join tags t on t.brand = p.brand
                       where p.id = ${campaignId}::uuid
                         and exists (select 1 from contacts c where c.campaign_id = p.id and c.phone = t.phone)) as some`,
  );
  return row?.some ?? false;
}

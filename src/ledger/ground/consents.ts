import { sql, type SQL } from "drizzle-orm";

import type { ConsentBasis, ConsentGiven } from "../../domain/policy/consent.ts";
import { writeAudit } from "./audit.ts";
import { rows, type Db } from "./connection.ts";
import { eitherForm } from "./person-mark.ts";
import { moment, number, optional, record, text, word, type RecordOf } from "./record.ts";
import { at, json, ms } from "./sql.ts";

/*
 * What was said about calls to a number of a brand: consents, and their withdrawal, from whichever door they came.
 * Rows are only ever added. What holds at a moment is read off them (domain/policy/consent.ts).
 */

const CONSENT = record({
  id: number,
  brand: text,
  phone: text,
  /** Undefined: all consent until then was withdrawn. */
  basis: optional(word<ConsentBasis>()),
  /** When it was given, or withdrawn. */
  atMs: moment,
  /** Where it can be seen; of a withdrawal, why. */
  proof: optional(text),
  expiresAtMs: optional(moment),
  /** Through which door it came. */
  source: text,
  recordedAtMs: moment,
});

export interface Consent extends RecordOf<typeof CONSENT> {}

export type NewConsent = ConsentGiven & { phone: string };

/**
 * Keeps consents. The same again is there once; one that says otherwise of the same moment is kept beside it, and holds.
 *
 * @returns how many were not there.
 */
export async function recordConsents(
  tx: Db,
  input: { brand: string; consents: readonly NewConsent[]; source: string; nowMs: number },
): Promise<number> {
  const { brand, consents, source, nowMs } = input;
  if (consents.length === 0) return 0;
  await rows(tx, sql`insert into brands (id) values (${brand}) on conflict do nothing`);
  const written = await rows(
    tx,
    sql`insert into consents (brand, phone, basis, at, proof, expires_at, source, recorded_at)
        select ${brand}, r.phone, r.basis, r.at, r.proof, r.expires, ${source}, ${at(nowMs)}
        from jsonb_to_recordset(${json(
          consents.map(({ phone, basis, obtainedAtMs, proof, expiresAtMs }) => ({
            phone,
            basis,
            at: new Date(obtainedAtMs).toISOString(),
            proof,
            expires: expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString(),
          })),
        )}) as r(phone text, basis text, at timestamptz, proof text, expires timestamptz)
        order by r.phone, r.at, r.basis, r.expires, r.proof
        on conflict on constraint consents_once do nothing returning 1 as one`,
  );
  return written.length;
}

/** Notes that somebody does not consent to being called any more, from now on: whatever was given before, by whichever clock. */
export async function withdrawConsent(
  tx: Db,
  input: { brand: string; phone: string; reason: string; source: string; actor: string; nowMs: number },
): Promise<void> {
  const { brand, phone, reason, source, actor, nowMs } = input;
  await rows(tx, sql`insert into brands (id) values (${brand}) on conflict do nothing`);
  await rows(
    tx,
    sql`insert into consents (brand, phone, at, proof, source, recorded_at)
        values (${brand}, ${phone}, greatest(${at(nowMs)}, ${lastGiven(sql`${phone}`, brand, nowMs)}), ${reason}, ${source}, ${at(nowMs)})
        on conflict on constraint consents_once do nothing`,
  );
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "consent.withdraw",
    detail: { brand, phone, reason },
    event: { type: "consent.withdrawn", brand, data: { actor, phone, reason } },
  });
}

/** What was given an hour before by a clock that is ahead is withdrawn all the same; what is said to be of next year is none. */
const CLOCKS_APART_MS = 24 * 3_600_000;

/** When the last consent was given that somebody may mean who withdraws it now. */
function lastGiven(phone: SQL, brand: string, nowMs: number): SQL {
  return sql`(select max(g.at) from consents g where g.phone in ${eitherForm(phone)} and g.brand = ${brand}
                and g.basis is not null and g.at <= ${at(nowMs + CLOCKS_APART_MS)})`;
}

/** Records of a number that are read: nobody has as many who is not asked over and over. */
export const MOST_RECORDS = 50;

/** What was said of a number of a brand, the newest first. */
export function listConsents(db: Db, { brand, phone }: { brand: string; phone: string }): Promise<Consent[]> {
  return rows(
    db,
    sql`select ${CONSENT.columns} from consents where phone in ${eitherForm(sql`${phone}`)} and brand = ${brand}
        order by at desc, id desc limit ${MOST_RECORDS}`,
    CONSENT,
  );
}

/** The same as a value of a statement: by the index of a number, no further than that. The newest last. */
export function consentsOf(phone: SQL, brand: string): SQL {
  return sql`(select jsonb_agg(jsonb_build_object('basis', k.basis, 'atMs', ${ms(sql`k.at`)}, 'expiresAtMs', ${ms(sql`k.expires_at`)})
                order by k.at, k.id)
              from (select o.id, o.basis, o.at, o.expires_at from consents o where o.phone in ${eitherForm(phone)} and o.brand = ${brand}
                    order by o.at desc, o.id desc limit ${MOST_RECORDS}) k)`;
}

/** Whether consent for a number was withdrawn since a moment. */
export function isWithdrawnSince(phone: SQL, brand: string, since: SQL): SQL {
  return sql`exists (select 1 from consents w where w.phone in ${eitherForm(phone)} and w.brand = ${brand} and w.basis is null and w.recorded_at >= ${since})`;
}

import { sql, type SQL } from "drizzle-orm";

/*
 * What stands for a number where it is kept without being readable: in the audit, in suppressions and consents of
 * whoever was forgotten, and in certificates. It is a digest of the installation's own key and the number, so that
 * whoever has the number finds it again, and whoever has only some rows of the ledger can't tell whose they are. The key
 * is in the ledger, and there are few numbers: whoever has the whole ledger can try them all. It is a pseudonym, no
 * anonymity.
 */

/** How every mark begins: no number does. */
const MARK_PREFIX = "person:";

/** Of a text, its mark. The key is read once for a statement, whatever number of rows it is over. */
export function personMark(phone: SQL): SQL {
  return sql`(${MARK_PREFIX}::text || encode(sha256(convert_to((select person_key from installation) || (${phone})::text, 'UTF8')), 'hex'))`;
}

/** A number in either form: as it is, or as its mark. To be used as `phone in ${eitherForm(...)}`. */
export function eitherForm(phone: SQL): SQL {
  return sql`(${phone}, ${personMark(phone)})`;
}

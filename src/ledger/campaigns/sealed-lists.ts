import { splitSensitive } from "../../domain/campaigns/sensitive-spec.ts";
import { numberIn } from "../../domain/ground/number-in-text.ts";
import type { Sealed } from "../../domain/ground/sealed.ts";
import { createBreather } from "../ground/breather.ts";
import { DataKeys } from "../ground/data-keys.ts";
import type { ReadContact, ReadRow } from "./list-imports.ts";

/* Rows of a list with sensitive columns, as they are written: whoever reads the ledger reads none of these. */

/** Somebody of a list, whose sensitive values are sealed and not among the variables. */
export type SealedContact = ReadContact & { sealed?: Sealed };

/** @throws NoDataKeyError where there is something to seal and no key. */
export async function sealedIn(
  contacts: readonly ReadContact[],
  sensitive: readonly string[],
  dataKeys = new DataKeys(),
): Promise<SealedContact[]> {
  if (sensitive.length === 0) return [...contacts];
  const breathe = createBreather();
  const sealed: SealedContact[] = [];
  for (const contact of contacts) {
    const { open, secret } = splitSensitive(contact.variables, sensitive);
    const isBare = Object.keys(secret).length === 0;
    sealed.push({
      ...contact,
      variables: open,
      ...(!isBare && { sealed: dataKeys.seal(contact.phone, secret) }),
    });
    await breathe();
  }
  return sealed;
}

/** Of a row that made no contact the number stays, by which somebody finds it, and nothing else of its text. */
export function withheldIn(rows: readonly ReadRow[], sensitive: readonly string[]): readonly ReadRow[] {
  if (sensitive.length === 0) return rows;
  return rows.map((row) =>
    row.kind === "contact"
      ? row
      : {
          ...row,
          raw: `${numberIn(row.raw) ?? ""} (the rest is withheld: the list has sensitive columns)`.trim(),
        },
  );
}

import type { ActivityDeps } from "../../activities/deps.ts";
import { createGuestBreather } from "../../ledger/ground/breather.ts";
import { CannotOpenError } from "../../ledger/ground/data-keys.ts";
import { listSealedWith, writeSealedAnew, type SealedRow } from "../../ledger/ground/sealed-contacts.ts";

/** Contacts of one statement: some milliseconds of the embedded ledger's connection, and of row locks. */
const AT_ONCE = 100;

/** Statements of one turn: a hundred thousand contacts, and the next turn goes on. */
const MOST_A_TURN = 1_000;

/**
 * Seals with the current key what an older one has sealed, so that the older one can be taken out of the settings.
 *
 * Safe to repeat, to be cut off and to be done by two: a contact is written only where it is still sealed with the key
 * that its values were opened with. What does not open is left as it is, and told where somebody is to be called.
 *
 * @returns how many contacts were sealed anew.
 */
export async function sealAnew({
  ledger,
  dataKeys,
  log,
}: Pick<ActivityDeps, "ledger" | "dataKeys" | "log">): Promise<number> {
  const breathe = createGuestBreather();
  let sealed = 0;
  let left = MOST_A_TURN;
  for (const keyId of dataKeys?.ids.slice(1) ?? []) {
    let page: SealedRow[] | undefined;
    for (let after = 0; left > 0 && (page === undefined || page.length === AT_ONCE); left -= 1) {
      page = await listSealedWith(ledger.db, { keyId, after, limit: AT_ONCE });
      after = page.at(-1)?.id ?? after;
      const anew = [];
      for (const { id, phone, values } of page) {
        try {
          const opened = dataKeys?.open(phone, { with: keyId, values });
          if (dataKeys && opened) anew.push({ id, sealed: dataKeys.seal(phone, opened) });
        } catch (error) {
          if (!(error instanceof CannotOpenError)) throw error;
          log.warn({ contactId: id, error: error.message }, "sensitive values can't be sealed anew");
        }
        await breathe();
      }
      if (anew.length > 0) sealed += await writeSealedAnew(ledger.db, { keyId, anew });
    }
  }
  if (sealed > 0) log.info({ contacts: sealed }, "sensitive values were sealed with the current data key");
  return sealed;
}

import type { ActivityDeps } from "../../activities/deps.ts";
import { createGuestBreather } from "../../ledger/ground/breather.ts";
import { CannotOpenError } from "../../ledger/ground/data-keys.ts";
import {
  listSealedWith,
  SEALED_TABLES,
  writeSealedAnew,
  type SealedRow,
  type SealedTable,
} from "../../ledger/ground/sealed-rows.ts";

/** Rows of one statement: some milliseconds of the embedded ledger's connection, and of row locks. */
const AT_ONCE = 100;

/** Statements of one turn: a hundred thousand rows, and the next turn goes on. */
const MOST_A_TURN = 1_000;

type Deps = Pick<ActivityDeps, "ledger" | "dataKeys" | "log">;

/**
 * Seals with the current key what an older one has sealed, so that the older one can be taken out of the settings.
 *
 * Safe to repeat, to be cut off and to be done by two: a row is written only where it is still sealed with the key that
 * its values were opened with. What does not open is left as it is, and told where somebody is to be called.
 *
 * @returns how many contacts and enrolments were sealed anew.
 */
export async function sealAnew(deps: Deps): Promise<number> {
  const sealed = { contacts: 0, enrolments: 0 };
  let left = MOST_A_TURN;
  for (const keyId of deps.dataKeys?.ids.slice(1) ?? []) {
    for (const table of SEALED_TABLES) {
      const { statements, written } = await sealTable(deps, { table, keyId, most: left });
      left -= statements;
      sealed[table] += written;
    }
  }
  const all = sealed.contacts + sealed.enrolments;
  if (all > 0) deps.log.info(sealed, "sensitive values were sealed with the current data key");
  return all;
}

async function sealTable(
  { ledger, dataKeys, log }: Deps,
  { table, keyId, most }: { table: SealedTable; keyId: string; most: number },
): Promise<{ statements: number; written: number }> {
  const breathe = createGuestBreather();
  let written = 0;
  let statements = 0;
  let page: SealedRow[] | undefined;
  for (
    let after: string | undefined;
    statements < most && (page === undefined || page.length === AT_ONCE);
    statements += 1
  ) {
    page = await listSealedWith(ledger.db, { table, keyId, after, limit: AT_ONCE });
    after = page.at(-1)?.id ?? after;
    const anew = [];
    for (const { id, phone, values } of page) {
      try {
        const opened = dataKeys?.open(phone, { with: keyId, values });
        if (dataKeys && opened) anew.push({ id, sealed: dataKeys.seal(phone, opened) });
      } catch (error) {
        if (!(error instanceof CannotOpenError)) throw error;
        log.warn({ table, id, error: error.message }, "sensitive values can't be sealed anew");
      }
      await breathe();
    }
    if (anew.length > 0) written += await writeSealedAnew(ledger.db, { table, keyId, anew });
  }
  return { statements, written };
}

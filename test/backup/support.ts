import { sql } from "drizzle-orm";

import { createToken, revokeToken, type TokensInForce } from "../../src/ledger/ground/api-tokens.ts";
import { rows, type Db } from "../../src/ledger/ground/connection.ts";
import { beginSession } from "../../src/ledger/ground/sessions.ts";
import { createSignInCode } from "../../src/ledger/ground/sign-in-codes.ts";
import { NOW_MS } from "../ledger/support/scenario.ts";

/** What is said of the tokens that `letIn` makes. */
export const LET_IN: TokensInForce = {
  count: 22,
  names: Array.from({ length: 20 }, (_, n) => `crm-${String(n).padStart(2, "0")}`),
};

/** Twenty-two tokens in force, one that is over and one that was revoked, somebody who is signed in, and a link. */
export async function letIn(db: Db): Promise<void> {
  const by = { actor: "test", nowMs: NOW_MS - 60_000 };
  const create = (name: string, expiresAtMs?: number) =>
    createToken(db, { name, role: "viewer", brands: undefined, expiresAtMs, ...by });
  for (let n = 0; n < 22; n += 1) await create(`crm-${String(n).padStart(2, "0")}`);
  await create("a-week", NOW_MS - 1);
  await create("away");
  await revokeToken(db, { name: "away", reason: "a test", ...by });
  const rights = { role: "viewer", brands: undefined } as const;
  await beginSession(
    db,
    { kind: "person", name: "ann@example.com", ...rights },
    { nowMs: by.nowMs, lifeMs: 3_600_000 },
  );
  const maker = { tokenId: undefined, systemMark: undefined, madeIn: undefined, sessionEndsAtMs: undefined };
  await createSignInCode(db, { name: "ben", ...rights, maker, ...by });
}

/** What would let a browser in. */
export async function signedIn(db: Db): Promise<string[]> {
  const found = await rows<{ what: string }>(
    db,
    sql`select 'session' as what from sessions union all select 'code' from sign_in_codes order by what`,
  );
  return found.map(({ what }) => what);
}

import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { rows, type Db } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers } from "../../support/ledgers.ts";

describeLedgers("a statement that comes after its transaction", (ledger) => {
  it.each(["committed", "rolled back"])("that was %s is refused, and is in nobody else's", async (how) => {
    await rows(ledger().db, sql`create table if not exists late (what text)`);
    await rows(ledger().db, sql`delete from late`);
    const begun: Db[] = [];
    const first = ledger().transaction(async (tx) => {
      begun.push(tx);
      await rows(tx, sql`select 1`);
      if (how === "rolled back") throw new RangeError("thought better of it");
    });
    await first.catch(() => {});
    const attempts: Promise<unknown>[] = [];
    // Several, so that on PostgreSQL one of them has the same connection.
    const others = [1, 2, 3].map(() =>
      ledger().transaction(async (tx) => {
        await rows(tx, sql`select 2`);
        for (const over of begun) {
          const late = rows(over, sql`insert into late values ('late')`);
          attempts.push(late);
          await late.catch(() => {});
        }
      }),
    );
    await Promise.all(others);
    for (const attempt of attempts) await expect(attempt).rejects.toThrow("transaction that is over");
    expect(await rows(ledger().db, sql`select what from late`)).toEqual([]);
  });
});

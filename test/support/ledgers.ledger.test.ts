import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { firstRow } from "../../src/ledger/ground/connection.ts";
import { describeSomeLedger, elsewhere } from "./ledgers.ts";

describeSomeLedger("a transaction of a suite", (ledger) => {
  it("is told of what it does beside itself on PostgreSQL, since the embedded ledger would wait for it without end", async () => {
    if (ledger().kind === "embedded") return;
    const beside = () => firstRow<{ one: number }>(ledger().db, sql`select 1 as one`);
    const within = <T>(work: () => Promise<T>) =>
      ledger().transaction(async (tx) => {
        expect(await firstRow<{ one: number }>(tx, sql`select 1 as one`)).toEqual({ one: 1 });
        return work();
      });
    await expect(within(beside)).rejects.toThrow("a statement in a transaction, and not of it");
    await expect(within(() => within(beside))).rejects.toThrow(
      "a transaction in a transaction, and not of it",
    );
    expect(await within(() => Promise.resolve(beside))).toBe(beside);
    expect(await within(() => elsewhere(beside))).toEqual({ one: 1 });
    expect(await beside()).toEqual({ one: 1 });
  });

  it("may have begun what comes when it is over", async () => {
    let goOn: () => void = () => {};
    const later = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let begun: Promise<unknown> = Promise.resolve();
    await ledger().transaction(async (tx) => {
      begun = later.then(() => firstRow(ledger().db, sql`select 1 as one`));
      await firstRow(tx, sql`select 1 as one`);
    });
    goOn();
    expect(await begun).toEqual({ one: 1 });
  });
});

import { sql } from "drizzle-orm";
import { describe, expect, inject, it } from "vitest";

import { firstRow, LedgerUnavailableError, rows } from "../../../src/ledger/ground/connection.ts";
import { openPostgresLedger } from "../../../src/ledger/ground/postgres.ts";
import { given } from "../../support/ledgers.ts";
import { createDatabase } from "../../support/postgres.ts";
import { startTcpProxy } from "../../support/tcp-proxy.ts";
import { until } from "../../support/until.ts";

describe.skipIf(inject("postgresUrl") === undefined)("a connection to PostgreSQL that is lost", () => {
  /** Longer than a busy machine takes for a connection, where no test waits for it to be over. */
  const open = async ({ answerTimeoutMs = 60_000, connectTimeoutMs = 20_000 } = {}) => {
    const url = await createDatabase(given(inject("postgresUrl")));
    const proxy = await startTcpProxy(url);
    const lost: Error[] = [];
    const ledger = await openPostgresLedger({
      url: proxy.through(url),
      maxConnections: 2,
      connectTimeoutMs,
      answerTimeoutMs,
      onError: (error) => lost.push(error),
    });
    return { proxy, ledger, lost };
  };

  it("between two statements of a transaction ends that transaction, and neither the process nor the next one", async () => {
    const { proxy, ledger, lost } = await open();
    const broken = ledger.transaction(async (tx) => {
      await rows(tx, sql`create table kept (n int)`);
      // The other connection, idle then: its loss is told, and comes with that of ours.
      await rows(ledger.db, sql`select 1`);
      await proxy.cut("refused");
      await until("the loss to arrive", () => lost.length > 0);
      await rows(tx, sql`insert into kept values (1)`);
    });
    await expect(broken).rejects.toBeInstanceOf(LedgerUnavailableError);
    await expect(rows(ledger.db, sql`select 1`)).rejects.toBeInstanceOf(LedgerUnavailableError);
    await proxy.mend();
    const found = await until("the ledger to answer again", async () => {
      try {
        return await firstRow<{ found: string | null }>(
          ledger.db,
          sql`select to_regclass('kept')::text as found`,
        );
      } catch {
        return undefined;
      }
    });
    expect(found).toEqual({ found: null });
    await ledger.close();
    await proxy.close();
  });

  it("without a word is told as a ledger that does not answer, by those who wait for a connection, too", async () => {
    const { proxy, ledger } = await open({ connectTimeoutMs: 2_000 });
    await rows(ledger.db, sql`select 1`);
    await proxy.cut("silent");
    // As many as there are connections hang; the others are told in time.
    const hanging = [1, 2].map(() => rows(ledger.db, sql`select 1`).catch((error: unknown) => error));
    await expect(rows(ledger.db, sql`select 1`)).rejects.toBeInstanceOf(LedgerUnavailableError);
    await proxy.mend();
    for (const one of hanging) expect(await one).toBeInstanceOf(LedgerUnavailableError);
    await ledger.close();
    await proxy.close();
  });

  it("as its transaction begins is not missed by those that come later, however often it happens", async () => {
    const { proxy, ledger } = await open();
    for (let outage = 1; outage <= 3; outage += 1) {
      await rows(ledger.db, sql`select 1`);
      await proxy.cut("silent");
      const broken = ledger.transaction((tx) => rows(tx, sql`select 1`)).catch((error: unknown) => error);
      await proxy.mend();
      expect(await broken).toBeInstanceOf(LedgerUnavailableError);
    }
    expect(await ledger.transaction((tx) => rows(tx, sql`select 1 as one`))).toEqual([{ one: 1 }]);
    await ledger.close();
    await proxy.close();
  });

  it("without a word is given up when no answer can come any more", async () => {
    const { proxy, ledger } = await open({ answerTimeoutMs: 2_000 });
    await rows(ledger.db, sql`select 1`);
    await proxy.cut("silent");
    await expect(ledger.transaction((tx) => rows(tx, sql`select 1`))).rejects.toBeInstanceOf(
      LedgerUnavailableError,
    );
    await ledger.close();
    await proxy.close();
  });
});

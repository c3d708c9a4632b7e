import { sql } from "drizzle-orm";
import fs from "node:fs";
import { beforeAll, describe, expect, inject, it } from "vitest";

import { rows } from "../../../src/ledger/ground/connection.ts";
import { lockDataDir } from "../../../src/ledger/ground/data-dir-lock.ts";
import { openEmbeddedLedger } from "../../../src/ledger/ground/embedded.ts";
import { inspectPostgres } from "../../../src/ledger/ground/inspection.ts";
import { LedgerTooNewError, migrationStatus } from "../../../src/ledger/ground/migrate.ts";
import { openPostgresLedger } from "../../../src/ledger/ground/postgres.ts";
import { describeLedgers, freshDataDir, given } from "../../support/ledgers.ts";
import { createDatabase, LEDGER_TEMPLATE } from "../../support/postgres.ts";
import { builtFolder } from "../../support/build.ts";
import { runChild } from "../support/child.ts";
import { freshPhones, plan, running } from "../support/scenario.ts";

const OPEN = `
  const { openPostgresLedger } = await import(LEDGER + "/ledger/ground/postgres.js");
  say("ready");
  await told;
  const ledger = await openPostgresLedger({ url: ARGS.url, maxConnections: 2 });
  say("open");
  await ledger.close();
`;

/**
 * Makes a ledger into one of the versions before the baseline: fourteen migrations under their own times, or the
 * first of them alone, which counts as many as this version has.
 */
const fromBefore = (migrations: number) => sql`with gone as (delete from drizzle.__drizzle_migrations)
  insert into drizzle.__drizzle_migrations (hash, created_at)
  select 'before the baseline', 1795270575921 + 1000 * n from generate_series(0, ${migrations}::int - 1) n`;

/** A migration that no version of this program has, and that builds which do not know it must not go on with. */
const FROM_THE_FUTURE = sql`with floor as (update ledger_schema set oldest_build = 9999999999999)
  insert into drizzle.__drizzle_migrations (hash, created_at) values ('from the future', 9999999999999)`;

describe.skipIf(inject("postgresUrl") === undefined)("migrations on PostgreSQL", () => {
  let built: string | undefined;
  beforeAll(async () => {
    built = await builtFolder();
  });

  it("are made once by five processes that open an empty database at the same moment", async () => {
    const url = await createDatabase(given(inject("postgresUrl")));
    const children = Array.from({ length: 5 }, () => runChild(given(built), OPEN, { url }));
    await Promise.all(children.map((child) => child.line((line) => line === '"ready"')));
    const ends = await Promise.all(children.map((child) => child.finish()));
    expect([ends, children.map((child) => child.errors())]).toEqual([
      [0, 0, 0, 0, 0],
      ["", "", "", "", ""],
    ]);
    const ledger = await openPostgresLedger({ url, maxConnections: 2 });
    const { applied, known } = await migrationStatus(ledger.db);
    expect(applied).toBe(known);
    await ledger.close();
  });

  it("of a newer version are refused, and nothing is changed", async () => {
    const url = await createDatabase(given(inject("postgresUrl")));
    const ledger = await openPostgresLedger({ url, maxConnections: 2 });
    await rows(ledger.db, FROM_THE_FUTURE);
    const { applied, known } = await migrationStatus(ledger.db);
    expect(applied).toBe(known + 1);
    await ledger.close();
    expect((await inspectPostgres(url)).migrations).toMatchObject({
      applied,
      known,
      unknown: 1,
      isBorne: false,
    });
    const refusal = await openPostgresLedger({ url, maxConnections: 2 }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(LedgerTooNewError);
    expect(String(refusal)).toContain("run the version that wrote it, or a newer one");
  });

  it.each([1, 14])(
    "of versions before the baseline, %i of them, are refused, and none is added",
    async (migrations) => {
      const url = await createDatabase(given(inject("postgresUrl")), { template: LEDGER_TEMPLATE });
      const ledger = await openPostgresLedger({ url, maxConnections: 2 });
      await rows(ledger.db, fromBefore(migrations));
      await ledger.close();
      const refusal = await openPostgresLedger({ url, maxConnections: 2 }).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(LedgerTooNewError);
      expect(String(refusal)).toContain(`${migrations} of the ${migrations} migrations`);
      expect(String(refusal)).toContain(
        "a ledger from before the release of 0.1.0 is read by no later version",
      );
      const found = await inspectPostgres(url);
      expect(found.migrations).toMatchObject({ applied: migrations, unknown: migrations });
      expect(found.installation).toBeUndefined();
    },
  );

  it("are not made where nobody answers, and that is said as such", async () => {
    const url = "postgres://nobody@127.0.0.1:1/none";
    await expect(openPostgresLedger({ url, maxConnections: 1 })).rejects.toMatchObject({
      name: "LedgerUnavailableError",
    });
  });
});

describe("migrations of an embedded ledger", () => {
  it("of a newer version are refused, and the folder is free again for that version", async () => {
    const dataDir = freshDataDir();
    const ledger = await openEmbeddedLedger(dataDir);
    await rows(ledger.db, FROM_THE_FUTURE);
    await ledger.close();
    await expect(openEmbeddedLedger(dataDir)).rejects.toThrow(LedgerTooNewError);
    lockDataDir(dataDir).release();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });

  it("of a version before the baseline are refused, and nothing of its ledger is changed", async () => {
    const dataDir = freshDataDir();
    const ledger = await openEmbeddedLedger(dataDir);
    await rows(ledger.db, fromBefore(1));
    await ledger.close();
    await expect(openEmbeddedLedger(dataDir)).rejects.toThrow("read by no later version");
    lockDataDir(dataDir).release();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });
});

describeLedgers("a ledger's schema", (ledger) => {
  it("has every index and constraint that the statements lean on, the same on both kinds", async () => {
    const found = await rows<{ name: string }>(
      ledger().db,
      sql`select indexname as name from pg_indexes where schemaname = 'public' order by 1`,
    );
    expect(found.map((row) => row.name)).toEqual(
      expect.arrayContaining([
        "attempts_batch",
        "attempts_contact",
        "attempts_contact_no",
        "attempts_one_open_per_phone",
        "batches_unsettled",
        "contacts_campaign_phone",
        "contacts_due",
        "holds_open",
        "suppressions_once",
        "suppressions_phone",
      ]),
    );
  });

  it("holds by itself what must never be, whatever is written", async () => {
    const id = await running(ledger(), freshPhones(2));
    await plan(ledger(), id);
    const copy = (column: string, value: string) =>
      rows(
        ledger().db,
        sql`insert into attempts (campaign_id, contact_id, attempt_no, phone, batch_id, policy_version, state, planned_at)
            select campaign_id, contact_id, attempt_no, phone, batch_id, policy_version, state, planned_at
            from (select (a.r).* from (select jsonb_populate_record(t, jsonb_build_object(${column}::text, ${value}::text)) as r
                  from attempts t where t.campaign_id = ${id}::uuid order by t.id limit 1) a) c`,
      ).then(
        () => "written",
        (error: unknown) => String(error),
      );
    // One open attempt on a number, over everything.
    expect(await copy("attempt_no", "2")).toContain("attempts_one_open_per_phone");
    // One attempt of a number of a contact, unless it was given back.
    expect(await copy("state", "ended")).toContain("attempts_contact_no");
    expect(await copy("state", "returned")).toBe("written");
    await expect(
      rows(ledger().db, sql`update batches set held = slots + 1 where campaign_id = ${id}::uuid`),
    ).rejects.toThrow();
    await expect(rows(ledger().db, sql`insert into installation (one) values (false)`)).rejects.toThrow();
  });
});

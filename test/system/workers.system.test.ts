import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { rows } from "../../src/ledger/ground/connection.ts";
import { openPostgresLedger } from "../../src/ledger/ground/postgres.ts";
import { expectAccounted } from "../support/accounts.ts";
import { until } from "../support/engine.ts";
import { given } from "../support/ledgers.ts";
import { createDatabase } from "../support/postgres.ts";
import { dialsOf, endOf, finalLine, openStage, type Stage } from "./support/stage.ts";

describe.skipIf(inject("postgresUrl") === undefined)("workers beside each other on PostgreSQL", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it("share a campaign; one that is asked to end drains and exits with 0, and the other finishes", async () => {
    const url = await createDatabase(given(inject("postgresUrl")));
    const settings = stage.settings(stage.dataDir(), { DATABASE_URL: url });
    const loud = { ...settings, OUTDIAL_API_PORT: "0", OUTDIAL_LOG_LEVEL: "info" };
    const server = stage.start(["server"], loud);
    // At once: whoever comes first brings the schema up to date.
    const [one, two] = [stage.start(["worker"], loud), stage.start(["worker"], loud)];
    const [, apiUrl] = await server.waitFor(/"apiUrl":"([^"]+)"/);
    const client = { ...settings, OUTDIAL_API_URL: given(apiUrl) };
    for (const worker of [one, two]) await worker.waitFor(/the worker runs/);

    const list = stage.list(150);
    const dials = () => dialsOf(stage, list).reduce((sum, n) => sum + n, 0);
    for (const args of [
      ["campaign", "create", stage.spec("shared", "concurrency: 5"), "--contacts", list],
      ["campaign", "start", "shared"],
    ]) {
      const told = await stage.outdial(args, client);
      expect(told, told.stderr).toMatchObject({ code: 0 });
    }
    const asUsual = stage.slowCalls();
    await until("dials", () => dials() >= 10);
    one.child.kill("SIGTERM");
    const drained = await endOf(one, "a worker that was asked to end");
    expect(drained, drained.stderr).toMatchObject({ code: 0 });
    expect(drained.stderr).toContain("the worker has ended");
    expect(dials(), "the campaign was under way when the worker ended").toBeLessThan(150);
    asUsual();

    const watched = await stage.outdial(["campaign", "watch", "shared", "--json"], client);
    expect(watched, watched.stderr).toMatchObject({ code: 0 });
    const line = finalLine(watched);
    expect(line).toMatchObject({
      state: "completed",
      contacts: { total: 150, done: 150 },
      attempts: dials(),
    });
    const ledger = await openPostgresLedger({ url, maxConnections: 2 });
    await expectAccounted({ ledger, sandbox: stage.sandbox }, line.campaign_id);

    // Whoever drained was missed by nobody; whoever is killed is, long before its heartbeats are.
    const MISSED = "a worker is gone without having ended";
    expect(two.stderr() + two.stdout()).not.toContain(MISSED);
    const three = stage.start(["worker"], loud);
    // It looked behind a question of the new one, which had its name by then: connections are there before they have.
    await until("the other worker has seen it", async () => {
      const [seen] = await rows<{ n: number }>(
        ledger.db,
        sql`select count(*)::int as n from pg_stat_activity one join pg_stat_activity other on other.pid <> one.pid
            where one.datname = current_database() and other.datname = current_database()
              and one.application_name like 'outdial worker %' and other.application_name like 'outdial worker %'
              and one.backend_start < other.backend_start and one.query_start > other.query_start
              and one.state = 'idle'`,
      );
      return seen?.n === 1;
    });
    await three.kill();
    await two.waitFor(new RegExp(MISSED));
    await ledger.close();
    for (const process of [two, server]) expect(await process.end(), process.stderr()).toBe(0);
  });
});

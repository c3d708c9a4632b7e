import pg from "pg";
import { describe, expect, inject, it } from "vitest";

import { keepPresence, type WorkerPresence } from "../../../src/ledger/ground/worker-presence.ts";
import { given } from "../../support/ledgers.ts";
import { createDatabase } from "../../support/postgres.ts";
import { until } from "../../support/until.ts";

const peersOf = async (presence: WorkerPresence) => (await presence.peers()).peers;

describe.skipIf(inject("postgresUrl") === undefined)("workers of one ledger on PostgreSQL", () => {
  it("see each other come, leave and be gone, and are seen again when their connection was cut", async () => {
    const url = await createDatabase(given(inject("postgresUrl")));
    const [one, two] = [keepPresence(url, "one"), keepPresence(url, "two")];
    expect(await one.peers()).toEqual({ peers: [], isConnectedAnew: true });
    expect(await two.peers()).toEqual({ peers: [{ name: "one", leaves: false }], isConnectedAnew: true });
    expect(await one.peers()).toEqual({ peers: [{ name: "two", leaves: false }], isConnectedAnew: false });

    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'outdial worker two'",
    );
    await admin.end();
    await until("it to be gone", async () => (await peersOf(one)).length === 0);
    // What is asked first may still go into the connection that was cut.
    const seen = await until("it to see others again", () => two.peers().catch(() => undefined));
    expect(seen).toEqual({ peers: [{ name: "one", leaves: false }], isConnectedAnew: true });
    expect(await peersOf(one)).toEqual([{ name: "two", leaves: false }]);

    await two.leave();
    expect(await peersOf(one)).toEqual([{ name: "two", leaves: true }]);
    await two.close();
    await until("it to be gone", async () => (await peersOf(one)).length === 0);
    await one.close();
  });
});

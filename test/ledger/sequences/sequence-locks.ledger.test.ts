import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { lockCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { putOutbox } from "../../../src/ledger/ground/outbox.ts";
import { given, openFreshPostgres } from "../../support/ledgers.ts";
import { until } from "../../support/until.ts";
import {
  callOf,
  CALL_THEN_END,
  END,
  enrolled,
  enrolmentOf,
  put,
  say,
  storedDefinitionOf,
  turn,
  written,
} from "../support/enrolling.ts";
import { NOW_MS } from "../support/scenario.ts";

describe.skipIf(inject("postgresUrl") === undefined)("sequences under way (PostgreSQL)", () => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openFreshPostgres(5);
  });
  afterAll(() => ledger?.close());

  const somebodyWaits = () =>
    until("somebody to wait for a lock", async () => {
      const waiting = await rows(
        ledger.db,
        sql`select 1 as one from pg_locks l join pg_database d on d.datname = current_database()
            join pg_stat_activity a on a.pid = l.pid and a.datid = d.oid where not l.granted`,
      );
      return waiting.length > 0;
    });

  it("a turn that takes a call back in one campaign and places one in another locks both in the order of all", async () => {
    // Which of both campaigns is the lower one is chance: it goes on to and fro until it goes from the higher one.
    const definition = storedDefinitionOf([
      { id: "a", call: {} },
      { id: "b", call: {}, next: "a" },
    ]);
    await put(ledger, definition);
    const id = await enrolled(ledger, definition.name);
    const ofA = given((await turn(ledger, id)).campaignIds[0]);
    await say(ledger, id, "skip");
    const { campaignId: ofB } = await callOf(ledger, id, 2);
    // Whoever waits for the first of both does not hold the second.
    const [lower, higher] = [ofA, ofB].toSorted() as [string, string];
    if (higher === ofA) await say(ledger, id, "skip");
    let commanded: Promise<unknown> | undefined;
    await ledger.transaction(async (tx) => {
      await lockCampaign(tx, lower);
      commanded = say(ledger, id, "skip");
      commanded.catch(() => {});
      await somebodyWaits();
      const free = await rows(
        ledger.db,
        sql`select 1 as one from campaigns where id = ${higher}::uuid for update skip locked`,
      );
      expect(free).toHaveLength(1);
    });
    await commanded;
    expect((await callOf(ledger, id, higher === ofA ? 4 : 3)).campaignId).toBe(lower);
  });

  it.each(["exit", "skip"] as const)(
    "a person's %s and the end of the call that it takes back do not fail each other",
    async (command) => {
      const sequence = await written(ledger, [...CALL_THEN_END, END]);
      const id = await enrolled(ledger, sequence.name);
      const campaignId = given((await turn(ledger, id)).campaignIds[0]);
      let commanded: Promise<unknown> | undefined;
      // As settling does: the campaign's lock first, then the row of the outbox for whom the call ends.
      await ledger.transaction(async (tx) => {
        await lockCampaign(tx, campaignId);
        commanded = say(ledger, id, command);
        commanded.catch(() => {});
        await somebodyWaits();
        await putOutbox(tx, [{ kind: "enrolment", subject: id, dueAtMs: NOW_MS }]);
      });
      await commanded;
      expect((await enrolmentOf(ledger, id)).state).toBe("done");
    },
  );
});

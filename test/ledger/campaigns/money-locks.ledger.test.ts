import { randomUUID } from "node:crypto";

import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { sightingOf, type SeenAgent } from "../../../src/domain/campaigns/agent-sighting.ts";
import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { stretchBegunMs } from "../../../src/domain/campaigns/money-day.ts";
import { noteSighting, takeInAgents } from "../../../src/ledger/campaigns/agents.ts";
import { lockCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows, type Db, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { at } from "../../../src/ledger/ground/sql.ts";
import { openFreshPostgres } from "../../support/ledgers.ts";
import { until } from "../../support/until.ts";
import { callBack } from "../support/placing.ts";
import { DAY_MS, freshPhones, NOW_MS, plan, running, tallies, tell } from "../support/scenario.ts";

describe.skipIf(inject("postgresUrl") === undefined)("money that campaigns share (PostgreSQL)", () => {
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

  const spendingOf = (db: Db, id: string, nowMs: number) =>
    rows(
      db,
      sql`select 1 as one from spending where campaign_id = ${id}::uuid and stretch = ${at(stretchBegunMs(nowMs, []))}
          for update skip locked`,
    );

  /** A campaign with people on a batch that was not started, and its callbacks. */
  const withCallbacks = async (changes: Partial<CampaignSpecInput> = {}) => {
    const [phone = "", ...others] = freshPhones(3);
    const id = await running(ledger, others, changes);
    const callbacksId = await callBack(ledger, id, phone);
    return { id, callbacksId };
  };

  /** Does something to a campaign while somebody settles its callbacks' calls: they take its money's row, too. */
  const whileSettling = async (
    { id, callbacksId }: { id: string; callbacksId: string },
    work: () => Promise<unknown>,
  ) => {
    let worked: Promise<unknown> | undefined;
    await ledger.transaction(async (tx) => {
      await lockCampaign(tx, callbacksId);
      worked = work();
      worked.catch(() => {});
      await somebodyWaits();
      expect(await spendingOf(tx, id, NOW_MS)).toHaveLength(1);
    });
    await worked;
    expect(await tallies(ledger, id)).toMatchObject({ leased: 0 });
  };

  it.each(["pause", "cancel"] as const)(
    "is not held by a %s that waits for whoever settles the callbacks' calls: neither fails the other",
    async (command) => {
      const both = await withCallbacks();
      expect((await plan(ledger, both.id)).batchIds).not.toEqual([]);
      await whileSettling(both, () => tell(ledger, command, both.id));
    },
  );

  it("is not held by news of agents, of which one can't call and another pauses the campaign", async () => {
    const [agentId, other] = [randomUUID(), randomUUID()];
    const see = async (agent: string, seen: Partial<SeenAgent>) =>
      noteSighting(
        ledger.db,
        sightingOf(agent, { agent_name: "Sales", is_published: true, published_version: 3, ...seen }),
        NOW_MS,
      );
    const both = await withCallbacks({
      agent_id: agentId,
      on_agent_change: "pause",
      variants: [{ name: "control" }, { name: "warm", agent_id: other }],
    });
    await see(agentId, {});
    await see(other, {});
    await takeInAgents(ledger, { campaignId: both.id, nowMs: NOW_MS });
    expect((await plan(ledger, both.id)).batchIds).not.toEqual([]);
    await see(agentId, { published_version: 4 });
    await see(other, { is_published: false });
    await whileSettling(both, async () => {
      const news = await takeInAgents(ledger, { campaignId: both.id, nowMs: NOW_MS });
      expect(news).toMatchObject({ isPaused: true });
    });
  });

  it("of several days is given back in the order of the days", async () => {
    const id = await running(ledger, freshPhones(4), { concurrency: 2 });
    const laterMs = NOW_MS + DAY_MS;
    expect((await plan(ledger, id, laterMs)).batchIds).not.toEqual([]);
    await rows(ledger.db, sql`update campaigns set concurrency = 4 where id = ${id}::uuid`);
    expect((await plan(ledger, id, NOW_MS)).batchIds).not.toEqual([]);
    let commanded: Promise<unknown> | undefined;
    await ledger.transaction(async (tx) => {
      expect(await spendingOf(tx, id, NOW_MS)).toHaveLength(1);
      commanded = tell(ledger, "pause", id);
      commanded.catch(() => {});
      await somebodyWaits();
      expect(await spendingOf(ledger.db, id, laterMs), "of the later day").toHaveLength(1);
    });
    await commanded;
    expect(await tallies(ledger, id)).toMatchObject({ leased: 0, open: 4 });
  });
});

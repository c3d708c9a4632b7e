import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";

import { stallWatch } from "../../../src/chores/campaigns/watch-stalls.ts";
import { listAttention, raiseAttention } from "../../../src/ledger/ground/attention.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { GRACE_MS } from "../../../src/ledger/ground/look-by.ts";
import { at } from "../../../src/ledger/ground/sql.ts";
import { pauseCampaign } from "../../../src/ledger/campaigns/commands.ts";
import { describeLedgers } from "../../support/ledgers.ts";
import { freshPhones, NOW_MS, running } from "../../ledger/support/scenario.ts";

describeLedgers("a campaign that does not go on", (ledger) => {
  beforeEach(async () => {
    await rows(ledger().db, sql`delete from attention`);
    await rows(ledger().db, sql`update campaigns set look_by = null`);
  });

  const wantsPlanning = (id: string, atMs: number) =>
    rows(
      ledger().db,
      sql`update campaigns set look_by = ${at(atMs + GRACE_MS)}, unmoved = 0 where id = ${id}::uuid`,
    );
  const stalled = async () =>
    (await listAttention(ledger().db, { kind: "campaign_stalled", resolved: false, limit: 10 })).items;

  /** Looks every ten seconds, as the chore does. */
  const watching = (fromMs: number) => {
    const clock = { ms: fromMs };
    let asked = 0;
    const look = stallWatch(
      { ledger: ledger(), now: () => clock.ms },
      {
        whyNot: async () => {
          asked += 1;
          return "no worker runs";
        },
      },
    );
    return {
      clock,
      asked: () => asked,
      async until(ms: number) {
        for (; clock.ms < ms; clock.ms += 10_000) await look();
        await look();
      },
    };
  };

  it("is told within a minute of the time at which it was to go on, with its cause, and goes by itself", async () => {
    const campaign = await running(ledger(), freshPhones(1));
    const watch = watching(NOW_MS - 10 * 60_000);
    await wantsPlanning(campaign, NOW_MS);
    await watch.until(NOW_MS + 30_000);
    expect(await stalled()).toEqual([]);
    expect(watch.asked()).toBe(0);
    await watch.until(NOW_MS + 55_000);
    expect(await stalled()).toMatchObject([
      {
        subject: `${campaign} plan`,
        summary: expect.stringContaining("no worker runs"),
        atMs: expect.any(Number),
      },
    ]);
    expect((await stalled())[0]?.atMs).toBeLessThan(NOW_MS + 60_000);
    await wantsPlanning(campaign, watch.clock.ms + 3_600_000);
    await watch.until(watch.clock.ms + 10_000);
    expect(await stalled()).toEqual([]);
  });

  it("names what fails of it, where that is known", async () => {
    const campaign = await running(ledger(), freshPhones(1));
    await raiseAttention(ledger().db, {
      kind: "step_failing",
      subject: `campaign ${campaign} plan`,
      about: { of: "campaign", id: campaign, verb: "plan" },
      brand: "default",
      summary: "to plan campaign fails again and again: a column is gone",
      remedy: "mend it",
      nowMs: NOW_MS,
    });
    const watch = watching(NOW_MS - 10 * 60_000);
    await wantsPlanning(campaign, NOW_MS);
    await watch.until(NOW_MS + 60_000);
    expect(await stalled()).toMatchObject([{ summary: expect.stringContaining("a column is gone") }]);
    expect(watch.asked()).toBe(0);
  });

  it("is not told of by a process that has just begun: what waited for it is let go on first", async () => {
    const campaign = await running(ledger(), freshPhones(1));
    await wantsPlanning(campaign, NOW_MS - 3_600_000);
    const watch = watching(NOW_MS);
    await watch.until(NOW_MS + 30_000);
    expect(await stalled()).toEqual([]);
    await watch.until(NOW_MS + 50_000);
    expect(await stalled()).toHaveLength(1);
  });

  it("is nobody's affair while it is paused", async () => {
    const campaign = await running(ledger(), freshPhones(1));
    const watch = watching(NOW_MS - 10 * 60_000);
    await wantsPlanning(campaign, NOW_MS);
    await watch.until(NOW_MS + 60_000);
    expect(await stalled()).toHaveLength(1);
    const reason = "enough for today";
    await pauseCampaign(ledger(), {
      campaignId: campaign,
      commandId: "p",
      actor: "test",
      reason,
      nowMs: watch.clock.ms,
    });
    await watch.until(watch.clock.ms + 60_000);
    expect(await stalled()).toEqual([]);
  });
});

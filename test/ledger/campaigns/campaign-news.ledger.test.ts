import { describe, expect, it } from "vitest";

import { logCampaigns } from "../../../src/campaign-log.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { tellingNews } from "../../../src/ledger/campaigns/campaign-news.ts";
import { describeLedgers } from "../../support/ledgers.ts";
import {
  contact,
  createScheduled,
  ended,
  freshPhones,
  HOUR_MS,
  importWhole,
  listOfContacts,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  plan,
  planAndStart,
  tell,
} from "../support/scenario.ts";

describeLedgers("the log of a campaign's life", (bare) => {
  function listening() {
    const lines: string[] = [];
    const seen: object[] = [];
    const ledger = tellingNews(
      bare(),
      logCampaigns({
        info(fields, message) {
          seen.push(fields);
          lines.push(message);
        },
      }),
    );
    return { ledger, lines, seen };
  }

  it("tells how it began, why it rested, and how it ended, with counts", async () => {
    const { ledger, lines, seen } = listening();
    const { id, name } = await createScheduled(ledger);
    await importWhole(ledger, id, listOfContacts(freshPhones(3)));
    await tell(ledger, "start", id, { reason: "monday" });
    await tell(ledger, "pause", id, { reason: "lunch" });
    await tell(ledger, "pause", id, { reason: "again" });
    await tell(ledger, "resume", id);
    await tell(ledger, "cancel", id, { reason: "wrong list" });
    await plan(ledger, id);
    expect(lines).toEqual([
      "a campaign is created",
      "a campaign has a list, whole",
      "a campaign begins",
      "a campaign is paused",
      "a campaign goes on",
      "a campaign is ending: calls that are up end by themselves",
      "a campaign is over: cancelled",
    ]);
    const contacts = { total: 3, done: 0, excluded: 0, open: 3 };
    expect(seen[0]).toMatchObject({ campaignId: id, campaign: name, run: 1, actor: "test" });
    expect(seen[1]).toMatchObject({ campaignId: id, campaign: name, accepted: 3, rejected: 0 });
    expect(seen[2]).toMatchObject({ campaignId: id, campaign: name, run: 1, reason: "monday", contacts });
    expect(seen[3]).toMatchObject({ reason: "lunch", actor: "test" });
    expect(seen[6]).toMatchObject({
      reason: "wrong list",
      contacts: { total: 3, done: 0, excluded: 3, open: 0 },
      attempts: 0,
      dispositions: {},
    });
  });

  it("tells how far it is in nine lines, however many settle it in whatever pieces", async () => {
    const { ledger, lines, seen } = listening();
    const { id } = await createScheduled(ledger, { concurrency: 40, retry: { max_attempts: 1, delays: {} } });
    await importWhole(ledger, id, listOfContacts(freshPhones(40)));
    await tell(ledger, "start", id);
    const [batchId = "", ...others] = await planAndStart(ledger, id);
    const settle = async (batch: string, most: number) => {
      const phones = (await openPhones(ledger, batch)).slice(0, most);
      await settleFindings(ledger, {
        batchId: batch,
        findings: phones.map((phone) => ended(phone)),
        nowMs: NOW_MS + MINUTE_MS,
      });
      return phones.length;
    };
    const first = await settle(batchId, 13);
    const before = ["a campaign is created", "a campaign has a list, whole", "a campaign begins"];
    expect(lines.slice(0, 4)).toEqual([...before, "a campaign makes its first calls"]);
    expect(lines.slice(4), "three tenths at once are one line").toEqual([
      "a campaign is through with 30 % of its people",
    ]);
    expect(seen[4]).toMatchObject({
      campaignId: id,
      contacts: { total: 40, done: first, excluded: 0, open: 40 - first },
      attempts: first,
      dispositions: { answered: first },
    });
    for (const batch of [batchId, ...others]) while ((await settle(batch, 1)) > 0);
    for (const batch of [batchId, ...others]) await closeBatch(ledger, batch, NOW_MS + MINUTE_MS);
    await plan(ledger, id, NOW_MS + 2 * MINUTE_MS);
    const tenths = [3, 4, 5, 6, 7, 8, 9].map((n) => `a campaign is through with ${n}0 % of its people`);
    expect(lines).toEqual([
      ...before,
      "a campaign makes its first calls",
      ...tenths,
      "a campaign is over: completed",
    ]);
  });

  it("tells once that a window is closed, and once that it is open for all, in however many zones", async () => {
    const { ledger, lines, seen } = listening();
    const { id } = await createScheduled(ledger, { window: { weekdays: ["09:00-20:00"] } });
    const [first = "", second = ""] = freshPhones(2);
    await importWhole(ledger, id, [
      contact(first, 1, { zones: ["America/New_York"] }),
      contact(second, 2, { zones: ["America/Los_Angeles"] }),
    ]);
    await tell(ledger, "start", id);
    lines.length = 0;
    seen.length = 0;
    const night = Date.UTC(2026, 5, 2, 7);
    for (const atMs of [night, night + HOUR_MS, night + 8 * HOUR_MS, night + 11 * HOUR_MS])
      await plan(ledger, id, atMs);
    const told = lines.filter((line) => line.includes("window"));
    expect(told).toEqual([
      "a campaign waits for the window of some of its people, or of all",
      "a campaign may call everybody again: their windows are open",
    ]);
    expect(seen[0]).toMatchObject({ campaignId: id, zones: 2 });
  });

  describe("a move that is rolled back", () => {
    it("is not told of", async () => {
      const { ledger, lines } = listening();
      const { id } = await createScheduled(ledger);
      const broken: typeof ledger = {
        ...ledger,
        transaction: (work) =>
          ledger.transaction(async (tx) => {
            await work(tx);
            throw new Error("the connection broke off");
          }),
      };
      await expect(tell(broken, "start", id)).rejects.toThrow("broke off");
      expect(lines).toEqual(["a campaign is created"]);
    });
  });
});

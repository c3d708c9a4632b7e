import { describe, expect, it } from "vitest";

import { logCampaigns } from "../../../src/campaign-log.ts";
import { tellingNews } from "../../../src/ledger/campaigns/campaign-news.ts";
import { describeLedgers } from "../../support/ledgers.ts";
import {
  createScheduled,
  freshPhones,
  importWhole,
  listOfContacts,
  plan,
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
      "a campaign begins",
      "a campaign is paused",
      "a campaign goes on",
      "a campaign is ending: calls that are up end by themselves",
      "a campaign is over: cancelled",
    ]);
    const contacts = { total: 3, done: 0, excluded: 0, open: 3 };
    expect(seen[0]).toMatchObject({ campaignId: id, campaign: name, run: 1, reason: "monday", contacts });
    expect(seen[1]).toMatchObject({ reason: "lunch" });
    expect(seen[4]).toMatchObject({
      reason: "wrong list",
      contacts: { total: 3, done: 0, excluded: 3, open: 0 },
      attempts: 0,
      dispositions: {},
    });
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
      expect(lines).toEqual([]);
    });
  });
});

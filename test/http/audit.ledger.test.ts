import { expect, it } from "vitest";

import { writeAudit } from "../../src/ledger/ground/audit.ts";
import { createScheduled } from "../ledger/support/scenario.ts";
import { withLedger } from "../support/ledgers.ts";
import { openApi } from "./support.ts";

interface Page {
  items: { id: number; action: string; actor: string; campaign: object | null; detail: object }[];
  next_before_id: number | null;
}

withLedger((ledger) => {
  it("shows the audit page by page, the newest first, of all, of a campaign, or of an action", async () => {
    const api = await openApi(ledger());
    const pageOf = async (query: Record<string, string>) => {
      const answer = await api.app.inject({ url: "/v1/audit", query });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json<Page>();
    };
    const { id: one } = await createScheduled(ledger(), { name: "audited one" });
    const { id: other } = await createScheduled(ledger(), { name: "audited other" });
    for (const [index, campaignId] of [one, other, one, undefined].entries())
      await writeAudit(ledger().db, {
        nowMs: Date.UTC(2026, 5, 1, 12, index),
        actor: "ann",
        action: "test.looked",
        ...(campaignId !== undefined && { campaignId }),
        detail: { index },
      });
    const looked = { action: "test.looked", limit: "3" };
    const first = await pageOf(looked);
    expect(first.items.map(({ detail }) => detail)).toEqual([{ index: 3 }, { index: 2 }, { index: 1 }]);
    expect(first.items[0]).toMatchObject({ actor: "ann", at: "2026-06-01T12:03:00.000Z", campaign: null });
    expect(first.items[1]).toMatchObject({ campaign: { id: one, name: "audited one", run: 1 } });
    const rest = await pageOf({ ...looked, before_id: String(first.next_before_id) });
    expect(rest).toMatchObject({ items: [{ detail: { index: 0 } }], next_before_id: null });

    const ofOne = await pageOf({ ...looked, campaign: one });
    expect(ofOne.items.map(({ detail }) => detail)).toEqual([{ index: 2 }, { index: 0 }]);
    expect(ofOne.next_before_id, "the last page, though it is full of nothing else").toBeNull();
    const whole = await pageOf({ campaign: other });
    expect(whole.items.map(({ action }) => action)).toEqual(["test.looked", "campaign.create"]);
  });

  it("refuses a question that can't be, by its field", async () => {
    const api = await openApi(ledger());
    const asked = async (query: Record<string, string>) => {
      const { statusCode, body } = await api.app.inject({ url: "/v1/audit", query });
      return [statusCode, body];
    };
    expect(await asked({ campaign: "nobody's" })).toEqual([404, expect.stringContaining("unknown_campaign")]);
    for (const query of [
      { action: "a%" },
      { before_id: "0" },
      { before_id: "x" },
      { limit: "1001" },
      { actor: "x" },
    ])
      expect(await asked(query), JSON.stringify(query)).toEqual([
        422,
        expect.stringContaining(Object.keys(query)[0] ?? ""),
      ]);
  });
});

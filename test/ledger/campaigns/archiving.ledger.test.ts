import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { archiveCampaign, unarchiveCampaign } from "../../../src/ledger/campaigns/archiving.ts";
import { findCampaign, listCampaigns, readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { UnknownCampaignError } from "../../../src/ledger/campaigns/commands.ts";
import { explainContact } from "../../../src/ledger/campaigns/explanations.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import { callBack } from "../support/placing.ts";
import {
  contactsOf,
  ended,
  freshPhones,
  HOUR_MS,
  MINUTE_MS,
  NOW_MS,
  plan,
  planAndStart,
  running,
  tell,
} from "../support/scenario.ts";

describeLedgers("campaigns that are archived", (ledger) => {
  const input = (campaignId: string, nowMs = NOW_MS) => ({
    campaignId,
    actor: "ann",
    reason: "done with",
    nowMs,
  });
  const listed = async (archived: boolean) =>
    (await listCampaigns(ledger().db, { limit: 500, standing: true, archived })).campaigns.map(
      ({ id }) => id,
    );
  /** One call, and it is over. */
  const over = async (
    phone = given(freshPhones(1)[0]),
    disposition: "answered" | "callback_requested" = "answered",
  ) => {
    const id = await running(ledger(), [phone]);
    const batchId = given((await planAndStart(ledger(), id))[0]);
    await settleFindings(ledger(), { batchId, findings: [ended(phone, disposition, NOW_MS)], nowMs: NOW_MS });
    await closeBatch(ledger(), batchId, NOW_MS);
    expect((await plan(ledger(), id)).state).toBe("completed");
    return { id, phone };
  };

  it("leave the lists, and come back; each once, with who and why", async () => {
    const { id } = await over();
    expect(await archiveCampaign(ledger(), input(id))).toBe(NOW_MS);
    expect(await archiveCampaign(ledger(), input(id, NOW_MS + HOUR_MS))).toBe(NOW_MS);
    expect(await listed(false)).not.toContain(id);
    expect(await listed(true)).toContain(id);
    await unarchiveCampaign(ledger(), input(id));
    await unarchiveCampaign(ledger(), input(id));
    expect(await listed(false)).toContain(id);
    expect(await listed(true)).not.toContain(id);
    const audit = await rows<{ action: string; actor: string }>(
      ledger().db,
      sql`select action, actor from audit where campaign_id = ${id}::uuid and action like 'campaign.%archive' order by id`,
    );
    expect(audit).toEqual([
      { action: "campaign.archive", actor: "ann" },
      { action: "campaign.unarchive", actor: "ann" },
    ]);
  });

  it("are found by name, explained, and count for caps as before", async () => {
    const { id, phone } = await over();
    await archiveCampaign(ledger(), input(id));
    const { brand, name } = given(await readCampaign(ledger().db, id));
    expect((await findCampaign(ledger().db, brand, name))?.id).toBe(id);
    expect((await explainContact(ledger().db, id, phone))?.attempts).toHaveLength(1);
    const next = await running(ledger(), [phone], { not_called_within: "1d" });
    await plan(ledger(), next, NOW_MS + MINUTE_MS);
    expect(await contactsOf(ledger(), next)).toMatchObject([{ state: "excluded", reason: "called_lately" }]);
    await expectInvariants(ledger());
  });

  it("are over, and so are their callbacks; others are refused", async () => {
    const going = await running(ledger(), freshPhones(1));
    await expect(archiveCampaign(ledger(), input(going))).rejects.toThrow(/is running: one that is not over/);
    await expect(
      rows(ledger().db, sql`update campaigns set archived_at = now() where id = ${going}::uuid`),
    ).rejects.toThrow();
    const { id, phone } = await over(undefined, "callback_requested");
    const callbacksId = await callBack(ledger(), id, phone);
    await expect(archiveCampaign(ledger(), input(id))).rejects.toThrow(
      /callbacks of campaign .* are not over/,
    );
    await tell(ledger(), "cancel", callbacksId);
    await plan(ledger(), callbacksId);
    await archiveCampaign(ledger(), input(id));
    expect(await listed(true)).toEqual(expect.arrayContaining([id, callbacksId]));
    await expect(archiveCampaign(ledger(), input("00000000-0000-4000-8000-000000000000"))).rejects.toThrow(
      UnknownCampaignError,
    );
  });
});

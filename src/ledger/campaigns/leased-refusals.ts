import { sql } from "drizzle-orm";

import { lockBatch, requestStop } from "./batches.ts";
import { rows, type Ledger } from "../ground/connection.ts";
import { raiseAttention } from "../ground/attention.ts";
import { recordRefusals } from "./explanations.ts";
import { refuseContacts } from "./leasing.ts";
import { listOf } from "../ground/sql.ts";

/** Why somebody of a batch can't be called, whoever they are called with. */
export type LeasedRefusal = "refused_by_platform" | "values_unreadable";

/**
 * Takes back a batch that can't be created because of some of its contacts: those are excluded with why, the others are
 * due again. Of values that can't be read people are told: nobody else knows of them.
 */
export async function refuseLeased(
  ledger: Ledger,
  input: {
    batchId: string;
    reason: LeasedRefusal;
    refused: readonly { phone: string; detail: string }[];
    nowMs: number;
  },
): Promise<void> {
  const { batchId, reason, refused, nowMs } = input;
  await ledger.transaction(async (tx) => {
    const locked = await lockBatch(tx, batchId);
    if (!locked) return;
    const { campaign, batch } = locked;
    // A late try of what another has done by now: whom a batch that was created calls is not decided here any more.
    if (batch.state !== "planned") return;
    await requestStop(tx, { campaign, batchIds: [batchId], reason: "policy", nowMs });
    const contacts = await rows<{ id: number; phone: string }>(
      tx,
      sql`select contact_id as id, phone from attempts where batch_id = ${batchId}::uuid
            and phone in ${listOf(
              refused.map((one) => one.phone),
              "text",
            )}`,
    );
    const detailOf = new Map(refused.map((one) => [one.phone, one.detail]));
    const excluded = await refuseContacts(tx, campaign, {
      excluded: contacts.map((contact) => ({ id: contact.id, reason })),
      postponed: [],
      nowMs,
    });
    await recordRefusals(tx, {
      refusals: contacts.map((contact) => ({
        contactId: contact.id,
        reason,
        detail: detailOf.get(contact.phone) ?? "",
      })),
      policyVersion: campaign.policyVersion,
      nowMs,
    });
    const [first] = refused;
    if (reason === "values_unreadable" && first && excluded > 0)
      await raiseAttention(tx, {
        kind: "values_unreadable",
        subject: campaign.id,
        brand: campaign.brand,
        summary: `sensitive values of people of campaign ${campaign.name} do not open, while those of others do: who that is was excluded as \`values_unreadable\` (${first.detail})`,
        remedy:
          "enter whoever the report has as `values_unreadable` again, with their values; then resolve this",
        nowMs,
      });
  });
}

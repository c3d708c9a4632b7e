import { sql } from "drizzle-orm";

import { lockBatch, requestStop } from "./batches.ts";
import { rows, type Ledger } from "../ground/connection.ts";
import { recordRefusals } from "./explanations.ts";
import { refuseContacts } from "./leasing.ts";
import { listOf } from "../ground/sql.ts";

/**
 * Takes back a batch that the platform would not create because of some of its contacts: those are excluded
 * with what the platform said, the others are due again.
 */
export async function refuseLeased(
  ledger: Ledger,
  input: { batchId: string; refused: readonly { phone: string; detail: string }[]; nowMs: number },
): Promise<void> {
  const { batchId, refused, nowMs } = input;
  await ledger.transaction(async (tx) => {
    const locked = await lockBatch(tx, batchId);
    if (!locked) return;
    const { campaign } = locked;
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
    const reason = "refused_by_platform";
    await refuseContacts(tx, campaign, {
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
  });
}

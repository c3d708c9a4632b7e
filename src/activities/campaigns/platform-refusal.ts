import type { StopReason } from "../../domain/campaigns/batch-state.ts";
import { usdOf } from "../../domain/campaigns/money.ts";
import { lockBatch, requestStop, type Batch } from "../../ledger/campaigns/batches.ts";
import { tellStalled } from "../../ledger/campaigns/campaign-stalls.ts";
import { readCampaign } from "../../ledger/campaigns/campaigns.ts";
import { pauseCampaign } from "../../ledger/campaigns/commands.ts";
import { noteNoCredit } from "../../ledger/campaigns/credit.ts";
import { refuseLeased } from "../../ledger/campaigns/leased-refusals.ts";
import {
  ForbiddenError,
  PaymentRequiredError,
  PlatformError,
  UnauthorizedError,
} from "../../platform/index.ts";
import type { ActivityDeps } from "../deps.ts";
import {
  isRefused,
  needsPeople,
  remedyFor,
  type ForPeople,
  type Refused,
} from "../ground/platform-refusals.ts";
import { CommandRefusedError } from "../../ledger/ground/command-refused.ts";

/** Whether the platform said no, as opposed to not answering: repeating the request as it is will not help. */
export function isRefusal(error: unknown): error is ForPeople | Refused {
  return needsPeople(error) || isRefused(error);
}

/** What a person has to do about it. */
function remedyInWords(error: PlatformError): string {
  if (!needsPeople(error)) return "mend what the platform names";
  const remedy = remedyFor(error, "batch_calls:write and calls:read");
  if (error instanceof UnauthorizedError) return `the platform refuses the key: ${remedy}`;
  if (error instanceof ForbiddenError) return `the key's scopes do not allow it: ${remedy}`;
  return `the platform asks for payment: unlock or pay for what it names, or ${remedy}`;
}

/**
 * Pauses the campaign of a batch that the platform refused, so that nothing is tried over and over; the reason
 * says what to do before resuming.
 */
export async function pauseOnRefusal(deps: ActivityDeps, batch: Batch, error: PlatformError): Promise<void> {
  await pauseForPeople(deps, batch, `${remedyInWords(error)} (${error.message})`);
}

/** The same where calls were refused. Where the account can't pay for them, all campaigns wait for that instead. */
export async function pauseOrWaitForCredit(
  deps: ActivityDeps,
  batch: Batch,
  error: PlatformError,
): Promise<void> {
  if (error instanceof PaymentRequiredError && (await isShortOfCredit(deps, batch)))
    return waitForCredit(deps, batch, error);
  await pauseOnRefusal(deps, batch, error);
}

/**
 * Whether the account can't pay for the calls of a batch. 402 also says that something has to be unlocked first, for
 * one campaign: no other is stopped for that. A platform that does not say is taken to be short of credit: to wait for
 * that is over by itself.
 */
async function isShortOfCredit({ platform, log }: ActivityDeps, batch: Batch): Promise<boolean> {
  try {
    const { sufficient } = await platform.billing.check(usdOf(batch.callMicros * batch.size));
    return sufficient !== true;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    log.warn({ batchId: batch.id, error: error.message }, "whether there is credit can't be asked");
    return true;
  }
}

/** No campaign calls anybody before there is credit again (ledger/campaigns/credit.ts); then they go on by themselves. */
async function waitForCredit(deps: ActivityDeps, batch: Batch, error: PaymentRequiredError): Promise<void> {
  deps.log.error({ campaignId: batch.campaignId, batchId: batch.id }, `no credit: ${error.message}`);
  await noteNoCredit(deps.ledger.db, { reason: error.message, nowMs: deps.now() });
  await stopOne(deps, batch.id, "money");
  deps.wake.campaign(batch.campaignId);
}

/**
 * Pauses the campaign of a batch, with what people have to do as the reason.
 *
 * @param commandId one that was carried out before does nothing again, whatever was done since. By default the same
 * trouble after a resumption is another pause, and a retry of this activity is not.
 */
export async function pauseForPeople(
  deps: ActivityDeps,
  batch: Batch,
  what: string,
  commandId = `refused-${batch.id}-${Math.floor(deps.now() / 60_000)}`,
): Promise<void> {
  const reason = `${what}; then resume the campaign`;
  deps.log.error({ campaignId: batch.campaignId, batchId: batch.id }, reason);
  const campaign = await readCampaign(deps.ledger.db, batch.campaignId);
  try {
    const { state, stoppedBatchIds } = await pauseCampaign(deps.ledger, {
      campaignId: batch.campaignId,
      commandId,
      actor: "engine",
      reason,
      nowMs: deps.now(),
    });
    if (state !== "paused") return;
    for (const id of stoppedBatchIds) deps.wake.batch(id);
    await tellStalled(deps.ledger.db, {
      campaignId: batch.campaignId,
      brand: campaign?.brand ?? "default",
      summary: `campaign ${campaign?.name ?? batch.campaignId} was paused: ${what}`,
      remedy: "do what it says, then resume the campaign",
      nowMs: deps.now(),
    });
  } catch (refused) {
    // It is ending already: then this batch alone is taken back.
    if (!(refused instanceof CommandRefusedError)) throw refused;
    await stopOne(deps, batch.id);
  }
  deps.wake.campaign(batch.campaignId);
}

/** Takes one batch back; its contacts are due again, in another batch. */
export async function stopOne(
  deps: ActivityDeps,
  batchId: string,
  reason: StopReason = "platform_refused",
): Promise<void> {
  await deps.ledger.transaction(async (tx) => {
    const locked = await lockBatch(tx, batchId);
    if (!locked) return;
    await requestStop(tx, {
      campaign: locked.campaign,
      batchIds: [batchId],
      reason,
      nowMs: deps.now(),
    });
  });
}

const CONTACT_FIELD = /^(?:body\.)?contacts\.(\d+)(?:\.|$)/;

/**
 * Excludes the contacts that the platform refused by their place in the request, and gives the others back.
 *
 * @param phones the numbers in the order of the request.
 * @returns false where the refusal names no contact.
 */
export async function excludeRefusedContacts(
  deps: ActivityDeps,
  batch: Batch,
  error: PlatformError,
  phones: readonly string[],
): Promise<boolean> {
  const refused = new Map<string, string>();
  for (const { field, message } of error.fieldErrors) {
    const phone = phones[Number(CONTACT_FIELD.exec(field)?.[1] ?? -1)];
    if (phone !== undefined) refused.set(phone, message);
  }
  if (refused.size === 0) return false;
  await refuseLeased(deps.ledger, {
    batchId: batch.id,
    reason: "refused_by_platform",
    refused: [...refused].map(([phone, detail]) => ({ phone, detail })),
    nowMs: deps.now(),
  });
  deps.wake.campaign(batch.campaignId);
  deps.outbox.kick();
  return true;
}

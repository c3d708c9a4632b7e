import { sql } from "drizzle-orm";

import { policyOf, type CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import type { StopReason } from "../../domain/campaigns/batch-state.ts";
import { specDifference, type FieldDifference } from "../../domain/campaigns/spec-difference.ts";
import { asksConsent, type DialingPolicy } from "../../domain/policy/dialing-policy.ts";
import { numberKindOf, numberProblem } from "../../domain/policy/number-kind.ts";
import { noteAskAgain, putsOffOtherwise } from "./asking-again.ts";
import { countOpenIn } from "./attempts.ts";
import { boundByWindow, windowLimits } from "./bound-by-window.ts";
import { listUnsettled, requestStop, requestStopOfAll, type Batch } from "./batches.ts";
import { amendCampaign } from "./campaign-specs.ts";
import { type Campaign } from "./campaigns.ts";
import { rows, type Db } from "../ground/connection.ts";

/**
 * Puts a changed spec in force under the campaign's lock. Batches that the new policy would not allow are asked
 * to stop: those past the new window, those that call numbers which may not be called any more, all of them where it asks for other consent, and the newest ones while more slots are held than there now are. Contacts that
 * the old policy had put off are asked about again by the next plannings.
 */
export async function putInForce(
  tx: Db,
  input: {
    campaign: Campaign;
    spec: CampaignSpec;
    actor: string;
    reason?: string | undefined;
    commandId?: string;
    dialByMarginMs: number;
    nowMs: number;
  },
): Promise<{ amended: Campaign; stoppedBatchIds: string[] }> {
  const { campaign, spec } = input;
  const policyVersion = await amendCampaign(tx, input);
  const asksAgain = putsOffOtherwise(campaign.spec, spec) && (await noteAskAgain(tx, campaign.id));
  const amended: Campaign = {
    ...campaign,
    ...(asksAgain && { asksAgain }),
    spec,
    policyVersion,
    concurrency: spec.concurrency,
  };
  const differences = specDifference(campaign.spec, spec);
  const stopped = [
    ...(await boundByWindow(tx, amended, input)),
    ...(isOtherwise(differences, "numbers") ? await stopNotAllowed(tx, amended, input.nowMs) : []),
    ...(asksOtherConsent(campaign.spec, spec) ? await stopToAsk(tx, amended, input.nowMs) : []),
    ...(await stopBeyondConcurrency(tx, amended, input.nowMs)),
  ];
  // One that several of them are against is one.
  const stoppedBatchIds = [...new Set(stopped)];
  return { amended, stoppedBatchIds };
}

/** What a changed policy has against a batch. */
type Objection = Extract<StopReason, "window" | "policy" | "concurrency">;

/** Batches that an amendment would stop, for one reason. */
export interface Objected {
  reason: Objection;
  batches: number;
  /** Of whom the call is not over: those that are up go on, the others come back in other batches. */
  calls: number;
}

/** What an amendment would stop, as `putInForce` does it. Changes nothing. */
export async function findAgainst(
  db: Db,
  amended: Campaign,
  input: {
    before: CampaignSpec;
    differences: readonly FieldDifference[];
    dialByMarginMs: number;
    nowMs: number;
  },
): Promise<Objected[]> {
  const unsettled = await listUnsettled(db, amended.id);
  // Whatever is asked to stop already is nobody's to stop.
  const going = new Set(unsettled.flatMap(({ id, stopReason }) => (stopReason === undefined ? [id] : [])));
  const found: Objected[] = [];
  const note = async (reason: Objection, batchIds: readonly string[]) => {
    const stopped = batchIds.filter((id) => going.delete(id));
    if (stopped.length > 0)
      found.push({ reason, batches: stopped.length, calls: await countOpenIn(db, stopped) });
  };
  const { late } = await windowLimits(db, amended, input);
  await note("window", late);
  if (isOtherwise(input.differences, "numbers")) await note("policy", await findNotAllowed(db, amended));
  if (asksOtherConsent(input.before, amended.spec)) await note("policy", [...going]);
  const left = unsettled.filter(({ id }) => going.has(id));
  await note("concurrency", beyondConcurrency(left, amended.concurrency));
  return found;
}

function isOtherwise(differences: readonly FieldDifference[], name: string): boolean {
  return differences.some(({ field }) => field === name);
}

/** It asks for consent, and otherwise than it did: whoever is on a batch is asked about again. */
function asksOtherConsent(before: CampaignSpec, after: CampaignSpec): boolean {
  const [was, is] = [policyOf(before, 0), policyOf(after, 0)];
  const asked = ({ consent, presetConsents }: DialingPolicy) =>
    JSON.stringify([consent, presetConsents.map(({ text }) => text)]);
  return asksConsent(is) && asked(was) !== asked(is);
}

async function stopBeyondConcurrency(tx: Db, campaign: Campaign, nowMs: number): Promise<string[]> {
  const batchIds = beyondConcurrency(await listUnsettled(tx, campaign.id), campaign.concurrency);
  await requestStop(tx, { campaign, batchIds, reason: "concurrency", nowMs });
  return batchIds;
}

/** The newest ones, until no more slots are held than there are. */
function beyondConcurrency(unsettled: readonly Batch[], concurrency: number): string[] {
  const going = unsettled.filter(({ stopReason }) => stopReason === undefined);
  let held = going.reduce((sum, batch) => sum + batch.held, 0);
  const batchIds: string[] = [];
  for (const batch of going.toReversed()) {
    if (held <= concurrency) break;
    batchIds.push(batch.id);
    held -= batch.held;
  }
  return batchIds;
}

/** Everybody who is on a batch is asked about again before they are on the next. */
function stopToAsk(tx: Db, campaign: Campaign, nowMs: number): Promise<string[]> {
  return requestStopOfAll(tx, { campaign, reason: "policy", nowMs });
}

async function stopNotAllowed(tx: Db, campaign: Campaign, nowMs: number): Promise<string[]> {
  const batchIds = await findNotAllowed(tx, campaign);
  await requestStop(tx, { campaign, batchIds, reason: "policy", nowMs });
  return batchIds;
}

/** Batches that call a number which may not be called. */
async function findNotAllowed(db: Db, campaign: Campaign): Promise<string[]> {
  const { numbers } = policyOf(campaign.spec, campaign.policyVersion);
  const open = await rows<{ batch_id: string; phone: string }>(
    db,
    sql`select batch_id, phone from attempts where state = 'open'
          and batch_id in (select id from batches where campaign_id = ${campaign.id}::uuid and state <> 'settled')`,
  );
  const not = open.filter(({ phone }) => numberProblem(numberKindOf(phone), numbers) !== undefined);
  return [...new Set(not.map(({ batch_id }) => batch_id))];
}

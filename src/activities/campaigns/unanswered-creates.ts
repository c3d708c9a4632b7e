import type { Batch } from "../../ledger/campaigns/batches.ts";
import { readCampaign } from "../../ledger/campaigns/campaigns.ts";
import type { Ledger } from "../../ledger/ground/connection.ts";
import { refuseLeased } from "../../ledger/campaigns/leased-refusals.ts";
import {
  readOtherCreates,
  splitPlanned,
  tellUntaken,
  type OtherCreates,
} from "../../ledger/campaigns/splitting.ts";
import { RateLimitedError, type PlatformError } from "../../platform/index.ts";
import type { ActivityDeps } from "../deps.ts";
import { stopOne } from "./platform-refusal.ts";
import { answersOtherwise } from "./unseen-batch.ts";

/*
 * A create that the platform never answers, though it creates others: what it chokes on may stand in one row, and must
 * not hold up the other 99.
 *
 * 1. After five tries since another batch of the same campaign and number was created, the batch is split. Where
 *    nothing else is created there is nothing to compare with: then, after ten tries and while the platform answers
 *    otherwise, the oldest alone is split. An outage so splits one batch, and no campaign to pieces.
 * 2. One that is down to a single person is tried on for half an hour, longer than most outages, with others created
 *    since its first try: then that row is it. It is excluded, as one that the platform refuses by name is, and people
 *    are told. Where all that is under way is such people, the oldest steps back after ten tries, for others to tell.
 *
 * Counted in the process: what that loses when it dies is counted again. The batch's window bounds all of it.
 */

const SPLIT_AFTER = 5;
const OLDEST_AFTER = 10;

/** A minute apart, mostly. */
const ALONE_AFTER = 30;

/** Batches counted at the same time, in one process. Beyond it the oldest is forgotten, and counted anew. */
const MOST = 10_000;

interface Count {
  campaignId: string;
  fromNumber: string;
  sinceMs: number;
  tries: number;
  /** Another batch was created since the first of them. */
  isOtherCreated: boolean;
  /** Tries that failed after that. */
  besideOthers: number;
}

function newCount({ campaignId, fromNumber }: Batch, nowMs: number): Count {
  return { campaignId, fromNumber, sinceMs: nowMs, tries: 0, isOtherCreated: false, besideOthers: 0 };
}

/** One who is alone comes back in another batch, and goes on being counted. */
function keyOf(batch: Batch, phones: readonly string[]): string {
  return phones.length === 1 ? `${batch.campaignId} ${phones[0]}` : batch.id;
}

const counts = new WeakMap<Ledger, Map<string, Count>>();

function countsOf(ledger: Ledger): Map<string, Count> {
  const known = counts.get(ledger) ?? new Map<string, Count>();
  counts.set(ledger, known);
  return known;
}

/** A create was answered: it tells of all others of its campaign and number that are not. */
export function noteCreated(deps: ActivityDeps, batch: Batch, phones: readonly string[]): void {
  const known = countsOf(deps.ledger);
  for (const key of [batch.id, keyOf(batch, phones)]) known.delete(key);
  for (const count of known.values()) {
    if (count.campaignId === batch.campaignId && count.fromNumber === batch.fromNumber)
      count.isOtherCreated = true;
  }
}

/**
 * Counts a create that was not answered, and takes the batch apart where that is due.
 *
 * @param phones whom it was to carry
 * @returns whether it was taken back, and how often in a row this, or whoever is alone in it, was tried: a new batch
 * of the same person begins at no new pace.
 */
export async function takeApart(
  deps: ActivityDeps,
  batch: Batch,
  error: PlatformError,
  phones: readonly string[],
): Promise<{ isTaken: boolean; tries: number }> {
  // Limits, and connections that can't be made, are nobody's in particular.
  if (error instanceof RateLimitedError || error.effect === "did_not_happen")
    return { isTaken: false, tries: 0 };
  const key = keyOf(batch, phones);
  const { count, others } = await countTry(deps, batch, key);
  const { tries } = count;
  const [only] = phones.length === 1 ? phones : [];
  const isOldestDue = tries % OLDEST_AFTER === 0 && others.isOldest;
  if (only !== undefined) {
    const isIt = count.besideOthers >= ALONE_AFTER;
    // Whoever waits behind such people tells whether it is them.
    const isInTheWay = isOldestDue && others.areSingle && !count.isOtherCreated;
    if ((!isIt && !isInTheWay) || !(await answersOtherwise(deps))) return { isTaken: false, tries };
    if (isIt) await exclude(deps, batch, only, `${error.message}, ${tries} times in a row`);
    else await stopOne(deps, batch.id);
    if (isIt) countsOf(deps.ledger).delete(key);
  } else {
    const isDue = count.besideOthers >= SPLIT_AFTER || isOldestDue;
    if (!isDue || !(await answersOtherwise(deps))) return { isTaken: false, tries };
    await split(deps, batch, phones.length);
    countsOf(deps.ledger).delete(key);
  }
  deps.wake.campaign(batch.campaignId);
  return { isTaken: true, tries };
}

async function countTry(
  deps: ActivityDeps,
  batch: Batch,
  key: string,
): Promise<{ count: Count; others: OtherCreates }> {
  const known = countsOf(deps.ledger);
  const count = known.get(key) ?? known.get(batch.id) ?? newCount(batch, deps.now());
  known.delete(batch.id);
  known.set(key, count);
  for (const [oldest] of known) {
    if (known.size <= MOST) break;
    known.delete(oldest);
  }
  const others = await readOtherCreates(deps.ledger.db, batch, count.sinceMs);
  count.tries += 1;
  // What was created may be through by the next try: that it was holds on.
  count.isOtherCreated ||= others.created;
  if (count.isOtherCreated) count.besideOthers += 1;
  return { count, others };
}

async function split(deps: ActivityDeps, batch: Batch, people: number): Promise<void> {
  deps.log.warn({ batchId: batch.id, people }, "a batch that is not created is split");
  const nowMs = deps.now();
  // Either tells of the other: it may be created before this one's first try.
  for (const part of await splitPlanned(deps.ledger, batch.id, nowMs))
    countsOf(deps.ledger).set(part, newCount(batch, nowMs));
}

async function exclude(deps: ActivityDeps, batch: Batch, phone: string, detail: string): Promise<void> {
  const nowMs = deps.now();
  await refuseLeased(deps.ledger, {
    batchId: batch.id,
    reason: "refused_by_platform",
    refused: [{ phone, detail }],
    nowMs,
  });
  const campaign = await readCampaign(deps.ledger.db, batch.campaignId);
  const { name, brand } = campaign ?? { name: batch.campaignId, brand: "default" };
  await tellUntaken(deps.ledger, batch, { brand, name, detail, nowMs });
  deps.outbox.kick();
}

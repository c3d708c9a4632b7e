import { sql } from "drizzle-orm";

import { policyOf } from "../../domain/campaigns/campaign-spec.ts";
import { createWindowMemo } from "../../domain/policy/calling-window.ts";
import { decideZones } from "../../domain/policy/policy-gate.ts";
import {
  ASKED_AHEAD_MS,
  scrubbedUntil,
  UNANSWERED_REST_MS,
  unscrubbedText,
  type Scrubber,
} from "../../domain/policy/scrubbing.ts";
import { windowInForce } from "../ground/blackouts.ts";
import { rows, type Db, type Ledger } from "../ground/connection.ts";
import { answersOf, scrubAnswersOf, type AnswerRow, type AskedSource } from "../ground/scrub-answers.ts";
import { at, listOf } from "../ground/sql.ts";
import { readSourcesInScope } from "../ground/suppression-sources.ts";
import { isSuppressed } from "../ground/suppressions.ts";
import { readCampaign } from "./campaigns.ts";
import { dueContacts, readLanes, type Lane } from "./planning-lanes.ts";

/*
 * Whom scrubbing services are asked about, and whom planning leaves aside meanwhile. Services are never asked inside a
 * transaction: answers are fetched ahead of planning, in its own order, for those whom it will come to next, and planning
 * passes over who has none yet, however long the list.
 */

/**
 * So many contacts of a campaign are asked about ahead of planning, and passed over by it. With a few seconds between two
 * looks it is what hundreds of lines can dial meanwhile.
 */
const AHEAD = 5_000;

/** Who is due within this is asked about; who can't be called before then is not: answers grow old. */
const HORIZON_MS = 60 * 60_000;

/** Campaigns whose contacts a service is to be asked about: those of calls that were placed one by one first. */
export async function listScrubbed(db: Db, { brand }: Pick<AskedSource, "brand">): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select id from campaigns
        where ended_at is null and state = 'running' and open_count > 0
          and (${brand ?? null}::text is null or brand = ${brand ?? null}::text)
        order by standing desc, created_at, id`,
  );
  return found.map(({ id }) => id);
}

/** Numbers of a campaign that a service is to be asked about, each once, whoever is called next first. */
export async function numbersToAsk(
  db: Db,
  { source, campaignId, nowMs }: { source: AskedSource; campaignId: string; nowMs: number },
): Promise<string[]> {
  const campaign = await readCampaign(db, campaignId);
  if (campaign?.state !== "running") return [];
  const policy = policyOf(campaign.spec, campaign.policyVersion);
  const window = await windowInForce(db, { window: policy.window, brand: campaign.brand, nowMs });
  const windowOf = createWindowMemo(window);
  const lists = await readSourcesInScope(db, campaign.brand);
  const untilMs = nowMs + HORIZON_MS;
  const isSoon = (lane: Lane) => {
    if (lane.firstDueMs === undefined || lane.firstDueMs > untilMs) return false;
    const decision = decideZones({ facts: lane, policy, nowMs, windowOf, lists });
    return decision.kind === "dial" || (decision.kind === "wait" && decision.untilMs < untilMs);
  };
  const lanes = (await readLanes(db, campaignId)).filter(isSoon);
  if (lanes.length === 0) return [];
  const newestFirst = campaign.spec.order === "newest_first";
  const ids = await dueContacts(db, lanes, { limit: AHEAD, newestFirst, nowMs: untilMs });
  const { sinceMs, cacheMs } = source.scrub;
  // Of another address nothing holds but that a number is listed.
  const after = (atMs: number) => at(Math.max(atMs, sinceMs - 1));
  const found = await rows<{ id: number; phone: string }>(
    db,
    sql`select c.id, c.phone from contacts c
        where c.id in ${listOf(ids, "bigint")}
          and not ${isSuppressed(sql`c.phone`, sql`${campaign.brand}`, nowMs)}
          and not exists (select 1 from scrub_answers r where r.source_id = ${source.id} and r.phone = c.phone
            and r.asked_at > case when r.listed then ${at(nowMs - cacheMs)}
                                  when r.listed is null then ${after(nowMs - UNANSWERED_REST_MS)}
                                  else ${after(nowMs + ASKED_AHEAD_MS - cacheMs)} end)`,
  );
  const phoneOf = new Map(found.map(({ id, phone }) => [id, phone]));
  return [...new Set(ids.flatMap((id) => phoneOf.get(id) ?? []))];
}

export interface Unasked {
  ids: ReadonlySet<number>;
  /** Why the first of them waits, in words. */
  detail: string | undefined;
}

/** Which of some contacts wait for nothing but the answer of a service that nobody has asked yet. */
async function unaskedAmong(
  tx: Db,
  {
    contactIds,
    scrubbers,
    brand,
    nowMs,
  }: { contactIds: readonly number[]; scrubbers: readonly Scrubber[]; brand: string; nowMs: number },
): Promise<Unasked> {
  const found = await rows<{ id: number; answers: AnswerRow[] | null }>(
    tx,
    sql`select c.id, ${scrubAnswersOf(
      sql`c.phone`,
      scrubbers.map(({ sourceId }) => sourceId),
    )} as answers
        from contacts c
        where c.id in ${listOf(contactIds, "bigint")} and not ${isSuppressed(sql`c.phone`, sql`${brand}`, nowMs)}`,
  );
  const ids = new Set<number>();
  let detail: string | undefined;
  for (const { id, answers } of found) {
    const scrubbed = scrubbedUntil(scrubbers, answersOf(answers), nowMs);
    if ("untilMs" in scrubbed || scrubbed.standing.kind !== "unasked") continue;
    ids.add(id);
    detail ??= unscrubbedText(scrubbed);
  }
  return { ids, detail };
}

/**
 * Contacts that are due, in their order, without those that wait for an answer: as many as are wanted, looked for among
 * `AHEAD` of them.
 *
 * @param due the first of them, up to `limit`
 */
export async function withAnswers(
  tx: Db,
  due: (limit: number) => Promise<number[]>,
  input: { limit: number; scrubbers: readonly Scrubber[]; brand: string; nowMs: number },
): Promise<{ ids: number[]; waiting: string | undefined }> {
  const { limit, scrubbers } = input;
  const first = await due(limit);
  if (scrubbers.length === 0) return { ids: first, waiting: undefined };
  const unasked = await unaskedAmong(tx, { ...input, contactIds: first });
  if (unasked.ids.size === 0 || first.length < limit)
    return { ids: first.filter((id) => !unasked.ids.has(id)), waiting: unasked.detail };
  const further = await due(Math.max(limit, AHEAD));
  const { ids, detail } = await unaskedAmong(tx, { ...input, contactIds: further });
  return { ids: further.filter((id) => !ids.has(id)).slice(0, limit), waiting: detail };
}

/**
 * Has contacts look again at once who were put off until a service would answer, and now has: those whose rows nobody
 * holds; others do by themselves. A transaction of its own that waits for nobody.
 *
 * @returns their campaigns.
 */
export async function dueByAnswer(
  ledger: Ledger,
  { phones, nowMs }: { phones: readonly string[]; nowMs: number },
): Promise<string[]> {
  const found = await rows<{ campaign_id: string }>(
    ledger.db,
    sql`with waiting as (
          select c.id from contacts c
          where c.phone in ${listOf(phones, "text")} and c.state = 'open' and c.due_at > ${at(nowMs)}
            and (select max(f.until_at) from refusals f where f.contact_id = c.id and f.reason = 'not_scrubbed') = c.due_at
          for update of c skip locked)
        update contacts c set due_at = ${at(nowMs)} from waiting w where c.id = w.id returning c.campaign_id`,
  );
  return [...new Set(found.map((row) => row.campaign_id))];
}

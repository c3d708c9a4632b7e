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

/** Where many of those are suppressed, or unanswered, so many are looked at to find others behind them. */
const DEEPEST = 4 * AHEAD;

/** Who is due within this is asked about; who can't be called before then is not: answers grow old. */
const HORIZON_MS = 60 * 60_000;

export interface ScrubbedCampaign {
  id: string;
  /** Of calls that were placed one by one: callbacks, and those of sequences. */
  standing: boolean;
}

/** Campaigns whose contacts a service is to be asked about. */
export function listScrubbed(db: Db, { brand }: Pick<AskedSource, "brand">): Promise<ScrubbedCampaign[]> {
  return rows<ScrubbedCampaign>(
    db,
    sql`select id, standing from campaigns
        where ended_at is null and state = 'running' and open_count > 0
          and (${brand ?? null}::text is null or brand = ${brand ?? null}::text)
        order by created_at, id`,
  );
}

/**
 * Numbers of a campaign that a service is to be asked about, each once: of those whom planning would take now, in its
 * order, and where they are fewer than it looks at, of those who are called within the hour.
 */
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
  const horizonMs = nowMs + HORIZON_MS;
  const open: Lane[] = [];
  const soon: Lane[] = [];
  for (const lane of await readLanes(db, campaignId)) {
    if (lane.firstDueMs === undefined || lane.firstDueMs > horizonMs) continue;
    const decision = decideZones({ facts: lane, policy, nowMs, windowOf, lists });
    const isOpen = decision.kind === "dial";
    if (isOpen && lane.firstDueMs <= nowMs) open.push(lane);
    if (isOpen || (decision.kind === "wait" && decision.untilMs < horizonMs)) soon.push(lane);
  }
  const found: Ahead = { seen: new Set(), phones: new Set(), ready: 0 };
  const newestFirst = campaign.spec.order === "newest_first";
  const asked = { source, brand: campaign.brand, newestFirst, nowMs };
  await lookAhead(db, found, { ...asked, lanes: open, untilMs: nowMs });
  await lookAhead(db, found, { ...asked, lanes: soon, untilMs: horizonMs });
  return [...found.phones];
}

/** What was found ahead of planning. */
interface Ahead {
  seen: Set<number>;
  /** To be asked about, in their order. */
  phones: Set<string>;
  /** Contacts that may be dialed by what the service said. */
  ready: number;
}

/**
 * Goes on until there are as many contacts to be asked about, or cleared, as planning looks at. Those who are suppressed,
 * or of whom the service says nothing, are neither: whoever is behind them is looked at, too, up to a bound.
 */
async function lookAhead(
  db: Db,
  found: Ahead,
  asked: {
    source: AskedSource;
    brand: string;
    newestFirst: boolean;
    nowMs: number;
    lanes: readonly Lane[];
    untilMs: number;
  },
): Promise<void> {
  const { lanes, newestFirst, untilMs } = asked;
  if (lanes.length === 0) return;
  for (const deep of [AHEAD, DEEPEST]) {
    const missing = AHEAD - found.phones.size - found.ready;
    if (missing <= 0) return;
    const limit = Math.max(deep, Math.min(DEEPEST, found.seen.size + missing));
    const ids = await dueContacts(db, lanes, { limit, newestFirst, nowMs: untilMs });
    const further = ids.filter((id) => !found.seen.has(id));
    const standings = await standingsOf(db, further, asked);
    for (const id of further) {
      if (found.phones.size + found.ready >= AHEAD) return;
      found.seen.add(id);
      const standing = standings.get(id);
      if (standing?.is_clear === true) found.ready += 1;
      else if (standing) found.phones.add(standing.phone);
    }
    if (ids.length < limit) return;
  }
}

/** Of some contacts, those that are to be asked about and those that a service cleared; no others. */
async function standingsOf(
  db: Db,
  ids: readonly number[],
  { source, brand, nowMs }: { source: AskedSource; brand: string; nowMs: number },
): Promise<Map<number, { phone: string; is_clear: boolean }>> {
  const { sinceMs, cacheMs } = source.scrub;
  // Of another address nothing holds but that a number is listed.
  const after = (atMs: number) => at(Math.max(atMs, sinceMs - 1));
  const found = await rows<{ id: number; phone: string; is_clear: boolean }>(
    db,
    sql`select c.id, c.phone, coalesce(r.is_clear, false) as is_clear
        from contacts c
          left join lateral (
            select bool_or(r.listed is false) and not coalesce(bool_or(r.listed), false) as is_clear, count(*) as held
            from scrub_answers r where r.source_id = ${source.id} and r.phone = c.phone
              and r.asked_at > case when r.listed then ${at(nowMs - cacheMs)}
                                    when r.listed is null then ${after(nowMs - UNANSWERED_REST_MS)}
                                    else ${after(nowMs + ASKED_AHEAD_MS - cacheMs)} end) r on true
        where c.id in ${listOf(ids, "bigint")}
          and not ${isSuppressed(sql`c.phone`, sql`${brand}`, nowMs)} and (r.held = 0 or r.is_clear)`,
  );
  return new Map(found.map(({ id, ...standing }) => [id, standing]));
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

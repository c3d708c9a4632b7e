import { sql, type SQL } from "drizzle-orm";

import { MAX_NEWEST_CALLS } from "../../domain/campaigns/breaker.ts";
import { rows, type Db } from "../ground/connection.ts";
import { GRACE_MS, lookedAt } from "../ground/look-by.ts";
import { at, atOrNull, json } from "../ground/sql.ts";
import { noteNews } from "./campaign-news.ts";
import type { Campaign, ShortOf } from "./campaigns.ts";

/** How contacts moved between states in one transaction. Sums to nothing except where contacts are accepted. */
export interface TallyChange {
  open?: number;
  leased?: number;
  done?: number;
  excluded?: number;
  attempts?: number;
  dispositions?: Readonly<Record<string, number>>;
  holdMsSum?: number;
  holdCount?: number;
  conversations?: number;
  transfersKnown?: number;
  transfers?: number;
  /** A letter for each call that ended, where it has a breaker. */
  newestCalls?: string;
  /** What goes with attempts that are leased, end, or are given back. */
  money?: MoneyChange | undefined;
}

/** What is held and spent more, or less, in one stretch of spending. Millionths of a US dollar. */
export interface MoneyChange {
  /** When the stretch began in which the calls were leased. Unix milliseconds. */
  stretchMs: number;
  /** Where it is a lease: when. */
  leasedAtMs?: number;
  heldMicros: number;
  spentMicros?: number;
  /** Of what is spent: by the platform's word. */
  toldMicros?: number;
  /** Calls that are over. */
  calls?: number;
}

/** Books moved contacts. The caller holds the campaign's lock and read `campaign` under it. */
export async function bookTallies(tx: Db, campaign: Campaign, change: TallyChange): Promise<void> {
  const dispositions = { ...campaign.tallies.dispositions };
  for (const [disposition, n] of Object.entries(change.dispositions ?? {})) {
    dispositions[disposition] = (dispositions[disposition] ?? 0) + n;
  }
  const { tallies } = campaign;
  const doneBefore = tallies.done;
  tallies.open += change.open ?? 0;
  tallies.leased += change.leased ?? 0;
  tallies.done += change.done ?? 0;
  tallies.excluded += change.excluded ?? 0;
  tallies.attempts += change.attempts ?? 0;
  tallies.dispositions = dispositions;
  noteTenth(tx, campaign, doneBefore);
  noteFirstCalls(tx, campaign, change.leased ?? 0);
  const isLease = takeFreed(campaign, change.leased);
  campaign.newestCalls = `${campaign.newestCalls}${change.newestCalls ?? ""}`.slice(-MAX_NEWEST_CALLS);
  await rows(
    tx,
    sql`${change.money ? spendingBooked(campaign, change.money) : sql``}
        update campaigns set open_count = ${tallies.open}, leased_count = ${tallies.leased},
          done_count = ${tallies.done}, excluded_count = ${tallies.excluded}, attempt_count = ${tallies.attempts},
          dispositions = ${json(dispositions)}, hold_ms_sum = hold_ms_sum + ${change.holdMsSum ?? 0}::float8,
          hold_count = hold_count + ${change.holdCount ?? 0}::int,
          ${isLease ? sql`freed_count = ${campaign.freedCount}, freed_ms_sum = ${campaign.freedMsSum},` : sql``}
          conversation_count = conversation_count + ${change.conversations ?? 0}::int,
          transfer_known_count = transfer_known_count + ${change.transfersKnown ?? 0}::int,
          transfer_count = transfer_count + ${change.transfers ?? 0}::int, newest_calls = ${campaign.newestCalls}
        where id = ${campaign.id}::uuid`,
  );
}

/** Nobody was called before, and nobody else is being called. */
function noteFirstCalls(tx: Db, campaign: Campaign, leased: number): void {
  const { id: campaignId, brand, name, run, standing, tallies } = campaign;
  if (standing || leased <= 0 || tallies.leased !== leased || tallies.attempts > 0 || tallies.done > 0)
    return;
  noteNews(tx, { campaignId, brand, name, run, step: "first_calls", detail: { calls: leased } });
}

/** Whoever reads the log alone sees how far a list is: nine lines at most, however long it is. */
function noteTenth(
  tx: Db,
  { id: campaignId, brand, name, run, standing, tallies }: Campaign,
  doneBefore: number,
): void {
  const { open, leased, done, excluded, attempts, dispositions } = tallies;
  if (standing || done <= doneBefore) return;
  const toCall = open + leased + done;
  const tenths = Math.floor((10 * done) / toCall);
  // The last one is told by its end.
  if (tenths >= 10 || tenths <= Math.floor((10 * doneBefore) / toCall)) return;
  const contacts = { total: toCall + excluded, done, excluded, open: open + leased };
  noteNews(tx, { campaignId, brand, name, run, tenths, contacts, attempts, dispositions });
}

/** A lease takes lines for its calls; of those that came free before (batch-slots.ts) each is as old as all on the mean. */
function takeFreed(campaign: Campaign, leased = 0): boolean {
  if (leased <= 0 || campaign.freedCount === 0) return false;
  const left = Math.max(0, campaign.freedCount - leased);
  campaign.freedMsSum *= left / campaign.freedCount;
  campaign.freedCount = left;
  return true;
}

/** Since when the lines are free, on the mean, that a lease would take; undefined: nobody waited for one. */
export function linesFreeSinceMs({ freedCount, freedMsSum }: Campaign): number | undefined {
  return freedCount > 0 ? freedMsSum / freedCount : undefined;
}

/** Goes with the tallies in one statement, so that money costs none. */
function spendingBooked({ id, parentId, brand }: Campaign, money: MoneyChange): SQL {
  const { stretchMs, leasedAtMs = stretchMs, heldMicros, spentMicros = 0, toldMicros = 0, calls = 0 } = money;
  return sql`with booked as (
    insert into spending as s (campaign_id, stretch, leased_at, brand, held_micros, spent_micros, told_micros, calls)
    values (${parentId ?? id}::uuid, ${at(stretchMs)}, ${at(Math.max(stretchMs, leasedAtMs))}, ${brand}, ${heldMicros}::bigint, ${spentMicros}::bigint, ${toldMicros}::bigint, ${calls}::int)
    on conflict (campaign_id, stretch) do update set leased_at = greatest(s.leased_at, excluded.leased_at), held_micros = s.held_micros + excluded.held_micros,
      spent_micros = s.spent_micros + excluded.spent_micros, told_micros = s.told_micros + excluded.told_micros,
      calls = s.calls + excluded.calls)`;
}

/** What planning leaves behind for those who end attempts, for those who share lines with it, and for its next look. */
export interface PlanningNote {
  campaignId: string;
  plannings: number;
  isOver: boolean;
  starved: boolean;
  nextLookAtMs: number;
  /** Lines of the account that it could use beside those that it holds. */
  waiting: number;
  /** How many of them it may count on; undefined: as many as its concurrency. */
  share: number | undefined;
  servedAtMs: number | undefined;
  /** What money it waits for, if it waits for some. */
  shortOf: ShortOf | undefined;
}

export async function notePlanning(tx: Db, note: PlanningNote): Promise<void> {
  await rows(
    tx,
    sql`update campaigns set plannings = ${note.plannings}, starved = ${note.starved}, ${note.starved ? sql`` : sql`freed_count = 0, freed_ms_sum = 0,`} next_look_at = ${at(note.nextLookAtMs)}, waiting = ${note.waiting},
          share = ${note.share ?? null}, served_at = ${atOrNull(note.servedAtMs)}, offered_at = null, short_of = ${note.shortOf ?? null},
          ${lookedAt(note.isOver ? undefined : note.nextLookAtMs + GRACE_MS)}
        where id = ${note.campaignId}::uuid`,
  );
}

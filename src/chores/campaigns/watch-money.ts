import { toldMicrosOf } from "../../domain/campaigns/money.ts";
import {
  bookCharges,
  forgetCharges,
  keepCharges,
  readChargesRead,
  wantsCharges,
  type Charge,
} from "../../ledger/campaigns/charges.ts";
import { listShortOf, listUnpriced, notePrice, wantsBalance } from "../../ledger/campaigns/credit.ts";
import { readAgentPrice } from "../../platform/agent-price.ts";
import { PlatformError, type Transaction } from "../../platform/index.ts";
import type { ActivityDeps } from "../../activities/deps.ts";
import { lookAtBalance } from "./look-at-balance.ts";

/*
 * What the platform says of money, asked once a minute by one process: its balance, what agents cost, and what calls
 * cost. Nobody waits for it: without it calls are taken to cost what their length makes likely.
 */

type MoneyDeps = Pick<ActivityDeps, "ledger" | "platform" | "lowCreditMicros" | "wake" | "log" | "now">;

/** Safe to repeat, and to be done by two: each entry and each balance is what it is. */
export async function watchMoney(deps: MoneyDeps): Promise<void> {
  const { ledger, now } = deps;
  if (await wantsBalance(ledger.db)) await lookAtBalance(deps);
  await readPrices(deps);
  if (!(await wantsCharges(ledger.db, now()))) return;
  await readCharges(deps);
  let booked = 0;
  for (let isMore = true; isMore;) {
    const result = await bookCharges(ledger, now());
    booked += result.calls;
    ({ isMore } = result);
  }
  // Calls that cost less than they were taken to leave money for others.
  if (booked > 0)
    for (const campaignId of await listShortOf(ledger.db, "budget")) deps.wake.campaign(campaignId);
  await forgetCharges(ledger.db, now());
}

/** Two requests each; the others have their turn a minute later. */
const PRICES_AT_ONCE = 5;

async function readPrices({ ledger, platform, log, now }: MoneyDeps): Promise<void> {
  for (const agentId of await listUnpriced(ledger.db, { limit: PRICES_AT_ONCE, nowMs: now() })) {
    let price: { minuteMicros: number; perCallMicros: number } | undefined;
    try {
      const told = await readAgentPrice(platform, agentId);
      const minuteMicros = toldMicrosOf(told?.perMinuteUsd);
      const perCallMicros = toldMicrosOf(told?.perCallUsd);
      if (minuteMicros !== undefined) price = { minuteMicros, perCallMicros: perCallMicros ?? 0 };
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      log.warn({ agentId, error: error.message }, "the price of an agent can't be read");
      // One that did not answer is asked again; one that said no says it again.
      if (error.status === undefined || error.status === 429 || error.status >= 500) return;
    }
    await notePrice(ledger.db, { agentId, price, nowMs: now() });
  }
}

/** The most that the platform gives at once. */
const PAGE = 1_000;

/** Enough of them to see which way they are ordered. */
const GLANCE = 100;

/** Where the newest stand first, those that come between two requests push the others on: so many are read twice at most. */
const OVERLAP = 100;

/** Of a page: where the platform gives few at once, what is read twice leaves room for the rest. */
const MOST_OVERLAP = 1 / 4;

/** Of a minute. More of them are read in the next one. */
const MOST_PAGES = 20;

/** Before the first of its entries is known: those of calls that were made a moment ago. */
const FIRST_ENTRIES = 1_000;

/**
 * Reads the entries that the platform's ledger has more than the last time. Whether the newest stand first or last it
 * does not promise: their times say it.
 */
async function readCharges(deps: MoneyDeps): Promise<void> {
  const { ledger, platform, log, now } = deps;
  try {
    const first = await platform.billing.transactions({ limit: GLANCE, offset: 0 });
    const { total } = first;
    if (total === undefined) return;
    const known = (await readChargesRead(ledger.db)) ?? Math.max(0, total - FIRST_ENTRIES);
    // Fewer than before: it began anew, or forgets what is old.
    const from = known > total ? 0 : known;
    let place: Place = { read: from, total, atOnce: PAGE };
    for (let page = 0; place.read < place.total && page < MOST_PAGES; page += 1) {
      const { query, overlap } = nextOf(place, isNewestFirst(first.items));
      const { items, total: totalNow = place.total } = await platform.billing.transactions(query);
      if (items.length === 0) return;
      place = placeAfter(place, { query, overlap, gave: items.length, totalNow });
      await keepCharges(ledger, { charges: items.flatMap(chargeOf), read: place.read, nowMs: now() });
    }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    log.warn({ error: error.message }, "what calls cost can't be read now");
  }
}

/** How far its entries are read, of how many, and how many of them are asked for at once. */
interface Place {
  read: number;
  total: number;
  atOnce: number;
}

interface Asked {
  query: { offset: number; limit: number };
  /** Entries before the place that are read again; undefined: the oldest stand first, whose places stay. */
  overlap: number | undefined;
}

function nextOf({ read, total, atOnce }: Place, newestFirst: boolean): Asked {
  if (!newestFirst)
    return { query: { offset: read, limit: Math.min(atOnce, total - read) }, overlap: undefined };
  const overlap = Math.min(OVERLAP, Math.floor(atOnce * MOST_OVERLAP));
  const more = Math.min(atOnce - overlap, total - read);
  return { query: { offset: total - read - more, limit: more + overlap }, overlap };
}

/**
 * Where the reading goes on. With the newest first a page counts only where it reached back to the place: not where more
 * entries came meanwhile than are read twice, nor where the platform gives fewer at once than it was asked for.
 */
function placeAfter(
  { read, total, atOnce }: Place,
  { query, overlap, gave, totalNow }: Asked & { gave: number; totalNow: number },
): Place {
  if (overlap === undefined) return { read: read + gave, total, atOnce };
  const came = totalNow - total;
  const there = Math.min(query.limit, totalNow - query.offset);
  // What it gives at once, it gives of the newest.
  if (gave < there) return { read, total: totalNow, atOnce: gave };
  const isWhole = came >= 0 && came <= overlap;
  return { read: isWhole ? read + query.limit - overlap : read, total: totalNow, atOnce };
}

function isNewestFirst(items: readonly Transaction[]): boolean {
  const [first, last] = [items.at(0)?.created_at, items.at(-1)?.created_at];
  return first !== undefined && last !== undefined && first > last;
}

/** Amounts keep their signs: of a call's entries some may take, and others give back. */
function chargeOf(entry: Transaction): Charge[] {
  const { id: entryId, reference_id: callId, reference_type: of, amount_usd: amount } = entry;
  if (callId === undefined || !/call/i.test(of ?? "") || amount === undefined) return [];
  const micros = toldMicrosOf(Math.abs(amount));
  const isFit = entryId.length <= LONGEST_ID && callId.length <= LONGEST_ID;
  return micros === undefined || !isFit ? [] : [{ entryId, callId, micros: amount < 0 ? -micros : micros }];
}

const LONGEST_ID = 255;

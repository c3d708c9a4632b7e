import { sql } from "drizzle-orm";

import { usdOf, usdText } from "../../domain/campaigns/money.ts";
import { writeAudit } from "../ground/audit.ts";
import { rows, type Db, type Ledger } from "../ground/connection.ts";
import { readInstallation } from "../ground/installation.ts";
import { number, optional, record, text } from "../ground/record.ts";
import { at, listOf } from "../ground/sql.ts";
import { CALLED_WITH } from "./agents.ts";
import { tellCampaigns } from "./blacking-out.ts";
import type { ShortOf } from "./campaigns.ts";

/*
 * Credit of the platform's account. Without any, nothing is leased and no start is permitted, in every campaign; what is
 * under way goes on to its end. That is known from a refusal (402), or from a balance of nothing. It is over once there
 * is more than there was: a platform that refuses with some credit left would otherwise be asked over and over. Where
 * that can't be told, calls are tried again after a while.
 */

/**
 * Nobody knows how much a platform wants to have left. Whoever was refused tops up at once, often before the balance was
 * read: the first try is soon. Each that is refused as well is followed by a wait of twice as long, to the longest.
 */
const FIRST_TRY_MS = 60_000;
const LONGEST_TRY_MS = 15 * 60_000;

/** More of them wait no longer. */
const MOST_TRIES = 10;

/** A refusal within this after a try is what that came to; a later one is another story. */
const TRY_COUNTS_MS = 2 * LONGEST_TRY_MS;

/**
 * The platform refuses for want of credit, or its account has none. From the commit of this on no start is permitted.
 *
 * @param balanceMicros what it has where that is how it is known: anything more is more than there was
 */
export async function noteNoCredit(
  db: Db,
  { reason, balanceMicros, nowMs }: { reason: string; balanceMicros?: number; nowMs: number },
): Promise<void> {
  await readInstallation(db);
  const noted = await rows(
    db,
    sql`update installation set no_credit_at = ${at(nowMs)}, no_credit_reason = left(${reason}, 300),
          no_credit_micros = coalesce(${balanceMicros ?? null}::bigint,
            case when no_credit_tried_at > ${at(nowMs - TRY_COUNTS_MS)} then no_credit_micros end),
          no_credit_tries = case when no_credit_tried_at > ${at(nowMs - TRY_COUNTS_MS)} then no_credit_tries else 0 end
        where no_credit_at is null returning 1 as one`,
  );
  if (noted.length > 0)
    await writeAudit(db, {
      nowMs,
      actor: "engine",
      action: "credit.ended",
      detail: { reason },
      event: { type: "credit.exhausted", data: { reason } },
    });
}

const CREDIT = record({
  /** The least that it had since it refused, the tries that were refused as well included. */
  noCreditMicros: optional(number),
  noCreditTries: number,
});

/**
 * Notes what the account has, and lets campaigns go on where it has some again.
 *
 * @param balanceMicros undefined: it could not be read
 * @param isNoLimit the platform lets more be spent than that: it says nothing of how many calls there is credit for
 * @param isAsked somebody says that there is credit: calls are tried now, unless there is none at all
 * @returns campaigns that are to look again.
 */
export async function noteBalance(
  ledger: Ledger,
  {
    balanceMicros,
    isNoLimit = false,
    isAsked = false,
    nowMs,
  }: { balanceMicros: number | undefined; isNoLimit?: boolean; isAsked?: boolean; nowMs: number },
): Promise<string[]> {
  const { noCreditAtMs } = await readInstallation(ledger.db);
  if (balanceMicros !== undefined)
    await rows(
      ledger.db,
      sql`update installation set balance_micros = ${isNoLimit ? null : balanceMicros}::bigint, balance_at = ${at(nowMs)}`,
    );
  if (noCreditAtMs === undefined) {
    if (balanceMicros !== undefined && balanceMicros <= 0 && !isNoLimit)
      await noteNoCredit(ledger.db, {
        reason: `its balance is ${usdText(balanceMicros)}`,
        balanceMicros,
        nowMs,
      });
    return [];
  }
  const [known] = await rows(
    ledger.db,
    sql`update installation set no_credit_micros = least(no_credit_micros, ${balanceMicros ?? null}::bigint)
        returning ${CREDIT.columns}`,
    CREDIT,
  );
  const { noCreditMicros = Number.POSITIVE_INFINITY, noCreditTries: tries = 0 } = known ?? {};
  const waitsMs = Math.min(LONGEST_TRY_MS, FIRST_TRY_MS * 2 ** tries);
  const isTried = isAsked || nowMs - noCreditAtMs >= waitsMs;
  const isMore = balanceMicros !== undefined && balanceMicros > noCreditMicros;
  const hasSome = balanceMicros === undefined || balanceMicros > 0 || isNoLimit;
  if (!hasSome || !(isMore || isTried)) return [];
  return ledger.transaction(async (tx) => {
    await rows(
      tx,
      sql`update installation set no_credit_at = null, no_credit_reason = null,
            no_credit_micros = ${isMore ? sql`null` : sql`no_credit_micros`},
            no_credit_tries = ${isMore ? 0 : Math.min(tries + 1, MOST_TRIES)}, no_credit_tried_at = ${isMore ? sql`null` : at(nowMs)}`,
    );
    await writeAudit(tx, {
      nowMs,
      actor: "engine",
      action: "credit.again",
      detail: { balance_micros: balanceMicros ?? null },
      event: {
        type: "credit.restored",
        data: { balance_usd: balanceMicros === undefined ? null : usdOf(balanceMicros) },
      },
    });
    return tellCampaigns(tx, undefined, nowMs);
  });
}

/** Whether anybody wants to know the balance: something is dialed or is to be, or waits for credit. */
export async function wantsBalance(db: Db): Promise<boolean> {
  const found = await rows(
    db,
    sql`select 1 as one where exists (select 1 from campaigns where state = 'running' and open_count + leased_count > 0)
          or exists (select 1 from installation where no_credit_at is not null)`,
  );
  return found.length > 0;
}

/** Running campaigns that wait for money of a kind, or of any. */
export async function listShortOf(db: Db, of: ShortOf | undefined): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select id from campaigns where ended_at is null and state = 'running'
          and short_of is not null and (${of ?? null}::text is null or short_of = ${of ?? null}::text)`,
  );
  return found.map(({ id }) => id);
}

/** A price is asked for again after this. */
const PRICE_HOLDS_MS = 24 * 60 * 60_000;

/** Agents of campaigns that are to be dialed whose price is not known, or was read long ago. */
export async function listUnpriced(
  db: Db,
  { limit, nowMs }: { limit: number; nowMs: number },
): Promise<string[]> {
  const found = await rows<{ agent_id: string }>(
    db,
    sql`select distinct w.agent_id from campaigns c cross join ${CALLED_WITH} w
        where c.ended_at is null and c.state in ('scheduled', 'running') and c.open_count > 0
          and not exists (select 1 from agent_prices p where p.agent_id = w.agent_id
                            and p.read_at > ${at(nowMs - PRICE_HOLDS_MS)})
        limit ${limit}`,
  );
  return found.map(({ agent_id: agentId }) => agentId);
}

/** What is known of an agent's price. */
const PRICE = record({ agentId: text, minuteMicros: optional(number), perCallMicros: optional(number) });

export interface KnownPrice {
  agentId: string;
  minuteMicros: number;
  perCallMicros: number;
}

/** Of these agents those whose price was read, and not too long ago. */
export async function readPrices(db: Db, agentIds: readonly string[], nowMs: number): Promise<KnownPrice[]> {
  const found = await rows(
    db,
    sql`select ${PRICE.columns} from agent_prices where agent_id in ${listOf(agentIds, "text")}
          and minute_micros is not null and read_at > ${at(nowMs - PRICE_HOLDS_MS)}`,
    PRICE,
  );
  return found.map(({ agentId, minuteMicros = 0, perCallMicros = 0 }) => ({
    agentId,
    minuteMicros,
    perCallMicros,
  }));
}

/** @param price undefined: it could not be told; one that was known before stays. */
export async function notePrice(
  db: Db,
  input: {
    agentId: string;
    price: { minuteMicros: number; perCallMicros: number } | undefined;
    nowMs: number;
  },
): Promise<void> {
  const { agentId, price, nowMs } = input;
  await rows(
    db,
    sql`insert into agent_prices as p (agent_id, minute_micros, per_call_micros, read_at)
        values (${agentId}, ${price?.minuteMicros ?? null}::bigint, ${price?.perCallMicros ?? null}::bigint, ${at(nowMs)})
        on conflict (agent_id) do update set minute_micros = coalesce(excluded.minute_micros, p.minute_micros),
          per_call_micros = coalesce(excluded.per_call_micros, p.per_call_micros), read_at = excluded.read_at`,
  );
}

import { sql } from "drizzle-orm";

import {
  allowanceOf,
  answerLetter,
  collapseOf,
  firstRoomMs,
  hasMemory,
  noRoomText,
  MAX_NEWEST_OF_NUMBER,
  type BegunCalls,
  type CallerIdFacts,
  type CallerIdPolicy,
} from "../../domain/campaigns/caller-ids.ts";
import { callerIdPolicyOf } from "../../domain/campaigns/caller-ids-spec.ts";
import type { CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import { CONVERSATIONS, type Disposition } from "../../domain/policy/disposition.ts";
import { formatDurationMs } from "../../domain/time/duration.ts";
import { raiseAttention, resolveAttention } from "../ground/attention.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { at, json, ms } from "../ground/sql.ts";
import type { Campaign } from "./campaigns.ts";
import { lockForAll } from "./account-locks.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The numbers that a campaign may call from now. */
export interface Callers {
  policy: CallerIdPolicy;
  /** Calls that each of them may begin, in the order of the policy. */
  left: readonly number[];
  /** Of all of them together. */
  room: number;
  /** Why there is none left. */
  detail: string;
  /** When there is room again, as far as a clock tells; undefined where there is some. Unix milliseconds. */
  roomAtMs: number | undefined;
}

/**
 * Of calls that are planned or up nobody knows yet whether they are made: as long as a number has any, it is looked at
 * this often whether they left it some.
 */
const UNSETTLED_LOOK_MS = 60_000;

/**
 * How many calls the numbers of a campaign may begin; undefined where its spec says nothing of them. Where that depends
 * on what they did before, plannings of all campaigns take turns from here on, so that no two count the same call.
 */
export async function readCallers(tx: Db, spec: CampaignSpec, nowMs: number): Promise<Callers | undefined> {
  const policy = callerIdPolicyOf(spec);
  if (!policy) return undefined;
  if (!hasMemory(policy)) {
    const left = policy.numbers.map(() => Number.POSITIVE_INFINITY);
    return { policy, left, room: Number.POSITIVE_INFINITY, detail: "", roomAtMs: undefined };
  }
  await lockForAll(tx, "callers");
  const facts = await readFacts(tx, policy.numbers, nowMs);
  const left = policy.numbers.map((number) => {
    const known = facts.get(number);
    return known === undefined ? 0 : allowanceOf(known, policy, nowMs);
  });
  const room = left.reduce((sum, calls) => sum + calls, 0);
  const roomAtMs = room > 0 ? undefined : await readRoomMs(tx, policy, { facts: [...facts.values()], nowMs });
  return { policy, left, room, detail: noRoomText(policy.numbers, facts, nowMs), roomAtMs };
}

/**
 * When the first of numbers that may not call now may call again. Asked for nowhere but where all of them may not.
 * Calls are read by the minute, each at the end of it: a number has no more than 1,440 of them in a day.
 */
async function readRoomMs(
  tx: Db,
  policy: CallerIdPolicy,
  { facts, nowMs }: { facts: readonly CallerIdFacts[]; nowMs: number },
): Promise<number> {
  const found = await rows<{ number: string; begun_ms: number; calls: number; settled: boolean }>(
    tx,
    sql`select n.number, ${ms(sql`begun.last_at`)} as begun_ms, begun.calls, begun.settled
        from jsonb_array_elements_text(${json(policy.numbers)}) as n(number)
        cross join lateral (
          select max(b.start_sent_at) as last_at, sum(b.size - b.returned)::int as calls,
            bool_and(b.state = 'settled') as settled
          from batches b where b.from_number = n.number and b.start_sent_at > ${at(nowMs - DAY_MS)}
          group by date_trunc('minute', b.start_sent_at)) begun`,
  );
  const begunOf = new Map<string, BegunCalls[]>();
  for (const { number, begun_ms: atMs, calls } of found) {
    const begun = begunOf.get(number) ?? [];
    begun.push({ atMs, calls });
    begunOf.set(number, begun);
  }
  const isSettled = found.every(({ settled }) => settled) && facts.every(({ coming }) => coming === 0);
  // Of each number it is asked whether it has room before the one that was found so far: later does not matter.
  return facts.reduce(
    (untilMs, one) =>
      Math.min(untilMs, firstRoomMs(one, begunOf.get(one.number) ?? [], { policy, nowMs, untilMs })),
    isSettled ? Number.POSITIVE_INFINITY : nowMs + UNSETTLED_LOOK_MS,
  );
}

/** What numbers did before, by number. */
export async function readFacts(
  tx: Db,
  numbers: readonly string[],
  nowMs: number,
): Promise<Map<string, CallerIdFacts>> {
  const found = await rows<{
    number: string;
    last_hour: number;
    last_day: number;
    coming: number;
    first_used_ms: number | null;
    rests_until_ms: number | null;
  }>(
    tx,
    sql`select n.number, (begun.last_hour + coming.calls)::int as last_hour, (begun.last_day + coming.calls)::int as last_day,
          coming.calls::int as coming,
          ${ms(sql`c.first_used_at`)} as first_used_ms, ${ms(sql`c.rests_until`)} as rests_until_ms
        from jsonb_array_elements_text(${json(numbers)}) as n(number)
        left join caller_ids c on c.number = n.number
        cross join lateral (
          select coalesce(sum(b.size - b.returned) filter (where b.start_sent_at > ${at(nowMs - HOUR_MS)}), 0) as last_hour,
            coalesce(sum(b.size - b.returned), 0) as last_day
          from batches b where b.from_number = n.number and b.start_sent_at > ${at(nowMs - DAY_MS)}) begun
        cross join lateral (
          select coalesce(sum(b.size - b.returned), 0) as calls from batches b
          where b.from_number = n.number and b.start_sent_at is null and b.state <> 'settled'
            and b.state in ('planned', 'created')) coming`,
  );
  return new Map(
    found.map((row) => [
      row.number,
      {
        number: row.number,
        lastHour: row.last_hour,
        lastDay: row.last_day,
        coming: row.coming,
        firstUsedAtMs: row.first_used_ms ?? undefined,
        restsUntilMs: row.rests_until_ms ?? undefined,
      },
    ]),
  );
}

/** Somebody took the call; of one whose end nobody knows, nobody can say that nobody did. */
const ANSWERED: ReadonlySet<Disposition> = new Set(CONVERSATIONS);

/**
 * Writes down what calls from a number came to, where its campaign says how its numbers are used, and has it rest where
 * hardly anybody answers any more.
 */
export async function noteCallerCalls(
  tx: Db,
  input: {
    campaign: Pick<Campaign, "spec" | "brand">;
    number: string;
    ended: readonly { disposition: Disposition }[];
    nowMs: number;
  },
): Promise<void> {
  const { campaign, number, ended, nowMs } = input;
  const policy = callerIdPolicyOf(campaign.spec);
  if (!policy) return;
  const { health } = policy;
  const letters = ended.map(({ disposition }) => answerLetter(ANSWERED.has(disposition))).join("");
  const noted = await firstRow<{ newest_calls: string; rests_until_ms: number | null }>(
    tx,
    sql`insert into caller_ids as c (number, first_used_at, newest_calls)
        values (${number}, ${at(nowMs)}, ${letters.slice(-MAX_NEWEST_OF_NUMBER)})
        on conflict (number) do update
          set newest_calls = case when c.rests_until > ${at(nowMs)} then '' else
            right(c.newest_calls || excluded.newest_calls, ${MAX_NEWEST_OF_NUMBER}) end
        returning newest_calls, ${ms(sql`rests_until`)} as rests_until_ms`,
  );
  if (!noted) return;
  // Calls that were up when it began to rest say nothing new.
  const { rests_until_ms: restedUntilMs, newest_calls: newest } = noted;
  if (restedUntilMs !== null && nowMs < restedUntilMs) return;
  const detail = health && collapseOf(newest, health);
  if (restedUntilMs !== null) await noteRested(tx, number, nowMs);
  if (!health || detail === undefined) return;
  const untilMs = nowMs + health.restMs;
  await rows(
    tx,
    sql`update caller_ids set rests_until = ${at(untilMs)}, newest_calls = '' where number = ${number}`,
  );
  await raiseAttention(tx, {
    kind: "caller_id_resting",
    subject: number,
    brand: campaign.brand,
    summary: `${number} rests for ${formatDurationMs(health.restMs)}: ${detail}`,
    remedy:
      "see whether carriers show it as spam, and register it or replace it; it is called from again by itself",
    nowMs,
  });
}

/** It is called from again. */
async function noteRested(tx: Db, number: string, nowMs: number): Promise<void> {
  await rows(tx, sql`update caller_ids set rests_until = null where number = ${number}`);
  await resolveAttention(tx, {
    kind: "caller_id_resting",
    subject: number,
    by: "engine",
    resolution: "it has rested, and is called from again",
    nowMs,
  });
}

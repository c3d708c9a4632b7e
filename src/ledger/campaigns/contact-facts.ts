import { sql, type SQL } from "drizzle-orm";

import { parseDurationMs } from "../../domain/time/duration.ts";
import { CONVERSATIONS } from "../../domain/policy/disposition.ts";
import { numberKindOf } from "../../domain/policy/number-kind.ts";
import type { ContactFacts } from "../../domain/policy/gate-question.ts";
import { SHORTEST_GAP_MS } from "../../domain/policy/policy-gate.ts";
import type { ConsentBasis } from "../../domain/policy/consent.ts";
import { rows, type Db } from "../ground/connection.ts";
import { consentsOf } from "../ground/consents.ts";
import { answersOf, scrubAnswersOf, type AnswerRow } from "../ground/scrub-answers.ts";
import { at, listOf, ms } from "../ground/sql.ts";
import { suppressionOf } from "../ground/suppressions.ts";
import { unbookedDialOf } from "./unbooked-dials.ts";
import {
  ANALYSIS_SILENT_FOR_MS,
  asksConsent,
  type DialingPolicy,
  type FrequencyCap,
} from "../../domain/policy/dialing-policy.ts";

/** A contact with everything that the policy gate asks about it, read in the transaction that decides. */
export interface ContactWithFacts {
  id: number;
  phone: string;
  facts: ContactFacts;
}

/** How far back calls to a number are looked for. */
type LookBack = Pick<DialingPolicy, "notCalledWithinMs" | "leastGapMs" | "frequency"> &
  Partial<Pick<DialingPolicy, "consent" | "presetConsents">>;

interface FactsRow {
  id: number;
  phone: string;
  zones: string[];
  places: string[];
  attempts: number;
  last_disposition: ContactFacts["lastDisposition"] | null;
  due_ms: number;
  suppression: { scope: "brand" | "global"; source: string; reason: string } | null;
  consents: { basis: ConsentBasis | null; atMs: number; expiresAtMs: number | null }[] | null;
  scrubbed: AnswerRow[] | null;
  open_elsewhere: boolean;
  by_disposition: Record<string, number> | null;
  called_back_ms: number | null;
  called_ms: number | null;
  last_call_ms: number | null;
  own_last_call_ms: number | null;
  capped_ms: (number | null)[];
  perhaps_capped_ms: (number | null)[];
  undecided: { endedMs: number; wait: string | null; silentMs: number }[] | null;
  is_simulated: boolean;
}

/** When contact `c` was accepted: with its list, or when the call was asked for; never before its campaign. */
export const acceptedAt = sql`coalesce(
  (select im.created_at from imports im where im.id = c.import_id), c.asked_at,
  (select ca.created_at from campaigns ca where ca.id = c.campaign_id))`;

/**
 * The facts query: one statement for any number of contacts.
 *
 * @param input.exceptBatch attempts of this batch do not count as somebody else's.
 */
export async function readContactFacts(
  tx: Db,
  input: {
    contactIds: readonly number[];
    brand: string;
    exceptBatch?: string | undefined;
    policy: LookBack;
    /** Services whose answers are to be read; absent: none, and whoever needs one waits. */
    scrubberIds?: readonly number[];
    nowMs: number;
  },
): Promise<ContactWithFacts[]> {
  if (input.contactIds.length === 0) return [];
  const found = await rows<FactsRow>(
    tx,
    sql`select c.id, c.phone, z.zones, z.places, c.attempts, c.last_disposition,
          round(extract(epoch from c.due_at) * 1000)::float8 as due_ms,
          ${suppressionOf(sql`c.phone`, sql`${input.brand}`, input.nowMs)} as suppression,
          ${asksConsent(input.policy) ? consentsOf(sql`c.phone`, input.brand) : sql`null::jsonb`} as consents,
          ${scrubAnswersOf(sql`c.phone`, input.scrubberIds ?? [])} as scrubbed,
          exists (select 1 from attempts o where o.phone = c.phone and o.state = 'open'
                    and o.batch_id is distinct from ${input.exceptBatch ?? null}::uuid) as open_elsewhere,
          case when c.attempts > 0 then
            (select jsonb_object_agg(d.disposition, d.n) from
              (select a.disposition, count(*) as n from attempts a
                 where a.contact_id = c.id and a.state = 'ended' group by a.disposition) d) end as by_disposition,
          (select ${ms(sql`max(i.at)`)} from inbound_calls i where i.phone = c.phone and i.at >= ${acceptedAt}) as called_back_ms,
          called.by_others_ms as called_ms, called.at_all_ms as last_call_ms, called.own_ms as own_last_call_ms,
          jsonb_build_array(${sql.join(
            input.policy.frequency.map((cap) => cappedSince(cap, { ...input, withUndecided: false })),
            sql`, `,
          )}) as capped_ms,
          jsonb_build_array(${sql.join(
            input.policy.frequency.map((cap) => cappedSince(cap, { ...input, withUndecided: true })),
            sql`, `,
          )}) as perhaps_capped_ms,
          ${undecidedCalls(input.brand)} as undecided,
          coalesce((select i.simulated from installation i), false) as is_simulated
        from contacts c join lanes l on l.id = c.lane_id join zone_sets z on z.id = l.zone_set_id
          cross join lateral ${calledSince(input)} as called
        where c.id in ${listOf(input.contactIds, "bigint")}`,
  );
  return found.map((row) => ({
    id: row.id,
    phone: row.phone,
    facts: {
      number: numberKindOf(row.phone),
      zones: row.zones,
      places: row.places,
      suppression: row.suppression ?? undefined,
      consents: (row.consents ?? []).map(({ basis, atMs, expiresAtMs }) => ({
        basis: basis ?? undefined,
        atMs,
        expiresAtMs: expiresAtMs ?? undefined,
      })),
      scrubbed: answersOf(row.scrubbed),
      attempts: row.attempts,
      attemptsByDisposition: row.by_disposition ?? {},
      lastDisposition: row.last_disposition ?? undefined,
      openElsewhere: row.open_elsewhere,
      dueAtMs: row.due_ms,
      calledBackAtMs: row.called_back_ms ?? undefined,
      calledAtMs: row.called_ms ?? undefined,
      lastCallAtMs: row.last_call_ms ?? undefined,
      ownLastCallAtMs: row.own_last_call_ms ?? undefined,
      cappedSinceMs: row.capped_ms.map((sinceMs) => sinceMs ?? undefined),
      perhapsCappedSinceMs: row.perhaps_capped_ms.map((sinceMs) => sinceMs ?? undefined),
      undecidedUntilMs: undecidedUntil(row.undecided ?? []),
      isSimulated: row.is_simulated,
    },
  }));
}

/**
 * Calls of the brand to the number of contact `c` that are over while their analysis is not there, and calls from it that
 * are not settled, where campaigns read opt-outs out of them. By the indexes of such calls.
 */
function undecidedCalls(brand: string): SQL {
  const readsOptOuts = sql`kc.brand = ${brand} and kc.spec @> '{"analysis": {"rules": [{"disposition": "opted_out"}]}}'`;
  return sql`(
    select jsonb_agg(jsonb_build_object('endedMs', ${ms(sql`u.at`)}, 'wait', u.wait, 'silentMs', u.silent_ms)) from (
      select ${CALLED_AT} as at, kc.spec -> 'analysis' ->> 'wait' as wait,
          ${ANALYSIS_SILENT_FOR_MS}::int as silent_ms
        from attempts o join campaigns kc on kc.id = o.campaign_id
        where o.phone = c.phone and o.state = 'provisional' and o.contact_id <> c.id and ${readsOptOuts}
      union all
      select i.at, null, 0 from inbound_calls i
        where i.phone = c.phone and i.settled_at is null and exists (
          select 1 from contacts k join campaigns kc on kc.id = k.campaign_id where k.phone = c.phone and ${readsOptOuts})
    ) u)`;
}

/**
 * A campaign settles what it can't read by the end of its own wait, or a day later where nothing answers about the call:
 * that may be late where nobody looks at its batch. Beyond this nobody else waits for it.
 */
const UNDECIDED_BEYOND_MS = 60 * 60_000;

function undecidedUntil(calls: NonNullable<FactsRow["undecided"]>): number | undefined {
  if (calls.length === 0) return undefined;
  const ends = calls.map(
    ({ endedMs, wait, silentMs }) => endedMs + (parseDurationMs(wait ?? "") ?? 0) + silentMs,
  );
  return Math.max(...ends) + UNDECIDED_BEYOND_MS;
}

/**
 * The last calls of the brand to the number of contact `c`, by the index of calls of a number: `own_ms` of itself,
 * `at_all_ms` for any other contact, `by_others_ms` by another campaign. Callbacks of the campaign itself are its own calls. A call for nobody
 * knows whom, in a part of the ledger that was lost, is either.
 */
function calledSince(input: { brand: string; policy: LookBack; nowMs: number }): SQL {
  const { brand, nowMs } = input;
  const { notCalledWithinMs = 0, leastGapMs } = input.policy;
  const sinceMs = nowMs - Math.max(notCalledWithinMs, leastGapMs, SHORTEST_GAP_MS);
  return sql`(
    select greatest(b.by_others_ms, u.at_ms) as by_others_ms, greatest(b.at_all_ms, u.at_ms) as at_all_ms, b.own_ms
    from (select ${ms(sql`max(${CALLED_AT}) filter (where o.campaign_id <> c.campaign_id and kc.parent_id is distinct from c.campaign_id)`)} as by_others_ms,
                 ${ms(sql`max(${CALLED_AT}) filter (where o.contact_id <> c.id)`)} as at_all_ms,
                 ${ms(sql`max(${CALLED_AT}) filter (where o.contact_id = c.id)`)} as own_ms
          from attempts o join campaigns kc on kc.id = o.campaign_id
          where o.phone = c.phone and o.state in ('provisional', 'ended') and ${CALLED_AT} > ${at(sinceMs)}
            and kc.brand = ${brand}) b
      cross join (select ${unbookedDialOf(sql`c.phone`, { brand, sinceMs })} as at_ms) u)`;
}

/**
 * When the oldest of the newest calls to the number of contact `c` ended that are as many as a cap allows: by the index
 * of calls of a number, backwards, no further than that. A call for nobody knows whom may have been a conversation.
 */
function cappedSince(
  { counts, atMost, withinMs, across }: FrequencyCap,
  { brand, nowMs, withUndecided }: { brand: string; nowMs: number; withUndecided: boolean },
): SQL {
  // An attempt is one, whatever it comes to.
  if (counts === "attempts" && withUndecided) return sql`null::float8`;
  const since = at(nowMs - withinMs);
  const ofBrand = across === "brand" ? sql`and kc.brand = ${brand}` : sql``;
  const unbookedOfBrand = across === "brand" ? sql`and coalesce(f.brand, ${brand}) = ${brand}` : sql``;
  const counted =
    counts === "attempts"
      ? sql``
      : withUndecided
        ? sql`and (o.state = 'provisional' or o.disposition in ${listOf(CONVERSATIONS, "text")})`
        : sql`and o.state = 'ended' and o.disposition in ${listOf(CONVERSATIONS, "text")}`;
  return sql`(select ${ms(sql`k.at`)} from (
      (select ${CALLED_AT} as at from attempts o join campaigns kc on kc.id = o.campaign_id
        where o.phone = c.phone and o.state in ('provisional', 'ended') and ${CALLED_AT} > ${since} ${ofBrand} ${counted}
        order by ${CALLED_AT} desc limit ${atMost})
      union all
      (select f.dialed_until from unbooked_dials f
        where f.phone = c.phone and f.dialed_until > ${since} ${unbookedOfBrand}
        order by f.dialed_until desc limit ${atMost})
    ) k order by k.at desc offset ${atMost - 1} limit 1)`;
}

/** As the index attempts_called has it: no call is missed because nobody knows when it ended. */
const CALLED_AT = sql`coalesce(o.ended_at, o.settled_at, o.planned_at)`;

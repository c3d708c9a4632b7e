import { sql, type SQL } from "drizzle-orm";

import {
  afterScrubFailure,
  scrubStanding,
  silenceText,
  type ScrubAnswer,
  type ScrubFailure,
  type ScrubReading,
} from "../../domain/policy/scrubbing.ts";
import { raiseAttention, resolveAttention } from "./attention.ts";
import { writeAudit } from "./audit.ts";
import { firstRow, rows, type Db } from "./connection.ts";
import { at, json, listOf, ms } from "./sql.ts";
import {
  aboutToChange,
  listSources,
  scrubOf,
  type ScrubAsked,
  type SuppressionSource,
} from "./suppression-sources.ts";
import { addSuppressions } from "./suppressions.ts";

/*
 * What scrubbing services said, and how they are. An answer is a row for its number, never changed: who is dialed by it
 * can be told why later (I7). Who is listed is suppressed besides, like anybody else, for as long as the answer holds.
 */

/** A service that is asked about numbers. */
export interface AskedSource extends SuppressionSource {
  scrub: ScrubAsked;
}

/** Those that may be asked now: nobody asks them, and they are not left alone. */
export async function listAskable(db: Db, nowMs: number): Promise<AskedSource[]> {
  const found = await listSources(db, undefined);
  return found.flatMap((source) => {
    const scrub = scrubOf(source);
    return scrub && (source.askAfterMs ?? 0) <= nowMs ? [{ ...source, scrub }] : [];
  });
}

/** Takes a service for one request, or for the next one: nobody else asks it before `untilMs`. False where somebody does. */
export async function claimScrubber(
  db: Db,
  { source, held, untilMs, nowMs }: { source: AskedSource; held: boolean; untilMs: number; nowMs: number },
): Promise<boolean> {
  const claimed = await rows(
    db,
    sql`update suppression_sources set ask_after = ${at(untilMs)}
        where id = ${source.id} and removed_at is null and scrub_url = ${source.scrub.url}
          and (${held} or ask_after is null or ask_after <= ${at(nowMs)})
        returning 1 as one`,
  );
  return claimed.length > 0;
}

/** Lets go of one that was asked what there was to ask. */
export async function releaseScrubber(db: Db, { id }: AskedSource, untilMs: number): Promise<void> {
  await rows(
    db,
    sql`update suppression_sources set ask_after = null where id = ${id} and ask_after = ${at(untilMs)}`,
  );
}

/**
 * What services said of a number, as a value of a statement: two probes of an index for each.
 *
 * @param sourceIds the services; none: null.
 */
export function scrubAnswersOf(phone: SQL, sourceIds: readonly number[]): SQL {
  if (sourceIds.length === 0) return sql`null::jsonb`;
  return sql`(
    select jsonb_agg(jsonb_build_object('sourceId', s.id, 'askedAtMs', ${ms(sql`a.asked_at`)}, 'listed', a.listed,
                                        'unansweredAtMs', case when n.listed is null then ${ms(sql`n.asked_at`)} end))
    from ${listOf(sourceIds, "int")} as s(id)
      cross join lateral (select r.asked_at, r.listed from scrub_answers r
        where r.source_id = s.id and r.phone = ${phone} order by r.asked_at desc limit 1) n
      left join lateral (select r.asked_at, r.listed from scrub_answers r
        where r.source_id = s.id and r.phone = ${phone} and r.listed is not null order by r.asked_at desc limit 1) a on true)`;
}

/** As a statement gives them. */
export interface AnswerRow {
  sourceId: number;
  askedAtMs: number | null;
  listed: boolean | null;
  unansweredAtMs: number | null;
}

export function answersOf(found: readonly AnswerRow[] | null): ScrubAnswer[] {
  return (found ?? []).map(({ sourceId, askedAtMs, listed, unansweredAtMs }) => ({
    sourceId,
    last: askedAtMs === null || listed === null ? undefined : { askedAtMs, listed },
    unansweredAtMs: unansweredAtMs ?? undefined,
  }));
}

/** Fewer numbers in a request, as of calls that were placed one by one, are none by which a service is judged. */
const LEAST_TELLING = 5;

/**
 * Writes down what a service said. From the commit of this transaction on whoever is listed is suppressed in its scope,
 * until the answer is too old; where it said nothing of anybody, people are told. False where it was removed, or is asked elsewhere by now: then nothing is written.
 *
 * @param input.askedAtMs when the request was made: what the service knew later is not in it.
 */
export async function recordAnswers(
  tx: Db,
  input: { source: AskedSource; reading: ScrubReading; askedAtMs: number; nowMs: number },
): Promise<boolean> {
  const { source, reading, askedAtMs, nowMs } = input;
  const { id, name, brand, scrub } = source;
  await aboutToChange(tx);
  const before = await firstRow<{ trouble: string | null; failures: number; away: boolean }>(
    tx,
    sql`select trouble, failures, away_since is not null as away from suppression_sources
        where id = ${id} and removed_at is null and scrub_url = ${scrub.url} for no key update`,
  );
  if (!before) return false;
  // One or two numbers that a service does not cover, or does, say nothing of the others.
  const asked = reading.listed.size + reading.clear.size + reading.missing.length;
  const isTelling = asked >= LEAST_TELLING;
  const said = isTelling ? silenceText(reading) : undefined;
  const silence = isTelling || before.failures > 0 ? said : (before.trouble ?? undefined);
  await rows(
    tx,
    sql`update suppression_sources set tried_at = ${at(nowMs)}, failures = 0, silent = 0, trouble = ${silence ?? null}, away_since = null where id = ${id}`,
  );
  if (said !== undefined)
    await raiseAttention(tx, {
      kind: "scrubber_failing",
      subject: name,
      brand: brand ?? "default",
      summary: `whoever ${name} has not answered for is not dialed: ${said}`,
      remedy: `see to the service: numbers that it does not cover are never dialed while it is in scope; give its source the brand of those that it covers (outdial suppress source put ${name}), or remove it`,
      nowMs,
    });
  else if (before.trouble !== null && silence === undefined) {
    const resolution = "it answers again";
    await resolveAttention(tx, { kind: "scrubber_failing", subject: name, by: "engine", resolution, nowMs });
  }
  if (before.away)
    await writeAudit(tx, { nowMs, actor: "engine", action: "suppression_source.back", detail: { name } });
  const answers = [
    ...[...reading.listed.keys()].map((phone) => ({ phone, listed: true })),
    ...[...reading.clear].map((phone) => ({ phone, listed: false })),
    ...reading.missing.map((phone) => ({ phone })),
  ];
  const phones = answers.map(({ phone }) => phone);
  await rows(
    tx,
    sql`delete from scrub_answers where source_id = ${id} and phone in ${listOf(phones, "text")} and listed is null`,
  );
  await rows(
    tx,
    sql`insert into scrub_answers (source_id, phone, asked_at, listed)
        select ${id}::int, r.phone, ${at(askedAtMs)}, r.listed
        from jsonb_to_recordset(${json(answers)}) as r(phone text, listed boolean)
        on conflict do nothing`,
  );
  const entries = [...reading.listed].map(([phone, reason]) => ({
    phone,
    brand,
    saidBy: "service" as const,
    source: `scrub ${name}`,
    reason: reason ?? `listed by the scrubbing service ${name}`,
    expiresAtMs: askedAtMs + scrub.cacheMs,
  }));
  await addSuppressions(tx, { entries, actor: "engine", nowMs });
  return true;
}

/** Writes down that a service did not answer, or not as it should, and tells people. Undefined where it is not asked any more. */
export async function recordScrubFailure(
  tx: Db,
  { source, failure, nowMs }: { source: AskedSource; failure: ScrubFailure; nowMs: number },
): Promise<{ begunAway: boolean } | undefined> {
  const { id, name, brand = "default", scrub } = source;
  await aboutToChange(tx);
  const before = await firstRow<{ failures: number; silent: number; away: boolean }>(
    tx,
    sql`select failures, silent, away_since is not null as away from suppression_sources
        where id = ${id} and removed_at is null and scrub_url = ${scrub.url} for no key update`,
  );
  if (!before) return undefined;
  const silent = failure.kind === "away" ? before.silent + 1 : 0;
  const { isAway, restMs } = afterScrubFailure(failure, { failures: before.failures + 1, silent });
  await rows(
    tx,
    sql`update suppression_sources set tried_at = ${at(nowMs)}, failures = failures + 1, silent = ${silent}, trouble = ${failure.text},
          ask_after = ${at(nowMs + restMs)},
          away_since = case when ${isAway} then coalesce(away_since, ${at(nowMs)}) end
        where id = ${id}`,
  );
  const isDialing = isAway && scrub.whenAway === "dial";
  if (isAway !== before.away)
    await writeAudit(tx, {
      nowMs,
      actor: "engine",
      action: isAway ? "suppression_source.away" : "suppression_source.back",
      detail: { name, when_away: scrub.whenAway, why: failure.text },
    });
  if (isAway || failure.kind === "wrong") {
    const what = isDialing
      ? `whom ${name} neither listed before nor left unanswered is dialed without its answer`
      : `whoever ${name} has not answered for is not dialed`;
    await raiseAttention(tx, {
      kind: "scrubber_failing",
      subject: name,
      brand,
      summary: `${what}: ${failure.text}`,
      remedy:
        failure.kind === "wrong"
          ? `see to the service, or to how it is set up (outdial suppress source show ${name}); outdial suppress source put ${name} has it asked at once`
          : `see whether the service is up; it is asked again by itself`,
      nowMs,
    });
  }
  return { begunAway: isDialing && !before.away };
}

/** An answer holds for a year at most, and is kept for a year beyond. */
const KEPT_MS = 2 * 366 * 86_400_000;

/** Answers that go in one transaction. */
const GONE_AT_ONCE = 5_000;

/** Forgets answers that are kept no longer: so many at a time. */
export async function forgetAnswers(db: Db, nowMs: number): Promise<void> {
  await rows(
    db,
    sql`delete from scrub_answers where (source_id, phone, asked_at) in (
          select source_id, phone, asked_at from scrub_answers
          where asked_at < ${at(nowMs - KEPT_MS)} order by asked_at limit ${GONE_AT_ONCE})`,
  );
}

/** Services whose answers list a number now, for a brand, or for any: nobody else takes that back. */
export async function answersThatList(
  db: Db,
  { phone, brand, nowMs }: { phone: string; brand: string | undefined; nowMs: number },
): Promise<{ source: string; brand: string | undefined; untilMs: number }[]> {
  const sources = (await listSources(db, brand)).flatMap((source) => {
    const scrub = scrubOf(source);
    return scrub ? [{ id: source.id, name: source.name, brand: source.brand, scrub }] : [];
  });
  const found = await firstRow<{ answers: AnswerRow[] | null }>(
    db,
    sql`select ${scrubAnswersOf(
      sql`${phone}`,
      sources.map(({ id }) => id),
    )} as answers`,
  );
  const answers = new Map(answersOf(found?.answers ?? null).map((answer) => [answer.sourceId, answer]));
  return sources.flatMap(({ id, name, brand: of, scrub: { sinceMs, cacheMs, whenAway } }) => {
    const scrubber = { sourceId: id, source: name, sinceMs, cacheMs, whenAway, awayTriedAtMs: undefined };
    const standing = scrubStanding(scrubber, answers.get(id), nowMs);
    return standing.kind === "listed" ? [{ source: name, brand: of, untilMs: standing.untilMs }] : [];
  });
}

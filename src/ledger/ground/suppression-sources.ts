import { sql, type SQL } from "drizzle-orm";

import {
  ageOf,
  renewalOf,
  staleText,
  type AgeOfList,
  type SourceInScope,
  type SourceType,
} from "../../domain/policy/suppression-source.ts";
import type { WhenAway } from "../../domain/policy/scrubbing.ts";
import { raiseAttention, resolveAttention } from "./attention.ts";
import { writeAudit } from "./audit.ts";
import { CommandRefusedError } from "./command-refused.ts";
import { firstRow, rows, type Db } from "./connection.ts";
import { moment, number, optional, record, text, word, type RecordOf } from "./record.ts";
import type { RequireSeen } from "./require-seen.ts";
import { at } from "./sql.ts";

/*
 * Sources of suppressions: lists that are replaced as a whole, each with a type, a scope and an age beyond which nobody
 * in its scope is dialed. Read in every transaction that plans or permits a start (I2); who is on them stands in
 * listed-numbers.ts.
 */

const SOURCE = record({
  id: number,
  name: text,
  type: word<SourceType>(),
  /** Undefined: for every brand. */
  brand: optional(text),
  /** Undefined: its list blocks nobody by its age. */
  maxAgeMs: optional(number),
  generation: number,
  /** On its list. */
  numbers: number,
  /** As of when that list is; undefined: it has none. */
  renewedAtMs: optional(moment),
  told: optional(word<"old" | "stale">()),
  /** Of a service that is asked about single numbers; all five or none. */
  scrubUrl: optional(text),
  scrubSecret: optional(text),
  /** Since when it is asked at that address. */
  scrubSinceMs: optional(moment),
  cacheMs: optional(number),
  whenAway: optional(word<WhenAway>()),
  triedAtMs: optional(moment),
  /** In a row. */
  failures: number,
  trouble: optional(text),
  awaySinceMs: optional(moment),
  askAfterMs: optional(moment),
  createdAtMs: moment,
});

export interface SuppressionSource extends RecordOf<typeof SOURCE> {}

/** Every planning and every start reads them. */
const MOST_SOURCES = 200;

/** Each is asked for every contact, with two probes of an index. */
const MOST_SCRUBBERS = 10;

export interface ScrubDeclared {
  url: string;
  /** The name of the secret that signs requests. */
  secret: string;
  cacheMs: number;
  whenAway: WhenAway;
}

/** A service as it is asked. */
export interface ScrubAsked extends ScrubDeclared {
  /** What was answered before was said by another address. */
  sinceMs: number;
}

export type SourceDeclared = Pick<SuppressionSource, "name" | "type" | "brand" | "maxAgeMs"> & {
  /** Undefined: it has a list, and is not asked. */
  scrub?: ScrubDeclared | undefined;
};

/** How a source is asked; undefined where it is not. */
export function scrubOf({
  scrubUrl: url,
  scrubSecret: secret,
  scrubSinceMs: sinceMs,
  cacheMs,
  whenAway,
}: Pick<SuppressionSource, "scrubUrl" | "scrubSecret" | "scrubSinceMs" | "cacheMs" | "whenAway">):
  | ScrubAsked
  | undefined {
  if (
    url === undefined ||
    secret === undefined ||
    sinceMs === undefined ||
    cacheMs === undefined ||
    whenAway === undefined
  )
    return undefined;
  return { url, secret, sinceMs, cacheMs, whenAway };
}

/** How and by whom a source is declared. */
export interface SourceWritten {
  /** Leaves one as it is that is declared so already; otherwise that has a service asked anew. */
  onlyChanges?: boolean;
  actor: string;
  /** Told what is declared of it, as `declarationOf` says it. */
  requireSeen?: RequireSeen | undefined;
}

/**
 * Declares a source, or changes it: from the commit of this transaction on, one with an age keeps campaigns in its scope
 * from dialing until it has a list. Who is on its list stays.
 *
 * @throws CommandRefusedError where there are too many.
 */
export async function putSource(
  tx: Db,
  input: SourceDeclared & SourceWritten & { nowMs: number },
): Promise<{ source: SuppressionSource; before: SuppressionSource | undefined }> {
  const { name, type, brand, maxAgeMs, scrub, onlyChanges = false, actor, nowMs } = input;
  // One after the other: there are a handful.
  await rows(tx, sql`lock table suppression_sources in share row exclusive mode`);
  const before = await readSource(tx, name);
  const isTold = before !== undefined && isSame(before, input);
  if (isTold && onlyChanges) return { source: before, before };
  if (!isTold) input.requireSeen?.(before && declarationOf(before));
  if (!before) {
    const there = await firstRow<{ n: number }>(
      tx,
      sql`select count(*)::int as n from suppression_sources where removed_at is null`,
    );
    if ((there?.n ?? 0) >= MOST_SOURCES)
      throw new CommandRefusedError(
        `there are ${MOST_SOURCES} sources already: remove one that is not needed, or import its list into another`,
      );
  }
  if (scrub) await refuseTooManyScrubbers(tx, name);
  if (brand !== undefined)
    await rows(tx, sql`insert into brands (id) values (${brand}) on conflict do nothing`);
  const [source] = before
    ? await rows(
        tx,
        sql`update suppression_sources set type = ${type}, brand = ${brand ?? null}, max_age_ms = ${maxAgeMs ?? null}::float8,
              scrub_url = ${scrub?.url ?? null}, scrub_secret = ${scrub?.secret ?? null},
              scrub_since = ${sinceOfAddress(scrub?.url, nowMs)},
              cache_ms = ${scrub?.cacheMs ?? null}::float8, when_away = ${scrub?.whenAway ?? null}, failures = 0, silent = 0, trouble = null, away_since = null, ask_after = null,
              changed_at = case when scrub_url is distinct from ${scrub?.url ?? null}::text
                or brand is distinct from ${brand ?? null}::text
                or max_age_ms is distinct from ${maxAgeMs ?? null}::float8
                or cache_ms is distinct from ${scrub?.cacheMs ?? null}::float8
                or when_away is distinct from ${scrub?.whenAway ?? null}::text then ${at(nowMs)} else changed_at end
            where id = ${before.id} returning ${SOURCE.columns}`,
        SOURCE,
      )
    : await rows(
        tx,
        sql`insert into suppression_sources (name, type, brand, max_age_ms, scrub_url, scrub_secret, scrub_since, cache_ms, when_away, created_at)
            values (${name}, ${type}, ${brand ?? null}, ${maxAgeMs ?? null}::float8, ${scrub?.url ?? null}, ${scrub?.secret ?? null},
                    ${scrub === undefined ? sql`null` : at(nowMs)}, ${scrub?.cacheMs ?? null}::float8, ${scrub?.whenAway ?? null}, ${at(nowMs)})
            returning ${SOURCE.columns}`,
        SOURCE,
      );
  if (source === undefined) throw new Error("a source that was written has no row");
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "suppression_source.put",
    detail: { name, after: shown(source), before: before ? shown(before) : null },
  });
  await tellAge(tx, source, nowMs);
  // It is asked anew, as it is set up now.
  if (before?.trouble !== undefined)
    await resolveAttention(tx, {
      kind: "scrubber_failing",
      subject: name,
      by: actor,
      resolution: "the source was declared anew",
      nowMs,
    });
  return { source, before };
}

function isSame(there: SuppressionSource, declared: SourceDeclared): boolean {
  const { type, brand, maxAgeMs, scrub } = declared;
  const asked = scrubOf(there);
  return (
    there.type === type &&
    there.brand === brand &&
    there.maxAgeMs === maxAgeMs &&
    asked?.url === scrub?.url &&
    asked?.secret === scrub?.secret &&
    asked?.cacheMs === scrub?.cacheMs &&
    asked?.whenAway === scrub?.whenAway
  );
}

/**
 * Since when a source that is put again is asked where it is now: from now on, if that is elsewhere. Another process's
 * clock may be ahead, so no answer that is there already is of then.
 */
function sinceOfAddress(url: string | undefined, nowMs: number): SQL {
  if (url === undefined) return sql`null`;
  return sql`case when scrub_url is distinct from ${url}::text
    then greatest(${at(nowMs)}, tried_at + interval '1 millisecond') else scrub_since end`;
}

/** What is declared of a source, but for what of a service's address nobody is shown: since when it is there instead. */
export function declarationOf(source: SuppressionSource): object {
  return { ...shown(source), address_since_ms: source.scrubSinceMs ?? null };
}

function shown(source: SuppressionSource): object {
  const { type, brand, maxAgeMs } = source;
  const scrub = scrubOf(source);
  return {
    type,
    brand: brand ?? null,
    max_age_ms: maxAgeMs ?? null,
    ...(scrub && {
      scrub: {
        url: scrubAddress(scrub.url),
        secret: scrub.secret,
        cache_ms: scrub.cacheMs,
        when_away: scrub.whenAway,
      },
    }),
  };
}

/** Of the address of a service what may be seen: a query is often a key. */
export function scrubAddress(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === "" ? "" : "?..."}`;
}

/** @throws CommandRefusedError where there are so many others already. */
async function refuseTooManyScrubbers(tx: Db, name: string): Promise<void> {
  const others = await firstRow<{ n: number }>(
    tx,
    sql`select count(*)::int as n from suppression_sources
        where removed_at is null and scrub_url is not null and name <> ${name}`,
  );
  if ((others?.n ?? 0) >= MOST_SCRUBBERS)
    throw new CommandRefusedError(
      `there are ${MOST_SCRUBBERS} scrubbing services already, each of which is asked about every contact: remove one that is not needed`,
    );
}

/** Takes a source back: nobody is suppressed by it any more. Its rows stay. Undefined where there is none of that name. */
export async function removeSource(
  tx: Db,
  input: { name: string; reason: string; actor: string; nowMs: number },
): Promise<SuppressionSource | undefined> {
  const { name, reason, actor, nowMs } = input;
  const [removed] = await rows(
    tx,
    sql`update suppression_sources set removed_at = ${at(nowMs)}, removed_reason = ${reason}
        where name = ${name} and removed_at is null returning ${SOURCE.columns}`,
    SOURCE,
  );
  if (removed === undefined) return undefined;
  await rows(
    tx,
    sql`update suppression_loads set state = 'abandoned', ended_at = ${at(nowMs)}
        where source_id = ${removed.id} and state = 'loading'`,
  );
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "suppression_source.remove",
    detail: { name, reason, numbers: removed.numbers, before: shown(removed) },
  });
  const resolution = "the source was removed";
  await resolveAttention(tx, { kind: "suppression_list_old", subject: name, by: actor, resolution, nowMs });
  await resolveAttention(tx, { kind: "scrubber_failing", subject: name, by: actor, resolution, nowMs });
  return removed;
}

export function readSource(db: Db, name: string): Promise<SuppressionSource | undefined> {
  return firstRow(
    db,
    sql`select ${SOURCE.columns} from suppression_sources where name = ${name} and removed_at is null`,
    SOURCE,
  );
}

/** Before a row of them is locked that is changed then: whoever puts one holds the table, and waits for rows. */
export async function aboutToChange(tx: Db): Promise<void> {
  await rows(tx, sql`lock table suppression_sources in row exclusive mode`);
}

/** The same, and nobody changes it before this transaction is over. */
export async function lockSource(tx: Db, name: string): Promise<SuppressionSource | undefined> {
  await aboutToChange(tx);
  return firstRow(
    tx,
    sql`select ${SOURCE.columns} from suppression_sources where name = ${name} and removed_at is null for no key update`,
    SOURCE,
  );
}

/** By name; of a brand, with those of every brand. */
export function listSources(db: Db, brand: string | undefined): Promise<SuppressionSource[]> {
  return rows(
    db,
    sql`select ${SOURCE.columns} from suppression_sources where removed_at is null
          and (${brand ?? null}::text is null or brand is null or brand = ${brand ?? null}::text)
        order by name`,
    SOURCE,
  );
}

/** Sources that campaigns of a brand are in the scope of, as they are in this transaction. */
export async function readSourcesInScope(tx: Db, brand: string): Promise<SourceInScope[]> {
  const found = await rows(
    tx,
    sql`select ${SOURCE.columns} from suppression_sources
        where removed_at is null and (brand is null or brand = ${brand}) order by name`,
    SOURCE,
  );
  return found.map(inScope);
}

function inScope(source: SuppressionSource): SourceInScope {
  const { id: sourceId, name, renewedAtMs, maxAgeMs, awaySinceMs, triedAtMs } = source;
  const scrub = scrubOf(source);
  if (!scrub) return { source: name, renewedAtMs, maxAgeMs };
  const { sinceMs, cacheMs, whenAway } = scrub;
  const awayTriedAtMs = awaySinceMs === undefined ? undefined : triedAtMs;
  return {
    source: name,
    renewedAtMs,
    maxAgeMs,
    scrubber: { sourceId, source: name, sinceMs, cacheMs, whenAway, awayTriedAtMs },
  };
}

/** Tells people of lists that are to be renewed soon, and of those that keep campaigns from dialing. Safe to repeat. */
export async function watchAges(tx: Db, nowMs: number): Promise<void> {
  for (const source of await listSources(tx, undefined)) await tellAge(tx, source, nowMs);
}

/** What is known of a source's age is told once, and taken back once it is not so any more. */
export async function tellAge(tx: Db, source: SuppressionSource, nowMs: number): Promise<void> {
  const { id, name: subject, brand = "default", maxAgeMs, renewedAtMs } = source;
  const list = maxAgeMs === undefined ? undefined : { source: subject, renewedAtMs, maxAgeMs };
  const age: AgeOfList = list === undefined ? "fresh" : ageOf(list, nowMs);
  const told = age === "fresh" ? undefined : age;
  if (told === source.told) return;
  await rows(tx, sql`update suppression_sources set told = ${told ?? null} where id = ${id}`);
  const kind = "suppression_list_old";
  if (told === undefined || list === undefined) {
    const resolution = "the list is as young as it is to be";
    await resolveAttention(tx, { kind, subject, by: "engine", resolution, nowMs });
    return;
  }
  const untilMs = (renewedAtMs ?? nowMs) + list.maxAgeMs;
  const summary =
    told === "stale"
      ? `nobody is called in the scope of ${subject}: ${staleText(list)}`
      : `from ${new Date(untilMs).toISOString()} on nobody is called in the scope of ${subject}: its list of ${list.renewedAtMs === undefined ? "no day" : new Date(list.renewedAtMs).toISOString()} is too old then`;
  await raiseAttention(tx, { kind, subject, brand, summary, remedy: renewalOf(subject), nowMs });
}

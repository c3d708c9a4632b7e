import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

import { sql, type SQL } from "drizzle-orm";

import { actorName, type Caller, type Role } from "../../domain/ground/access.ts";
import { writeAudit } from "./audit.ts";
import { firstRow, rows, type Db } from "./connection.ts";
import { from, moment, optional, record, text, texts, word, type RecordOf } from "./record.ts";
import { at, json, listOf } from "./sql.ts";

/*
 * Sessions of people in browsers.
 *
 * 1. The ledger has the SHA-256 of a session's cookie and never itself, as of tokens.
 * 2. Each request looks its session up anew, with the token that it began by: one that was ended, or whose token was
 *    revoked or is over, is refused from that commit on, by every process. A link's began by the token that made the link.
 * 3. A session ends by itself: when nobody used it for a while, and at the latest at the end that was set when it began.
 *    Its rights are those of its beginning.
 * 4. With a session end the links that were made in it and were not opened, and the sessions that such links began: who is
 *    put out has let nobody in who stays.
 * 5. Nobody has more than twenty: the next one ends that which was used the longest ago.
 */

const SESSION = record(
  {
    id: text,
    digest: text,
    kind: word<Caller["kind"]>(),
    name: text,
    tokenId: optional(text),
    systemMark: optional(text),
    role: word<Role>(),
    /** Undefined: all brands. */
    brands: optional(texts),
    createdAtMs: moment,
    /** To the minute. */
    lastUsedAtMs: moment,
    expiresAtMs: moment,
    tokenName: from("t.name", optional(text)),
    tokenRevokedAtMs: from("t.revoked_at", optional(moment)),
    tokenExpiresAtMs: from("t.expires_at", optional(moment)),
  },
  "s",
);

export interface BrowserSession extends Omit<RecordOf<typeof SESSION>, "digest"> {}

/** Tabs share one; this is for browsers and machines of a person, and for those who forget to sign out. */
const MOST_OF_ONE = 20;

/** Its id, and 256 bits that nobody guesses. */
const COOKIE_TEXT = /^([\da-f]{32})_[\w-]{43}$/;

/** Whether it has the form of a session's cookie: what has not is none. */
export function isSessionCookie(shown: string): boolean {
  return COOKIE_TEXT.test(shown);
}

/** Who somebody was found to be. */
export type SignedIn = { role: Role; brands: readonly string[] | undefined } & (
  | { kind: "system"; name: string; systemMark: string }
  | { kind: "token"; name: string; tokenId: string }
  | {
      kind: "link";
      name: string;
      tokenId: string | undefined;
      systemMark: string | undefined;
      /** The session in which the link was made. */
      madeIn: string | undefined;
    }
  | { kind: "person"; name: string }
);

export interface BegunSession {
  session: BrowserSession;
  /** What the browser shows from now on. Nobody can read it again. */
  cookie: string;
}

/** How a session begins. */
export interface SessionBeginning {
  nowMs: number;
  lifeMs: number;
  /** It ends by then, however long its life would be. */
  atLatestMs?: number | undefined;
  /** For the audit. */
  about?: Record<string, unknown>;
}

/** Begins a session, and ends those of the same one that are too many. */
export async function beginSession(
  tx: Db,
  who: SignedIn,
  { nowMs, lifeMs, atLatestMs = Infinity, about = {} }: SessionBeginning,
): Promise<BegunSession> {
  const id = randomBytes(16).toString("hex");
  const cookie = `${id}_${randomBytes(32).toString("base64url")}`;
  const expiresAtMs = Math.min(nowMs + lifeMs, atLatestMs);
  const tokenId = who.kind === "token" || who.kind === "link" ? who.tokenId : undefined;
  const systemMark = who.kind === "system" || who.kind === "link" ? who.systemMark : undefined;
  const madeIn = who.kind === "link" ? who.madeIn : undefined;
  const actor = sessionActor(who);
  // But for that in which the link was made: with it this one would end.
  await endWhere(
    tx,
    sql`s.id in (select o.id from sessions o where o.kind = ${who.kind} and o.name = ${who.name}
                   and o.id is distinct from ${madeIn ?? null}
                 order by o.last_used_at desc, o.id offset ${MOST_OF_ONE - 1})`,
    { actor, reason: `nobody has more than ${MOST_OF_ONE}: it was used the longest ago`, nowMs },
  );
  const begun = await firstRow(
    tx,
    sql`with s as (
          insert into sessions
            (id, digest, kind, name, token_id, system_mark, made_in, role, brands, created_at, last_used_at, expires_at)
          values (${id}, ${digestOf(cookie)}, ${who.kind}, ${who.name}, ${tokenId ?? null}, ${systemMark ?? null}, ${madeIn ?? null}, ${who.role},
                  (select array_agg(value) from jsonb_array_elements_text(${json(who.brands ?? [])}) as b(value)),
                  ${at(nowMs)}, ${at(nowMs)}, ${at(expiresAtMs)})
          returning *)
        select ${SESSION.columns} from s left join api_tokens t on t.id = s.token_id`,
    SESSION,
  );
  if (begun === undefined) throw new Error(`the session ${id} vanished while it was begun`);
  const detail = {
    session: id,
    role: who.role,
    brands: who.brands ?? "all",
    expires_at: new Date(expiresAtMs).toISOString(),
    ...about,
  };
  await writeAudit(tx, { nowMs, actor, action: "session.begin", detail });
  return { session: withoutDigest(begun), cookie };
}

/** What is kept of the session whose cookie somebody shows, over or not. Undefined: it is none, or has ended. */
export async function findSession(db: Db, shown: string): Promise<BrowserSession | undefined> {
  const [found] = await findSessions(db, [shown]);
  return found;
}

/** The same of several, in one statement. */
export async function findSessions(
  db: Db,
  shown: readonly string[],
): Promise<(BrowserSession | undefined)[]> {
  const ids = shown.map((cookie) => COOKIE_TEXT.exec(cookie)?.[1]);
  const asked = [...new Set(ids.filter((id) => id !== undefined))];
  if (asked.length === 0) return shown.map(() => undefined);
  const found = await rows(
    db,
    sql`select ${SESSION.columns} from sessions s left join api_tokens t on t.id = s.token_id
        where s.id in ${listOf(asked, "text")}`,
    SESSION,
  );
  const byId = new Map(found.map((one) => [one.id, one]));
  return shown.map((cookie, index) => {
    const one = byId.get(ids[index] ?? "");
    const isOwn = one && timingSafeEqual(Buffer.from(one.digest), Buffer.from(digestOf(cookie)));
    return isOwn ? withoutDigest(one) : undefined;
  });
}

function withoutDigest({ digest: _digest, ...session }: RecordOf<typeof SESSION>): BrowserSession {
  return session;
}

/** How long a use goes unnoted behind one that was noted: a session in use costs a write a minute. */
export const SESSION_USE_NOTED_EVERY_MS = 60_000;

/** Notes that a session is in use; where several processes do so at once, one writes. */
export async function noteSessionUse(db: Db, id: string, nowMs: number): Promise<void> {
  await rows(
    db,
    sql`update sessions set last_used_at = ${at(nowMs)}
        where id = ${id} and last_used_at <= ${at(nowMs - SESSION_USE_NOTED_EVERY_MS)}`,
  );
}

/** Ends a session, at once. Undefined: it had ended before, or never was. */
export async function endSession(
  tx: Db,
  input: { id: string; actor: string; reason?: string | undefined; nowMs: number },
): Promise<BrowserSession | undefined> {
  const [ended] = await endWhere(tx, sql`s.id = ${input.id}`, input);
  return ended;
}

/** Ends all sessions of one who signed in, at once, with what ends with them; the newest first of each. */
export function endSessionsOf(
  tx: Db,
  input: { kind: Caller["kind"]; name: string; actor: string; reason: string; nowMs: number },
): Promise<BrowserSession[]> {
  return endWhere(tx, sql`s.kind = ${input.kind} and s.name = ${input.name}`, input);
}

async function endWhere(
  tx: Db,
  which: SQL,
  { actor, reason, nowMs }: { actor: string; reason?: string | undefined; nowMs: number },
): Promise<BrowserSession[]> {
  await lockSignIns(tx);
  const first = await removeWhere(tx, which);
  const ended = [...first];
  for (let last = first; last.length > 0; ended.push(...last)) {
    const ids = last.map(({ id }) => id);
    await rows(tx, sql`delete from sign_in_codes where made_in in ${listOf(ids, "text")}`);
    last = await removeWhere(tx, sql`s.made_in in ${listOf(ids, "text")}`);
  }
  for (const session of ended) {
    const { id, kind, name } = session;
    const why = first.includes(session) ? reason : "the session ended in which its link was made";
    const detail = { session: id, name, kind, ...(why !== undefined && { reason: why }) };
    await writeAudit(tx, { nowMs, actor, action: "session.end", detail });
  }
  return ended.map(withoutDigest);
}

function removeWhere(tx: Db, which: SQL): Promise<RecordOf<typeof SESSION>[]> {
  return rows(
    tx,
    sql`with s as (delete from sessions s where ${which} returning *)
        select ${SESSION.columns} from s left join api_tokens t on t.id = s.token_id
        order by s.created_at desc, s.id desc`,
    SESSION,
  );
}

/**
 * Has sessions end, and links be made and opened, one after the other: what is begun in a session ends with it, or is not
 * begun. It comes before any row of either, so that no two wait for each other.
 */
export async function lockSignIns(tx: Db): Promise<void> {
  await rows(tx, sql`lock table sign_in_codes in share row exclusive mode`);
}

/** Asked behind `lockSignIns`, it holds to the transaction's end. */
export async function hasSession(tx: Db, id: string): Promise<boolean> {
  const found = await rows(tx, sql`select 1 as one from sessions where id = ${id}`);
  return found.length > 0;
}

/** What lets a session in, beside its cookie. */
export interface SessionTerms {
  idleMs: number;
  nowMs: number;
  /** Of the system's own token as it is now; undefined: it has none. */
  systemMark: string | undefined;
}

/**
 * Sessions that let somebody in, the newest first: what is over and not removed yet is not among them. Reads all that
 * there are, twenty for each who signed in.
 */
export async function listSessions(
  db: Db,
  input: SessionTerms & {
    kind?: Caller["kind"] | undefined;
    name?: string | undefined;
    /** Goes on behind this one. */
    after?: { atMs: number; id: string } | undefined;
    limit: number;
  },
): Promise<BrowserSession[]> {
  const { idleMs, nowMs, systemMark, kind, name, after, limit } = input;
  const found = await rows(
    db,
    sql`select ${SESSION.columns} from sessions s left join api_tokens t on t.id = s.token_id
        where s.expires_at > ${at(nowMs)} and s.last_used_at > ${at(nowMs - idleMs)}
          and t.revoked_at is null and (t.expires_at is null or t.expires_at > ${at(nowMs)})
          and (s.system_mark is null or s.system_mark = ${systemMark ?? null})
          and ${kind === undefined ? sql`true` : sql`s.kind = ${kind}`}
          and ${name === undefined ? sql`true` : sql`s.name = ${name}`}
          and ${after === undefined ? sql`true` : sql`(s.created_at, s.id) < (${at(after.atMs)}, ${after.id})`}
        order by s.created_at desc, s.id desc limit ${limit}`,
    SESSION,
  );
  return found.map(withoutDigest);
}

/** Of some sessions, by their ids, those that have not ended: one statement, however many they are. */
export async function sessionsInForce(
  db: Db,
  ids: readonly string[],
  { idleMs, nowMs }: { idleMs: number; nowMs: number },
): Promise<Set<string>> {
  const found = await rows<{ id: string }>(
    db,
    sql`select id from sessions where id in ${listOf(ids, "text")} and expires_at > ${at(nowMs)}
          and last_used_at > ${at(nowMs - idleMs)}`,
  );
  return new Set(found.map(({ id }) => id));
}

/** Rows of one statement, so that none of them holds the ledger for long. */
const REMOVED_AT_ONCE = 1_000;

/**
 * Removes sessions that are over, and codes that nobody used. One that is over for want of use stays for as long as others
 * began in it, which are to end with whoever made their links; they are over when it is, at the latest.
 *
 * @returns whether there may be more
 */
export async function removeOverSessions(
  tx: Db,
  { idleMs, nowMs }: { idleMs: number; nowMs: number },
): Promise<boolean> {
  await rows(tx, sql`delete from sign_in_codes where expires_at <= ${at(nowMs)}`);
  const gone = await rows(
    tx,
    sql`delete from sessions where id in
          (select s.id from sessions s left join api_tokens t on t.id = s.token_id
           where (s.last_used_at <= ${at(nowMs - idleMs)}
                    and not exists (select from sessions m where m.made_in = s.id))
             or s.expires_at <= ${at(nowMs)} or t.revoked_at is not null or t.expires_at <= ${at(nowMs)}
           limit ${REMOVED_AT_ONCE})
        returning 1 as one`,
  );
  return gone.length === REMOVED_AT_ONCE;
}

/** What the audit calls whoever is signed in. Of the system's own token nobody says who it was. */
export function sessionActor({ kind, name }: Pick<Caller, "kind" | "name">): string {
  return kind === "system" ? "api" : actorName({ kind, name }, undefined);
}

function digestOf(cookie: string): string {
  return createHash("sha256").update(cookie).digest("hex");
}

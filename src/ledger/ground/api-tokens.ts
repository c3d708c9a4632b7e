import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

import { sql } from "drizzle-orm";

import type { Role } from "../../domain/ground/access.ts";
import { writeAudit } from "./audit.ts";
import { CommandRefusedError } from "./command-refused.ts";
import { firstRow, rows, type Db } from "./connection.ts";
import { moment, optional, record, text, texts, word, type RecordOf } from "./record.ts";
import { at, atOrNull, json, listOf } from "./sql.ts";

/*
 * Tokens of the API, each with a name, a role and brands. The ledger has the SHA-256 of a token and never itself: 256
 * random bits need no slow hash. Each request looks its token up anew, by its id, so that one that is revoked is
 * refused from that commit on, by every process.
 */

const TOKEN = record({
  id: text,
  name: text,
  digest: text,
  role: word<Role>(),
  /** Undefined: all brands. */
  brands: optional(texts),
  createdAtMs: moment,
  createdBy: text,
  /** Undefined: it does not expire. */
  expiresAtMs: optional(moment),
  /** To the minute. */
  lastUsedAtMs: optional(moment),
  revokedAtMs: optional(moment),
  revokedBy: optional(text),
  revokedReason: optional(text),
});

export interface ApiToken extends Omit<RecordOf<typeof TOKEN>, "digest"> {}

/** In force at a time, expired ones included: programs and people of an installation, and no way to fill it. */
const MOST_TOKENS = 1_000;

/** Found by scanners for secrets: a word of ours, 128 bits that name it, and 256 that nobody guesses. */
const TOKEN_TEXT = /^outdial_([\da-f]{32})_[\w-]{43}$/;

export interface NewToken {
  name: string;
  role: Role;
  brands: readonly string[] | undefined;
  expiresAtMs: number | undefined;
  actor: string;
  nowMs: number;
}

/**
 * Makes a token.
 *
 * @returns what is kept of it, and the token itself, which nobody can read again.
 * @throws CommandRefusedError where there is one of that name, or too many.
 */
export async function createToken(tx: Db, input: NewToken): Promise<{ token: ApiToken; secret: string }> {
  const { name, role, brands, expiresAtMs, actor, nowMs } = input;
  const id = randomBytes(16).toString("hex");
  const secret = `outdial_${id}_${randomBytes(32).toString("base64url")}`;
  // One after the other: how many there are, and who has the name, is judged of what is committed.
  await rows(tx, sql`lock table api_tokens in share row exclusive mode`);
  const there = await firstRow<{ n: number; is_taken: boolean | null }>(
    tx,
    sql`select count(*)::int as n, bool_or(name = ${name}) as is_taken from api_tokens where revoked_at is null`,
  );
  if (there?.is_taken === true)
    throw new CommandRefusedError(
      `there is a token named ${name} already: revoke it first (\`outdial token revoke ${name}\`), or take another name`,
    );
  if ((there?.n ?? 0) >= MOST_TOKENS)
    throw new CommandRefusedError(
      `there are ${MOST_TOKENS} tokens already: revoke those that nobody uses (\`outdial token list\` shows when each was used last)`,
    );
  const [written] = await rows(
    tx,
    sql`insert into api_tokens (id, name, digest, role, brands, created_at, created_by, expires_at)
        values (${id}, ${name}, ${digestOf(secret)}, ${role},
                (select array_agg(value) from jsonb_array_elements_text(${json(brands ?? [])}) as t(value)),
                ${at(nowMs)}, ${actor}, ${atOrNull(expiresAtMs)})
        returning ${TOKEN.columns}`,
    TOKEN,
  );
  if (written === undefined) throw new Error("a token that was written has no row");
  const detail = { token: name, id, after: rightsOf(written) };
  await writeAudit(tx, { nowMs, actor, action: "token.create", detail });
  return { token: withoutDigest(written), secret };
}

/** What the audit keeps of a token's rights. */
function rightsOf({ role, brands, expiresAtMs }: Pick<ApiToken, "role" | "brands" | "expiresAtMs">) {
  return {
    role,
    brands: brands ?? "all",
    expires_at: expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString(),
  };
}

/** Revokes the token of a name, at once. Undefined where there is none. */
export async function revokeToken(
  tx: Db,
  input: { name: string; reason: string; actor: string; nowMs: number },
): Promise<ApiToken | undefined> {
  const { name, reason, actor, nowMs } = input;
  const [revoked] = await rows(
    tx,
    sql`update api_tokens set revoked_at = ${at(nowMs)}, revoked_by = ${actor}, revoked_reason = ${reason}
        where name = ${name} and revoked_at is null returning ${TOKEN.columns}`,
    TOKEN,
  );
  if (revoked === undefined) return undefined;
  const detail = { token: name, id: revoked.id, reason, before: rightsOf(revoked) };
  await writeAudit(tx, { nowMs, actor, action: "token.revoke", detail });
  return withoutDigest(revoked);
}

/** Those that are not revoked, by their names; with `revoked` the newest of those that are. */
export async function listTokens(db: Db, { revoked }: { revoked: boolean }): Promise<ApiToken[]> {
  const found = await rows(
    db,
    revoked
      ? sql`select ${TOKEN.columns} from api_tokens where revoked_at is not null order by revoked_at desc, id limit ${MOST_TOKENS}`
      : sql`select ${TOKEN.columns} from api_tokens where revoked_at is null order by name`,
    TOKEN,
  );
  return found.map(withoutDigest);
}

/** Tokens that let somebody in: how many there are, and the first of their names. */
export interface TokensInForce {
  count: number;
  names: string[];
}

/** As many names as somebody reads through. */
const MOST_NAMED = 20;

/** For whoever restored a ledger: one that was revoked since is among these. */
export async function nameTokensInForce(db: Db, nowMs: number): Promise<TokensInForce> {
  const found = await rows<{ name: string; n: number }>(
    db,
    sql`select name, (count(*) over ())::int as n from api_tokens
        where revoked_at is null and (expires_at is null or expires_at > ${at(nowMs)})
        order by name limit ${MOST_NAMED}`,
  );
  return { count: found[0]?.n ?? 0, names: found.map(({ name }) => name) };
}

/** What is kept of the token that somebody shows, whether it is still good or not. Undefined: it is none of ours. */
export async function findToken(db: Db, shown: string): Promise<ApiToken | undefined> {
  const id = tokenId(shown);
  if (id === undefined) return undefined;
  const found = await firstRow(db, sql`select ${TOKEN.columns} from api_tokens where id = ${id}`, TOKEN);
  // An id is no secret: it may stand in logs of others. What makes it the token is compared in constant time.
  if (found === undefined || !timingSafeEqual(Buffer.from(found.digest), Buffer.from(digestOf(shown))))
    return undefined;
  return withoutDigest(found);
}

/** The id in what may be a token. */
export function tokenId(shown: string): string | undefined {
  return TOKEN_TEXT.exec(shown)?.[1];
}

/** How long a use goes unnoted behind one that was noted: a token in use costs a write a minute, whatever it asks. */
export const USE_NOTED_EVERY_MS = 60_000;

/** Notes that a token is in use; where several processes do so at once, one writes. */
export async function noteTokenUse(db: Db, id: string, nowMs: number): Promise<void> {
  await rows(
    db,
    sql`update api_tokens set last_used_at = ${at(nowMs)}
        where id = ${id} and (last_used_at is null or last_used_at <= ${at(nowMs - USE_NOTED_EVERY_MS)})`,
  );
}

function withoutDigest({ digest: _digest, ...token }: RecordOf<typeof TOKEN>): ApiToken {
  return token;
}

function digestOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Of some tokens, by their ids, those that still let somebody in: one statement, however many they are. */
export async function tokensInForce(db: Db, ids: readonly string[], nowMs: number): Promise<Set<string>> {
  const found = await rows<{ id: string }>(
    db,
    sql`select id from api_tokens where id in ${listOf(ids, "text")} and revoked_at is null
          and (expires_at is null or expires_at > ${at(nowMs)})`,
  );
  return new Set(found.map(({ id }) => id));
}

import { createHash, randomBytes } from "node:crypto";

import { sql } from "drizzle-orm";

import type { Role } from "../../domain/ground/access.ts";
import { writeAudit } from "./audit.ts";
import { CommandRefusedError } from "./command-refused.ts";
import { firstRow, rows, type Db } from "./connection.ts";
import { moment, optional, record, text, texts, word, type RecordOf } from "./record.ts";
import { hasSession, lockSignIns } from "./sessions.ts";
import { at, atOrNull, json } from "./sql.ts";

/*
 * Codes of sign-in links. The ledger has the SHA-256 of a code and never itself, and finds it by that: how long it looks
 * tells of a digest, and nothing of the code. One use takes it away, in the transaction that begins the session.
 */

const CODE = record({
  name: text,
  role: word<Role>(),
  /** Undefined: all brands. */
  brands: optional(texts),
  createdBy: text,
  tokenId: optional(text),
  systemMark: optional(text),
  madeIn: optional(text),
  sessionEndsAtMs: optional(moment),
});

/** Long enough to walk to another machine, short enough for a screen that somebody sees. */
const CODE_LIFE_MS = 10 * 60_000;

/** That nobody has used yet: links are made one by one, for somebody who waits for it. */
const MOST_CODES = 100;

export interface NewSignInCode {
  name: string;
  role: Role;
  brands: readonly string[] | undefined;
  actor: string;
  maker: CodeMaker;
  nowMs: number;
}

/** By what the maker's rights are: whoever is let in has them no longer. */
export interface CodeMaker {
  /** Of a named token. */
  tokenId: string | undefined;
  /** Of the system's own token. */
  systemMark: string | undefined;
  /** The maker's session, and when it ends at the latest; undefined: it is none. */
  madeIn: string | undefined;
  sessionEndsAtMs: number | undefined;
}

/**
 * Makes a code that lets one browser in.
 *
 * @returns the code itself, which nobody can read again.
 * @throws CommandRefusedError where too many wait to be used, or the maker's session has ended meanwhile.
 */
export async function createSignInCode(
  tx: Db,
  { name, role, brands, actor, maker, nowMs }: NewSignInCode,
): Promise<{ code: string; expiresAtMs: number }> {
  const code = randomBytes(32).toString("base64url");
  const { tokenId, systemMark, madeIn, sessionEndsAtMs } = maker;
  await lockSignIns(tx);
  if (madeIn !== undefined && !(await hasSession(tx, madeIn)))
    throw new CommandRefusedError("the session in which the link was to be made has ended: sign in again");
  const expiresAtMs = Math.min(nowMs + CODE_LIFE_MS, sessionEndsAtMs ?? Infinity);
  await rows(tx, sql`delete from sign_in_codes where expires_at <= ${at(nowMs)}`);
  const waiting = await firstRow<{ n: number }>(tx, sql`select count(*)::int as n from sign_in_codes`);
  if (waiting !== undefined && waiting.n >= MOST_CODES)
    throw new CommandRefusedError(
      `${MOST_CODES} sign-in links wait to be opened: open one of them, or wait ten minutes until they are over`,
    );
  await rows(
    tx,
    sql`insert into sign_in_codes
          (digest, name, role, brands, created_at, created_by, token_id, system_mark, made_in, session_ends_at, expires_at)
        values (${digestOf(code)}, ${name}, ${role},
                (select array_agg(value) from jsonb_array_elements_text(${json(brands ?? [])}) as b(value)),
                ${at(nowMs)}, ${actor}, ${tokenId ?? null}, ${systemMark ?? null}, ${madeIn ?? null}, ${atOrNull(sessionEndsAtMs)},
                ${at(expiresAtMs)})`,
  );
  const detail = { name, role, brands: brands ?? "all", expires_at: new Date(expiresAtMs).toISOString() };
  await writeAudit(tx, { nowMs, actor, action: "sign_in_link.create", detail });
  return { code, expiresAtMs };
}

export interface TakenCode extends RecordOf<typeof CODE> {}

/**
 * Takes a code: of any number who show it at once, one gets it. Undefined: it is none, is over, was used, or went with the
 * session in which it was made.
 */
export async function takeSignInCode(tx: Db, shown: string, nowMs: number): Promise<TakenCode | undefined> {
  // A wrong one keeps nobody waiting.
  const found = await rows(tx, sql`select 1 as one from sign_in_codes where digest = ${digestOf(shown)}`);
  if (found.length === 0) return undefined;
  await lockSignIns(tx);
  const [taken] = await rows(
    tx,
    sql`delete from sign_in_codes where digest = ${digestOf(shown)} and expires_at > ${at(nowMs)}
        returning ${CODE.columns}`,
    CODE,
  );
  return taken;
}

/** Whether it has the form of a code: what has not is none. */
export function isSignInCode(shown: string): boolean {
  return /^[\w-]{43}$/.test(shown);
}

function digestOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

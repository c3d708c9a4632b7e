import { sql } from "drizzle-orm";

import { firstRow, rows, type Db, type Ledger } from "./connection.ts";
import { digestOf } from "./digest.ts";
import { at, ms } from "./sql.ts";

/*
 * Requests that named themselves. A key stands for one request: what makes it that one is kept as a digest beside it.
 *
 * 1. The same key with another request does nothing, and says so: whoever gave it takes a success for an answer to
 *    what was sent last.
 * 2. The same request again gets the answer that there was. One that was refused is forgotten: nothing came of it.
 * 3. A key that is forgotten may be anything again; where it is kept with what came of it (an enrolment, an inbox), it
 *    is never forgotten.
 */

/** A key came again with another request, for which nothing was done. */
export class RequestReusedError extends Error {
  override readonly name = "RequestReusedError";

  constructor(key: string, what: string) {
    super(
      `the key ${JSON.stringify(key)} came before with another ${what}: nothing was done for this one. Send the same ${what} again, or give this one a key of its own`,
    );
  }
}

/** What makes a request the same again. */
export const requestDigest = digestOf;

export type ClaimedRequest =
  | { kind: "fresh" }
  | { kind: "other" }
  /** The same, which somebody has in hand, or had. */
  | { kind: "under_way" }
  /** The same; undefined: its answer was not kept. */
  | { kind: "answered"; answer: RequestAnswer | undefined };

export interface RequestAnswer {
  status: number;
  /** JSON, as it was sent. */
  text: string;
}

/** Whoever has a request in hand this long has died over it: the longest command is answered within a minute. */
const UNDER_WAY_MS = 120_000;

/** Takes a request on, or says what became of it. One that was left lying is taken on anew. */
export async function claimRequest(
  db: Db,
  input: { key: string; digest: string; nowMs: number },
): Promise<ClaimedRequest> {
  const { key, digest, nowMs } = input;
  const claimed = await rows(
    db,
    sql`insert into request_keys as k (key, digest, at) values (${key}, ${digest}, ${at(nowMs)})
        on conflict (key) do update set at = excluded.at
          where k.digest = excluded.digest and k.status is null and k.at <= ${at(nowMs - UNDER_WAY_MS)}
        returning 1 as one`,
  );
  if (claimed.length > 0) return { kind: "fresh" };
  const row = await firstRow<{ digest: string; status: number | null; answer: string | null; at_ms: number }>(
    db,
    sql`select digest, status, answer, ${ms(sql`at`)} as at_ms from request_keys where key = ${key}`,
  );
  // Given up by its holder, in between: it is as if it had come a moment later.
  if (!row) return { kind: "under_way" };
  if (row.digest !== digest) return { kind: "other" };
  const { status, answer: text } = row;
  if (status === null) return { kind: "under_way" };
  return { kind: "answered", answer: text === null ? undefined : { status, text } };
}

/** Keeps what was answered, for whoever asks again; without its text only that it was. */
export async function answerRequest(
  db: Db,
  key: string,
  { status, text }: { status: number; text: string | undefined },
): Promise<void> {
  await rows(
    db,
    sql`update request_keys set status = ${status}, answer = ${text ?? null} where key = ${key} and status is null`,
  );
}

/** Nothing came of it. */
export async function releaseRequest(db: Db, key: string): Promise<void> {
  await rows(db, sql`delete from request_keys where key = ${key} and status is null`);
}

/** Answers hold what people know of people. Whoever has not had one after a week asks for something new. */
const KEPT_MS = 7 * 86_400_000;

/** Rows of one statement, so that none of them holds the ledger for long. */
const PRUNED_AT_ONCE = 5_000;

/** Statements of one pass: a hundred thousand keys, and the next pass goes on. */
const PRUNES_A_PASS = 20;

export async function pruneRequestKeys(ledger: Ledger, nowMs: number): Promise<void> {
  for (let pass = 0; pass < PRUNES_A_PASS; pass += 1) {
    const { length } = await rows(
      ledger.db,
      sql`delete from request_keys where key in
            (select key from request_keys where at < ${at(nowMs - KEPT_MS)} order by at limit ${PRUNED_AT_ONCE})
          returning 1 as one`,
    );
    if (length < PRUNED_AT_ONCE) return;
  }
}

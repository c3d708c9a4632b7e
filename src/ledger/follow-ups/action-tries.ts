import { sql, type SQL } from "drizzle-orm";

import { afterFailedTry, isActionOver, type ActionState } from "../../domain/follow-ups/actions.ts";
import { latenessOf } from "../../domain/follow-ups/callback-time.ts";
import { raiseAttention } from "../ground/attention.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { advanceFollowUp, lockFollowUp } from "./follow-ups.ts";
import { at, atOrNull, json, ms } from "../ground/sql.ts";
import { readAction, type Action } from "./actions.ts";

/*
 * Tries of actions.
 *
 * 1. A try that reaches outside begins with a claim: `sent_at` is set and the try counted before anything is sent.
 *    Whoever finds it set sends nothing before it has looked what became of that (I5).
 * 2. What a try came to is written where the row still stands as the claim left it: of two who tell, one is heard.
 */

/**
 * Permits one try, and counts it. False where the action has moved on since it was read, and nothing may be sent.
 * Taking over a claim of which nothing is known any more is a try of its own.
 */
export async function claimTry(db: Db, action: Action, nowMs: number): Promise<boolean> {
  const claimed = await rows(
    db,
    sql`update actions set sent_at = ${at(nowMs)}, tries = tries + 1, error = null
        where id = ${action.id}::uuid and state = 'due' and tries = ${action.tries} and external_id is null
          and sent_at is not distinct from ${atOrNull(action.sentAtMs)}
        returning 1 as one`,
  );
  return claimed.length > 0;
}

/** What was sent and what came back, as far as it may be kept. */
interface Kept {
  request?: Record<string, unknown>;
  answer?: Record<string, unknown>;
}

/** How a due action stands to what was lost and recovered (I1). */
export interface RecoveryStanding {
  /** Why it must not reach outside now: the ledger may be older than what was done already. */
  heldBy: string | undefined;
  /** What it follows was before the last recovery: since then a try may have been made that the ledger does not have. */
  doubtSinceMs: number | undefined;
}

export async function readRecoveryStanding(db: Db, actionId: string): Promise<RecoveryStanding> {
  const row = await firstRow<{ reason: string | null; doubt_ms: number | null }>(
    db,
    sql`select i.recovery_reason as reason,
          case when since.at < i.recovered_at then ${ms(sql`since.at`)} end as doubt_ms
        from installation i
          left join actions a on a.id = ${actionId}::uuid
          left join follow_ups f on f.id = a.follow_up_id
          left join attempts t on t.id = f.attempt_id
          left join enrolments e on e.id = a.enrolment_id
          cross join lateral (select least(a.created_at, t.planned_at, e.created_at)) as since(at)`,
  );
  return { heldBy: row?.reason ?? undefined, doubtSinceMs: row?.doubt_ms ?? undefined };
}

/** Puts a due action off without a try, and writes why. Nothing where it has moved on since it was read. */
export async function putOff(
  db: Db,
  action: Action,
  input: { untilMs: number; reason: string },
): Promise<void> {
  await rows(
    db,
    sql`update actions set next_try_at = ${at(input.untilMs)}, error = ${input.reason.slice(0, MAX_ERROR_CHARS)}
        where id = ${action.id}::uuid and state = 'due' and tries = ${action.tries}`,
  );
}

/** What one try, or one look at what a try began, came to. */
export type TryOutcome = Kept &
  (
    | { kind: "done"; externalId?: string }
    /** Tried again as its spec says, `atLeastMs` later at the earliest. */
    | { kind: "failed_try"; error: string; atLeastMs?: number }
    /** There is nothing to be done, and nobody has to look at it. */
    | { kind: "needless"; why: string }
    /** No other try would help. */
    | { kind: "refused"; error: string }
    /** It may have happened, and nothing tells. */
    | { kind: "unknown"; error: string }
    /** It is under way, or has to be looked for: the same try goes on. */
    | { kind: "pending"; waitMs: number; externalId?: string; error?: string }
    /** Nothing was sent, for reasons that pass: no try. */
    | { kind: "postponed"; waitMs: number; error: string }
  );

export interface Settled {
  state: ActionState;
  waitMs: number | undefined;
  /** The last of its follow-up's actions is over with it. */
  isLast?: true;
}

/** Longer than this an error is not kept. */
const MAX_ERROR_CHARS = 1_000;

interface Writing {
  state: ActionState;
  nextTryAtMs?: number;
  /** Whether the claim stands: what was sent is still open. */
  keepsClaim?: true;
  triesBack?: 1;
  externalId?: string;
  error?: string;
}

/**
 * Writes what a try came to, moves the follow-up on, and puts what failed for good on the list that people see.
 *
 * @param action as it was when the try began, its own try counted.
 */
export async function settleTry(
  tx: Db,
  action: Action,
  outcome: TryOutcome,
  nowMs: number,
): Promise<Settled> {
  if (action.followUpId !== undefined) await lockFollowUp(tx, action.followUpId);
  const writing = writingOf(action, outcome, nowMs);
  const isOver = isActionOver(writing.state);
  const written = await rows(
    tx,
    sql`update actions set state = ${writing.state}, next_try_at = ${atOrNull(writing.nextTryAtMs)},
          sent_at = case when ${writing.keepsClaim ?? false} then sent_at end, tries = tries - ${writing.triesBack ?? 0},
          external_id = ${externalIdAfter(action, writing)}, request = coalesce(${jsonOrNull(outcome.request)}, request),
          answer = coalesce(${jsonOrNull(outcome.answer)}, answer),
          error = ${writing.error?.slice(0, MAX_ERROR_CHARS) ?? null}, ended_at = ${isOver ? at(nowMs) : sql`null`}
        where id = ${action.id}::uuid and state = 'due' and tries = ${action.tries}
          and external_id is not distinct from ${action.externalId ?? null}
        returning 1 as one`,
  );
  if (written.length === 0) {
    const now = await readAction(tx, action.id);
    if (!now || isActionOver(now.state)) return { state: now?.state ?? "skipped", waitMs: undefined };
    return { state: now.state, waitMs: Math.max(0, (now.nextTryAtMs ?? nowMs) - nowMs) };
  }
  await tellPeople(tx, action, writing, nowMs);
  if (!isOver) return { state: writing.state, waitMs: Math.max(0, (writing.nextTryAtMs ?? nowMs) - nowMs) };
  const isLast =
    action.followUpId !== undefined && (await advanceFollowUp(tx, action.followUpId, nowMs)) !== "acting";
  return { state: writing.state, waitMs: undefined, ...(isLast && { isLast }) };
}

function writingOf(action: Action, outcome: TryOutcome, nowMs: number): Writing {
  switch (outcome.kind) {
    case "done":
      return {
        state: "done",
        ...(outcome.externalId !== undefined && { externalId: outcome.externalId }),
      };
    case "needless":
      return { state: "skipped", error: outcome.why };
    case "refused":
      return { state: "failed", error: outcome.error };
    case "unknown":
      // When it was sent stays, for whoever looks what became of it.
      return { state: "unknown", error: outcome.error, keepsClaim: true };
    case "pending":
      return {
        state: "due",
        nextTryAtMs: nowMs + outcome.waitMs,
        keepsClaim: true,
        ...(outcome.externalId !== undefined && { externalId: outcome.externalId }),
        ...(outcome.error !== undefined && { error: outcome.error }),
      };
    case "postponed":
      return { state: "due", nextTryAtMs: nowMs + outcome.waitMs, triesBack: 1, error: outcome.error };
    case "failed_try": {
      const next = afterFailedTry(action.spec, action.tries);
      if (next.kind === "given_up") return { state: "failed", error: outcome.error };
      const delayMs = Math.max(next.delayMs, outcome.atLeastMs ?? 0);
      return { state: "due", nextTryAtMs: nowMs + delayMs, error: outcome.error };
    }
  }
}

/** What a try began stays known until another try begins; that of a failed one is in the answer. */
function externalIdAfter(action: Action, writing: Writing): SQL {
  if (writing.externalId !== undefined) return sql`${writing.externalId}`;
  const isKept = writing.keepsClaim === true || isActionOver(writing.state);
  return isKept ? sql`${action.externalId ?? null}::text` : sql`null::text`;
}

function jsonOrNull(value: Record<string, unknown> | undefined): SQL {
  return value === undefined ? sql`null::jsonb` : json(value);
}

async function tellPeople(tx: Db, action: Action, writing: Writing, nowMs: number): Promise<void> {
  // Of a schedule's run the run itself is told.
  if (action.scheduleRunId !== undefined) return;
  // What is done now and failed before was taken off the list by the person who had it tried again.
  const { state, error = "" } = writing;
  if (state !== "failed" && state !== "unknown") return;
  const brand = await brandOf(tx, action);
  const what = `${action.kind} of ${action.followUpId === undefined ? "step" : "rule"} ${action.owner}`;
  await raiseAttention(tx, {
    kind: state === "failed" ? "action_failed" : "action_unknown",
    subject: action.id,
    brand,
    summary: `${what}: ${error}`.slice(0, MAX_ERROR_CHARS),
    remedy: remedyOf(action, state, nowMs),
    nowMs,
  });
}

function remedyOf({ id, spec }: Action, state: "failed" | "unknown", nowMs: number): string {
  if (state === "unknown")
    return `look whether it was done: if so \`outdial follow-up skip ${id}\`, if not \`outdial follow-up retry ${id}\``;
  const skip = `\`outdial follow-up skip ${id}\``;
  if (spec.kind === "callback" && (spec.atMs === undefined || latenessOf(spec.atMs, nowMs) !== undefined))
    return `say when, by the clocks of whom it is for: \`outdial follow-up retry ${id} --at "2026-12-01 10:00"\`; or call by hand, then ${skip}`;
  if (spec.unplanned !== undefined) return `do by hand what the rule would have done, then ${skip}`;
  return `mend what it names, then \`outdial follow-up retry ${id}\`; or ${skip}`;
}

async function brandOf(tx: Db, action: Action): Promise<string> {
  const row = await firstRow<{ brand: string }>(
    tx,
    action.followUpId === undefined
      ? sql`select s.brand from enrolments e join sequences s on s.id = e.sequence_id where e.id = ${action.enrolmentId ?? null}::uuid`
      : sql`select c.brand from follow_ups f join campaigns c on c.id = f.campaign_id where f.id = ${action.followUpId}::uuid`,
  );
  return row?.brand ?? "default";
}

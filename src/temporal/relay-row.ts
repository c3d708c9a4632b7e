import { ServiceError } from "@temporalio/client";

import type { Log } from "../activities/deps.ts";
import { raiseAttention, resolveAttention } from "../ledger/ground/attention.ts";
import { LedgerFullError, LedgerUnavailableError, type Ledger } from "../ledger/ground/connection.ts";
import {
  failOutbox,
  finishOutbox,
  postponeOutbox,
  type Claimed,
  type OutboxKind,
} from "../ledger/ground/outbox.ts";

import { doWork, type Tracer, type WorkIds } from "../tracing/work.ts";

/* What becomes of one row of the outbox once somebody has it in hand: the third rule of relay.ts. */

/** Works one row off. `againAtMs`: nothing failed, and it is to be called again then. Called twice, it does no harm. */
export type RelayHandler = (subject: string) => Promise<{ againAtMs: number } | undefined | void>;

export type RelayHandlers = Readonly<Record<OutboxKind, RelayHandler>>;

/** What working a row off needs. */
export interface RowInput {
  ledger: Ledger;
  handlers: RelayHandlers;
  /** Whether an error of a handler says that the platform did not do its part. */
  isPlatformAway: (error: unknown) => boolean;
  /** Begins spans of what is handed on. Absent: nothing is traced. */
  tracer?: Tracer | undefined;
  log: Log;
  /** Unix milliseconds. */
  now: () => number;
}

/** How a lane rests while the port behind it is away. */
export interface Rest {
  /** How long the last rest was; 0: the port is there. */
  restMs: number;
  restsUntilMs: number;
}

/** After a failure of the row itself: doubled each time. */
const BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 5 * 60_000;

/** A row that failed so often, or for so long, comes before a person, and is tried every hour from then on. */
const STUCK_TRIES = 100;
const STUCK_MS = 24 * 60 * 60_000;
const STUCK_BACKOFF_MS = 60 * 60_000;

/** How long a lane rests whose port is away: doubled up to some seconds, so that its return is noticed soon. */
const REST_MS = 500;
const LONGEST_REST_MS = 5_000;

/**
 * Works one row off and says so in the ledger. Never throws: where the ledger is away, the lease brings it back.
 * Returns when it is due again, where it is.
 */
export async function workOff(input: RowInput, lane: Rest, row: Claimed): Promise<number | undefined> {
  const { ledger, log, now } = input;
  try {
    const result = await handOn(input, row);
    lane.restMs = 0;
    const again = result?.againAtMs;
    if (again === undefined) await finishOutbox(ledger.db, row, now());
    else await postponeOutbox(ledger.db, row, { untilMs: again, nowMs: now() });
    if (isStuck(row, now())) await resolve(input, row);
    return again;
  } catch (error) {
    try {
      return await putOff(input, lane, row, error);
    } catch (second) {
      log.warn(
        { kind: row.kind, error: String(second) },
        "the ledger did not take what became of an outbox row; it comes back by its lease",
      );
      return undefined;
    }
  }
}

/** In the trace that the row was written in; where there is none, no trace begins. */
function handOn({ handlers, tracer }: RowInput, { kind, subject, tries, traceParent }: Claimed) {
  return doWork(
    {
      name: `process ${kind}`,
      kind: "consumer",
      ids: idsOf(kind, subject),
      attributes: {
        "messaging.system": "outdial",
        "messaging.operation.type": "process",
        "messaging.destination.name": "outbox",
        "outdial.outbox.kind": kind,
        "outdial.outbox.tries": tries,
      },
      traceParent,
      tracer,
      begins: false,
    },
    async () => handlers[kind](subject),
  );
}

/** What lines of the log and spans call the row's subject by. A call that a webhook named has an id of the platform's. */
function idsOf(kind: OutboxKind, subject: string): WorkIds {
  switch (kind) {
    case "campaign":
      return { campaignId: subject };
    case "batch":
      return { batchId: subject };
    case "enrolment":
    case "enrolment_due":
    case "enrolment_bulk":
      return { enrolmentId: subject };
    case "follow_up":
    case "follow_up_due":
      return { followUpId: subject };
    case "delivery":
      return { deliveryId: subject };
    case "schedule":
      return { scheduleId: subject };
    case "schedule_run":
      return { scheduleRunId: subject };
    case "automation":
      return { automationId: subject };
    case "call_hint":
    case "key_rotation":
      return {};
  }
}

async function putOff(input: RowInput, lane: Rest, row: Claimed, error: unknown): Promise<number> {
  const { ledger, log, now } = input;
  const nowMs = now();
  const away = isAway(error) || input.isPlatformAway(error);
  const message = error instanceof Error ? error.message : String(error);
  if (away) {
    if (lane.restMs === 0) {
      log.warn(
        { kind: row.kind, error: message },
        "what the outbox holds can't be handed on now; it is tried again",
      );
    }
    // Those that were sent together fail together: that is one failure.
    // Or the clock was set back.
    if (nowMs >= lane.restsUntilMs || lane.restsUntilMs - nowMs > LONGEST_REST_MS) {
      lane.restMs = Math.min(LONGEST_REST_MS, Math.max(REST_MS, lane.restMs * 2));
      lane.restsUntilMs = nowMs + lane.restMs;
    }
    await failOutbox(ledger.db, row, { error: message, untilMs: lane.restsUntilMs, counts: false, nowMs });
    return lane.restsUntilMs;
  }
  const failed = { ...row, tries: row.tries + 1 };
  const stuck = isStuck(failed, nowMs);
  const backoffMs = stuck ? STUCK_BACKOFF_MS : Math.min(LONGEST_BACKOFF_MS, BACKOFF_MS * 2 ** row.tries);
  log.error(
    { kind: row.kind, subject: row.subject, tries: failed.tries, error: message },
    "an outbox row failed",
  );
  const untilMs = nowMs + backoffMs;
  await failOutbox(ledger.db, row, { error: message, untilMs, counts: true, nowMs });
  if (!stuck) return untilMs;
  await raiseAttention(ledger.db, {
    kind: "outbox_stuck",
    subject: `${row.kind} ${row.subject}`,
    brand: "default",
    summary: `${WORDS[row.kind]} ${row.subject} could not be handed on in ${failed.tries} tries: ${message}`,
    remedy: "mend what the message names; it is tried every hour until then, and nothing is lost",
    nowMs,
  });
  return untilMs;
}

/** Rows in the words of people. */
const WORDS: Record<OutboxKind, string> = {
  campaign: "campaign",
  batch: "batch",
  enrolment: "enrolment",
  enrolment_due: "enrolment",
  enrolment_bulk: "enrolment",
  follow_up: "follow-up",
  follow_up_due: "follow-up",
  delivery: "delivery",
  call_hint: "the webhook's word of call",
  schedule: "schedule",
  schedule_run: "the run of a schedule",
  key_rotation: "the rotation of the key",
  automation: "automation",
};

function isStuck(row: Claimed, nowMs: number): boolean {
  return row.tries >= STUCK_TRIES || (row.tries > 0 && nowMs - row.sinceMs > STUCK_MS);
}

async function resolve({ ledger, now }: RowInput, row: Claimed): Promise<void> {
  await resolveAttention(ledger.db, {
    kind: "outbox_stuck",
    subject: `${row.kind} ${row.subject}`,
    by: "engine",
    resolution: "it was handed on",
    nowMs: now(),
  });
}

/** gRPC's INVALID_ARGUMENT: what was asked is wrong, and Temporal is there. */
const INVALID_ARGUMENT = 3;

/** The ledger is there, and this is what came of one statement: it took too long, or met what is damaged. */
const OF_ONE_STATEMENT = /^(?:57014|XX)/;

/** Whether the ledger or Temporal did not do its part, as opposed to the row being at fault. */
export function isAway(error: unknown): boolean {
  if (error instanceof LedgerUnavailableError) return !OF_ONE_STATEMENT.test(error.code);
  if (error instanceof LedgerFullError) return true;
  if (!(error instanceof ServiceError)) return false;
  const { cause } = error;
  return !(cause instanceof Error && "code" in cause && cause.code === INVALID_ARGUMENT);
}

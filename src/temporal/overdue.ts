import type { Client } from "@temporalio/client";

import type { Log } from "../activities/deps.ts";
import type { Ledger } from "../ledger/ground/connection.ts";
import { noteFailure, noteSuccess, type Step } from "../ledger/ground/failing-steps.ts";
import { readInstallation } from "../ledger/ground/installation.ts";
import {
  lookAtAllOnce,
  overdueKinds,
  takeOverdue,
  type OpenKind,
  type Overdue,
} from "../ledger/ground/look-by.ts";
import { putOutbox, type OutboxKind } from "../ledger/ground/outbox.ts";
import { noteSeen, readSchedule } from "../ledger/schedules/schedules.ts";
import { tellOfUnmoved } from "../ledger/ground/unmoved.ts";
import { describeWorkflow, tellsOfRestore } from "./ensure.ts";
import { isAway, type RelayHandlers } from "./relay-row.ts";
import { followUpWorkflowId, scheduleWorkflowId } from "./workflow-ids.ts";

/*
 * Looks what is overdue (ledger/ground/look-by.ts), in every process that has Temporal, and has it told through the
 * outbox as everything is: at the pace of its lane, and until it went through. What sleeps until now, what lost its
 * workflow and what lost a signal are one case. Where nothing is overdue a look is one statement.
 *
 * A look takes some of each kind, and passes over what another process has in hand: no process waits for another, and
 * ten thousand that are due at nine o'clock stand before nothing of another kind.
 */

/** Who sleeps wakes up within this of its time. */
const EVERY_MS = 2_000;

/** Of each kind in one look. Where there were more, another look follows. */
const A_LOOK = 200;
const AGAIN_MS = 500;

/** Requests to Temporal at the same time, and for one answer. */
const AT_ONCE = 10;
const DEADLINE_MS = 10_000;

/** Temporal may be away so long before people are told: its restart takes minutes. */
const AWAY_MS = 15 * 60_000;

export interface OverdueInput {
  client: Client;
  ledger: Ledger;
  /** The outbox has something. */
  kick: () => void;
  log: Log;
  /** Unix milliseconds. */
  now: () => number;
}

export interface OverdueLooks {
  /** One look now. Returns how many were taken; `isMore`: there may be others. */
  look(): Promise<{ taken: number; isMore: boolean }>;
}

export function overdueLooks(input: OverdueInput): OverdueLooks {
  const { ledger, log, now } = input;
  return {
    async look() {
      let taken = 0;
      let isMore = false;
      for (const kind of await overdueKinds(ledger.db, now())) {
        const seenIn = await readInstallation(ledger.db);
        const found = await takeOverdue(ledger.db, kind, { nowMs: now(), limit: A_LOOK });
        taken += found.length;
        // Enrolments sleep until they are due, and schedules are looked at before; whatever else is overdue has lost
        // something.
        if (kind !== "enrolment" && kind !== "schedule")
          log.warn({ [kind]: found.length }, "something was overdue, and is told again");
        isMore ||= found.length === A_LOOK;
        if (kind === "follow_up") await lookForEnded(input, found, seenIn);
        await tell(input, kind, kind === "schedule" ? await notSeen(input, found) : found);
        await tellOfUnmoved(ledger.db, kind, found, now());
      }
      return { taken, isMore };
    },
  };
}

/** Who came through a trigger does not stand behind those that wake up, and these not behind a list. */
function toldAs(kind: OpenKind): OutboxKind {
  return kind === "enrolment" ? "enrolment_due" : kind;
}

async function tell(
  { ledger, kick, now }: OverdueInput,
  kind: OpenKind,
  found: readonly Overdue[],
): Promise<void> {
  const told = found.filter(({ isInOutbox }) => !isInOutbox);
  if (told.length === 0) return;
  const nowMs = now();
  await putOutbox(
    ledger.db,
    told.map(({ id: subject }) => ({ kind: toldAs(kind), subject, dueAtMs: nowMs })),
  );
  kick();
}

type Seen = Awaited<ReturnType<typeof readInstallation>>;

/** Clocks of the ledger's readers and of Temporal differ by less. */
const SKEW_MS = 60_000;

/**
 * A follow-up's workflow ends well only when the ledger says that it is over, and whatever opens it again stands in the
 * outbox until its next one runs. One that had ended before tells of a restore.
 */
async function lookForEnded(
  { client, ledger, log, now }: OverdueInput,
  found: readonly Overdue[],
  seenIn: Seen,
): Promise<void> {
  const endedBeforeMs = now() - SKEW_MS;
  const lookAt = async (id: string) => {
    const execution = await client.withDeadline(Date.now() + DEADLINE_MS, () =>
      describeWorkflow(client, followUpWorkflowId(id)),
    );
    if (execution === undefined || (execution.endedAtMs ?? 0) >= endedBeforeMs) return;
    if (await tellsOfRestore(ledger, { what: `follow-up ${id}`, execution, seenIn }))
      log.error({ followUp: id }, "its workflow has ended before: the ledger was restored");
  };
  const asked = found.filter(({ isInOutbox }) => !isInOutbox);
  try {
    for (let from = 0; from < asked.length; from += AT_ONCE)
      await Promise.all(asked.slice(from, from + AT_ONCE).map(({ id }) => lookAt(id)));
  } catch (error) {
    // They are told all the same, once it is there again: campaigns and batches are looked at in any case.
    if (!isAway(error)) throw error;
    log.warn({ error: String(error) }, "Temporal could not be asked after overdue follow-ups");
  }
}

/** Before this process dials, of each kind: more are looked at meanwhile. */
const MOST_BEFORE = 1_000;

/**
 * Looks at the campaigns and batches that are overdue, before this process dials: after a restore all are, and one whose
 * workflow has ended since tells of it before anybody is called.
 *
 * @throws an error of Temporal's where that is away.
 */
export async function lookBeforeDialing(
  { ledger, log, now }: Pick<OverdueInput, "ledger" | "log" | "now">,
  handlers: Pick<RelayHandlers, "campaign" | "batch">,
): Promise<void> {
  for (const kind of ["campaign", "batch"] as const) {
    for (let looked = 0; looked < MOST_BEFORE; looked += AT_ONCE) {
      const found = await takeOverdue(ledger.db, kind, { nowMs: now(), limit: AT_ONCE });
      await Promise.all(
        found.map(async ({ id }) => {
          try {
            await handlers[kind](id);
          } catch (error) {
            if (isAway(error)) throw error;
            log.warn({ [kind]: id, error: String(error) }, "it could not be looked at yet; it will be");
          }
        }),
      );
      if (found.length < AT_ONCE) break;
    }
  }
}

/**
 * Schedules are looked at minutes before they are due: those whose workflow is there and in time need nothing more. One
 * whose workflow Temporal does not know any more speaks for all that is awake.
 */
async function notSeen(
  { client, ledger, log, now }: OverdueInput,
  found: readonly Overdue[],
): Promise<readonly Overdue[]> {
  const isThere = async (id: string) => {
    const execution = await client.withDeadline(Date.now() + DEADLINE_MS, () =>
      describeWorkflow(client, scheduleWorkflowId(id)),
    );
    if (execution === undefined && (await readSchedule(ledger.db, id))?.lookedAtMs !== undefined)
      await lookAtAllOnce(ledger.db, now());
    return execution?.status === "RUNNING" && (await noteSeen(ledger.db, id, now()));
  };
  const missing: Overdue[] = [];
  for (const [index, one] of found.entries()) {
    try {
      if (!(await isThere(one.id))) missing.push(one);
    } catch (error) {
      log.warn({ error: String(error) }, "Temporal could not be asked after schedules that are soon due");
      return [...missing, ...found.slice(index)];
    }
  }
  return missing;
}

/** For people: the looks as a whole. */
const LOOKS: Step = { of: "chore", id: "looking at what is overdue", verb: "do" };

/** Looks every few seconds, from now on. */
export function startOverdueLooks(input: OverdueInput): { stop(): Promise<void> } {
  const { ledger, log, now } = input;
  const looks = overdueLooks(input);
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let underWay: Promise<void> = Promise.resolve();
  const turn = async () => {
    let waitMs = EVERY_MS;
    try {
      if ((await looks.look()).isMore) waitMs = AGAIN_MS;
      await noteSuccess(ledger, LOOKS, { ports: [], nowMs: now(), log });
    } catch (error) {
      log.warn({ error: String(error) }, "what is overdue could not be looked at; it will be");
      await noteFailure(ledger, LOOKS, { error, awayMs: AWAY_MS, nowMs: now(), log });
    }
    plan(waitMs);
  };
  const plan = (waitMs: number) => {
    if (stopped) return;
    timer = setTimeout(() => {
      underWay = turn();
    }, waitMs);
  };
  plan(0);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}

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
import { readOpen } from "../ledger/follow-ups/follow-ups.ts";
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
  look(isStopped?: () => boolean): Promise<{ taken: number; isMore: boolean }>;
}

export function overdueLooks(input: OverdueInput): OverdueLooks {
  const { ledger, log, now } = input;
  return {
    async look(isStopped = () => false) {
      let taken = 0;
      let isMore = false;
      for (const kind of await overdueKinds(ledger.db, now())) {
        if (isStopped()) break;
        const seenIn = await readInstallation(ledger.db);
        const found = await takeOverdue(ledger.db, kind, { nowMs: now(), limit: A_LOOK });
        taken += found.length;
        // Enrolments sleep until they are due, and schedules are looked at before; whatever else is overdue has lost
        // something.
        if (kind !== "enrolment" && kind !== "schedule")
          log.warn({ [kind]: found.length }, "something was overdue, and is told again");
        isMore ||= found.length === A_LOOK;
        await tellOfUnmoved(ledger.db, kind, found, now());
        const absent = found.filter(({ isInOutbox }) => !isInOutbox);
        if (kind === "follow_up") await lookForEnded(input, absent, seenIn);
        const untold = found.filter(({ isToldYet }) => !isToldYet);
        await tell(input, kind, kind === "schedule" ? await notSeen(input, absent) : untold);
      }
      return { taken, isMore };
    },
  };
}

/**
 * Who came through a trigger does not stand behind those that wake up, and these not behind a list; nor the call that
 * ended just now behind ten thousand that Temporal has lost.
 */
function toldAs(kind: OpenKind): OutboxKind {
  return kind === "enrolment" || kind === "follow_up" ? `${kind}_due` : kind;
}

async function tell(
  { ledger, kick, now }: OverdueInput,
  kind: OpenKind,
  told: readonly Overdue[],
): Promise<void> {
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
async function lookForEnded(input: OverdueInput, untold: readonly Overdue[], seenIn: Seen): Promise<void> {
  const { client, ledger, log, now } = input;
  const endedBeforeMs = now() - SKEW_MS;
  const lookAt = async (id: string) => {
    const workflowId = followUpWorkflowId(id);
    const execution = await client.withDeadline(Date.now() + DEADLINE_MS, () =>
      describeWorkflow(client, workflowId),
    );
    if (execution === undefined || (execution.endedAtMs ?? 0) >= endedBeforeMs) return;
    // It may have come to its end just now, by a clock that is behind.
    if (!(await readOpen(ledger.db, id))) return;
    const seen = { what: `follow-up ${id}`, workflowId, execution, seenIn };
    const tells = () => tellsOfRestore(client, ledger, seen);
    if (await client.withDeadline(Date.now() + DEADLINE_MS, tells))
      log.error({ followUp: id }, "its workflow has ended before: the ledger was restored");
  };
  /** One that can't be looked at is told all the same: campaigns and batches are looked at in any case. */
  const lookAtOne = async (id: string): Promise<boolean> => {
    try {
      await lookAt(id);
      return true;
    } catch (error) {
      if (isAway(error)) await noteAway(input, error);
      log.warn(
        { followUp: id, error: String(error) },
        "the workflow of an overdue follow-up can't be looked at",
      );
      return !isAway(error);
    }
  };
  for (let from = 0; from < untold.length; from += AT_ONCE) {
    const page = untold.slice(from, from + AT_ONCE);
    if ((await Promise.all(page.map(({ id }) => lookAtOne(id)))).includes(false)) return;
    await noteThere(input);
  }
}

/** For people: a Temporal that stays away is told, also where nothing dials. */
const ASKING: Step = { of: "chore", id: "asking Temporal after what is overdue", verb: "do" };

function noteAway({ ledger, log, now }: OverdueInput, error: unknown): Promise<void> {
  return noteFailure(ledger, ASKING, { error, away: "Temporal", awayMs: AWAY_MS, nowMs: now(), log });
}

function noteThere({ ledger, log, now }: OverdueInput): Promise<void> {
  return noteSuccess(ledger, ASKING, { ports: ["Temporal"], nowMs: now(), log });
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
 * that has looked, and whose workflow Temporal does not know any more, speaks for all that is awake.
 */
async function notSeen(input: OverdueInput, untold: readonly Overdue[]): Promise<readonly Overdue[]> {
  const { client, ledger, log, now } = input;
  const isThere = async (id: string) => {
    const execution = await client.withDeadline(Date.now() + DEADLINE_MS, () =>
      describeWorkflow(client, scheduleWorkflowId(id)),
    );
    if (execution === undefined && (await readSchedule(ledger.db, id))?.nextLookAtMs !== undefined)
      await lookAtAllOnce(ledger.db, now());
    return execution?.status === "RUNNING" && (await noteSeen(ledger.db, id, now()));
  };
  const missing: Overdue[] = [];
  for (const [index, one] of untold.entries()) {
    try {
      if (!(await isThere(one.id))) missing.push(one);
      await noteThere(input);
    } catch (error) {
      log.warn({ schedule: one.id, error: String(error) }, "the workflow of a schedule can't be looked at");
      missing.push(one);
      if (!isAway(error)) continue;
      await noteAway(input, error);
      return [...missing, ...untold.slice(index + 1)];
    }
  }
  return missing;
}

/** For people: the looks as a whole. */
const LOOKS: Step = { of: "chore", id: "looking at what is overdue", verb: "do" };

/** Looks every few seconds, from now on. */
export function startOverdueLooks(
  input: OverdueInput & {
    /** Where this machine's clock is wrong, what is overdue by it is looked at by nobody here. */
    isClockRight: () => Promise<boolean>;
  },
): { stop(): Promise<void> } {
  const { ledger, log, now, isClockRight } = input;
  const looks = overdueLooks(input);
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let underWay: Promise<void> = Promise.resolve();
  const turn = async () => {
    let waitMs = EVERY_MS;
    try {
      if (await isClockRight()) {
        if ((await looks.look(() => stopped)).isMore) waitMs = AGAIN_MS;
        await noteSuccess(ledger, LOOKS, { ports: [], nowMs: now(), log });
      }
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

import { WorkflowNotFoundError, type Client } from "@temporalio/client";

import type { Ledger } from "../ledger/ground/connection.ts";
import { isEnrolmentActive, readEnrolment } from "../ledger/sequences/enrolments.ts";
import { isFollowUpOpen } from "../ledger/follow-ups/follow-ups.ts";
import { readInstallation, reportRestored, type Installation } from "../ledger/ground/installation.ts";
import {
  FROM_THE_START,
  listSequenceIds,
  pageActiveEnrolments,
  pageOpenFollowUps,
  putAgain,
  putAllAgain,
  type Cursor,
} from "../ledger/campaigns/missing-ends.ts";
import { enrolmentWorkflowId, followUpWorkflowId } from "./workflow-ids.ts";

/*
 * Open enrolments and follow-ups must have their workflows. There may be a hundred thousand of them, asleep for
 * weeks, and asking after each is a request: so a pass asks after some, and the next one goes on behind them.
 *
 * 1. One that is missing is started again, through the outbox.
 * 2. Where Temporal does not know most of those that it is asked after, its data is gone: everything that is open
 *    is started again, at the pace of a list. That is seen within one pass, whoever is asked after.
 * 3. A workflow of these ends well only when the ledger says that what it is for is over, and whatever opens that
 *    again writes a row of the outbox. One that had ended before the ledger said that it goes on, with nothing in the
 *    outbox, tells that the ledger was restored (I1).
 */

/** Clocks of the ledger's readers and of Temporal differ by less. */
const SKEW_MS = 60_000;

/** Asked after in one pass, of each kind: requests to Temporal, no billed actions. */
const SAMPLE = 50;

/** Requests at the same time. */
const AT_ONCE = 10;

/** For one answer; a server that hangs must not hold up a pass for ever. */
const DEADLINE_MS = 10_000;

export interface LostWorkflows {
  /** Asks after the next ones. Returns how many were missing and will be started again. */
  pass(): Promise<number>;
}

interface LostWorkflowsInput {
  client: Client;
  ledger: Ledger;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** `ended`: it came to its end as planned. */
type Seen = { status: "running" | "broken" | "unknown" } | { status: "ended"; atMs: number };

export function createLostWorkflows(
  { client, ledger, log }: LostWorkflowsInput,
  now: () => number = Date.now,
): LostWorkflows {
  let sequence = 0;
  let enrolments: Cursor = FROM_THE_START;
  let followUps: Cursor = FROM_THE_START;

  /** The next enrolments in the walk over all sequences; at its end it begins anew. */
  const nextEnrolments = async (): Promise<string[]> => {
    const ids: string[] = [];
    const sequenceIds = await listSequenceIds(ledger.db);
    for (let turns = 0; ids.length < SAMPLE && turns <= sequenceIds.length; turns += 1) {
      const sequenceId = sequenceIds[sequence];
      if (sequenceId === undefined) {
        sequence = 0;
        enrolments = FROM_THE_START;
        continue;
      }
      const limit = SAMPLE - ids.length;
      const page = await pageActiveEnrolments(ledger.db, {
        sequenceId,
        after: enrolments,
        lateBeforeMs: 0,
        limit,
      });
      // What the outbox holds is about to be started.
      ids.push(...page.filter((one) => !one.inOutbox).map((one) => one.id));
      enrolments = page.at(-1) ?? FROM_THE_START;
      if (page.length < limit) {
        sequence += 1;
        enrolments = FROM_THE_START;
      }
    }
    return [...new Set(ids)];
  };

  const nextFollowUps = async (): Promise<string[]> => {
    const page = await pageOpenFollowUps(ledger.db, { after: followUps, limit: SAMPLE });
    followUps = page.length < SAMPLE ? FROM_THE_START : (page.at(-1) ?? FROM_THE_START);
    return page.filter((one) => !one.inOutbox).map((one) => one.id);
  };

  return {
    async pass() {
      const askedAtMs = now();
      const seenIn = await readInstallation(ledger.db);
      const enrolled = await nextEnrolments();
      const following = await nextFollowUps();
      const seen = new Map([
        ...(await lookAt(client, enrolled, enrolmentWorkflowId)),
        ...(await lookAt(client, following, followUpWorkflowId)),
      ]);
      const gone = [...enrolled, ...following].filter((id) => seen.get(id)?.status === "unknown");
      if (gone.length * 2 > seen.size) {
        const count = await putAllAgain(ledger.db, now());
        log.warn({ count }, "Temporal lost its data: open enrolments and follow-ups are started again");
        return count;
      }
      const missing = async (ids: readonly string[], isOpen: (id: string) => Promise<boolean>) => {
        const lost: string[] = [];
        // Over since it was listed, mostly.
        for (const id of ids) if (seen.get(id)?.status !== "running" && (await isOpen(id))) lost.push(id);
        return lost;
      };
      const lostEnrolments = await missing(enrolled, (id) => isEnrolmentActive(ledger.db, id));
      const lostFollowUps = await missing(following, (id) => isFollowUpOpen(ledger.db, id));
      const hadEnded = (id: string) => {
        const one = seen.get(id);
        return one?.status === "ended" && one.atMs < askedAtMs - SKEW_MS ? one.atMs : undefined;
      };
      for (const id of lostEnrolments) {
        const endedAtMs = hadEnded(id);
        // One that is over is asked for again, too, where a person has one of its actions done again.
        if (endedAtMs !== undefined && (await readEnrolment(ledger.db, id))?.state === "active")
          await holdAsRestored({ ledger, log }, `enrolment ${id}`, { endedAtMs, seenIn });
      }
      for (const id of lostFollowUps) {
        const endedAtMs = hadEnded(id);
        if (endedAtMs !== undefined)
          await holdAsRestored({ ledger, log }, `follow-up ${id}`, { endedAtMs, seenIn });
      }
      await putAgain(ledger.db, "enrolment_bulk", lostEnrolments, now());
      await putAgain(ledger.db, "follow_up", lostFollowUps, now());
      return lostEnrolments.length + lostFollowUps.length;
    },
  };
}

async function lookAt(
  client: Client,
  ids: readonly string[],
  workflowIdOf: (id: string) => string,
): Promise<[string, Seen][]> {
  const seen: [string, Seen][] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    seen.push(
      ...(await Promise.all(
        some.map(async (id): Promise<[string, Seen]> => [id, await lookAtOne(client, workflowIdOf(id))]),
      )),
    );
  }
  return seen;
}

async function lookAtOne(client: Client, workflowId: string): Promise<Seen> {
  try {
    const { status, closeTime } = await client.withDeadline(Date.now() + DEADLINE_MS, () =>
      client.workflow.getHandle(workflowId).describe(),
    );
    if (status.name === "RUNNING") return { status: "running" };
    if (status.name !== "COMPLETED") return { status: "broken" };
    return { status: "ended", atMs: closeTime?.getTime() ?? Date.now() };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { status: "unknown" };
    throw error;
  }
}

/** A recovery has booked what was dialed before it: workflows that ended before it say nothing any more. */
async function holdAsRestored(
  { ledger, log }: Pick<LostWorkflowsInput, "ledger" | "log">,
  what: string,
  { endedAtMs, seenIn }: { endedAtMs: number; seenIn: Installation },
): Promise<void> {
  const { recoveredAtMs } = seenIn;
  if (recoveredAtMs !== undefined && endedAtMs <= recoveredAtMs) return;
  const reason = `the workflow of ${what} has ended, and the ledger says that it goes on: it was restored`;
  log.error({}, reason);
  await reportRestored(ledger.db, { reason, seenIn, nowMs: Date.now() });
}

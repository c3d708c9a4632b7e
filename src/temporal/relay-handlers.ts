import { ServiceError, WorkflowNotFoundError, type Client } from "@temporalio/client";

import type { Log } from "../activities/deps.ts";
import type { EnrolmentStep } from "../activities/sequences/advance.ts";
import { elapsedMs } from "../domain/time/elapsed.ts";
import { readWithWork } from "../ledger/automations/automation-commands.ts";
import type { Ledger } from "../ledger/ground/connection.ts";
import { noteFailure, noteSuccess, type Step } from "../ledger/ground/failing-steps.ts";
import { readWhoIsIn } from "../ledger/sequences/enrolments.ts";
import { readOpen } from "../ledger/follow-ups/follow-ups.ts";
import { readInstallation } from "../ledger/ground/installation.ts";
import { expectMove, GRACE_MS, lookAtAllOnce, type OpenKind } from "../ledger/ground/look-by.ts";
import { readOpenKeyRotation } from "../ledger/keys/key-rotations.ts";
import { readUnderWay } from "../ledger/schedules/schedule-runs.ts";
import { isTimedHere, readSchedule } from "../ledger/schedules/schedules.ts";
import { isAway, type RelayHandlers } from "./relay-row.ts";
import { taskQueuesOf } from "./task-queues.ts";
import {
  automationWorkflowId,
  batchWorkflowId,
  campaignWorkflowId,
  enrolmentWorkflowId,
  followUpWorkflowId,
  keyRotationWorkflowId,
  scheduleRunWorkflowId,
  scheduleWorkflowId,
} from "./workflow-ids.ts";
import { ensureBatch, ensureCampaign, type Found } from "./ensure.ts";
import { faceOf, type Face, type Subject } from "./faces.ts";

export interface RelayHandlersInput {
  client: Client;
  ledger: Ledger;
  /** Takes an enrolment's turn. */
  takeTurn: (enrolmentId: string) => Promise<EnrolmentStep>;
  /** Lets one workflow of a list start when it is its turn. */
  paceStart: () => Promise<void>;
  /** What may be shown of a person's number. */
  maskPhone: (phone: string) => string;
  /** Acts on what came through a trigger. */
  takeDelivery: RelayHandlers["delivery"];
  /** Looks at a call that a webhook named. */
  lookAtCall: RelayHandlers["call_hint"];
  /** Brings a schedule to the platform's scheduler, or takes it off. */
  keepOnPlatform: RelayHandlers["schedule"];
  log: Log;
  /** Unix milliseconds. */
  now: () => number;
}

/** The client's own repetitions would hold a lane up for half a minute; the outbox repeats better. */
const DEADLINE_MS = 5_000;

/** Temporal may be away so long before people are told: its restart takes minutes. */
const AWAY_MS = 15 * 60_000;

/** While Temporal is away, people in sequences go on as far as they do without it; it is asked again after this. */
const TURNS_ALONE_MS = 5_000;

/** Those who are put off meanwhile come back evenly over a minute, since each costs a turn whenever it comes. */
const PUT_OFF_APART_MS = 100;
const PUT_OFF_OVER_MS = 60_000;

/** For people: one step for all of them. */
const STARTING: Step = { of: "chore", id: "starting workflows of enrolments", verb: "do" };

/** What becomes of each kind of the outbox's rows. */
export function createRelayHandlers(input: RelayHandlersInput): RelayHandlers {
  const { client, ledger, log, now } = input;
  const masked = ({ phone, ...about }: { name: string; brand: string; phone: string }): Subject => ({
    ...about,
    person: input.maskPhone(phone),
  });
  let queue: Promise<string> | undefined;
  const engineQueue = () => {
    queue ??= readInstallation(ledger.db).then(({ installationId }) => taskQueuesOf(installationId).engine);
    // A ledger that was away is asked again.
    queue.catch(() => {
      queue = undefined;
    });
    return queue;
  };
  /** What is told of something that has a workflow is to have moved it soon, whatever becomes of the signal. */
  const expected = (kind: OpenKind, id: string) => expectMove(ledger.db, kind, id, now() + GRACE_MS);
  /** Starts the workflow where it does not run, and has it look where it does: one request, one billed action. */
  const signalWithStart = async (type: string, workflowId: string, argument: object, face: Face) => {
    const taskQueue = await engineQueue();
    await client.withDeadline(Date.now() + DEADLINE_MS, () =>
      client.workflow.signalWithStart(type, {
        workflowId,
        taskQueue,
        args: [argument],
        ...face,
        signal: "wake",
        signalArgs: [],
        workflowIdReusePolicy: "ALLOW_DUPLICATE",
        workflowIdConflictPolicy: "USE_EXISTING",
      }),
    );
  };
  const signalIfThere = async (workflowId: string) => {
    try {
      await client.withDeadline(Date.now() + DEADLINE_MS, () =>
        client.workflow.getHandle(workflowId).signal("wake"),
      );
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  };
  /** When it did not answer last: nobody waits for its answers for a while, turns go on without it. */
  let awaySinceMs = Number.NEGATIVE_INFINITY;
  /** Since it was last seen. */
  let putOffs = 0;
  const putOff = () => {
    const apartMs = (putOffs * PUT_OFF_APART_MS) % PUT_OFF_OVER_MS;
    putOffs += 1;
    return { againAtMs: awaySinceMs + TURNS_ALONE_MS + apartMs };
  };
  /** Its turns are transactions; a workflow tries what it leaves to be tried. */
  const enrolment = async (enrolmentId: string, paceStart?: () => Promise<void>) => {
    const { next } = await input.takeTurn(enrolmentId);
    const who = next === "act" ? await readWhoIsIn(ledger.db, enrolmentId) : undefined;
    if (!who) return undefined;
    if (elapsedMs(now(), awaySinceMs) < TURNS_ALONE_MS) return putOff();
    await paceStart?.();
    const face = faceOf("Enrolment in", masked(who));
    try {
      await signalWithStart("sequenceWorkflow", enrolmentWorkflowId(enrolmentId), { enrolmentId }, face);
    } catch (error) {
      if (!isAway(error)) throw error;
      awaySinceMs = now();
      await noteFailure(ledger, STARTING, { error, away: "Temporal", awayMs: AWAY_MS, nowMs: now(), log });
      return putOff();
    }
    putOffs = 0;
    await noteSuccess(ledger, STARTING, { ports: ["Temporal"], nowMs: now(), log });
    return undefined;
  };
  const followUp = async (followUpId: string) => {
    const workflowId = followUpWorkflowId(followUpId);
    const open = await readOpen(ledger.db, followUpId);
    if (!open) return signalIfThere(workflowId);
    await expected("follow_up", followUpId);
    const face = faceOf("Follow-up of a call of", masked(open));
    await signalWithStart("followUpWorkflow", workflowId, { followUpId }, face);
  };
  /** One that was started just now looks by itself. */
  const ensureAndWake = async (workflowId: string, ensured: () => Promise<Found>) => {
    const found = await client.withDeadline(Date.now() + DEADLINE_MS, ensured);
    if (found === "running") await signalIfThere(workflowId);
    if (found === "restored")
      log.error({ workflowId }, "a workflow has ended before: the ledger was restored");
    if (found !== "lost") return;
    await lookAtAllOnce(ledger.db, now());
  };
  /** What can't be handed on for long is told to people: of Temporal once, where that is away. */
  const counted = async (of: "campaign" | "batch", id: string, work: () => Promise<void>) => {
    const step: Step = { of, id, verb: "hand on" };
    try {
      await work();
    } catch (error) {
      const away = error instanceof ServiceError && isAway(error) ? "Temporal" : undefined;
      await noteFailure(ledger, step, { error, away, awayMs: AWAY_MS, nowMs: now(), log });
      throw error;
    }
    await noteSuccess(ledger, step, { ports: ["Temporal"], nowMs: now(), log });
  };
  return {
    campaign: (campaignId) =>
      counted("campaign", campaignId, async () => {
        await expected("campaign", campaignId);
        const ensured = () => ensureCampaign(client, ledger, campaignId);
        await ensureAndWake(campaignWorkflowId(campaignId), ensured);
      }),
    batch: (batchId) =>
      counted("batch", batchId, () =>
        ensureAndWake(batchWorkflowId(batchId), () => ensureBatch(client, ledger, batchId)),
      ),
    enrolment: (enrolmentId) => enrolment(enrolmentId),
    enrolment_due: (enrolmentId) => enrolment(enrolmentId, input.paceStart),
    enrolment_bulk: (enrolmentId) => enrolment(enrolmentId, input.paceStart),
    follow_up: followUp,
    follow_up_due: followUp,
    delivery: input.takeDelivery,
    call_hint: input.lookAtCall,
    async schedule(scheduleId) {
      // What the platform kept before is off it before anything is due here, too.
      const again = await input.keepOnPlatform(scheduleId);
      const workflowId = scheduleWorkflowId(scheduleId);
      const schedule = await readSchedule(ledger.db, scheduleId);
      if (schedule && isTimedHere(schedule)) {
        await expected("schedule", scheduleId);
        const face = faceOf("Schedule", { name: schedule.name });
        await signalWithStart("scheduleWorkflow", workflowId, { scheduleId }, face);
      } else await signalIfThere(workflowId);
      return again;
    },
    async key_rotation(rotationId) {
      const open = await readOpenKeyRotation(ledger.db);
      if (open?.id !== rotationId) return;
      await expected("key_rotation", rotationId);
      const face = faceOf("Rotation of the platform's key", {});
      await signalWithStart("keyRotationWorkflow", keyRotationWorkflowId(rotationId), { rotationId }, face);
    },
    async schedule_run(runId) {
      const underWay = await readUnderWay(ledger.db, runId);
      if (!underWay) return;
      await expected("schedule_run", runId);
      const face = faceOf("Run of schedule", underWay);
      await signalWithStart("scheduleRunWorkflow", scheduleRunWorkflowId(runId), { runId }, face);
    },
    async automation(automationId) {
      const workflowId = automationWorkflowId(automationId);
      const automation = await readWithWork(ledger.db, automationId);
      if (!automation) return signalIfThere(workflowId);
      await expected("automation", automationId);
      const face = faceOf("Automation", { name: automation.name });
      await signalWithStart("automationWorkflow", workflowId, { automationId }, face);
    },
  };
}

import { WorkflowNotFoundError, type Client } from "@temporalio/client";

import { readWithWork } from "../ledger/automations/automation-commands.ts";
import type { Ledger } from "../ledger/ground/connection.ts";
import { readActive } from "../ledger/sequences/enrolments.ts";
import { readOpen } from "../ledger/follow-ups/follow-ups.ts";
import { readInstallation } from "../ledger/ground/installation.ts";
import { readOpenKeyRotation } from "../ledger/keys/key-rotations.ts";
import { readUnderWay } from "../ledger/schedules/schedule-runs.ts";
import { isTimedHere, readSchedule } from "../ledger/schedules/schedules.ts";
import type { RelayHandlers } from "./relay-row.ts";
import { taskQueuesOf } from "./task-queues.ts";
import {
  automationWorkflowId,
  campaignWorkflowId,
  enrolmentWorkflowId,
  followUpWorkflowId,
  keyRotationWorkflowId,
  scheduleRunWorkflowId,
  scheduleWorkflowId,
} from "./workflow-ids.ts";
import { ensureCampaign } from "./ensure.ts";
import { faceOf, type Face, type Subject } from "./faces.ts";

export interface RelayHandlersInput {
  client: Client;
  ledger: Ledger;
  /** What may be shown of a person's number. */
  maskPhone: (phone: string) => string;
  /** Acts on what came through a trigger. */
  takeDelivery: RelayHandlers["delivery"];
  /** Looks at a call that a webhook named. */
  lookAtCall: RelayHandlers["call_hint"];
  /** Brings a schedule to the platform's scheduler, or takes it off. */
  keepOnPlatform: RelayHandlers["schedule"];
}

/** The client's own repetitions would hold a lane up for half a minute; the outbox repeats better. */
const DEADLINE_MS = 5_000;

/** What becomes of each kind of the outbox's rows. */
export function createRelayHandlers(input: RelayHandlersInput): RelayHandlers {
  const { client, ledger } = input;
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
  const enrolment = async (enrolmentId: string) => {
    const workflowId = enrolmentWorkflowId(enrolmentId);
    // One that was taken out may still sleep, for days; one that is gone is not started for having ended.
    const active = await readActive(ledger.db, enrolmentId);
    if (!active) return signalIfThere(workflowId);
    await signalWithStart(
      "sequenceWorkflow",
      workflowId,
      { enrolmentId },
      faceOf("Enrolment in", masked(active)),
    );
  };
  return {
    async campaign(campaignId) {
      const found = await client.withDeadline(Date.now() + DEADLINE_MS, () =>
        ensureCampaign(client, ledger, campaignId),
      );
      // One that was started just now looks by itself; of one that has ended the reconciler says what that means.
      if (found === "running") await signalIfThere(campaignWorkflowId(campaignId));
    },
    enrolment,
    enrolment_bulk: enrolment,
    async follow_up(followUpId) {
      const workflowId = followUpWorkflowId(followUpId);
      const open = await readOpen(ledger.db, followUpId);
      if (!open) return signalIfThere(workflowId);
      await signalWithStart(
        "followUpWorkflow",
        workflowId,
        { followUpId },
        faceOf("Follow-up of a call of", masked(open)),
      );
    },
    delivery: input.takeDelivery,
    call_hint: input.lookAtCall,
    async schedule(scheduleId) {
      // What the platform kept before is off it before anything is due here, too.
      const again = await input.keepOnPlatform(scheduleId);
      const workflowId = scheduleWorkflowId(scheduleId);
      const schedule = await readSchedule(ledger.db, scheduleId);
      if (schedule && isTimedHere(schedule)) {
        const face = faceOf("Schedule", { name: schedule.name });
        await signalWithStart("scheduleWorkflow", workflowId, { scheduleId }, face);
      } else await signalIfThere(workflowId);
      return again;
    },
    async key_rotation(rotationId) {
      const open = await readOpenKeyRotation(ledger.db);
      if (open?.id !== rotationId) return;
      const face = faceOf("Rotation of the platform's key", {});
      await signalWithStart("keyRotationWorkflow", keyRotationWorkflowId(rotationId), { rotationId }, face);
    },
    async schedule_run(runId) {
      const underWay = await readUnderWay(ledger.db, runId);
      if (!underWay) return;
      const face = faceOf("Run of schedule", underWay);
      await signalWithStart("scheduleRunWorkflow", scheduleRunWorkflowId(runId), { runId }, face);
    },
    async automation(automationId) {
      const workflowId = automationWorkflowId(automationId);
      const automation = await readWithWork(ledger.db, automationId);
      if (!automation) return signalIfThere(workflowId);
      const face = faceOf("Automation", { name: automation.name });
      await signalWithStart("automationWorkflow", workflowId, { automationId }, face);
    },
  };
}

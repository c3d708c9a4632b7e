import type { temporal } from "@temporalio/proto";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";

import { readScheduleDefinition } from "../../src/domain/schedules/schedule.ts";
import { readSequence } from "../../src/domain/sequences/definition.ts";
import { commandAction } from "../../src/ledger/follow-ups/action-commands.ts";
import { listActionsOf } from "../../src/ledger/follow-ups/actions.ts";
import { readAutomation } from "../../src/ledger/automations/automations.ts";
import { enroll } from "../../src/ledger/sequences/enrolling.ts";
import { tellEnrolments } from "../../src/ledger/sequences/enrolment-inbox.ts";
import { readEnrolment } from "../../src/ledger/sequences/enrolments.ts";
import { listFollowUps } from "../../src/ledger/follow-ups/follow-ups.ts";
import { listRuns } from "../../src/ledger/schedules/schedule-runs.ts";
import { putSchedule, removeSchedule } from "../../src/ledger/schedules/schedule-changes.ts";
import { putSequenceVersion } from "../../src/ledger/sequences/sequence-commands.ts";
import {
  automationWorkflowId,
  enrolmentWorkflowId,
  followUpWorkflowId,
  keyRotationWorkflowId,
  scheduleRunWorkflowId,
  scheduleWorkflowId,
} from "../../src/temporal/workflow-ids.ts";
import { put } from "../support/automation-run.ts";
import { phoneNumbers, startTestCampaign, type Engine } from "../support/engine.ts";
import { begin as beginRotation, keyFileWith, keyProcess } from "../support/keys.ts";
import { given } from "../support/ledgers.ts";
import { startReceiver } from "../support/receiver.ts";
import { recurringSchedule, runOf } from "../support/recurring.ts";
import { until } from "../support/until.ts";

/*
 * The ways whose histories are kept: each is long enough to pass every wait and every branch that its workflow has,
 * and no longer.
 */

/** A run of a workflow, the newest where none is named, whose history is kept under this name once it is closed. */
export type Save = (workflowId: string, name: string, runId?: string) => Promise<void>;

type Recorder = (engine: Engine, save: Save) => Promise<void>;

const PERSON = {
  brand: "default",
  region: "US",
  zones: ["America/New_York"],
  strictZones: ["America/New_York"],
  variables: {},
};

async function enrolled(engine: Engine, name: string, phone: string, steps: readonly object[]) {
  const reading = readSequence({
    name,
    window: "always",
    agent_id: "11111111-1111-4111-8111-111111111111",
    from_numbers: ["+12025550100"],
    steps,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const { definition } = reading;
  const nowMs = Date.now();
  await engine.ledger.transaction((tx) => putSequenceVersion(tx, { definition, actor: "test", nowMs }));
  const result = await engine.ledger.transaction((tx) =>
    enroll(tx, { ...PERSON, sequenceName: name, phone, source: "test", nowMs }),
  );
  if (result.kind !== "enrolled") throw new Error(JSON.stringify(result));
  engine.deps.outbox.kick();
  const id = result.enrolmentId;
  const isAt = (step: string) =>
    until(
      `${name} to be at ${step}`,
      async () => given(await readEnrolment(engine.ledger.db, id)).step === step,
    );
  const tell = async (event: string) => {
    await engine.ledger.transaction((tx) =>
      tellEnrolments(tx, {
        brand: PERSON.brand,
        phone,
        event: { name: event, data: {}, requestKey: randomUUID(), at: Date.now() },
      }),
    );
    engine.deps.outbox.kick();
  };
  return { id, isAt, tell };
}

/** A call, a wait that ends by its time and one that an event ends, an action that fails once, and the end. */
export const sequence: Recorder = async (engine, save) => {
  const receiver = await startReceiver();
  receiver.answer = (_delivery, n) => ({ status: n === 0 ? 500 : 204 });
  const { id, isAt, tell } = await enrolled(engine, "journey", given(phoneNumbers(1, 710_000)[0]), [
    { id: "first", call: {}, next: "rest" },
    { id: "rest", wait: { for: "1s" } },
    { id: "hold", wait_for: { event: "go", timeout: "1d" } },
    { id: "tell", webhook: { url: receiver.url, retry: { max_tries: 3, delays: ["1s"] } } },
  ]);
  await isAt("hold");
  await tell("go");
  await save(enrolmentWorkflowId(id), "sequence-with-call-event-and-action");
  await receiver.close();
};

/** One that is woken so often while it tries that its first run goes on as another. For a server that suggests that soon. */
export const longSequence: Recorder = async (engine, save) => {
  const receiver = await startReceiver();
  receiver.answer = () => ({ status: 500 });
  const { id, tell } = await enrolled(engine, "storm", given(phoneNumbers(1, 710_001)[0]), [
    { id: "tell", webhook: { url: receiver.url, retry: { max_tries: 50, delays: ["2s"] } } },
  ]);
  await until("a first try", () => receiver.received.length > 0);
  const handle = engine.client.workflow.getHandle(enrolmentWorkflowId(id));
  const { runId } = await handle.describe();
  await until("its history to be cut", async () => {
    await tell("tick");
    return (await handle.describe()).runId !== runId;
  });
  await save(enrolmentWorkflowId(id), "sequence-continued-as-new", runId);
  await receiver.close();
};

/** The call is waited for, actions are tried at once and again, one fails for good and a person has it done again. */
export const followUp: Recorder = async (engine, save) => {
  const { ledger } = engine;
  const receiver = await startReceiver();
  receiver.answer = (_delivery, n) => ({ status: n < 2 ? 500 : 204 });
  const campaignId = await startTestCampaign(engine, phoneNumbers(1, 710_002), {
    follow_ups: [
      {
        id: "told",
        when: "analysis.call_successful",
        mode: "parallel",
        actions: [
          { tag: { tag: "talked" } },
          { webhook: { url: receiver.url, retry: { max_tries: 2, delays: ["1s"] } } },
        ],
      },
    ],
  });
  const inState = (state: "waiting" | "failed" | "done") =>
    until(`the follow-up to be ${state}`, async () => {
      const { items } = await listFollowUps(ledger.db, { campaignId, state, limit: 1 });
      return items[0];
    });
  const { id } = await inState("failed");
  await save(followUpWorkflowId(id), "follow-up-that-failed");
  const actions = await listActionsOf(ledger.db, { followUpId: id });
  const { id: actionId } = given(actions.find(({ state }) => state === "failed"));
  await ledger.transaction((tx) =>
    commandAction(tx, { actionId, command: "retry", actor: "test", reason: undefined, nowMs: Date.now() }),
  );
  engine.deps.outbox.kick();
  await inState("done");
  await save(followUpWorkflowId(id), "follow-up-opened-again");
  await receiver.close();
};

/** Made, deployed and linked. */
export const automation: Recorder = async (engine, save) => {
  const { id } = await put(engine.deps, { name: "recorded" });
  engine.deps.outbox.kick();
  await until(
    "the automation to be ready",
    async () => given(await readAutomation(engine.ledger.db, "recorded")).state === "ready",
  );
  await save(automationWorkflowId(id), "automation-made");
};

export const keyRotation: Recorder = async (engine, save) => {
  const { sandbox, deps } = engine;
  const made = await deps.platform.apiKeys.create({ name: "outdial" });
  const clock = { aheadMs: 0, now: Date.now };
  const { platform, keys } = keyProcess(engine.ledger, sandbox, keyFileWith(made.key), clock).deps;
  deps.platform = platform;
  deps.keys = given(keys);
  const rotationId = await beginRotation(deps);
  deps.outbox.kick();
  await save(keyRotationWorkflowId(rotationId), "key-rotation");
};

/** An automation that runs when it is due, and a campaign that a person has run now. */
export const schedules =
  (list: string): Recorder =>
  async (engine, save) => {
    const { ledger, deps } = engine;
    const { workflow_id: workflowId } = await deps.platform.workflows.create({
      name: "on schedule",
      trigger_type: "schedule",
      workflow_json: { nodes: [], connections: {} },
    });
    await deps.platform.workflows.deploy(workflowId);
    const reading = readScheduleDefinition({
      name: "recorded",
      every: "2s",
      run: { workflow_id: workflowId },
    });
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const input = { definition: reading.definition, actor: "test", nowMs: Date.now() };
    const { schedule } = await ledger.transaction((tx) => putSchedule(tx, input));
    deps.outbox.kick();
    const run = await until("a run that ended well", async () => {
      const { items } = await listRuns(ledger.db, schedule.id, { limit: 10 });
      return items.find(({ state }) => state === "done");
    });
    await save(scheduleRunWorkflowId(run.id), "schedule-run-of-automation");
    const removal = { name: "recorded", actor: "test", reason: undefined, nowMs: Date.now() };
    await ledger.transaction((tx) => removeSchedule(tx, removal));
    deps.outbox.kick();
    await save(scheduleWorkflowId(schedule.id), "schedule");
    const recurring = await recurringSchedule(ledger, { contacts: { file: list } });
    const { id } = await runOf(ledger, recurring);
    deps.outbox.kick();
    await save(scheduleRunWorkflowId(id), "schedule-run-of-campaign");
  };

/** Writes a list of two people down, in a folder where runs look for theirs. */
export function writeList(folder: string, name: string): void {
  fs.writeFileSync(`${folder}/${name}`, `phone\n${phoneNumbers(2, 710_003).join("\n")}\n`);
}

/** Takes out of a history what only tells of the machine that it was recorded on. */
export function withoutMachine(history: temporal.api.history.v1.IHistory): temporal.api.history.v1.IHistory {
  clean(history);
  return history;
}

function clean(value: object): void {
  if (value instanceof Uint8Array) return;
  for (const [name, within] of Object.entries(value)) {
    if (typeof within === "string") {
      if (within.includes(os.hostname())) Reflect.set(value, name, "recorded");
    } else if (typeof within === "object" && within !== null) clean(within);
  }
}

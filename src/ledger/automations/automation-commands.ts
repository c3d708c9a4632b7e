import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";

import {
  isRerunOpen,
  withRerun,
  type Memory,
  type Rerun,
} from "../../domain/automations/automation-memory.ts";
import { forgetDrifted, isOnItsWay, type OnItsWay } from "../../domain/automations/automation-state.ts";
import type { AttentionKind } from "../../domain/ground/attention.ts";
import { resolveAttention } from "../ground/attention.ts";
import { writeAudit } from "../ground/audit.ts";
import { lockAutomation, move, readAutomationById, type Automation } from "./automations.ts";
import { firstRow, type Db } from "../ground/connection.ts";
import { putOutbox } from "../ground/outbox.ts";
import { CommandRefusedError } from "../ground/command-refused.ts";

/*
 * What people tell an automation. Each is written down with the outbox row that has its workflow look.
 */

/** There is no such automation. */
export class UnknownAutomationError extends Error {
  override readonly name = "UnknownAutomationError";
}

export interface AutomationCommandInput {
  name: string;
  actor: string;
  nowMs: number;
}

async function requireLocked(tx: Db, name: string): Promise<Automation> {
  const row = await firstRow<{ id: string }>(
    tx,
    sql`select id from automations where name = ${name} and state <> 'removed'`,
  );
  const automation = row && (await lockAutomation(tx, row.id));
  if (automation && automation.state !== "removed") return automation;
  throw new UnknownAutomationError(
    `there is no automation ${JSON.stringify(name)}: list them with \`outdial automation list\``,
  );
}

/**
 * Goes on with a step that failed; mends what was found changed on the platform and is only reported; looks at once
 * where the platform is waited for.
 */
export async function retryAutomation(tx: Db, input: AutomationCommandInput): Promise<Automation> {
  const automation = await requireLocked(tx, input.name);
  const { state, memory } = automation;
  const isDrifted = state === "ready" && memory.drift !== undefined && memory.drift.repairedAt === undefined;
  if (state === "ready" && !isDrifted)
    throw new CommandRefusedError(
      `automation ${input.name} is as it is declared: there is nothing to try again`,
    );
  const next = isOnItsWay(state) ? state : "changing";
  const known = isDrifted ? forgetDrifted(memory) : memory;
  const fresh: Memory = { ...known, waits: 0, steps: isOnItsWay(state) ? memory.steps : [] };
  return command(tx, automation, { state: next, memory: fresh, word: "retry", detail: {} }, input);
}

/**
 * Has an automation that is ready tested, deployed again, or brought back to an earlier version.
 *
 * @throws CommandRefusedError while it is on its way, or failed.
 */
export async function askAutomation(
  tx: Db,
  input: AutomationCommandInput & { kind: "test" | "deploy" | "restore"; version?: number },
): Promise<Automation> {
  const automation = await requireLocked(tx, input.name);
  const { kind, version } = input;
  if (automation.state !== "ready")
    throw new CommandRefusedError(
      isOnItsWay(automation.state)
        ? `automation ${input.name} is ${automation.state}: wait for that to end`
        : `automation ${input.name} failed: mend what it names, then \`outdial automation retry ${input.name}\``,
    );
  const asked = { kind, ...(version !== undefined && { version }) };
  const memory: Memory = { ...automation.memory, asked, steps: [], waits: 0 };
  return command(tx, automation, { state: "changing", memory, word: kind, detail: asked }, input);
}

/**
 * Takes an automation out of Outdial's hands: what was being brought up is taken back, and what is live stays on the
 * platform as it is, unless it is to go, too.
 */
export async function removeAutomation(
  tx: Db,
  input: AutomationCommandInput & { platform: boolean },
): Promise<Automation> {
  const automation = await requireLocked(tx, input.name);
  const { keepLive: _, asked: __, undo: ___, ...memory } = automation.memory;
  const next: Memory = { ...memory, ...(!input.platform && { keepLive: true }), waits: 0, steps: [] };
  const detail = { platform: input.platform };
  return command(tx, automation, { state: "removing", memory: next, word: "remove", detail }, input);
}

async function command(
  tx: Db,
  automation: Automation,
  told: {
    state: OnItsWay;
    memory: Memory;
    word: string;
    detail: Record<string, unknown>;
  },
  { actor, nowMs }: AutomationCommandInput,
): Promise<Automation> {
  const { state, memory, word, detail } = told;
  const after = await move(tx, automation, { state, memory, step: undefined, error: undefined }, nowMs);
  const { name } = automation;
  await writeAudit(tx, {
    nowMs,
    actor,
    action: `automation.${word}`,
    detail: { automation: name, ...detail },
  });
  await putOutbox(tx, [{ kind: "automation", subject: automation.id, dueAtMs: nowMs }]);
  return after;
}

/** Reruns of one automation that wait or go on; each is a request and looks. */
const MOST_OPEN_RERUNS = 100;

/**
 * Has an execution run again that failed, with what it was given. One that is being run again, or was with success,
 * is not.
 *
 * @throws CommandRefusedError
 */
export async function rerunExecution(
  tx: Db,
  input: { automationId: string; executionId: string; actor: string; nowMs: number },
): Promise<{ automation: Automation; rerun: Rerun }> {
  const { executionId, actor, nowMs } = input;
  const automation = await lockAutomation(tx, input.automationId);
  if (!automation || automation.state === "removed" || automation.state === "removing")
    throw new UnknownAutomationError(`the automation of execution ${executionId} is not there any more`);
  const { memory, name } = automation;
  const before = memory.reruns.find(
    (rerun) => rerun.of === executionId && (isRerunOpen(rerun) || rerun.state === "done"),
  );
  if (before)
    throw new CommandRefusedError(
      isRerunOpen(before)
        ? `execution ${executionId} is being run again: see \`outdial automation show ${name}\``
        : `execution ${executionId} was run again with success, as ${before.executionId ?? before.id}`,
    );
  if (!memory.live)
    throw new CommandRefusedError(
      `automation ${name} does not work on the platform yet: see \`outdial automation show ${name}\``,
    );
  if (memory.reruns.filter(isRerunOpen).length >= MOST_OPEN_RERUNS)
    throw new CommandRefusedError(
      `${MOST_OPEN_RERUNS} executions of ${name} are being run again: wait for some of them`,
    );
  const rerun: Rerun = { id: randomUUID(), of: executionId, actor, atMs: nowMs, state: "due" };
  const { state, step, error } = automation;
  const after = await move(tx, automation, { state, step, error, memory: withRerun(memory, rerun) }, nowMs);
  await resolveAttention(tx, {
    kind: "automation_rerun_failed",
    subject: executionId,
    by: actor,
    resolution: "rerun",
    nowMs,
  });
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "automation.rerun",
    detail: { automation: name, execution: executionId, rerun: rerun.id },
  });
  await putOutbox(tx, [{ kind: "automation", subject: automation.id, dueAtMs: nowMs }]);
  return { automation: after, rerun };
}

/** What is told of an automation under its name. */
export const AUTOMATION_ATTENTION = [
  "automation_failed",
  "automation_drift",
  "automation_execution_failed",
  "automation_execution_long",
  "automation_success_rate",
  "automation_unseen",
] as const satisfies readonly AttentionKind[];

/** Takes everything off people's list that is about an automation. */
export async function resolveAll(tx: Db, name: string, resolution: string, nowMs: number): Promise<void> {
  for (const kind of AUTOMATION_ATTENTION)
    await resolveAttention(tx, { kind, subject: name, by: "engine", resolution, nowMs });
}

/** Whether the outbox's row of an automation has something to start. */
export async function readWithWork(db: Db, automationId: string): Promise<Automation | undefined> {
  const automation = await readAutomationById(db, automationId);
  if (!automation) return undefined;
  const hasWork = isOnItsWay(automation.state) || automation.memory.reruns.some(isRerunOpen);
  return hasWork ? automation : undefined;
}

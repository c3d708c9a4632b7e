import { noted, type Memory, type Sent } from "../../domain/automations/automation-memory.ts";
import { afterFailure, type AutomationState } from "../../domain/automations/automation-state.ts";
import { raiseAttention, resolveAttention } from "../../ledger/ground/attention.ts";
import { resolveAll } from "../../ledger/automations/automation-commands.ts";
import {
  isAutomationOpen,
  writeStep,
  type Automation,
  type Movement,
} from "../../ledger/automations/automations.ts";
import type { Db } from "../../ledger/ground/connection.ts";
import type { ActivityDeps } from "../deps.ts";
import type { Outcome } from "./outcome.ts";

/*
 * Writing down what steps came to: where nobody wrote since the step was begun, or where what was sent is still
 * claimed. What that means for the automation's state is decided here, and nowhere else.
 */

/** What the automation's workflow does next. */
export type AutomationStep = { next: "done" } | { next: "wait"; waitMs: number };

/** Somebody wrote meanwhile: what stands there now is looked at. */
export const AGAIN: AutomationStep = { next: "wait", waitMs: 0 };

/** Beyond so many waits in a row people are told; it goes on all the same. */
const PATIENT_WAITS = 8;

/** After a key is mended or a bill is paid, nobody waits longer than the engine's own look. */
const SOONEST_WAIT_MS = 500;

export function isSame(now: Automation, before: Automation): boolean {
  return now.memory.turn === before.memory.turn;
}

export interface Decision {
  state: AutomationState;
  memory: Memory;
  error?: string | undefined;
  /** On people's list. */
  tell?: { why: string; remedy: string };
  isWell?: true;
}

export function note(memory: Memory, deps: ActivityDeps, step: string, found: string): Memory {
  return noted(memory, { step, at: new Date(deps.now()).toISOString(), found });
}

export async function writeDecision(
  deps: ActivityDeps,
  automation: Automation,
  decision: Decision,
): Promise<AutomationStep> {
  const { state, memory, error, tell, isWell } = decision;
  const step = state === "failed" ? (automation.memory.undo?.step ?? automation.step) : undefined;
  const nowMs = deps.now();
  const after = await deps.ledger.transaction(async (tx) => {
    const written = await writeStep(
      tx,
      automation.id,
      (now) => (isSame(now, automation) ? { state, memory, step, error } : undefined),
      nowMs,
    );
    if (written && tell) await tellFailed(tx, automation, tell, nowMs);
    if (written && isWell) await tellWell(tx, automation, nowMs);
    if (written && state === "removed") await resolveAll(tx, automation.name, "it was removed", nowMs);
    return written;
  });
  return after && !isAutomationOpen(after) ? { next: "done" } : AGAIN;
}

async function tellFailed(
  tx: Db,
  { name }: Automation,
  { why, remedy }: { why: string; remedy: string },
  nowMs: number,
): Promise<void> {
  await raiseAttention(tx, {
    kind: "automation_failed",
    subject: name,
    brand: "default",
    summary: `automation ${name}: ${why}`.slice(0, 1_000),
    remedy: remedy.includes("outdial automation")
      ? remedy
      : `${remedy}; then \`outdial automation retry ${name}\``,
    nowMs,
  });
}

async function tellWell(tx: Db, { name }: Automation, nowMs: number): Promise<void> {
  for (const kind of ["automation_failed", "automation_drift"] as const)
    await resolveAttention(tx, { kind, subject: name, by: "engine", resolution: "it is as declared", nowMs });
}

/** Writes what a step came to, and says when the next one is due. */
export async function write(
  deps: ActivityDeps,
  automation: Automation,
  step: string,
  outcome: Outcome,
  sent?: Sent,
): Promise<AutomationStep> {
  const nowMs = deps.now();
  const waitMs = waitOf(deps, automation, outcome);
  const written = await deps.ledger.transaction(async (tx) => {
    let told: { why: string; remedy: string } | undefined;
    const after = await writeStep(
      tx,
      automation.id,
      (now) => {
        // Of what was sent by a claim that still stands the result counts, whatever was written beside it.
        const isClaim =
          sent !== undefined && now.memory.sent?.atMs === sent.atMs && now.memory.sent.step === sent.step;
        if (!isSame(now, automation) && !isClaim) return undefined;
        const { movement, tell } = movementOf(deps, now, step, outcome);
        told = tell;
        return movement;
      },
      nowMs,
    );
    if (after && told) await tellFailed(tx, automation, told, nowMs);
    return after;
  });
  if (!written) return AGAIN;
  return isAutomationOpen(written) ? { next: "wait", waitMs } : { next: "done" };
}

function waitOf({ pace }: ActivityDeps, { memory }: Automation, outcome: Outcome): number {
  if (outcome.kind === "pending") return Math.ceil(outcome.waitMs);
  if (outcome.kind !== "waiting") return 0;
  const backoffMs = Math.min(pace.refusedLookMs, Math.max(SOONEST_WAIT_MS, pace.lookMs) * 2 ** memory.waits);
  return Math.ceil(Math.max(outcome.atLeastMs ?? 0, backoffMs));
}

/** Beyond this the wait has long been the longest. */
const MOST_WAITS = 1_000;

interface Written {
  movement: Movement;
  /** For people's list. */
  tell?: { why: string; remedy: string };
}

function movementOf(deps: ActivityDeps, now: Automation, step: string, result: Outcome): Written {
  const { state } = now;
  // A removal is not given up: there is nothing else that could be done.
  const isRefusedRemoval = state === "removing" && result.kind === "failed";
  const outcome: Outcome = isRefusedRemoval ? { ...result, kind: "waiting", error: result.why } : result;
  const memory = outcome.change ? outcome.change(now.memory) : now.memory;
  switch (outcome.kind) {
    case "done":
      return {
        movement: {
          state,
          step,
          error: undefined,
          memory: { ...note(memory, deps, step, outcome.found), waits: 0 },
        },
      };
    case "pending":
      return { movement: { state, step, error: outcome.error ?? now.error, memory } };
    case "waiting": {
      const waits = Math.min(MOST_WAITS, memory.waits + 1);
      const isLong = outcome.remedy !== undefined ? waits === 1 : waits === PATIENT_WAITS;
      return {
        movement: { state, step, error: outcome.error, memory: { ...memory, waits } },
        ...(isLong && {
          tell: {
            why: `step ${step} waits for the platform: ${outcome.error}`,
            remedy: `${outcome.remedy ?? "see whether the platform is there"}; it is tried again by itself (\`outdial automation retry ${now.name}\` does so at once)`,
          },
        }),
      };
    }
    case "failed":
      return failed(deps, now, memory, step, outcome);
  }
}

function failed(
  deps: ActivityDeps,
  now: Automation,
  before: Memory,
  step: string,
  { why, remedy }: Extract<Outcome, { kind: "failed" }>,
): Written {
  const told = `step ${step}: ${why}`;
  const memory = { ...note(before, deps, step, why), waits: 0 };
  const tell = { why: told, remedy };
  if (now.state === "changing") {
    const next = afterFailure(before);
    if (next === "stay") {
      const { asked: _, target: __, ...rest } = memory;
      return { movement: { state: "ready", step, error: told, memory: rest }, tell };
    }
    if (next === "undo") {
      const undo = { step, why: told, remedy, digest: now.digest };
      return { movement: { state: "undoing", step, error: told, memory: { ...memory, undo } } };
    }
  }
  const { asked: _, undo, ...rest } = memory;
  const both = undo && undo.why !== "" ? `${undo.why}; and taking that back failed, ${told}` : told;
  return {
    movement: { state: "failed", step, error: both, memory: rest },
    tell: { why: both, remedy },
  };
}

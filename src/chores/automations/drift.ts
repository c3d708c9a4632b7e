import { withoutMark } from "../../domain/automations/automation.ts";
import type { DRIFT_FACETS, Build, Memory } from "../../domain/automations/automation-memory.ts";
import { forgetDrifted } from "../../domain/automations/automation-state.ts";
import { raiseAttention, resolveAttention } from "../../ledger/ground/attention.ts";
import { writeAudit } from "../../ledger/ground/audit.ts";
import {
  listAutomations,
  readAutomationById,
  writeStep,
  type Automation,
  type Movement,
} from "../../ledger/automations/automations.ts";
import type { Step } from "../../ledger/ground/failing-steps.ts";
import { putOutbox } from "../../ledger/ground/outbox.ts";
import { NotFoundError, type AgentWorkflowLink, type Workflow } from "../../platform/index.ts";
import type { ActivityDeps } from "../../activities/deps.ts";
import { noteStepFailure, noteStepSuccess } from "../../activities/ground/failing-steps.ts";
import { versionOf } from "../../activities/automations/creating.ts";
import { firstDifference } from "../../activities/automations/linking.ts";
import { wantsOf } from "../../activities/automations/wants.ts";

/*
 * Automations that somebody changed on the platform, and secrets that have another value by now: found by looking,
 * and brought back or reported, as each is declared.
 */

type Facet = (typeof DRIFT_FACETS)[number];

interface Difference {
  facet: Facet;
  words: string;
}

/** Repaired more often than this within a day, two are changing it against each other: people decide. */
const MOST_REPAIRS = 5;
const DAY_MS = 24 * 60 * 60_000;

/**
 * Looks at every automation that is as declared whether it still is. Two requests each.
 *
 * Safe to repeat: what is found is written where nobody wrote meanwhile, and brought back by the automation's workflow.
 *
 * @returns how many are being brought back.
 */
export async function lookForDrift(deps: ActivityDeps): Promise<number> {
  let repaired = 0;
  for (const { id, name } of await listAutomations(deps.ledger.db)) {
    const step: Step = { of: "automation", id, verb: "compare" };
    try {
      // Looks at others take their time: this one may be another by now.
      const automation = await readAutomationById(deps.ledger.db, id);
      if (!automation || automation.state === "removed") continue;
      if (automation.state !== "ready") continue;
      if (await lookAt(deps, automation)) repaired += 1;
      await noteStepSuccess(deps, step, { asked: false });
    } catch (error) {
      // The others are looked at all the same.
      deps.log.warn(
        { automation: name, error: String(error) },
        "an automation could not be looked at; the next pass will",
      );
      await noteStepFailure(deps, step, error);
    }
  }
  if (repaired > 0) deps.outbox.kick();
  return repaired;
}

async function lookAt(deps: ActivityDeps, automation: Automation): Promise<boolean> {
  const { live } = automation.memory;
  if (live?.workflowId === undefined) return false;
  const seen = await read(deps, automation, live.workflowId);
  if (!seen) return missing(deps, automation);
  const differences = differencesOf(automation, live, seen.workflow, seen.links);
  if (differences.length > 0) return found(deps, automation, differences);
  await nothingFound(deps, automation);
  const wants = await wantsOf(deps.secrets, automation);
  const stale = Object.keys(wants.secrets).filter((key) => live.secrets?.[key] !== wants.secrets[key]);
  if (stale.length === 0) return false;
  return reopen(deps, automation, automation.memory, {
    action: "automation.secrets",
    detail: { automation: automation.name, keys: stale },
  });
}

async function read(
  { platform }: ActivityDeps,
  { definition }: Automation,
  workflowId: string,
): Promise<{ workflow: Workflow; links: readonly AgentWorkflowLink[] } | undefined> {
  try {
    const workflow = await platform.workflows.get(workflowId);
    return { workflow, links: definition.agents ? await platform.workflows.agents(workflowId) : [] };
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** A gateway that is not set up says the same: only what stays away is gone. */
async function missing(deps: ActivityDeps, automation: Automation): Promise<boolean> {
  const nowMs = deps.now();
  const { missingSinceMs } = automation.memory;
  if (missingSinceMs !== undefined && nowMs - missingSinceMs >= deps.pace.vanishedMs)
    return found(deps, automation, [{ facet: "missing", words: "it was deleted there" }]);
  if (missingSinceMs === undefined)
    await keep(deps, automation, { ...automation.memory, missingSinceMs: nowMs });
  return false;
}

function differencesOf(
  { definition }: Automation,
  live: Build,
  workflow: Workflow,
  links: readonly AgentWorkflowLink[],
): Difference[] {
  const differences: Difference[] = [];
  const say = (facet: Facet, words: string) => differences.push({ facet, words });
  if (isChanged(live, versionOf(workflow))) say("definition", "what it does was changed");
  const { name, description, execution_mode: mode, timeout_seconds: timeout } = definition;
  if (workflow.name !== undefined && workflow.name !== name) say("settings", `its name is ${workflow.name}`);
  if (
    description !== undefined &&
    workflow.description !== undefined &&
    withoutMark(workflow.description).trim() !== description.trim()
  )
    say("settings", "its description was changed");
  if (mode !== undefined && workflow.execution_mode !== undefined && workflow.execution_mode !== mode)
    say("settings", `it runs ${workflow.execution_mode}`);
  if (timeout !== undefined && workflow.timeout_seconds !== undefined && workflow.timeout_seconds !== timeout)
    say("settings", `its timeout is ${workflow.timeout_seconds} s`);
  const { status } = workflow;
  const isActive = workflow.is_active ?? (status === undefined ? undefined : status === "active");
  if (isActive !== undefined && isActive !== definition.active)
    say("active", isActive ? "it is active" : `it is not active (${status ?? "no status"})`);
  const link = definition.agents && firstDifference(definition.agents, links);
  if (link) say("links", `its link to agent ${link.agentId} is not as declared`);
  return differences;
}

function isChanged(live: Build, now: ReturnType<typeof versionOf>): boolean {
  if (live.json !== undefined && now.json !== undefined) return live.json !== now.json;
  return live.version !== undefined && now.versions !== undefined && live.version !== now.versions;
}

async function found(
  deps: ActivityDeps,
  automation: Automation,
  differences: readonly Difference[],
): Promise<boolean> {
  const { memory, definition, name } = automation;
  const nowMs = deps.now();
  const words = differences.map((one) => one.words).join("; ");
  const repairs = memory.repairs.filter((atMs) => nowMs - atMs < DAY_MS);
  const isFight = repairs.length >= MOST_REPAIRS;
  const before = memory.drift?.repairedAt === undefined ? memory.drift : undefined;
  const drift = {
    found: words,
    facets: [...new Set(differences.map(({ facet }) => facet))],
    foundAt: before?.foundAt ?? new Date(nowMs).toISOString(),
  };
  if (definition.drift === "repair" && !isFight) {
    const next = forgetDrifted({ ...memory, drift, repairs: [...repairs, nowMs] });
    const reopened = await reopen(deps, automation, next, {
      action: "automation.repair",
      detail: { automation: name, found: words },
    });
    if (reopened)
      deps.log.warn(
        { automation: name, found: words },
        "an automation was changed on the platform, and is brought back",
      );
    return reopened;
  }
  if (before?.found === words) return false;
  const often = isFight ? `, and was repaired ${MOST_REPAIRS} times within a day` : "";
  await deps.ledger.transaction(async (tx) => {
    const written = await writeStep(
      tx,
      automation.id,
      unchanged(automation, (now) => ({ ...now, memory: { ...now.memory, drift } })),
      nowMs,
    );
    if (!written) return;
    await raiseAttention(tx, {
      kind: "automation_drift",
      subject: name,
      brand: "default",
      summary: `automation ${name} is not on the platform as it is declared: ${words}${often}`,
      remedy: `declare it as you want it, or \`outdial automation retry ${name}\` brings it back`,
      nowMs,
    });
  });
  return false;
}

async function nothingFound(deps: ActivityDeps, automation: Automation): Promise<void> {
  const { drift, missingSinceMs } = automation.memory;
  const isReported = drift !== undefined && drift.repairedAt === undefined;
  if (!isReported && missingSinceMs === undefined) return;
  const { drift: _, missingSinceMs: __, ...rest } = automation.memory;
  if (!(await keep(deps, automation, { ...rest, ...(drift && !isReported && { drift }) }))) return;
  await resolveAttention(deps.ledger.db, {
    kind: "automation_drift",
    subject: automation.name,
    by: "engine",
    resolution: "it is as declared",
    nowMs: deps.now(),
  });
}

/** Where nobody wrote since it was read. */
function unchanged(automation: Automation, movementOf: (now: Automation) => Movement) {
  return (now: Automation) => (now.memory.turn === automation.memory.turn ? movementOf(now) : undefined);
}

/** @returns whether nobody wrote since it was read. */
async function keep(deps: ActivityDeps, automation: Automation, memory: Memory): Promise<boolean> {
  const written = await deps.ledger.transaction((tx) =>
    writeStep(
      tx,
      automation.id,
      unchanged(automation, (now) => ({ ...now, memory })),
      deps.now(),
    ),
  );
  return written !== undefined;
}

/** Has its workflow bring it to what is declared once more. */
async function reopen(
  deps: ActivityDeps,
  automation: Automation,
  memory: Memory,
  audit: { action: string; detail: Record<string, unknown> },
): Promise<boolean> {
  const nowMs = deps.now();
  return deps.ledger.transaction(async (tx) => {
    const fresh: Memory = { ...memory, steps: [], waits: 0 };
    const written = await writeStep(
      tx,
      automation.id,
      unchanged(automation, () => ({ state: "changing", memory: fresh, step: undefined, error: undefined })),
      nowMs,
    );
    if (!written) return false;
    await writeAudit(tx, { nowMs, actor: "engine", ...audit });
    await putOutbox(tx, [{ kind: "automation", subject: automation.id, dueAtMs: nowMs }]);
    return true;
  });
}

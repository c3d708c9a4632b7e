import { markOf, withMark } from "../../domain/automations/automation.ts";
import type { Memory, Sent } from "../../domain/automations/automation-memory.ts";
import { digestOf } from "../../ledger/ground/digest.ts";
import { PlatformError, type Platform, type Workflow } from "../../platform/index.ts";
import { showsAllOf } from "../ground/walks.ts";
import { outcomeOfError, withoutSent, withTarget, type Outcome, type StepContext } from "./outcome.ts";
import { settingsOf } from "./wants.ts";

/*
 * Making an automation on the platform, and having it written anew. Both would make something twice if they were
 * repeated blindly: what may have been sent is looked for first, by a mark in what was made, or by what changed.
 */

/** A request that a person would wait for. */
const CREATE_WITHIN_MS = 30_000;

/** A model writes the automation meanwhile. */
const GENERATE_WITHIN_MS = 90_000;

/** How long the request of a step may be under way. */
export function sentWithinMs(step: Sent["step"], timeoutSeconds: number): number {
  if (step === "create") return CREATE_WITHIN_MS;
  if (step === "test") return (timeoutSeconds + TEST_LATE_SECONDS) * 1_000;
  return GENERATE_WITHIN_MS;
}

/** A test run answers when it has ended, or when it was given up. */
const TEST_LATE_SECONDS = 10;

/** What the claim of a refinement remembers. Read before it is sent. */
export async function stateBefore({ deps, automation }: StepContext): Promise<NonNullable<Sent["before"]>> {
  const workflowId = automation.memory.target?.workflowId;
  if (workflowId === undefined) return {};
  return versionOf(await deps.platform.workflows.get(workflowId));
}

/** What an automation does now, as far as the platform shows it. */
export function versionOf(workflow: Workflow): { versions?: number; json?: string } {
  const { workflow_json: json, generation_history: history } = workflow;
  const versions = workflow.version ?? history?.length;
  return {
    ...(versions !== undefined && versions > 0 && { versions }),
    ...(json !== undefined && { json: digestOf(json) }),
  };
}

/** Sends the request of a claimed step. */
export async function make(
  context: StepContext,
  step: "create" | "generate" | "refine",
  index: number,
): Promise<Outcome> {
  const { automation, deps } = context;
  try {
    if (step === "refine") return await refine(context, index);
    const { definition, memory, id } = automation;
    const mark = markOf(id, memory.target?.n ?? 0);
    const { name, trigger_type, trigger_config } = definition;
    if (step === "create") {
      const made = await deps.platform.workflows.create(
        {
          ...given(settingsOf(definition)),
          name,
          trigger_type,
          description: withMark(definition.description, mark),
          workflow_json: definition.workflow ?? {},
          ...(trigger_config && { trigger_config }),
        },
        { timeoutMs: CREATE_WITHIN_MS },
      );
      return isThere(context, made.workflow_id, true);
    }
    const made = await deps.platform.workflows.generate(
      {
        // The description is what the platform works from: the mark stands in the name, until the next step.
        name: `${name} ${mark}`,
        description: definition.generate ?? "",
        trigger_type,
        ...(trigger_config && { trigger_config }),
      },
      { timeoutMs: GENERATE_WITHIN_MS },
    );
    return isThere(context, made.workflow_id, false);
  } catch (error) {
    return afterDoubt(error, deps.pace.lookMs);
  }
}

async function refine({ deps, automation }: StepContext, index: number): Promise<Outcome> {
  const { memory, definition } = automation;
  const feedback = definition.refine?.[index] ?? "";
  await deps.platform.workflows.refine(memory.target?.workflowId ?? "", feedback, {
    timeoutMs: GENERATE_WITHIN_MS,
  });
  return isRefined("refined");
}

function isRefined(found: string): Outcome {
  return {
    kind: "done",
    found,
    change: (memory) => {
      const { target, sent } = memory;
      // Applied once, whoever finds it.
      if (sent?.step !== "refine" || sent.key === undefined || !target) return memory;
      return withoutSent(withTarget(memory, { refined: [...target.refined, sent.key], moved: true }));
    },
  };
}

function isThere({ wants }: StepContext, workflowId: string, hasSettings: boolean): Outcome {
  return {
    kind: "done",
    found: `it is there as ${workflowId}`,
    change: (memory) =>
      withoutSent(withTarget(memory, { workflowId, ...(hasSettings && { settings: wants.settings }) })),
  };
}

/** Fields that have a value. */
export function given<Fields extends Record<string, unknown>>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]?: NonNullable<Fields[Key]>;
  };
}

/** After a request that would do it twice: what may have happened is looked for. */
export function afterDoubt(error: unknown, waitMs: number): Outcome {
  if (error instanceof PlatformError && error.effect === "may_have_happened")
    return { kind: "pending", waitMs, error: `the answer was lost and is looked for (${error.message})` };
  const outcome = outcomeOfError(error);
  return outcome.kind === "waiting" || outcome.kind === "failed"
    ? { ...outcome, change: withoutSent }
    : outcome;
}

/** Looks whether what was sent happened. */
export async function lookForMade(context: StepContext, sent: Sent): Promise<Outcome> {
  const { deps, automation } = context;
  const { target } = automation.memory;
  if (sent.step === "refine") {
    const now = versionOf(await deps.platform.workflows.get(target?.workflowId ?? ""));
    if (hasMoved(sent.before ?? {}, now)) return isRefined("it was refined; the answer had been lost");
    return notThere(context, sent);
  }
  const mark = markOf(automation.id, target?.n ?? 0);
  const listed = await findByMark(deps.platform, mark, automation.name);
  if (listed === "none") return notThere(context, sent);
  if (listed === "moving")
    return {
      kind: "pending",
      waitMs: deps.pace.quietMs,
      error: "the answer was lost, and the platform's list of automations moves while it is looked through",
    };
  const found = isThere(context, listed.workflowId, false);
  return found.kind === "done" ? { ...found, found: `${found.found}; the answer had been lost` } : found;
}

function hasMoved(before: NonNullable<Sent["before"]>, now: NonNullable<Sent["before"]>): boolean {
  if (before.versions !== undefined && now.versions !== undefined) return now.versions > before.versions;
  return before.json !== undefined && now.json !== undefined && before.json !== now.json;
}

function notThere({ deps }: StepContext, sent: Sent): Outcome {
  const nowMs = deps.now();
  // What was sent may still be under way, and what it began may show late.
  if (nowMs < sent.certainAtMs)
    return { kind: "pending", waitMs: Math.min(sent.certainAtMs - nowMs, deps.pace.quietMs) };
  return {
    kind: "done",
    found: `${sent.step} did not happen, and is done again`,
    change: (memory: Memory) => withoutSent(memory),
  };
}

/** Pages of a walk through all automations: 10,000. */
const PER_PAGE = 200;
const MAX_PAGES = 50;

/** Walks until two in a row show the same: beyond it the list is busy, and is looked through later. */
const MOST_WALKS = 5;

/**
 * The automation of the platform that carries a mark; "none" where there is none, "moving" where a row that went from the
 * list may have hidden it in each walk: what goes from a part that was read moves the rest up, and the next page begins
 * behind as many rows.
 *
 * @throws PlatformError, also where there are more than can be looked through.
 */
export async function findByMark(
  platform: Pick<Platform, "workflows">,
  mark: string,
  name: string,
): Promise<{ workflowId: string } | "none" | "moving"> {
  const carries = (text: string | undefined) => text !== undefined && endsWithMark(text, mark);
  /** Rows of a list may lack what the single one shows. */
  const lookedAt = new Set<string>();
  let before: ReadonlySet<string> | undefined;
  for (let walk = 1; walk <= MOST_WALKS; walk += 1) {
    const shown = new Set<string>();
    const listing = platform.workflows.iterate({ per_page: PER_PAGE }, { maxPages: MAX_PAGES });
    for await (const workflow of listing) {
      const id = workflow.workflow_id;
      shown.add(id);
      if (carries(workflow.description) || carries(workflow.name)) return { workflowId: id };
      if (workflow.description !== undefined || workflow.name !== name || lookedAt.has(id)) continue;
      lookedAt.add(id);
      if (carries((await platform.workflows.get(id)).description)) return { workflowId: id };
    }
    if (before && showsAllOf(before, shown)) return "none";
    before = shown;
  }
  return "moving";
}

/** ...#1 is not ...#12. */
function endsWithMark(text: string, mark: string): boolean {
  return text.trimEnd().endsWith(mark);
}

import type { Sent } from "../../domain/automations/automation-memory.ts";
import {
  isOnItsWay,
  nextStep,
  testKeyOf,
  type OnItsWay,
  type Step,
  type Wants,
} from "../../domain/automations/automation-state.ts";
import {
  isAutomationOpen,
  readAutomationById,
  writeStep,
  type Automation,
} from "../../ledger/automations/automations.ts";
import { noteLook } from "../../ledger/ground/look-by.ts";
import { NotFoundError } from "../../platform/index.ts";
import type { ActivityDeps } from "../deps.ts";
import { lookForMade, make, sentWithinMs, stateBefore } from "./creating.ts";
import { decide } from "./decisions.ts";
import { outcomeOfError, withoutSent, type Outcome, type StepContext } from "./outcome.ts";
import { tendReruns } from "./rerunning.ts";
import { takeStep } from "./steps.ts";
import { lookAtTest, runTest, wayOf } from "./testing.ts";
import { wantsOf } from "./wants.ts";
import { AGAIN, isSame, write, writeDecision, type AutomationStep } from "./writing.ts";

/**
 * Takes one step of an automation's way to what is declared, writes down what it did and found, and says when the
 * next one is due.
 *
 * Safe to retry: requests that would do something twice are claimed before they are sent and looked for before they
 * are sent again; all others may be repeated.
 */
export async function tendAutomation(
  deps: ActivityDeps,
  { automationId }: { automationId: string },
): Promise<AutomationStep> {
  const step = await tend(deps, automationId);
  const { ledger, now } = deps;
  if (step.next === "wait")
    await noteLook(ledger.db, "automation", automationId, { nowMs: now(), waitMs: step.waitMs });
  return step;
}

async function tend(deps: ActivityDeps, automationId: string): Promise<AutomationStep> {
  const automation = await readAutomationById(deps.ledger.db, automationId);
  if (!automation || !isAutomationOpen(automation)) return { next: "done" };
  const { state } = automation;
  if (!isOnItsWay(state)) return { next: "wait", waitMs: await tendReruns(deps, automation) };
  return tendChange(deps, automation, state);
}

async function tendChange(
  deps: ActivityDeps,
  automation: Automation,
  state: OnItsWay,
): Promise<AutomationStep> {
  let context: StepContext = { deps, automation, wants: NOTHING_WANTED };
  try {
    if (state === "changing") context = { ...context, wants: await wantsOf(deps.secrets, automation) };
  } catch (error) {
    const outcome = outcomeOfError(error);
    return write(deps, automation, "secrets", outcome);
  }
  return take(context, nextStep(state, automation.memory, context.wants));
}

async function take(context: StepContext, step: Step): Promise<AutomationStep> {
  const { deps, automation } = context;
  const { sent } = automation.memory;
  switch (step.kind) {
    case "begin":
    case "promote":
    case "undo":
    case "undone":
    case "settle":
    case "removed":
      return writeDecision(deps, automation, decide(context, step));
    case "create":
    case "generate":
    case "refine":
    case "test":
      return send(context, step);
    case "look":
      if (!sent) return AGAIN;
      return write(deps, automation, sent.step, await attempt(context, () => look(context, sent)), sent);
    case "restore":
    case "settings":
    case "secrets":
    case "check":
    case "deploy":
    case "activate":
    case "links":
    case "quiet":
    case "delete":
      return write(deps, automation, step.kind, await attempt(context, () => takeStep(context, step)));
  }
}

/** What is taken back does not depend on what is declared. */
const NOTHING_WANTED: Wants = {
  source: "",
  made: "create",
  refine: [],
  settings: "",
  secrets: {},
  test: undefined,
  testsDeployed: false,
  active: false,
  links: undefined,
  repeat: "never",
};

/** Steps that may all be repeated, and looks. */
async function attempt(context: StepContext, request: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof NotFoundError && (await isGone(context))) return vanished(context);
    return outcomeOfError(error);
  }
}

/** Whether it is the automation itself that the platform does not have. */
async function isGone({ deps, automation }: StepContext): Promise<boolean> {
  const workflowId = automation.memory.target?.workflowId;
  if (workflowId === undefined) return false;
  try {
    await deps.platform.workflows.get(workflowId);
    return false;
  } catch (error) {
    return error instanceof NotFoundError;
  }
}

function vanished({ automation }: StepContext): Outcome {
  const { name } = automation;
  return {
    kind: "failed",
    why: `the platform does not have ${automation.memory.target?.workflowId ?? "it"} any more: somebody deleted it`,
    remedy: `\`outdial automation retry ${name}\` makes it again`,
    change: (memory) => {
      const { target, live, ...rest } = withoutSent(memory);
      return { ...rest, ...(live && live.n !== target?.n && { live }) };
    },
  };
}

function look(context: StepContext, sent: Sent): Promise<Outcome> {
  const workflowId = context.automation.memory.target?.workflowId ?? "";
  return sent.step === "test" ? lookAtTest(context, workflowId, sent) : lookForMade(context, sent);
}

/** Claims a request that must not be sent twice, and sends it. */
async function send(
  context: StepContext,
  step: Extract<Step, { kind: "create" | "generate" | "refine" | "test" }>,
): Promise<AutomationStep> {
  const { deps, automation } = context;
  let before: Sent["before"];
  if (step.kind === "refine") {
    const read = await attempt(context, async () => {
      before = await stateBefore(context);
      return { kind: "done", found: "", change: (memory) => memory };
    });
    if (read.kind !== "done") return write(deps, automation, step.kind, read);
  }
  const atMs = deps.now();
  const withinMs = sentWithinMs(step.kind, automation.definition.timeout_seconds ?? 300);
  const sent: Sent = {
    step: step.kind,
    atMs,
    certainAtMs: atMs + withinMs + deps.pace.startDoubtMs,
    ...(before && { before }),
    ...keyOf(context, step),
    ...(step.kind === "test" && { way: wayOf(context) }),
  };
  const claimed = await deps.ledger.transaction((tx) =>
    writeStep(
      tx,
      automation.id,
      (now) =>
        isSame(now, automation) ? { ...now, step: step.kind, memory: { ...now.memory, sent } } : undefined,
      atMs,
    ),
  );
  if (!claimed) return AGAIN;
  const own = { ...context, automation: claimed };
  const workflowId = claimed.memory.target?.workflowId ?? "";
  const outcome =
    step.kind === "test"
      ? await runTest(own, workflowId, sent)
      : await make(own, step.kind, step.kind === "refine" ? step.index : 0);
  return write(deps, claimed, step.kind, outcome, sent);
}

function keyOf({ automation, wants }: StepContext, step: Step): { key?: string } {
  const { target } = automation.memory;
  if (step.kind === "refine") return { key: wants.refine[step.index] ?? "" };
  return step.kind === "test" && target ? { key: testKeyOf(target, wants) } : {};
}

import { markOf, withMark } from "../../domain/automations/automation.ts";
import type { Build } from "../../domain/automations/automation-memory.ts";
import { contentOf, type Step } from "../../domain/automations/automation-state.ts";
import { ConflictError } from "../../platform/index.ts";
import { check } from "./checking.ts";
import { given, versionOf } from "./creating.ts";
import { ignoringAbsence, link } from "./linking.ts";
import { withTarget, type Outcome, type StepContext } from "./outcome.ts";
import { settingsOf } from "./wants.ts";

/** Steps that are one request, or some that may all be repeated. */
export type PlainStep = Extract<
  Step,
  {
    kind: "restore" | "settings" | "secrets" | "check" | "deploy" | "activate" | "links" | "quiet" | "delete";
  }
>;

/**
 * Takes a step that may be taken again.
 *
 * @throws PlatformError, UnknownSecretError
 */
export async function takeStep(context: StepContext, step: PlainStep): Promise<Outcome> {
  const { deps, automation } = context;
  const { workflows } = deps.platform;
  const workflowId = automation.memory.target?.workflowId ?? "";
  switch (step.kind) {
    case "restore":
      return restore(context, workflowId, step.version);
    case "settings":
      return settle(context, workflowId);
    case "secrets":
      return giveSecrets(context, workflowId);
    case "check":
      return check(context, workflowId);
    case "deploy":
      return deploy(context, workflowId);
    case "activate":
      return activate(context, workflowId, step.active);
    case "links":
      return link(context, workflowId);
    case "quiet": {
      const name = `${automation.name} (replaced)`;
      await ignoringAbsence(workflows.update(step.workflowId, { is_active: false, name }));
      return {
        kind: "done",
        found: `${step.workflowId}, which it replaces, is out of service`,
        change: (memory) => ({
          ...memory,
          former: memory.former.map((one) =>
            one.workflowId === step.workflowId ? { ...one, isQuiet: true } : one,
          ),
        }),
      };
    }
    case "delete":
      await ignoringAbsence(workflows.delete(step.workflowId));
      return deleted(step);
  }
}

function deleted({ workflowId, what }: Extract<Step, { kind: "delete" }>): Outcome {
  return {
    kind: "done",
    found: `${workflowId} was deleted${what === "unfinished" ? ": it was never live" : ""}`,
    change: (memory) => {
      const { target, live, former, ...rest } = memory;
      const isGone = (build: Build | undefined) => build?.workflowId === workflowId;
      return {
        ...rest,
        former: former.filter((one) => one.workflowId !== workflowId),
        ...(target && !isGone(target) && { target }),
        ...(live && !isGone(live) && { live }),
      };
    },
  };
}

async function restore(
  { deps, automation }: StepContext,
  workflowId: string,
  version: number,
): Promise<Outcome> {
  await deps.platform.workflows.restore(workflowId, version);
  const isUndone = automation.state === "undoing";
  return {
    kind: "done",
    found: `version ${version} was brought back`,
    change: (memory) => {
      const { target } = memory;
      if (!target) return memory;
      const { restoring: _, moved: __, deployed: ___, ...rest } = target;
      // What is deployed is another version until it is deployed again.
      return { ...memory, target: isUndone ? rest : { ...rest, moved: true } };
    },
  };
}

async function settle({ deps, automation, wants }: StepContext, workflowId: string): Promise<Outcome> {
  const { definition, memory, id } = automation;
  const description = withMark(definition.description, markOf(id, memory.target?.n ?? 0));
  await deps.platform.workflows.update(workflowId, { ...given(settingsOf(definition)), description });
  return {
    kind: "done",
    found: "its name and settings are as declared",
    change: (now) => withTarget(now, { settings: wants.settings }),
  };
}

async function giveSecrets({ deps, automation, wants }: StepContext, workflowId: string): Promise<Outcome> {
  const known = automation.memory.target?.secrets ?? {};
  const changed = Object.entries(automation.definition.secrets).filter(
    ([key]) => known[key] !== wants.secrets[key],
  );
  const secrets = changed.map(([key_name, { secret, type }]) => ({
    key_name,
    value: deps.secrets.read(secret, "every")[0] ?? "",
    type,
  }));
  await deps.platform.workflows.setSecrets(workflowId, { secrets, validate_credentials: true });
  return {
    kind: "done",
    found: `${changed.map(([key]) => key).join(", ")} given`,
    change: (memory) => withTarget(memory, { secrets: { ...memory.target?.secrets, ...wants.secrets } }),
  };
}

/** Words of an answer to a deployment that was not one. */
const NOT_DEPLOYED = /err|fail|reject|invalid/i;

async function deploy({ deps, automation }: StepContext, workflowId: string): Promise<Outcome> {
  const { workflows } = deps.platform;
  const { error = "", status = "" } = await workflows.deploy(workflowId);
  if (error !== "" || NOT_DEPLOYED.test(status)) {
    return {
      kind: "failed",
      why: `the platform did not take it: ${error === "" ? status : error}`,
      remedy: "mend what it names, and declare it",
      change: (memory) => withTarget(memory, { deployed: undefined, active: false }),
    };
  }
  const { versions: version, json } = versionOf(await workflows.get(workflowId));
  const isUndone = automation.state === "undoing";
  return {
    kind: "done",
    found: version === undefined ? "it is deployed" : `version ${version} is deployed`,
    change: (memory) => {
      const { target, live } = memory;
      if (!target) return memory;
      const deployed = isUndone ? live?.deployed : contentOf(target);
      const after = withTarget(memory, { deployed, active: true, version, json });
      return isUndone && after.live ? { ...after, live: { ...after.live, version, json } } : after;
    },
  };
}

async function activate(
  { deps, automation }: StepContext,
  workflowId: string,
  active: boolean,
): Promise<Outcome> {
  const isFirst = automation.state === "undoing" && !automation.memory.live;
  try {
    await deps.platform.workflows.update(workflowId, { is_active: active });
  } catch (error) {
    if (!(error instanceof ConflictError) || !active || automation.memory.target?.deployed === undefined)
      throw error;
    // Somebody took it out of service: it has to be deployed again, which makes it active.
    return {
      kind: "done",
      found: "it can't be set active before it is deployed again",
      change: (memory) => withTarget(memory, { deployed: undefined }),
    };
  }
  return {
    kind: "done",
    found: active ? "it is active" : "it is not active",
    change: (memory) =>
      // One that was never live is deployed again when it is gone on with: its test may need that.
      withTarget(memory, isFirst ? { active, deployed: undefined } : { active }),
  };
}

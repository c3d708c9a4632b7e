import type { Memory } from "../../domain/automations/automation-memory.ts";
import { beginTarget, promote, type Step } from "../../domain/automations/automation-state.ts";
import type { Automation } from "../../ledger/automations/automations.ts";
import type { StepContext } from "./outcome.ts";
import { note, type Decision } from "./writing.ts";

/** Steps that are decisions alone, and no requests. */
type DecisionStep = Extract<Step, { kind: "begin" | "promote" | "undo" | "undone" | "settle" | "removed" }>;

export function decide({ automation, wants, deps }: StepContext, step: DecisionStep): Decision {
  const { memory, state } = automation;
  switch (step.kind) {
    case "begin":
      return { state, memory: beginTarget(memory, wants) };
    case "promote":
      return { state, memory: note(promote(memory), deps, "promote", "it works from now on") };
    case "undo":
      return {
        state: "undoing",
        memory: { ...memory, undo: { step: "", why: step.why, remedy: "", digest: "" } },
      };
    case "undone":
      return undone(automation);
    case "settle":
      return { state: "ready", memory: settled(memory, new Date(deps.now()).toISOString()), isWell: true };
    case "removed": {
      const { live: _, target: __, ...rest } = memory;
      return { state: "removed", memory: rest };
    }
  }
}

function settled(memory: Memory, nowIso: string): Memory {
  const { target, asked: _, undo: __, drift, missingSinceMs: ___, ...rest } = memory;
  return {
    ...rest,
    waits: 0,
    ...(target && { live: target }),
    ...(drift && { drift: { ...drift, repairedAt: drift.repairedAt ?? nowIso } }),
  };
}

/** What was begun is taken back. Another definition that came meanwhile is begun now. */
function undone(automation: Automation): Decision {
  const { undo, target, asked: _, ...left } = automation.memory;
  const rest = undo?.step === "restore" ? withoutVersion(left) : left;
  // One that was never live stays, inactive, and is gone on with.
  const memory: Memory = { ...rest, waits: 0, ...(target && !rest.live && { target }) };
  if (!undo || undo.digest !== automation.digest) return { state: "changing", memory };
  const why = rest.live ? `${undo.why}; what was live before is live` : undo.why;
  return { state: "failed", memory, error: why, tell: { why, remedy: undo.remedy } };
}

/** The version that was to be brought back can't be: another build takes the place of what was changed by hand. */
function withoutVersion(memory: Memory): Memory {
  const { live } = memory;
  if (live?.restoring === undefined) return memory;
  const { restoring: _, ...build } = live;
  return { ...memory, live: { ...build, source: "changed by hand" } };
}

import { UnknownSecretError, UnusableSecretError } from "../../domain/ground/secrets.ts";
import type { Build, Memory } from "../../domain/automations/automation-memory.ts";
import type { Wants } from "../../domain/automations/automation-state.ts";
import type { Automation } from "../../ledger/automations/automations.ts";
import { PlatformError } from "../../platform/index.ts";
import type { ActivityDeps } from "../deps.ts";
import { isRefused, needsPeople, remedyFor } from "../ground/platform-refusals.ts";

/** What a step needs. */
export interface StepContext {
  deps: ActivityDeps;
  automation: Automation;
  wants: Wants;
}

/** What a step came to. Changes are made to the memory as it stands when they are written. */
export type Outcome =
  /** It was done, or was found done. */
  | { kind: "done"; found: string; change: (memory: Memory) => Memory }
  /** It goes on, or has to be looked for: later. */
  | { kind: "pending"; waitMs: number; change?: (memory: Memory) => Memory; error?: string }
  /** The platform is away, or people have to mend the key or pay; nothing is given up. */
  | {
      kind: "waiting";
      error: string;
      remedy?: string;
      atLeastMs?: number;
      change?: (memory: Memory) => Memory;
    }
  /** It won't succeed by itself. */
  | { kind: "failed"; why: string; remedy: string; change?: (memory: Memory) => Memory };

/** What is true of the automation on the platform, whichever build is said to be live. */
type Facts = Partial<Pick<Build, "settings" | "secrets" | "active" | "links">>;

/** Changes the target, and the live build with it as far as both are the same on the platform. */
export function withTarget(memory: Memory, changes: Partial<Build>): Memory {
  const { target, live } = memory;
  if (!target) return memory;
  const changed = { ...memory, target: { ...target, ...changes } };
  if (!live || live.n !== target.n) return changed;
  const facts: Facts = {};
  if ("settings" in changes) facts.settings = changes.settings;
  if ("secrets" in changes) facts.secrets = changes.secrets;
  if ("active" in changes) facts.active = changes.active;
  if ("links" in changes) facts.links = changes.links;
  return { ...changed, live: { ...live, ...facts } };
}

export function withoutSent(memory: Memory): Memory {
  const { sent: _, ...rest } = memory;
  return rest;
}

const SCOPES = "workflows:read, workflows:write, workflows:delete and agents:read";

/** What an error amounts to that is not about a request which may have happened. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof UnknownSecretError || error instanceof UnusableSecretError)
    return { kind: "failed", why: error.message, remedy: "give the secret its value" };
  if (!(error instanceof PlatformError)) throw error;
  if (needsPeople(error)) return { kind: "waiting", error: error.message, remedy: remedyFor(error, SCOPES) };
  if (isRefused(error))
    return { kind: "failed", why: error.message, remedy: "declare it as the platform takes it" };
  return {
    kind: "waiting",
    error: error.message,
    ...(error.retryAfterMs !== undefined && { atLeastMs: error.retryAfterMs }),
  };
}

import { createHmac, timingSafeEqual } from "node:crypto";

import type { Clock } from "../clock.ts";
import type { IdSequence } from "../ids.ts";
import type {
  ExecutionMode,
  SecretType,
  TriggerType,
  WorkflowCreate,
  WorkflowJson,
} from "../schemas/workflows.ts";
import type { Kept } from "./kept.ts";
import { missingSecrets } from "./workflow-credentials.ts";
import { nextWorkflowStatus } from "./workflow-status.ts";
import type { WorkflowEvent, WorkflowStatus } from "./workflow-status.ts";

export type VersionOrigin = "created" | "generated" | "refined" | "restored" | "imported";

/** What a workflow does, as it was at some time. Versions count from 1. */
export interface WorkflowVersion {
  readonly version: number;
  readonly json: WorkflowJson;
  readonly origin: VersionOrigin;
  /** The description or feedback that it was made from. */
  readonly prompt: string | null;
  readonly createdAt: number;
}

interface StoredSecret {
  readonly type: SecretType;
  /** Keyed digest of the value: enough to tell whether it changed, and nothing that could be handed out. */
  readonly digest: string;
  readonly updatedAt: number;
}

/** A workflow, plain data. Times are the clock's `now()`. */
export interface WorkflowRecord {
  readonly id: string;
  readonly createdAt: number;
  readonly triggerType: TriggerType;
  updatedAt: number;
  name: string;
  description: string | null;
  triggerConfig: Record<string, unknown> | null;
  executionMode: ExecutionMode;
  timeoutSeconds: number;
  status: WorkflowStatus;
  readonly versions: WorkflowVersion[];
  /** The description that it was created with; later ones change nothing about it. */
  readonly originalDescription: string | null;
  /** What the engine runs; null before the first deployment. */
  deployedVersion: number | null;
  deployedAt: number | null;
  lastExecutedAt: number | null;
  /** By key name. */
  readonly secrets: Record<string, StoredSecret>;
  /** How many executions it ever had: what each comes to follows from its number. */
  executions: number;
  deletedAt: number | null;
}

export interface WorkflowChanges {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly executionMode?: ExecutionMode | undefined;
  readonly timeoutSeconds?: number | undefined;
}

export type WorkflowCreateInput = Omit<WorkflowCreate, "workflow_json">;

interface SavedWorkflows {
  readonly workflows: readonly WorkflowRecord[];
}

/** The workflows of an organization, oldest first, deleted ones included (contract 3.4). */
export class Workflows implements Kept<SavedWorkflows> {
  readonly #clock: Clock;
  readonly #ids: IdSequence;
  readonly #secretKey: string;
  readonly #workflows = new Map<string, WorkflowRecord>();

  constructor(clock: Clock, ids: IdSequence, secretKey: string) {
    this.#clock = clock;
    this.#ids = ids;
    this.#secretKey = secretKey;
  }

  create(
    input: WorkflowCreateInput,
    json: WorkflowJson,
    origin: VersionOrigin,
    prompt: string | null,
  ): WorkflowRecord {
    const now = this.#clock.now();
    const workflow: WorkflowRecord = {
      id: this.#ids.at(this.#workflows.size),
      createdAt: now,
      triggerType: input.trigger_type,
      updatedAt: now,
      name: input.name,
      description: input.description ?? null,
      triggerConfig: input.trigger_config ?? null,
      executionMode: input.execution_mode,
      timeoutSeconds: input.timeout_seconds,
      status: "draft",
      versions: [],
      originalDescription: input.description ?? null,
      deployedVersion: null,
      deployedAt: null,
      lastExecutedAt: null,
      secrets: {},
      executions: 0,
      deletedAt: null,
    };
    this.#workflows.set(workflow.id, workflow);
    this.addVersion(workflow, json, origin, prompt);
    return workflow;
  }

  /** Null for one that was deleted. */
  find(id: string): WorkflowRecord | null {
    const workflow = this.#workflows.get(id);
    return workflow === undefined || workflow.deletedAt !== null ? null : workflow;
  }

  /** Finds deleted ones, too. */
  findForgotten(id: string): WorkflowRecord | null {
    return this.#workflows.get(id) ?? null;
  }

  /** Deleted ones included. */
  all(): WorkflowRecord[] {
    return [...this.#workflows.values()];
  }

  /** The new version is the current one; what is deployed stays so until the next deployment. */
  addVersion(
    workflow: WorkflowRecord,
    json: WorkflowJson,
    origin: VersionOrigin,
    prompt: string | null,
  ): void {
    const now = this.#clock.now();
    workflow.versions.push({ version: workflow.versions.length + 1, json, origin, prompt, createdAt: now });
    workflow.updatedAt = now;
  }

  /** Makes an old version the current one, under a new number: nothing is lost. False if there is no such version. */
  restoreVersion(workflow: WorkflowRecord, version: number): boolean {
    const found = workflow.versions[version - 1];
    if (found === undefined) {
      return false;
    }
    this.addVersion(workflow, found.json, "restored", `Version ${version}`);
    return true;
  }

  patch(workflow: WorkflowRecord, changes: WorkflowChanges): void {
    workflow.name = changes.name ?? workflow.name;
    workflow.description = changes.description === undefined ? workflow.description : changes.description;
    workflow.executionMode = changes.executionMode ?? workflow.executionMode;
    workflow.timeoutSeconds = changes.timeoutSeconds ?? workflow.timeoutSeconds;
    workflow.updatedAt = this.#clock.now();
  }

  /** False, and nothing happens, if the event does not fit the present status. */
  apply(workflow: WorkflowRecord, event: WorkflowEvent): boolean {
    const next = nextWorkflowStatus(workflow.status, event);
    if (next === null) {
      return false;
    }
    workflow.status = next;
    workflow.updatedAt = this.#clock.now();
    return true;
  }

  /** Pushes the current version to the engine. The names of secrets that it lacks; none if it is active now. */
  deploy(workflow: WorkflowRecord): string[] {
    const missing = missingSecrets(currentOf(workflow).json, new Set(Object.keys(workflow.secrets)));
    this.apply(workflow, missing.length === 0 ? "deploy" : "reject");
    if (missing.length === 0) {
      workflow.deployedVersion = workflow.versions.length;
      workflow.deployedAt = this.#clock.now();
    }
    return missing;
  }

  /** Keeps a secret under its name, in place of an earlier one. */
  keepSecret(workflow: WorkflowRecord, name: string, type: SecretType, value: string): void {
    const now = this.#clock.now();
    const digest = createHmac("sha256", this.#secretKey)
      .update(`${workflow.id}\n${name}\n${value}`)
      .digest("hex");
    workflow.secrets[name] = { type, digest, updatedAt: now };
    workflow.updatedAt = now;
  }

  /** Books that the engine begins an execution. The number of the execution, from 1. */
  executed(workflow: WorkflowRecord): number {
    workflow.executions += 1;
    workflow.lastExecutedAt = this.#clock.now();
    return workflow.executions;
  }

  /**
   * The end of the address that sets a workflow off from outside; null for one that nobody sets off so. Nobody can
   * guess it.
   */
  webhookSlugOf(workflow: WorkflowRecord): string | null {
    return workflow.triggerType === "webhook"
      ? createHmac("sha256", this.#secretKey)
          .update(`webhook of ${workflow.id}`)
          .digest("base64url")
          .slice(0, 22)
      : null;
  }

  /** Null where none has that address, or it was deleted. */
  findByWebhookSlug(slug: string): WorkflowRecord | null {
    const asked = Buffer.from(slug);
    for (const workflow of this.#workflows.values()) {
      const own = Buffer.from(this.webhookSlugOf(workflow) ?? "");
      // In the same time, however much of it is right: the address is the secret.
      if (own.length > 0 && own.length === asked.length && timingSafeEqual(own, asked))
        return workflow.deletedAt === null ? workflow : null;
    }
    return null;
  }

  /** Brings a deleted workflow back, as a draft. Its links and its schedule are gone. */
  revive(workflow: WorkflowRecord): void {
    workflow.deletedAt = null;
    workflow.updatedAt = this.#clock.now();
  }

  /** Takes it out of service; lists show it only where deleted ones are asked for. */
  remove(workflow: WorkflowRecord): void {
    this.apply(workflow, "shelve");
    workflow.deletedAt = this.#clock.now();
  }

  dump(): SavedWorkflows {
    return { workflows: this.all() };
  }

  restore(saved: SavedWorkflows): void {
    for (const workflow of saved.workflows) {
      // Files of before these fields were there are read as well.
      const since = { originalDescription: null, deployedAt: null, lastExecutedAt: null };
      this.#workflows.set(workflow.id, { ...since, ...workflow });
    }
  }
}

/** The newest version. */
export function currentOf(workflow: WorkflowRecord): WorkflowVersion {
  const current = workflow.versions.at(-1);
  if (current === undefined) {
    throw new Error(`workflow ${workflow.id} has no version`);
  }
  return current;
}

/** What the engine runs: the deployed version, or the current one of a workflow that was never deployed. */
export function runnableOf(workflow: WorkflowRecord): WorkflowVersion {
  return workflow.versions[(workflow.deployedVersion ?? 0) - 1] ?? currentOf(workflow);
}

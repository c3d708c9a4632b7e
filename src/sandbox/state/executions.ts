import type { Clock } from "../clock.ts";
import type { IdSequence } from "../ids.ts";
import type { ExecutionMode, TriggerType } from "../schemas/workflows.ts";
import type { Kept } from "./kept.ts";

/** Values seen in published clients. */
export const EXECUTION_STATUSES = ["running", "success", "failed", "timeout", "skipped"] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];
export const TRIGGER_SOURCES = [
  "post_call_worker",
  "voice_agent",
  "external",
  "scheduler",
  "manual",
] as const;
export type TriggerSource = (typeof TRIGGER_SOURCES)[number];

/** What an execution comes to; settled when it begins. */
export interface ExecutionPlan {
  readonly status: Exclude<ExecutionStatus, "running">;
  /** Simulated milliseconds; null: it never ends. */
  readonly takesMs: number | null;
  /** Milliseconds of the real world on top of that. */
  readonly lateByMs: number;
  readonly output: Record<string, unknown> | null;
  readonly error: string | null;
}

/** A run of a workflow, plain data. Times are the clock's `now()`. */
export interface ExecutionRecord {
  readonly index: number;
  readonly workflowId: string;
  readonly workflowVersion: number;
  /** The call that set it off, by index; null without one. */
  readonly callIndex: number | null;
  readonly triggerType: TriggerType;
  readonly triggerSource: TriggerSource;
  readonly mode: ExecutionMode;
  readonly input: Record<string, unknown> | null;
  readonly plan: ExecutionPlan;
  readonly startedAt: number;
  status: ExecutionStatus;
  endedAt: number | null;
}

export type ExecutionInput = Omit<ExecutionRecord, "index" | "startedAt" | "status" | "endedAt">;

/** Beyond so many of an organization, ended ones are forgotten, the oldest first. With snapshots some 20 MB. */
const MOST_EXECUTIONS = 10_000;

/** A larger input is not kept as a snapshot, characters of JSON. */
const LONGEST_SNAPSHOT = 16_384;

/** The executions of an organization, oldest first; the oldest ended ones are forgotten beyond a bound. */
export class Executions implements Kept<SavedExecutions> {
  readonly #clock: Clock;
  readonly #ids: IdSequence;
  readonly #executions = new Map<number, ExecutionRecord>();
  readonly #ofCalls = new Map<number, number[]>();
  readonly #waiting = new Map<number, (() => void)[]>();
  #begun = 0;

  constructor(clock: Clock, ids: IdSequence) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Begins an execution, which then ends by itself as planned. A skipped one is over at once. */
  begin(input: ExecutionInput): ExecutionRecord {
    const execution: ExecutionRecord = {
      ...input,
      input: snapshotOf(input.input),
      index: this.#begun,
      startedAt: this.#clock.now(),
      status: "running",
      endedAt: null,
    };
    this.#begun += 1;
    this.#hold(execution);
    if (input.plan.status === "skipped") {
      this.#end(execution);
    } else {
      this.#endAfter(execution, (input.plan.takesMs ?? 0) / this.#clock.speed + input.plan.lateByMs);
    }
    this.#forgetOldest();
    return execution;
  }

  /** Calls back once the execution is over; at once, if it is. */
  whenOver(execution: ExecutionRecord, then: () => void): void {
    if (execution.endedAt !== null) {
      then();
      return;
    }
    const waiting = this.#waiting.get(execution.index) ?? [];
    waiting.push(then);
    this.#waiting.set(execution.index, waiting);
  }

  idOf(execution: ExecutionRecord): string {
    return this.#ids.at(execution.index);
  }

  ofWorkflow(workflowId: string): ExecutionRecord[] {
    return [...this.#executions.values()].filter((execution) => execution.workflowId === workflowId);
  }

  /** What a call set off. */
  ofCall(callIndex: number): ExecutionRecord[] {
    return (this.#ofCalls.get(callIndex) ?? []).flatMap((index) => this.#executions.get(index) ?? []);
  }

  dump(): SavedExecutions {
    return { begun: this.#begun, executions: [...this.#executions.values()] };
  }

  /** Executions that were under way end when they would have, or now if that is past. */
  restore(saved: SavedExecutions): void {
    this.#begun = saved.begun;
    for (const execution of saved.executions) {
      this.#hold(execution);
      if (execution.endedAt === null) {
        const takesMs = (execution.plan.takesMs ?? 0) / this.#clock.speed + execution.plan.lateByMs;
        this.#endAfter(execution, Math.max(0, takesMs - (this.#clock.now() - execution.startedAt)));
      }
    }
  }

  #hold(execution: ExecutionRecord): void {
    this.#executions.set(execution.index, execution);
    if (execution.callIndex !== null) {
      const ofCall = this.#ofCalls.get(execution.callIndex) ?? [];
      ofCall.push(execution.index);
      this.#ofCalls.set(execution.callIndex, ofCall);
    }
  }

  #endAfter(execution: ExecutionRecord, realMs: number): void {
    if (execution.plan.takesMs !== null) {
      this.#clock.afterReal(realMs, () => {
        this.#end(execution);
      });
    }
  }

  #end(execution: ExecutionRecord): void {
    execution.status = execution.plan.status;
    execution.endedAt = this.#clock.now();
    const waiting = this.#waiting.get(execution.index) ?? [];
    this.#waiting.delete(execution.index);
    for (const then of waiting) {
      then();
    }
  }

  #forgetOldest(): void {
    if (this.#executions.size <= MOST_EXECUTIONS) {
      return;
    }
    for (const execution of this.#executions.values()) {
      if (execution.endedAt !== null) {
        this.#executions.delete(execution.index);
        if (execution.callIndex !== null) {
          this.#ofCalls.delete(execution.callIndex);
        }
        return;
      }
    }
  }
}

interface SavedExecutions {
  readonly begun: number;
  readonly executions: readonly ExecutionRecord[];
}

/** Simulated milliseconds that an execution took; null while it runs. */
export function executionTimeOf(execution: ExecutionRecord, clock: Clock): number | null {
  const { plan, endedAt } = execution;
  if (endedAt === null) {
    return null;
  }
  return Math.round((plan.takesMs ?? 0) + clock.simulated(plan.lateByMs));
}

function snapshotOf(input: Record<string, unknown> | null): Record<string, unknown> | null {
  const length = input === null ? 0 : JSON.stringify(input).length;
  return length > LONGEST_SNAPSHOT ? { truncated: true, characters: length } : input;
}

import type { Clock } from "../clock.ts";
import type { Faults } from "../faults.ts";
import { Random } from "../random.ts";
import type { ExecutionMode } from "../schemas/workflows.ts";
import type { AgentLink } from "./agent-links.ts";
import type { CallObserver, CallRun } from "./call-run.ts";
import type { CallRecord } from "./calls.ts";
import type { ExecutionPlan, ExecutionRecord, TriggerSource } from "./executions.ts";
import type { Organization } from "./organization.ts";
import { nodesOf } from "./workflow-credentials.ts";
import { runnableOf } from "./workflows.ts";
import type { WorkflowRecord } from "./workflows.ts";

export interface RunInput {
  readonly organization: Organization;
  readonly workflow: WorkflowRecord;
  readonly source: TriggerSource;
  readonly mode: ExecutionMode;
  readonly input: Record<string, unknown> | null;
  readonly call: CallRecord | null;
}

/** Of a hundred executions; rare, but in any hundred of them. */
const FAILURE_CHANCE = 0.04;

const ENGINE_FAILURE = "NodeApiError: the service refused the request (502 Bad Gateway)";

/** Runs workflows: after calls, in calls, by schedule, and when somebody asks (contract 3.4, 6.4). */
export class WorkflowRun implements CallObserver {
  readonly #seed: number;
  readonly #clock: Clock;
  readonly #faults: Faults;
  /** The last execution of each workflow that its schedule began. */
  readonly #scheduled = new WeakMap<WorkflowRecord, ExecutionRecord>();

  constructor(
    seed: number,
    clock: Clock,
    faults: Faults,
    calls: CallRun,
    organizations: readonly Organization[],
  ) {
    this.#seed = seed;
    this.#clock = clock;
    this.#faults = faults;
    calls.observe(this);
    for (const organization of organizations) {
      organization.schedules.onDue((workflowId) => {
        this.#runScheduled(organization, workflowId);
      });
    }
  }

  /** Begins an execution. What it comes to is settled here and now. */
  run(input: RunInput): ExecutionRecord {
    const { workflow, organization } = input;
    const nth = organization.workflows.executed(workflow);
    return this.#begin(input, this.#planOf(workflow, nth));
  }

  callConnected(call: CallRecord): void {
    // A machine asks the agent for nothing.
    if (call.outcome === "answered") {
      this.#runLinked(call, "in_call", "voice_agent");
    }
  }

  callEnded(call: CallRecord): void {
    const { agentLinks, calls } = call.organization;
    const processedAfterMs = calls.processedAfterMs(call);
    // Automations work on what processing made; where that never ends, they never begin.
    if (processedAfterMs !== null && agentLinks.ofAgent(call.agent.id).length > 0) {
      this.#runAfter(call, processedAfterMs);
    }
  }

  /**
   * Goes on after a restart: calls that are still being processed set their automations off when they are done. What
   * came due while the process was down is not made up for.
   */
  goOn({ agentLinks, calls }: Organization): void {
    for (const call of calls.select(0, ({ endedAt }) => endedAt !== null)) {
      const sinceEndMs = this.#clock.simulated(this.#clock.now() - (call.endedAt ?? 0));
      const remainingMs = (calls.processedAfterMs(call) ?? 0) - sinceEndMs;
      if (remainingMs > 0 && agentLinks.ofAgent(call.agent.id).length > 0) {
        this.#runAfter(call, remainingMs);
      }
    }
  }

  #runAfter(call: CallRecord, simulatedMs: number): void {
    this.#clock.afterSimulated(simulatedMs, () => {
      this.#runLinked(call, "post_call", "post_call_worker");
    });
  }

  /**
   * Runs what is linked to a call's agent, enabled and active. Asynchronous ones begin at once, synchronous ones one
   * after the other, the highest priority first.
   */
  #runLinked(call: CallRecord, trigger: "in_call" | "post_call", source: TriggerSource): void {
    const { agentLinks, workflows } = call.organization;
    const inTurn: (() => ExecutionRecord)[] = [];
    for (const link of agentLinks.ofAgent(call.agent.id)) {
      const workflow = workflows.find(link.workflowId);
      if (link.isEnabled && workflow?.status === "active" && workflow.triggerType === trigger) {
        const mode = modeOf(link, workflow);
        const input = { organization: call.organization, workflow, source, mode, call };
        const start = () => this.#runForCall({ ...input, input: callInput(call) }, link);
        if (mode === "async") {
          start();
        } else {
          inTurn.push(start);
        }
      }
    }
    oneAfterTheOther(call.organization, inTurn);
  }

  #runForCall(input: RunInput, link: AgentLink): ExecutionRecord {
    const condition = link.triggerConditionDescription;
    return condition === null || input.call === null || isMet(condition, input.call)
      ? this.run(input)
      : this.#begin(input, skipped("The trigger condition is not met"));
  }

  #runScheduled(organization: Organization, workflowId: string): void {
    const workflow = organization.workflows.find(workflowId);
    if (workflow?.status !== "active") {
      return;
    }
    const mode = workflow.executionMode;
    const input: RunInput = { organization, workflow, source: "scheduler", mode, input: null, call: null };
    if (this.#scheduled.get(workflow)?.endedAt === null) {
      this.#begin(input, skipped("The execution before is still running"));
    } else {
      this.#scheduled.set(workflow, this.run(input));
    }
  }

  #begin(input: RunInput, plan: ExecutionPlan): ExecutionRecord {
    const { workflow } = input;
    return input.organization.executions.begin({
      workflowId: workflow.id,
      workflowVersion: runnableOf(workflow).version,
      callIndex: input.call?.index ?? null,
      triggerType: workflow.triggerType,
      triggerSource: input.source,
      mode: input.mode,
      input: input.input,
      plan,
    });
  }

  /** A function of the seed, the workflow and the number of the execution, unless a fault says otherwise. */
  #planOf(workflow: WorkflowRecord, nth: number): ExecutionPlan {
    const random = new Random(this.#seed, "execution", workflow.id, nth);
    const isMeant = (fault: { readonly workflow_id?: string | undefined }) =>
      fault.workflow_id === undefined || fault.workflow_id === workflow.id;
    const slow = this.#faults.take("execution_slow", isMeant)?.ms ?? 0;
    const forced = this.#faults.take("execution", isMeant);
    // Some seconds: what a handful of API calls takes.
    const usualMs = Math.round(Math.min(20_000, Math.max(100, random.logNormal(1_200, 0.6))));
    const drawn = random.chance(FAILURE_CHANCE) ? "failed" : "success";
    const timeoutMs = workflow.timeoutSeconds * 1_000;
    const outcome = forced?.outcome ?? (usualMs >= timeoutMs ? "timeout" : drawn);
    const ended = { lateByMs: slow, output: null };
    switch (outcome) {
      case "success":
        return {
          ...ended,
          status: "success",
          takesMs: usualMs,
          output: outputOf(workflow, nth),
          error: null,
        };
      case "failed":
        return { ...ended, status: "failed", takesMs: usualMs, error: forced?.error ?? ENGINE_FAILURE };
      case "timeout": {
        const error = forced?.error ?? `Timed out after ${workflow.timeoutSeconds} s`;
        return { ...ended, status: "timeout", takesMs: timeoutMs, error };
      }
      case "stuck":
        return { ...ended, status: "failed", takesMs: null, error: null };
    }
  }
}

function modeOf(link: AgentLink, workflow: WorkflowRecord): ExecutionMode {
  const { executionModeOverride: override } = link;
  return override === "sync" || override === "async" ? override : workflow.executionMode;
}

function skipped(reason: string): ExecutionPlan {
  return { status: "skipped", takesMs: 0, lateByMs: 0, output: null, error: reason };
}

function oneAfterTheOther(organization: Organization, starts: (() => ExecutionRecord)[]): void {
  const start = starts.shift();
  if (start !== undefined) {
    organization.executions.whenOver(start(), () => {
      oneAfterTheOther(organization, starts);
    });
  }
}

function outputOf(workflow: WorkflowRecord, nth: number): Record<string, unknown> {
  return { execution: nth, nodes_executed: nodesOf(runnableOf(workflow).json).length, ok: true };
}

/**
 * Whether a condition in words holds for a call. The platform asks a model; here its words are looked for, and what
 * none of them speaks of holds for every call that was answered.
 */
function isMet(condition: string, call: CallRecord): boolean {
  if (/voice ?mail/i.test(condition)) {
    return call.outcome === "voicemail";
  }
  if (/call ?back|called back/i.test(condition)) {
    return call.callbackRequested;
  }
  if (/opt(ed|s)?[- ]?out|not to be called|do not call/i.test(condition)) {
    return call.optedOut;
  }
  if (/no answer|not answered|unanswered|busy|failed/i.test(condition)) {
    return call.connectedAt === null;
  }
  return call.outcome === "answered";
}

/** What an automation is told of its call. */
function callInput(call: CallRecord): Record<string, unknown> {
  const { calls } = call.organization;
  return {
    call_id: calls.idOf(call),
    agent_id: call.agent.id,
    from_number: call.fromNumber,
    to_number: call.phone,
    status: calls.statusOf(call),
    duration_seconds: call.endedAt === null ? null : Math.round(call.talkMs / 1000),
    voicemail_detected: call.outcome === "voicemail",
    opted_out: call.optedOut,
    callback_requested: call.callbackRequested,
    metadata: call.request?.metadata ?? null,
  };
}

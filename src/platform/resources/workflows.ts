import type { Caller } from "../caller.ts";
import type { Page } from "../decoding.ts";
import { iterate, rows } from "../lists.ts";
import type { AgentWorkflowLink, LinkedAgent, WorkflowLink } from "../operations/agents.ts";
import type {
  CreatedWorkflow,
  CredentialSchema,
  DeployedWorkflow,
  ExecutedWorkflow,
  ExportedWorkflow,
  GeneratedWorkflow,
  ScheduleStatus,
  Workflow,
  WorkflowCreate,
  WorkflowExecute,
  WorkflowExecution,
  WorkflowExecutionsQuery,
  WorkflowGenerate,
  WorkflowLinkUpdate,
  WorkflowSchedule,
  WorkflowSecrets,
  WorkflowsQuery,
  WorkflowUpdate,
  UpdatedWorkflow,
} from "../operations/workflows.ts";
import type { WalkOptions } from "../paging.ts";
import type { CallOptions } from "../request.ts";
import type { Answering } from "../sent.ts";

type AnyObject = Readonly<Record<string, unknown>>;

/** The platform's automations (contract 4.5, 3.4). */
export interface Workflows {
  create(workflow: WorkflowCreate, options?: CallOptions): Promise<CreatedWorkflow>;
  /** Has an automation written from a description. It may take long: think of `timeoutMs`. */
  generate(request: WorkflowGenerate, options?: CallOptions): Promise<GeneratedWorkflow>;
  /** Has it written again. `feedback` says what shall be different. */
  refine(workflowId: string, feedback: string, options?: CallOptions): Promise<GeneratedWorkflow>;
  /** One automation with its definition, credentials and history. */
  get(workflowId: string, options?: CallOptions): Promise<Workflow>;
  /** One page; this list counts pages, not rows. */
  list(query?: WorkflowsQuery, options?: CallOptions): Promise<Page<Workflow>>;
  /** From the first page on. */
  iterate(
    query?: Omit<WorkflowsQuery, "page">,
    options?: WalkOptions,
  ): AsyncGenerator<Workflow, void, undefined>;
  update(workflowId: string, changes: WorkflowUpdate, options?: CallOptions): Promise<UpdatedWorkflow>;
  delete(workflowId: string, options?: CallOptions): Promise<void>;
  /** Brings back an earlier version, by its number from 1 (contract 9.3). */
  restore(workflowId: string, version: number, options?: CallOptions): Promise<Workflow>;
  setSecrets(workflowId: string, secrets: WorkflowSecrets, options?: CallOptions): Promise<AnyObject>;
  credentialSchema(workflowId: string, options?: CallOptions): Promise<readonly CredentialSchema[]>;
  /** Pushes it to the execution engine and activates it. `status` and `error` say whether that worked. */
  deploy(workflowId: string, options?: CallOptions): Promise<DeployedWorkflow>;
  /** Runs it as a test. Waits for 300 s beside the client's usual time, the longest that a run may take. */
  test(workflowId: string, options?: CallOptions): Promise<ExecutedWorkflow>;
  /** Runs it now. `sync` answers when it has ended: waits as `test` does. */
  execute(workflowId: string, request?: WorkflowExecute, options?: CallOptions): Promise<ExecutedWorkflow>;
  /** One page of its runs. */
  executions(
    workflowId: string,
    query?: WorkflowExecutionsQuery,
    options?: CallOptions,
  ): Promise<Page<WorkflowExecution>>;
  iterateExecutions(
    workflowId: string,
    query?: WorkflowExecutionsQuery,
    options?: WalkOptions,
  ): AsyncGenerator<WorkflowExecution, void, undefined>;
  /** The automation as JSON, for `import`. */
  export(workflowId: string, options?: CallOptions): Promise<ExportedWorkflow>;
  import(exported: AnyObject, options?: CallOptions): Promise<Workflow>;
  linkAgent(
    workflowId: string,
    agentId: string,
    link?: WorkflowLink,
    options?: CallOptions,
  ): Promise<AgentWorkflowLink>;
  updateAgentLink(
    workflowId: string,
    agentId: string,
    changes: WorkflowLinkUpdate,
    options?: CallOptions,
  ): Promise<AgentWorkflowLink>;
  unlinkAgent(workflowId: string, agentId: string, options?: CallOptions): Promise<void>;
  /** The agents that it is linked to. */
  agents(workflowId: string, options?: CallOptions): Promise<readonly LinkedAgent[]>;
  /** Needs `trigger_type` `schedule` (contract 3.4). */
  setSchedule(workflowId: string, schedule: WorkflowSchedule, options?: CallOptions): Promise<ScheduleStatus>;
  schedule(workflowId: string, options?: CallOptions): Promise<ScheduleStatus>;
  deleteSchedule(workflowId: string, options?: CallOptions): Promise<void>;
  /** The schedules of the whole organization. */
  schedules(options?: CallOptions): Promise<readonly ScheduleStatus[]>;
}

export function workflows(caller: Caller): Answering<Workflows> {
  const at = (workflowId: string) => ({ workflow_id: workflowId });
  const between = (workflowId: string, agentId: string) => ({ workflow_id: workflowId, agent_id: agentId });
  return {
    create: (body, options) => caller.call("workflows.create", { params: {}, body }, options),
    generate: (body, options) => caller.call("workflows.generate", { params: {}, body }, options),
    refine: (id, feedback, options) =>
      caller.call("workflows.refine", { params: at(id), body: { feedback } }, options),
    get: (id, options) => caller.call("workflows.get", { params: at(id) }, options),
    list: (query, options) => caller.call("workflows.list", { params: {}, query }, options),
    iterate: (query, options) => iterate(caller, "workflows.list", { params: {}, query }, options),
    update: (id, body, options) => caller.call("workflows.update", { params: at(id), body }, options),
    delete: (id, options) => caller.call("workflows.delete", { params: at(id) }, options),
    restore: (id, version, options) =>
      caller.call("workflows.restore", { params: at(id), body: { version } }, options),
    setSecrets: (id, body, options) => caller.call("workflows.setSecrets", { params: at(id), body }, options),
    credentialSchema: (id, options) =>
      rows(caller, "workflows.credentialSchema", { params: at(id) }, options),
    deploy: (id, options) => caller.call("workflows.deploy", { params: at(id) }, options),
    test: (id, options) => caller.call("workflows.test", { params: at(id) }, options),
    execute: (id, body, options) => caller.call("workflows.execute", { params: at(id), body }, options),
    executions: (id, query, options) =>
      caller.call("workflows.executions", { params: at(id), query }, options),
    iterateExecutions: (id, query, options) =>
      iterate(caller, "workflows.executions", { params: at(id), query }, options),
    export: (id, options) => caller.call("workflows.export", { params: at(id) }, options),
    import: (body, options) => caller.call("workflows.import", { params: {}, body }, options),
    linkAgent: (id, agentId, body, options) =>
      caller.call("workflows.linkAgent", { params: between(id, agentId), body }, options),
    updateAgentLink: (id, agentId, body, options) =>
      caller.call("workflows.updateAgentLink", { params: between(id, agentId), body }, options),
    unlinkAgent: (id, agentId, options) =>
      caller.call("workflows.unlinkAgent", { params: between(id, agentId) }, options),
    agents: (id, options) => rows(caller, "workflows.agents", { params: at(id) }, options),
    setSchedule: (id, body, options) =>
      caller.call("workflows.setSchedule", { params: at(id), body }, options),
    schedule: (id, options) => caller.call("workflows.schedule", { params: at(id) }, options),
    deleteSchedule: (id, options) => caller.call("workflows.deleteSchedule", { params: at(id) }, options),
    schedules: (options) => rows(caller, "workflows.schedules", { params: {} }, options),
  };
}

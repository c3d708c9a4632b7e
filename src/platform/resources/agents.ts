import type { Caller } from "../caller.ts";
import type { Page } from "../decoding.ts";
import { iterate, rows } from "../lists.ts";
import type {
  Agent,
  AgentCreate,
  AgentPublishQuery,
  AgentsQuery,
  AgentUpdate,
  AgentVersion,
  AgentWorkflowLink,
  LinkedWorkflow,
  ExportedAgent,
  WorkflowLink,
} from "../operations/agents.ts";
import type { WalkOptions } from "../paging.ts";
import type { CallOptions } from "../request.ts";
import type { Answering } from "../sent.ts";

/** Agents and their versions (contract 4.1, 3.1). */
export interface Agents {
  /** Creates an agent as a draft, with a first version. */
  create(agent: AgentCreate, options?: CallOptions): Promise<Agent>;
  /** One agent with its version history. Phone calls need `is_published` (3.1). */
  get(agentId: string, options?: CallOptions): Promise<Agent>;
  /** One page. */
  list(query?: AgentsQuery, options?: CallOptions): Promise<Page<Agent>>;
  iterate(query?: AgentsQuery, options?: WalkOptions): AsyncGenerator<Agent, void, undefined>;
  /** Saves a new draft version; what is live stays live until it is published (3.1). */
  update(agentId: string, changes: AgentUpdate, options?: CallOptions): Promise<Agent>;
  /** Deletes the agent and all its versions for good. */
  delete(agentId: string, options?: CallOptions): Promise<void>;
  /** Makes a version live: the one that `query.version` names, or the current draft. */
  publish(agentId: string, query?: AgentPublishQuery, options?: CallOptions): Promise<Agent>;
  versions(agentId: string, options?: CallOptions): Promise<readonly AgentVersion[]>;
  /** The configuration as portable JSON, for `import`. */
  export(agentId: string, options?: CallOptions): Promise<ExportedAgent>;
  import(exported: ExportedAgent, options?: CallOptions): Promise<Agent>;
  /** Links an automation to the agent; `workflows.linkAgent` is the same from the other side. */
  linkWorkflow(
    agentId: string,
    workflowId: string,
    link?: WorkflowLink,
    options?: CallOptions,
  ): Promise<AgentWorkflowLink>;
  unlinkWorkflow(agentId: string, workflowId: string, options?: CallOptions): Promise<void>;
  /** The automations that are linked to the agent. */
  workflows(agentId: string, options?: CallOptions): Promise<readonly LinkedWorkflow[]>;
}

export function agents(caller: Caller): Answering<Agents> {
  const at = (agentId: string) => ({ agent_id: agentId });
  return {
    create: (body, options) => caller.call("agents.create", { params: {}, body }, options),
    get: (agentId, options) => caller.call("agents.get", { params: at(agentId) }, options),
    list: (query, options) => caller.call("agents.list", { params: {}, query }, options),
    iterate: (query, options) => iterate(caller, "agents.list", { params: {}, query }, options),
    update: (agentId, body, options) => caller.call("agents.update", { params: at(agentId), body }, options),
    delete: (agentId, options) => caller.call("agents.delete", { params: at(agentId) }, options),
    publish: (agentId, query, options) =>
      caller.call("agents.publish", { params: at(agentId), query }, options),
    versions: (agentId, options) => rows(caller, "agents.versions", { params: at(agentId) }, options),
    export: (agentId, options) => caller.call("agents.export", { params: at(agentId) }, options),
    import: (body, options) => caller.call("agents.import", { params: {}, body }, options),
    linkWorkflow: (agentId, workflowId, body, options) =>
      caller.call(
        "agents.linkWorkflow",
        { params: { agent_id: agentId, workflow_id: workflowId }, body },
        options,
      ),
    unlinkWorkflow: (agentId, workflowId, options) =>
      caller.call(
        "agents.unlinkWorkflow",
        { params: { agent_id: agentId, workflow_id: workflowId } },
        options,
      ),
    workflows: (agentId, options) => rows(caller, "agents.workflows", { params: at(agentId) }, options),
  };
}

import type { Clock } from "../clock.ts";
import type { Kept } from "./kept.ts";

/** What a link says beyond whom it joins (contract 2.6). */
export interface AgentLinkFields {
  readonly triggerConditionDescription: string | null;
  readonly priority: number;
  readonly executionModeOverride: string | null;
  readonly isEnabled: boolean;
}

/** A workflow that runs after an agent's calls. Times are the clock's `now()`. */
export interface AgentLink extends AgentLinkFields {
  readonly agentId: string;
  readonly workflowId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const DEFAULTS: AgentLinkFields = {
  triggerConditionDescription: null,
  priority: 0,
  executionModeOverride: null,
  isEnabled: true,
};

/** The links between agents and workflows of an organization, one for each pair, oldest first. */
export class AgentLinks implements Kept<readonly AgentLink[]> {
  readonly #clock: Clock;
  #links: AgentLink[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Joins a workflow to an agent; null if they are joined already. */
  link(agentId: string, workflowId: string, fields: Partial<AgentLinkFields>): AgentLink | null {
    if (this.find(agentId, workflowId) !== null) {
      return null;
    }
    const now = this.#clock.now();
    const link: AgentLink = { ...DEFAULTS, ...fields, agentId, workflowId, createdAt: now, updatedAt: now };
    this.#links.push(link);
    return link;
  }

  /** Changes a link; null if there is none. */
  patch(agentId: string, workflowId: string, changes: Partial<AgentLinkFields>): AgentLink | null {
    const index = this.#links.findIndex((link) => link.agentId === agentId && link.workflowId === workflowId);
    const link = this.#links[index];
    if (link === undefined) {
      return null;
    }
    const changed = { ...link, ...changes, updatedAt: this.#clock.now() };
    this.#links[index] = changed;
    return changed;
  }

  /** Takes a link away; false if there is none. */
  unlink(agentId: string, workflowId: string): boolean {
    const before = this.#links.length;
    this.#links = this.#links.filter((link) => link.agentId !== agentId || link.workflowId !== workflowId);
    return this.#links.length < before;
  }

  find(agentId: string, workflowId: string): AgentLink | null {
    return this.ofAgent(agentId).find((link) => link.workflowId === workflowId) ?? null;
  }

  /** The links of an agent, those of the highest priority first. */
  ofAgent(agentId: string): AgentLink[] {
    return this.#links
      .filter((link) => link.agentId === agentId)
      .sort((one, other) => other.priority - one.priority);
  }

  ofWorkflow(workflowId: string): AgentLink[] {
    return this.#links.filter((link) => link.workflowId === workflowId);
  }

  /** Takes away every link of a deleted agent. */
  forgetAgent(agentId: string): void {
    this.#links = this.#links.filter((link) => link.agentId !== agentId);
  }

  /** Takes away every link of a deleted workflow. */
  forgetWorkflow(workflowId: string): void {
    this.#links = this.#links.filter((link) => link.workflowId !== workflowId);
  }

  dump(): readonly AgentLink[] {
    return this.#links;
  }

  restore(saved: readonly AgentLink[]): void {
    this.#links = [...saved];
  }
}

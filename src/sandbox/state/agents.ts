import type { AgentFields, AgentPatch } from "../schemas/agents.ts";
import type { Clock } from "../clock.ts";
import type { IdSequence } from "../ids.ts";
import type { Kept } from "./kept.ts";

/** A snapshot of a configuration. Versions count from 1. */
interface AgentVersion {
  readonly version: number;
  readonly fields: AgentFields;
  readonly createdAt: number;
}

export interface AgentRecord {
  readonly id: string;
  readonly createdAt: number;
  updatedAt: number;
  /** The current draft: what the newest version holds. */
  fields: AgentFields;
  readonly versions: AgentVersion[];
  publishedVersion: number | null;
}

/** What a new agent has where its creator says nothing. */
const DEFAULTS = {
  agent_type: "orchestration_agent",
  agent_mode: "single_prompt",
  llm_provider: "openai",
  llm_model: "gpt-4o",
  temperature: 0.7,
  max_completion_tokens: 1024,
  voice_provider: "elevenlabs",
  voice_speed: 1,
  stt_provider: "deepgram",
  stt_model: "nova-2",
  language: "en-US",
  end_call_after_silence_ms: 60_000,
  max_call_duration_ms: 600_000,
} as const;

/** The agents of an organization, oldest first (contract 3.1). */
export class Agents implements Kept<SavedAgents> {
  readonly #clock: Clock;
  readonly #ids: IdSequence;
  readonly #agents = new Map<string, AgentRecord>();
  /** Deleted agents: their calls go on showing them. */
  readonly #removed = new Map<string, AgentRecord>();
  #created = 0;

  constructor(clock: Clock, ids: IdSequence) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Makes a draft. `id` is for seeds; without it the next of the sequence. */
  create(fields: AgentFields, id?: string): AgentRecord {
    const now = this.#clock.now();
    const agent: AgentRecord = {
      id: id ?? this.#ids.at(this.#created),
      createdAt: now,
      updatedAt: now,
      fields: mergedConfig({ ...DEFAULTS, name: fields.name }, fields),
      versions: [],
      publishedVersion: null,
    };
    this.#created += 1;
    this.#agents.set(agent.id, agent);
    this.#snapshot(agent);
    return agent;
  }

  find(id: string): AgentRecord | null {
    return this.#agents.get(id) ?? null;
  }

  /** Finds agents that the API does not know any more, too. */
  findForgotten(id: string): AgentRecord | null {
    return this.find(id) ?? this.#removed.get(id) ?? null;
  }

  all(): AgentRecord[] {
    return [...this.#agents.values()];
  }

  /** Each change is a new draft version; what is published stays live. */
  patch(agent: AgentRecord, changes: AgentPatch): void {
    agent.fields = mergedConfig(agent.fields, changes);
    agent.updatedAt = this.#clock.now();
    this.#snapshot(agent);
  }

  /** Makes a version live, the current draft by default. False if there is no such version. */
  publish(agent: AgentRecord, version = agent.versions.length): boolean {
    if (version < 1 || version > agent.versions.length) {
      return false;
    }
    agent.publishedVersion = version;
    agent.updatedAt = this.#clock.now();
    return true;
  }

  remove(agent: AgentRecord): void {
    this.#agents.delete(agent.id);
    this.#removed.set(agent.id, agent);
  }

  dump(): SavedAgents {
    return { created: this.#created, agents: this.all(), removed: [...this.#removed.values()] };
  }

  restore(saved: SavedAgents): void {
    this.#created = saved.created;
    for (const agent of saved.agents) {
      this.#agents.set(agent.id, agent);
    }
    for (const agent of saved.removed) {
      this.#removed.set(agent.id, agent);
    }
  }

  #snapshot(agent: AgentRecord): void {
    agent.versions.push({
      version: agent.versions.length + 1,
      fields: agent.fields,
      createdAt: this.#clock.now(),
    });
  }
}

interface SavedAgents {
  readonly created: number;
  readonly agents: readonly AgentRecord[];
  readonly removed: readonly AgentRecord[];
}

/**
 * A configuration with some of its fields changed. Keys of other providers are taken and dropped: nothing here uses
 * them, and the data file must not hold them.
 */
export function mergedConfig(fields: AgentFields, changes: AgentPatch): AgentFields {
  const { name, llm_api_key: _llmKey, stt_api_key: _sttKey, ...rest } = changes;
  return { ...fields, ...rest, name: name ?? fields.name };
}

/** The configuration of a version; the current draft's if there is no such version. */
export function configOf(agent: AgentRecord, version: number): AgentFields {
  return agent.versions[version - 1]?.fields ?? agent.fields;
}

import { missingWording, type ShownAgent } from "./agent-wording.ts";

/*
 * What the platform showed of an agent at one moment: whether it may call, and in which version. The platform says of no
 * call which version spoke in it (contract 2.3, 2.5), so that the version that is published when a batch begins is the
 * nearest that can be known, and a change that is seen before its calls are over is known beside it.
 */

/** draft: it is not published any more, or never was. gone: the platform has no such agent. */
export type AgentState = "published" | "draft" | "gone";

export interface AgentSighting {
  agentId: string;
  /** How people know it. */
  name: string;
  state: AgentState;
  /** The version that is live; undefined where none is, or the platform does not say. */
  version: number | undefined;
  /** When and by whom it became so, in words, as far as the platform says. */
  origin: string | undefined;
  /** What its published version is not set up to say (agent-wording.ts). */
  missing: readonly string[];
}

/** What an agent was, before it changed. */
export type AgentStanding = Pick<AgentSighting, "state" | "version">;

/** The ledger's column of versions. */
const MAX_VERSION = 2_147_483_647;

/** Names and notes of the platform are shown in one line. */
const MAX_TEXT_CHARS = 100;

/** An agent as the platform shows it; unknown fields are read where they are there. */
export interface SeenAgent extends ShownAgent {
  agent_name?: string | undefined;
  is_published?: boolean | undefined;
}

/** @param agent undefined: the platform has no such agent. */
export function sightingOf(agentId: string, agent: SeenAgent | undefined): AgentSighting {
  if (!agent)
    return { agentId, name: agentId, state: "gone", version: undefined, origin: undefined, missing: [] };
  const name = lineOf(agent.agent_name) ?? agentId;
  // A platform that does not say whether it is published is believed that it is: it refuses the batch itself, then.
  if (agent.is_published === false)
    return { agentId, name, state: "draft", version: undefined, origin: undefined, missing: [] };
  const live = liveVersion(agent);
  return {
    agentId,
    name,
    state: "published",
    version: versionOf(agent.published_version) ?? versionOf(live?.["version"] ?? live?.["version_number"]),
    origin: live && originOf(live),
    missing: missingWording(agent, name),
  };
}

/** Whether another agent speaks now, as far as that is known: a version that is not told is no other one. */
export function isOtherVersion(before: AgentStanding, now: AgentStanding): boolean {
  return (
    now.state === "published" &&
    before.version !== undefined &&
    now.version !== undefined &&
    before.version !== now.version
  );
}

/** Of an agent that speaks otherwise now. */
export function changeText(
  { name, agentId, version, origin }: AgentSighting,
  { version: was }: AgentStanding,
): string {
  const since = origin === undefined ? "" : ` (${origin})`;
  return `agent ${nameOf({ name, agentId })} was version ${was ?? "unknown"} and is version ${version ?? "unknown"} now${since}`;
}

/** Why an agent can't call, or undefined where it can. */
export function problemText({
  name,
  agentId,
  state,
}: Pick<AgentSighting, "name" | "agentId" | "state">): string | undefined {
  const agent = `agent ${nameOf({ name, agentId })}`;
  switch (state) {
    case "published":
      return undefined;
    case "draft":
      return `${agent} is not published any more`;
    case "gone":
      return `the platform has no ${agent} any more`;
  }
}

/** By which people and the platform know it. */
function nameOf({ name, agentId }: Pick<AgentSighting, "name" | "agentId">): string {
  return name === agentId ? agentId : `${name} (${agentId})`;
}

function liveVersion({
  published_version: published,
  versions,
}: SeenAgent): Record<string, unknown> | undefined {
  return (versions ?? [])
    .map((one) => (typeof one === "object" && one !== null ? { ...one } : {}) as Record<string, unknown>)
    .find((one) =>
      published === undefined || published === null
        ? one["is_published"] === true
        : one["version"] === published || one["version_number"] === published,
    );
}

/** Fields of a snapshot are not promised (contract 2.2): those that some platforms have are told, each by its name. */
const WHEN = [
  ["published_at", "published"],
  ["created_at", "saved"],
] as const;
const WHO = ["published_by", "created_by", "updated_by"] as const;

function originOf(live: Record<string, unknown>): string | undefined {
  const when = WHEN.flatMap(([field, word]) => {
    const at = lineOf(live[field]);
    return at === undefined ? [] : [`${word} at ${at}`];
  });
  const who = WHO.flatMap((field) => lineOf(live[field]) ?? []).slice(0, 1);
  const note = lineOf(live["version_description"]);
  const parts = [
    ...when.slice(0, 1),
    ...who.map((one) => `by ${one}`),
    ...(note === undefined ? [] : [JSON.stringify(note)]),
  ];
  return parts.length === 0 ? undefined : parts.join(" ");
}

function versionOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_VERSION
    ? value
    : undefined;
}

/** A text of the platform in one line that the ledger keeps; undefined where it is none. */
function lineOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const line = value
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, MAX_TEXT_CHARS)
    .toWellFormed();
  return line === "" ? undefined : line;
}

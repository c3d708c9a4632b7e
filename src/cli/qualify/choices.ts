import type { Platform } from "../../platform/index.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";

/** Agents that are looked through for the published ones. */
const AGENTS_LOOKED_AT = 500;

/**
 * The agent that calls: the one that was named, else the only one that is published. Which of several it is, is
 * not guessed: it speaks to people.
 *
 * @throws CliError
 */
export async function chooseAgent(platform: Platform, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined) {
    const agent = await platform.agents.get(wanted);
    if (agent.is_published !== false) return agent.agent_id;
    throw new CliError(
      `agent ${wanted} is a draft: publish it, or name another with --agent-id`,
      EXIT.failed,
    );
  }
  const published: string[] = [];
  let lookedAt = 0;
  for await (const agent of platform.agents.iterate()) {
    if (agent.is_published === true) published.push(agent.agent_id);
    lookedAt += 1;
    if (lookedAt >= AGENTS_LOOKED_AT) break;
  }
  const [only, ...others] = published;
  if (only === undefined) {
    throw new CliError("no agent is published: publish one, or name it with --agent-id", EXIT.failed);
  }
  if (others.length === 0) return only;
  throw new CliError(
    `${published.length} agents are published: name the one that calls with --agent-id (${published.slice(0, 5).join(", ")})`,
    EXIT.badInput,
  );
}

/** The number to call from: the one that was named, else the first one owned. @throws CliError */
export async function chooseNumber(platform: Platform, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined) return wanted;
  for await (const { phone_number: number } of platform.phoneNumbers.iterate()) {
    if (number !== undefined) return `+${number.replace(/^\+/, "")}`;
  }
  throw new CliError("no number is owned: register one on the platform to call from", EXIT.failed);
}

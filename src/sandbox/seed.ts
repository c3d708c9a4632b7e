import type { Clock } from "./clock.ts";
import type { KnownKey } from "./state/api-keys.ts";
import { Organization } from "./state/organization.ts";

interface AgentSeed {
  readonly id: string;
  readonly name: string;
  readonly published: boolean;
}

/** An organization that is there when the sandbox starts. */
export interface OrganizationSeed {
  readonly agents: readonly AgentSeed[];
  /** Caller IDs, E.164. */
  readonly numbers: readonly string[];
  readonly balanceUsd: number;
}

/** An organization beside the first, with keys of its own. */
export interface OtherOrganizationSeed extends OrganizationSeed {
  readonly apiKeys: readonly KnownKey[];
}

export const DEFAULT_ORGANIZATION: OrganizationSeed = {
  agents: [
    { id: "11111111-1111-4111-8111-111111111111", name: "Renewal assistant", published: true },
    { id: "22222222-2222-4222-8222-222222222222", name: "Renewal assistant, next version", published: false },
  ],
  numbers: ["+12025550100", "+12025550101", "+442071838750"],
  // Some two million dials of the default mix, at about 0.05 dollars each.
  balanceUsd: 100_000,
};

/** What agents of a seed are set up to say: that they are no people, for whom they call, and how that ends. */
const SEEDED_WORDS = {
  greeting_message: "Hello, this is the AI assistant of Example Insurance. Do you have a moment?",
  system_prompt:
    "You are an AI assistant, calling on behalf of Example Insurance about a renewal. If somebody asks you to stop calling, say that you will, and end the call.",
};

/** Builds the organization that a seed describes. Throws if a number is listed twice. */
export function organizationFrom(
  seed: number,
  clock: Clock,
  ordinal: number,
  described: OrganizationSeed,
): Organization {
  const organization = new Organization(seed, clock, ordinal, described.balanceUsd);
  for (const { id, name, published } of described.agents) {
    const agent = organization.agents.create({ name, ...SEEDED_WORDS }, id);
    if (published) {
      organization.agents.publish(agent);
    }
  }
  for (const number of described.numbers) {
    if (organization.phoneNumbers.create({ phone_number: number }) === null) {
      throw new Error(`sandbox seed: the number ${number} is listed twice`);
    }
  }
  return organization;
}

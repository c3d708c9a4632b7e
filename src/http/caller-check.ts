import type { CampaignSpec } from "../domain/campaigns/campaign-spec.ts";
import { NotFoundError, RateLimitedError, type Platform, UnavailableError } from "../platform/index.ts";
import { Problem } from "./problem.ts";
import type { FieldProblem } from "./wire/problem.ts";

/** A blip must not refuse a campaign: reads are tried this often, this long apart at most. */
const TRIES = 3;
const LONGEST_WAIT_MS = 5_000;

/**
 * Asks the platform whether it would dial for this spec: its agent is there and published, and every number
 * that it calls from is one of ours (contract 4.2).
 *
 * @throws Problem 422 with everything that is wrong, or the platform's own failure.
 */
export async function checkCaller(platform: Platform, spec: CampaignSpec): Promise<void> {
  const errors = [
    ...(await patiently(() => agentProblems(platform, spec.agent_id))),
    ...(await patiently(() => numberProblems(platform, spec.from_numbers))),
  ];
  if (errors.length === 0) return;
  const told = errors.map(({ field, message }) => `${field}: ${message}`).join("; ");
  throw new Problem({
    status: 422,
    code: "caller_refused",
    detail: `the platform can't dial for this spec: ${told}`,
    errors,
  });
}

async function agentProblems(platform: Platform, agentId: string): Promise<FieldProblem[]> {
  try {
    const agent = await platform.agents.get(agentId);
    // A platform that does not say is believed: it refuses the batch itself, then.
    if (agent.is_published !== false) return [];
    return [{ field: "agent_id", message: `agent ${agentId} is a draft: publish it on the platform first` }];
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return [
      {
        field: "agent_id",
        message: `the platform has no agent ${agentId}: check the id, and that PLATFORM_API_KEY is of the organization that has it`,
      },
    ];
  }
}

async function numberProblems(platform: Platform, wanted: readonly string[]): Promise<FieldProblem[]> {
  const missing = new Set(wanted);
  for await (const { phone_number } of platform.phoneNumbers.iterate({ limit: 100 })) {
    if (phone_number !== undefined) missing.delete(`+${phone_number.replace(/^\+/, "")}`);
    if (missing.size === 0) return [];
  }
  return wanted.flatMap((number, index) =>
    missing.has(number)
      ? [
          {
            field: `from_numbers[${index}]`,
            message: `${number} is not one of your numbers on the platform: register it there, or remove it`,
          },
        ]
      : [],
  );
}

async function patiently<T>(read: () => Promise<T>): Promise<T> {
  for (let nth = 1; ; nth += 1) {
    try {
      return await read();
    } catch (error) {
      const passing = error instanceof RateLimitedError || error instanceof UnavailableError;
      if (!passing || nth === TRIES) throw error;
      const waitMs = Math.min(LONGEST_WAIT_MS, error.retryAfterMs ?? 500 * nth);
      await new Promise((resolve) => {
        setTimeout(resolve, waitMs);
      });
    }
  }
}

import { CallerRefusedError, type CallerProblem } from "../commands/caller-refused.ts";
import { agentsOf, type CampaignSpec } from "../domain/campaigns/campaign-spec.ts";
import { callSpecsOf, type SequenceDefinition } from "../domain/sequences/definition.ts";
import { NotFoundError, RateLimitedError, type Platform, UnavailableError } from "../platform/index.ts";

/** A blip must not refuse a campaign: reads are tried this often, this long apart at most. */
const TRIES = 3;
const LONGEST_WAIT_MS = 5_000;

/**
 * Asks the platform whether it would dial for this spec: its agent is there and published, and every number
 * that it calls from is one of ours (contract 4.2).
 *
 * @throws CallerRefusedError with everything that is wrong, or the platform's own failure.
 */
export async function checkCaller(platform: Platform, spec: CampaignSpec): Promise<void> {
  const errors = await callerProblems(platform, spec);
  if (errors.length > 0) throw new CallerRefusedError("the platform can't dial for this spec", errors);
}

/** The same for each call step of a sequence; those that call alike are asked about once. */
export async function checkCallers(platform: Platform, definition: SequenceDefinition): Promise<void> {
  const stepsByCaller = new Map<string, { spec: CampaignSpec; steps: string[] }>();
  for (const { stepId, spec } of callSpecsOf(definition)) {
    const caller = JSON.stringify([spec.agent_id, spec.from_numbers]);
    const known = stepsByCaller.get(caller) ?? { spec, steps: [] };
    known.steps.push(stepId);
    stepsByCaller.set(caller, known);
  }
  const errors: CallerProblem[] = [];
  for (const { spec, steps } of stepsByCaller.values()) {
    for (const { field, message } of await callerProblems(platform, spec))
      errors.push({ field: `call of step ${steps.join(", ")}: ${field}`, message });
  }
  if (errors.length > 0) throw new CallerRefusedError("the platform can't call for this sequence", errors);
}

async function callerProblems(platform: Platform, spec: CampaignSpec): Promise<CallerProblem[]> {
  return [
    ...(await agentsProblems(platform, spec)),
    ...(await patiently(() => numberProblems(platform, spec.from_numbers))),
  ];
}

/** Of its agent, and of those of its variants; each is asked about once. */
async function agentsProblems(platform: Platform, spec: CampaignSpec): Promise<CallerProblem[]> {
  const problems: CallerProblem[] = [];
  for (const [agentId, field] of agentsOf(spec))
    problems.push(...(await patiently(() => agentProblems(platform, agentId, field))));
  return problems;
}

async function agentProblems(platform: Platform, agentId: string, field: string): Promise<CallerProblem[]> {
  try {
    const agent = await platform.agents.get(agentId);
    // A platform that does not say is believed: it refuses the batch itself, then.
    if (agent.is_published !== false) return [];
    return [{ field, message: `agent ${agentId} is a draft: publish it on the platform first` }];
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return [
      {
        field,
        message: `the platform has no agent ${agentId}: check the id, and that PLATFORM_API_KEY is of the organization that has it`,
      },
    ];
  }
}

async function numberProblems(platform: Platform, wanted: readonly string[]): Promise<CallerProblem[]> {
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

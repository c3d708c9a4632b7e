import type { Config } from "../../../config.ts";
import type { Learnt } from "../../../contacts/rehearsed-campaign.ts";
import type { CampaignSpec } from "../../../domain/campaigns/campaign-spec.ts";
import { modelOfPast, type OutcomeModel } from "../../../domain/campaigns/rehearsal/outcome-model.ts";
import { reasonWords } from "../../../domain/ground/reason-words.ts";
import type { DateSpan } from "../../../domain/policy/window-dates.ts";
import { dayOfDate } from "../../../domain/time/local-day.ts";
import { createLog } from "../../../log.ts";
import { readAgentPrice } from "../../../platform/agent-price.ts";
import type { Platform } from "../../../platform/index.ts";
import type { Api } from "../../api/client.ts";
import { ApiProblemError, ApiUnreachableError } from "../../api/errors.ts";
import type { CliPorts } from "../../context.ts";
import { CliError } from "../../errors.ts";
import { EXIT } from "../../exit-codes.ts";
import { findRunningSystem, openFound, withRunningSystem } from "../../running-system.ts";

/*
 * What a rehearsal learns from elsewhere, where there is an elsewhere: blackouts and an earlier campaign from a running
 * system, a price from the platform. None is needed, and what could not be learnt is said.
 */

/** The blackouts of a brand, from a system where one runs. */
export function learnBlackouts(config: Config, brand: string): Promise<Learnt<DateSpan[]>> {
  return askRunning(config, async (api) => {
    const { items } = await api.blackouts.list({ brand });
    return items.map(({ from, to, name }) => ({ fromDay: dayOfDate(from), lastDay: dayOfDate(to), name }));
  });
}

async function askRunning<Value>(
  config: Config,
  question: (api: Api) => Promise<Value>,
): Promise<Learnt<Value>> {
  const found = findRunningSystem(config);
  if (!found) return { ok: false, why: "no system runs on the data folder" };
  try {
    const api = await openFound(config, found);
    try {
      return { ok: true, value: await question(api) };
    } finally {
      await api.close();
    }
  } catch (error) {
    if (error instanceof ApiUnreachableError || error instanceof ApiProblemError || error instanceof CliError)
      return { ok: false, why: "the running system could not be asked" };
    throw error;
  }
}

/** Outcomes as an earlier campaign of a running system had them. @throws CliError where it called nobody. */
export async function learnOutcomes(config: Config, ref: string, brand: string): Promise<OutcomeModel> {
  const report = await withRunningSystem(config, (api) => api.campaigns.report(ref, brand));
  const model = modelOfPast({
    dispositions: report.attempt_dispositions,
    talkSeconds: report.talk_seconds,
    dialed: report.contacts_dialed,
    invalid: report.dispositions["invalid_number"] ?? 0,
  });
  if (model) return model;
  throw new CliError(
    `campaign "${report.name}" has no call that is over, so that nothing is known of its outcomes: name another with --like, or give --outcomes`,
    EXIT.badInput,
  );
}

/** Fewer calls than this say less than what is usual. */
const LEAST_PAST = 50;

/**
 * Outcomes as the newest campaigns of a brand with an agent had them, from a system where one runs; undefined where
 * there are none, or too few.
 */
export async function learnPast(
  config: Config,
  { brand, agent_id: agentId }: CampaignSpec,
): Promise<{ model: OutcomeModel; campaigns: number } | undefined> {
  const past = await askRunning(config, (api) => api.campaigns.past(agentId, brand));
  if (!past.ok) return undefined;
  const { value } = past;
  const calls = Object.values(value.attempt_dispositions).reduce((sum, n) => sum + n, 0);
  const model = modelOfPast({
    dispositions: value.attempt_dispositions,
    talkSeconds: value.talk_seconds,
    dialed: value.contacts_dialed,
    invalid: value.attempt_dispositions["invalid_number"] ?? 0,
  });
  return calls < LEAST_PAST || !model ? undefined : { model, campaigns: value.campaigns };
}

/** What the platform estimates a minute of the campaign's agent to cost, in US dollars. */
export function learnPrice(
  config: Config,
  ports: CliPorts,
  { agent_id: agentId }: CampaignSpec,
): Promise<Learnt<number>> {
  return askPlatform(config, ports, async (platform) => {
    const price = await readAgentPrice(platform, agentId);
    if (!price) return { ok: false, why: "the platform's estimate names no price" };
    return { ok: true, value: price.perMinuteUsd };
  });
}

/** What the platform's account has, in US dollars. */
export function learnBalance(config: Config, ports: CliPorts): Promise<Learnt<number>> {
  return askPlatform(config, ports, async (platform) => {
    const { current_balance: balance } = await platform.billing.balance();
    if (balance === undefined) return { ok: false, why: "the platform names no balance" };
    return { ok: true, value: balance };
  });
}

async function askPlatform<Value>(
  config: Config,
  ports: CliPorts,
  question: (platform: Platform) => Promise<Learnt<Value>>,
): Promise<Learnt<Value>> {
  if (config.platform.baseUrl === undefined || config.platform.apiKey === undefined)
    return { ok: false, why: "no platform is set" };
  try {
    const platform = await ports.openPlatform(config, createLog({ level: "silent" }));
    try {
      return await question(platform);
    } finally {
      await platform.close();
    }
  } catch (error) {
    return { ok: false, why: `the platform could not be asked (${reasonWords(error)})` };
  }
}

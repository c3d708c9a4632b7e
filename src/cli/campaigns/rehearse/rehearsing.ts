import fs from "node:fs";

import type { Config } from "../../../config.ts";
import { finishBreathing } from "../../../ledger/ground/breather.ts";
import type { Rehearsed } from "../../../contacts/rehearsed-campaign.ts";
import { readRehearsedPeople, readSuppressedNumbers } from "../../../contacts/rehearsed-people.ts";
import { callRate } from "../../../domain/campaigns/call-rate.ts";
import type { CampaignSpec } from "../../../domain/campaigns/campaign-spec.ts";
import { forecastOf, rehearse, type SeededRun } from "../../../domain/campaigns/rehearsal/forecast.ts";
import { linesNeeded } from "../../../domain/campaigns/rehearsal/lines-needed.ts";
import {
  modelOf,
  readOutcomeProfile,
  USUAL_OUTCOMES,
  type OutcomeModel,
} from "../../../domain/campaigns/rehearsal/outcome-model.ts";
import type { Plan } from "../../../domain/campaigns/rehearsal/plan.ts";
import { plannedLines, planOfSpec } from "../../../domain/campaigns/rehearsal/plan-of-spec.ts";
import { isZoneName } from "../../../domain/time/zone-data.ts";
import type { Doing } from "../../cli-command.ts";
import { faultOf, findList, readMap, readOptionsOf } from "../../contact-list.ts";
import type { CliPorts, Voice } from "../../context.ts";
import { CliError } from "../../errors.ts";
import { EXIT } from "../../exit-codes.ts";
import { countText, numberText } from "../../view/words.ts";
import { problemLines, readYamlFile } from "../../yaml-file.ts";
import { readSpecFile } from "../run/spec-file.ts";
import { learnBalance, learnBlackouts, learnOutcomes, learnPast, learnPrice } from "./known-besides.ts";

export interface RehearseOptions {
  contacts: string;
  map: readonly string[];
  defaultRegion?: string;
  suppressed?: string;
  from?: string;
  endBy?: string;
  concurrency?: number;
  outcomes?: string;
  like?: string;
  costPerMinute?: number;
  timeZone: string;
  runs: number;
  seed: number;
  json?: true;
}

/** As many as a spec may say. */
const MOST_LINES = 100_000;

/** Reads campaign and list, learns what can be learnt, and runs it all. @throws CliError for input that can't be. */
export async function rehearseCampaign(
  { config, voice }: Doing,
  ports: CliPorts,
  file: string,
  options: RehearseOptions,
): Promise<Rehearsed> {
  const beganMs = performance.now();
  const spec = readSpecFile(file);
  checkOptions(options);
  const fromMs = options.from === undefined ? Date.now() : Date.parse(options.from);
  const { model, outcomesFrom } = await outcomesOf(config, spec, options);
  const blackouts = await learnBlackouts(config, spec.brand);
  const { list, people, validation, suppressedNumbers } = await readLists(spec, options, fromMs);
  const { lines, linesOf } = plannedLines(config.account, spec, options.concurrency);
  const rate = config.callsPerSecond === undefined ? undefined : callRate(config.callsPerSecond);
  const plan = planOfSpec(spec, {
    people,
    blackouts: blackouts.ok ? blackouts.value : [],
    lines,
    rate,
    model,
    fromMs,
    shownIn: options.timeZone,
  });
  const { runs, wanted } = await run(plan, voice, options);
  return {
    spec,
    listName: list.name,
    digest: list.digest,
    validation,
    forecast: forecastOf(runs),
    fromMs,
    zone: options.timeZone,
    lines,
    linesOf,
    rate,
    model,
    outcomesFrom,
    suppressedNumbers,
    blackouts: blackouts.ok ? { ok: true, value: blackouts.value.length } : blackouts,
    price: await priceOf(config, ports, spec, options),
    balance: await learnBalance(config, ports),
    wanted,
    tookMs: performance.now() - beganMs,
  };
}

/** Runs the plan, and looks for lines where they are asked for. */
async function run(
  plan: Plan,
  { screen }: Voice,
  { runs: count, seed, endBy }: RehearseOptions,
): Promise<{ runs: SeededRun[]; wanted: Rehearsed["wanted"] }> {
  const say = (what: string) => screen.show([`${what} ...`]);
  try {
    say(`rehearsing ${numberText(plan.people.count)} contacts, ${numberText(count)} times`);
    const runs = await finishBreathing(rehearse(plan, { runs: count, seed }));
    if (endBy === undefined) return { runs, wanted: undefined };
    say("looking for the lines that it takes");
    const endByMs = Date.parse(endBy);
    const answer = await finishBreathing(linesNeeded(plan, { endByMs, runs, mostLines: MOST_LINES }));
    return { runs, wanted: { endByMs, answer } };
  } finally {
    screen.clear();
  }
}

function checkOptions({ timeZone, outcomes, like }: RehearseOptions): void {
  if (!isZoneName(timeZone))
    throw new CliError(
      `--time-zone ${JSON.stringify(timeZone)} is no time zone: give an IANA name such as America/New_York`,
      EXIT.badInput,
    );
  if (outcomes !== undefined && like !== undefined)
    throw new CliError("--outcomes and --like both say what calls come to: give one of them", EXIT.badInput);
}

async function outcomesOf(
  config: Config,
  spec: CampaignSpec,
  { outcomes, like }: RehearseOptions,
): Promise<{ model: OutcomeModel; outcomesFrom: string }> {
  if (like !== undefined)
    return {
      model: await learnOutcomes(config, like, spec.brand),
      outcomesFrom: `as campaign "${like}" had them`,
    };
  if (outcomes === undefined) {
    const past = await learnPast(config, spec);
    if (past)
      return {
        model: past.model,
        outcomesFrom: `as the last ${countText(past.campaigns, "campaign")} of brand ${spec.brand} with this agent had them`,
      };
    return { model: USUAL_OUTCOMES, outcomesFrom: "usual ones, since nothing is known of this list" };
  }
  const { value, lineOf } = readYamlFile(outcomes, { what: "a profile of outcomes" });
  const reading = readOutcomeProfile(value);
  if (reading.ok) return { model: modelOf(reading.definition), outcomesFrom: `those of ${outcomes}` };
  const problems = problemLines(reading.problems, lineOf);
  throw new CliError(`${outcomes} is no profile of outcomes:\n${problems.join("\n")}`, EXIT.badInput);
}

async function readLists(spec: CampaignSpec, options: RehearseOptions, nowMs: number) {
  const reading = {
    map: readMap(options.map),
    defaultRegion: options.defaultRegion ?? spec.default_region,
  };
  const suppressed = await suppressedOf(options.suppressed, reading.defaultRegion);
  const list = await findList(options.contacts);
  try {
    const read = await readRehearsedPeople(fs.createReadStream(list.path), readOptionsOf(list, reading), {
      spec,
      suppressed: suppressed ?? new Set(),
      nowMs,
    });
    const [problem] = read.validation.problems;
    if (read.people.count === 0)
      throw new CliError(
        `nobody in ${list.name} can be called${problem === undefined ? ": it has no rows" : ` (line ${problem.line}: ${problem.reason})`}`,
        EXIT.badInput,
      );
    return { list, ...read, suppressedNumbers: suppressed?.size };
  } catch (error) {
    throw faultOf(list, error);
  }
}

async function suppressedOf(
  file: string | undefined,
  defaultRegion: string | undefined,
): Promise<Set<string> | undefined> {
  if (file === undefined) return undefined;
  const list = await findList(file);
  try {
    return await readSuppressedNumbers(
      fs.createReadStream(list.path),
      readOptionsOf(list, { map: {}, defaultRegion }),
    );
  } catch (error) {
    throw faultOf(list, error);
  }
}

async function priceOf(
  config: Config,
  ports: CliPorts,
  spec: CampaignSpec,
  { costPerMinute }: RehearseOptions,
): Promise<Rehearsed["price"]> {
  if (costPerMinute !== undefined) return { ok: true, value: costPerMinute, from: "--cost-per-minute" };
  return { ...(await learnPrice(config, ports, spec)), from: "the platform's estimate for the agent" };
}

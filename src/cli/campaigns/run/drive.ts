import type { CampaignSpec } from "../../../domain/campaigns/campaign-spec.ts";
import { isOver } from "../../../domain/campaigns/campaign-state.ts";
import type { CampaignWire, ImportResultWire } from "../../../http/wire/campaigns.ts";
import type { Api } from "../../api/client.ts";
import { ApiProblemError } from "../../api/errors.ts";
import { checkList, openList, type ContactList, type ListReading } from "../../contact-list.ts";
import { warningLines, type Voice } from "../../context.ts";
import { CliError } from "../../errors.ts";
import { follow } from "./follow.ts";
import { waitFor } from "../../interrupts.ts";
import { decideRun, type CarryOn } from "./run-decision.ts";
import { commandText, type Place } from "../../hints.ts";
import { estimateLines } from "../../view/estimate.ts";
import { countText, numberText } from "../../view/words.ts";

/** A campaign as `run` was given it. */
export interface DriveInput {
  spec: CampaignSpec;
  list: ContactList;
  reading: ListReading;
  amend: boolean;
  isNew: boolean;
  partial: boolean;
}

/** over: completed or cancelled. interrupted: paused by us. held: paused by somebody, who has to resume it. */
export interface DriveEnd {
  kind: "over" | "interrupted" | "held";
  campaignId: string;
}

export interface Driver {
  api: Api;
  voice: Voice;
  signal: AbortSignal;
  /** Of the system; undefined: where everybody looks. */
  dataDir?: string | undefined;
}

/** Takes a campaign from wherever it stands to its end, or until it is interrupted. */
export async function driveCampaign(driver: Driver, input: DriveInput): Promise<DriveEnd> {
  try {
    return await driveOnce(driver, input);
  } catch (error) {
    const isMadeMeanwhile = error instanceof ApiProblemError && error.code === "campaign_exists";
    if (!isMadeMeanwhile || input.isNew || !(await hasOurList(driver, input))) throw error;
    // Another `run` of it was quicker: what is there now is decided on as if this one had come a moment later.
    return driveOnce(driver, input);
  }
}

/** Whoever made a campaign has begun to give it its list within a moment. */
const LOOKS_FOR_LIST = 20;
const BETWEEN_LOOKS_MS = 250;

/** Whether what another `run` has just made is the same campaign with the same list: two lists are never put together. */
async function hasOurList({ api, signal }: Driver, { spec, list }: DriveInput): Promise<boolean> {
  for (let looks = 0; looks < LOOKS_FOR_LIST && !signal.aborted; looks += 1) {
    if (looks > 0) await waitFor(BETWEEN_LOOKS_MS, signal);
    const there = await api.campaigns.find(spec.name, spec.brand);
    const [first, ...others] = there?.lists ?? [];
    if (first) return first.digest === list.digest && others.length === 0;
  }
  return false;
}

async function driveOnce(driver: Driver, input: DriveInput): Promise<DriveEnd> {
  const { api, voice } = driver;
  const existing = await api.campaigns.find(input.spec.name, input.spec.brand);
  const decision = decideRun(existing, input);
  switch (decision.kind) {
    case "refuse":
      throw new CliError(decision.message);
    case "report": {
      const { id, name, state, run } = required(existing);
      voice.screen.say(
        `campaign "${name}" is ${state} already (run ${run}): this is its report, and nobody is dialed; --new makes its next run`,
      );
      return { kind: "over", campaignId: id };
    }
    case "create":
      return createAndFollow(driver, input);
    case "carry_on":
      return carryOn(driver, input, required(existing), decision);
  }
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a campaign was expected here");
  return value;
}

async function createAndFollow(driver: Driver, input: DriveInput): Promise<DriveEnd> {
  const { api, voice, signal } = driver;
  await tellOfList(driver, input);
  signal.throwIfAborted();
  const campaign = await api.campaigns.create(input.spec, input.isNew);
  voice.screen.say(`campaign "${campaign.name}" created (run ${campaign.run}, ${campaign.id})`);
  for (const line of warningLines(voice, campaign.warnings)) voice.screen.say(line);
  await takeList(driver, campaign, input);
  return startAndFollow(driver, campaign, input.partial, campaign.warnings);
}

/** A fault of the list ends it here; who in it can never be called is told. */
async function tellOfList({ voice }: Driver, { list, reading, spec, partial }: DriveInput): Promise<void> {
  for (const line of await checkList(list, reading, spec, partial)) voice.screen.say(line);
}

async function carryOn(
  driver: Driver,
  input: DriveInput,
  campaign: CampaignWire,
  decision: CarryOn,
): Promise<DriveEnd> {
  const { api, voice } = driver;
  const { id, name, state } = campaign;
  voice.screen.say(`campaign "${name}" is ${state} (run ${campaign.run}): carrying on with it`);
  if (decision.amend) {
    const { differences, policy_version, warnings } = await api.campaigns.amend(id, {
      spec: input.spec,
      reason: "run --amend",
    });
    voice.screen.say(
      `amended (${differences.map(({ field }) => field).join(", ")}): policy version ${policy_version} is in force`,
    );
    for (const line of warningLines(voice, warnings)) voice.screen.say(line);
  }
  if (decision.takeList) {
    await tellOfList(driver, input);
    await takeList(driver, campaign, input);
  }
  switch (decision.next) {
    case "start":
      return startAndFollow(driver, campaign, decision.allowPartial);
    case "resume":
      await api.campaigns.resume(id, { reason: "run again" });
      return followToEnd(driver, campaign);
    case "follow":
      return followToEnd(driver, campaign);
    case "hold":
      voice.screen.say(heldMessage(campaign, placeOf(driver, campaign)));
      return { kind: "held", campaignId: id };
  }
}

function placeOf({ dataDir }: Driver, { brand }: CampaignWire): Place {
  return { dataDir, brand };
}

function heldMessage({ name, state_reason }: CampaignWire, place: Place): string {
  const why = state_reason === null ? "" : ` (${state_reason})`;
  const how = commandText("resume", name, place);
  return `campaign "${name}" was paused${why} and stays so: resume it with \`${how}\` (a system has to run: \`outdial server\`, and on a database \`outdial worker\` beside it), then run this again to see it to its end`;
}

async function startAndFollow(
  driver: Driver,
  campaign: CampaignWire,
  allowPartial: boolean,
  told: readonly string[] = [],
): Promise<DriveEnd> {
  const { api, voice, signal } = driver;
  signal.throwIfAborted();
  const { workflow, warnings, estimate } = await api.campaigns.start(campaign.id, { allowPartial });
  for (const warning of warnings) {
    // Whoever made it a moment ago was told already.
    if (!told.includes(warning)) voice.screen.say(`warning: ${warning}`);
  }
  for (const line of estimateLines(estimate, voice.colours)) voice.screen.say(line);
  if (workflow === "later")
    voice.screen.say("started; Temporal does not answer yet, dialing begins once it does");
  return followToEnd(driver, campaign);
}

async function followToEnd(driver: Driver, campaign: CampaignWire): Promise<DriveEnd> {
  const { api, voice, signal } = driver;
  const { id } = campaign;
  const place = placeOf(driver, campaign);
  const end = await follow({ api, campaignId: id, voice, signal, pauseOnSignal: true, place });
  if (isOver(end.progress.state)) return { kind: "over", campaignId: id };
  if (end.interrupted) return { kind: "interrupted", campaignId: id };
  voice.screen.say(
    "another `outdial run` of this campaign was interrupted, which paused it; running one again carries on",
  );
  return { kind: "held", campaignId: id };
}

/** What is taken in this time is said once, however fast it goes. */
const SAY_EVERY_MS = 2_000;

async function takeList(driver: Driver, campaign: CampaignWire, input: DriveInput): Promise<void> {
  const { voice } = driver;
  const { list, partial } = input;
  try {
    const { rows } = await upload(driver, campaign, input);
    voice.screen.say(
      `${list.name}: ${countText(rows.read, "row")} read, ${countText(rows.accepted, "contact")} taken, ${numberText(rows.rejected)} rejected, ${numberText(rows.duplicate)} duplicate`,
    );
  } catch (error) {
    const isFault = error instanceof ApiProblemError && error.code === "invalid_list";
    if (!isFault || !partial) throw error;
    voice.screen.say(`${list.name} was taken in part: ${error.message}`);
  } finally {
    voice.screen.clear();
  }
}

function upload(
  { api, voice, signal }: Driver,
  campaign: CampaignWire,
  input: DriveInput,
): Promise<ImportResultWire> {
  const { list, reading } = input;
  let saidMs = performance.now();
  const readable = openList(list, (bytes) => {
    const share = list.bytes === 0 ? 100 : Math.floor((bytes / list.bytes) * 100);
    const line = `taking ${list.name}: ${share} %`;
    voice.screen.show([line]);
    if (voice.screen.live || performance.now() - saidMs < SAY_EVERY_MS) return;
    voice.screen.say(line);
    saidMs = performance.now();
  });
  return api.campaigns.upload(campaign.id, {
    readable,
    digest: list.digest,
    sourceName: list.name,
    map: reading.map,
    defaultRegion: reading.defaultRegion,
    signal,
  });
}

import type { CliCommand, Doing } from "../../cli-command.ts";
import type { Config } from "../../../config.ts";
import type { CampaignSpec } from "../../../domain/campaigns/campaign-spec.ts";
import type { ReportWire } from "../../../http/wire/campaigns.ts";
import type { Sandbox } from "../../../sandbox/sandbox.ts";
import { ApiUnreachableError } from "../../api/errors.ts";
import { namedDir } from "../../hints.ts";
import { findList, glanceAtList, readMap } from "../../contact-list.ts";
import type { CliContext, Voice } from "../../context.ts";
import { driveCampaign, type DriveEnd, type DriveInput, type Driver } from "./drive.ts";
import { tellDashboard } from "../../dashboard-link.ts";
import { CliError } from "../../errors.ts";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import { watchInterrupts, type Interrupts } from "../../interrupts.ts";
import { leftBehind } from "./left-behind.ts";
import {
  jsonOption,
  mapOption,
  regionOption,
  sandboxManner,
  seedOption,
  speedOption,
} from "../../options.ts";
import { keepReport } from "./report-files.ts";
import { openSession, type Session } from "./session.ts";
import { readSpecFile } from "./spec-file.ts";
import { pathLines, reportJson, reportLines } from "../../view/report.ts";

interface RunOptions {
  contacts: string;
  map: readonly string[];
  defaultRegion?: string;
  amend?: true;
  new?: true;
  partial?: true;
  sandbox?: true;
  speed?: number;
  seed?: number;
  json?: true;
}

const HELP = `
Starts what is not there yet (ledger, Temporal, worker), takes the list, dials, and ends with the report.

A campaign is known by its name. Run again with the same file and list, it carries on where it was, after a
kill, too; finished, it prints its report and dials nobody; changed, it is refused with the difference, unless
  --amend  puts the changed pace or policy in force, and adds another list to the campaign
  --new    makes the next run of a campaign that is over

Ctrl-C stops new calls, waits for those that are up, and says how to carry on; a second one leaves at once,
safely.

Examples:
  outdial run campaign.yaml --contacts list.csv
  outdial run campaign.yaml --contacts list.csv --map phone="Mobile No." --default-region DE
  outdial run examples/demo.yaml --contacts examples/demo-contacts.csv --sandbox --speed 60
  outdial run campaign.yaml --contacts list.csv --json | tail -n 1 | jq .dispositions`;

export function registerRun(program: CliCommand, context: CliContext): void {
  program
    .command("run")
    .here()
    .description("Runs a campaign from a contact list to its report.")
    .argument("<campaign.yaml>", "the campaign")
    .requiredOption("--contacts <list>", "CSV or NDJSON file of contacts")
    .addOption(mapOption())
    .addOption(regionOption())
    .option("--amend", "put what changed in force")
    .option("--new", "make the next run of a campaign that is over")
    .option("--partial", "start though a list could only be taken in part")
    .option("--sandbox", "run against a sandbox, started for it, instead of the platform")
    .addOption(speedOption())
    .addOption(seedOption())
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does((doing, file: string, options: RunOptions) => run(context, doing, file, options));
}

async function run(
  context: CliContext,
  { config, voice }: Doing,
  file: string,
  options: RunOptions,
): Promise<ExitCode> {
  if (!options.sandbox && (options.speed !== undefined || options.seed !== undefined)) {
    throw new CliError(
      "--speed and --seed are the sandbox's: add --sandbox, or leave them out",
      EXIT.badInput,
    );
  }
  const spec = readSpecFile(file);
  const reading = { map: readMap(options.map), defaultRegion: options.defaultRegion ?? spec.default_region };
  const list = await findList(options.contacts);
  await glanceAtList(list, reading);
  const input: DriveInput = {
    spec,
    list,
    reading,
    amend: options.amend === true,
    isNew: options.new === true,
    partial: options.partial === true,
  };
  const interrupts = watchInterrupts(() => {
    voice.screen.clear();
    voice.screen.say("left at once; nothing is lost, and the same command carries on");
    const left = leftBehind(config.dataDir);
    if (left !== undefined) voice.screen.say(left);
  });
  const sandbox = options.sandbox && (await startSandbox(context, config, voice, options));
  try {
    const settings = sandbox ? sandboxSettings(config, sandbox, options.speed ?? SANDBOX_SPEED) : config;
    return await runToEnd({
      context,
      config: settings,
      voice,
      interrupts,
      input,
      mustBeOurs: sandbox !== undefined,
    });
  } finally {
    interrupts.end();
    await sandbox?.close();
  }
}

/** Calls as long as real ones would make a rehearsal as long as the campaign. */
const SANDBOX_SPEED = 10;

async function startSandbox(
  context: CliContext,
  config: Config,
  voice: Voice,
  { seed = 1, speed = SANDBOX_SPEED }: RunOptions,
): Promise<Sandbox> {
  const sandbox = await context.ports.runSandbox({ ...sandboxManner(config), seed, speed });
  const agents = sandbox.seeds.agents.map(({ id, published }) => `${id}${published ? "" : " (a draft)"}`);
  voice.screen.say(
    `sandbox at ${sandbox.url}, speed ${speed}, seed ${seed}: agents ${agents.join(", ")}; numbers ${sandbox.seeds.numbers.join(", ")}`,
  );
  return sandbox;
}

/**
 * The settings with a sandbox in the platform's place, and the engine's own waits at its speed. A profile that they
 * name is of the platform, and says nothing of the sandbox.
 */
export function sandboxSettings(config: Config, sandbox: Sandbox, speed: number): Config {
  return {
    ...config,
    platform: {
      ...config.platform,
      baseUrl: sandbox.url,
      wsUrl: sandbox.wsUrl,
      apiKey: sandbox.apiKey,
      apiKeyFile: undefined,
      profile: undefined,
    },
    speed: Math.max(1, speed),
  };
}

interface Running {
  context: CliContext;
  config: Config;
  voice: Voice;
  interrupts: Interrupts;
  input: DriveInput;
  mustBeOurs: boolean;
}

/** Systems of other processes that may end under a run, one after the other, before it gives up. */
const MAX_SESSIONS = 10;

async function runToEnd(running: Running): Promise<ExitCode> {
  const { context, config, voice, interrupts, input } = running;
  const say = (message: string) => voice.screen.say(message);
  for (let nth = 1; ; nth += 1) {
    const session = await openSession(context, {
      config,
      worker: true,
      mustBeOurs: running.mustBeOurs,
      say,
      signal: interrupts.signal,
    });
    try {
      if (session.system) await tellDashboard(context, voice, { config, api: session.api });
      const end = await driveOn(
        session,
        { voice, signal: interrupts.signal, dataDir: namedDir(config) },
        input,
      );
      return await conclude(session, config, voice, end, input.spec);
    } catch (error) {
      const isLost =
        error instanceof ApiUnreachableError && session.system === undefined && config.api.url === undefined;
      if (!isLost || nth === MAX_SESSIONS) throw error;
      voice.screen.clear();
      say("the process that ran the system has ended; going on without it");
    } finally {
      await session.close();
    }
  }
}

/** Drives the campaign, unless the system under it dies first. */
export async function driveOn(
  session: Session,
  driver: Omit<Driver, "api">,
  input: DriveInput,
): Promise<DriveEnd> {
  driver.signal.throwIfAborted();
  const drive = driveCampaign({ ...driver, api: session.api }, input);
  return session.system ? Promise.race([drive, session.system.failed]) : drive;
}

async function conclude(
  session: Session,
  config: Config,
  voice: Voice,
  end: DriveEnd,
  spec: CampaignSpec,
): Promise<ExitCode> {
  const report = await session.api.campaigns.report(end.campaignId);
  if (end.kind !== "over") {
    if (end.kind === "interrupted") {
      voice.tell([`campaign "${spec.name}" is ${report.state}: the same command carries on with it`]);
    }
    voice.json(reportJson(report, undefined));
    return end.kind === "interrupted" ? EXIT.interrupted : EXIT.notFinished;
  }
  const paths = await keepReport(session.api, report, config.dataDir);
  voice.tell(["", ...reportLines(report, voice.colours), "", ...pathLines(paths)]);
  voice.json(reportJson(report, paths));
  return exitCodeOf(report);
}

/** Done only where the campaign is completed and everybody is accounted for. */
export function exitCodeOf({ state, contacts }: ReportWire): ExitCode {
  if (state !== "completed") return EXIT.notFinished;
  return contacts.done + contacts.excluded === contacts.total ? EXIT.ok : EXIT.failed;
}

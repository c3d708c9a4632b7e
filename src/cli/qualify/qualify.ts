import type { CliCommand, Doing } from "../cli-command.ts";
import { reasonWords } from "../../domain/ground/reason-words.ts";
import type { Config } from "../../config.ts";
import { carriedOver } from "../../domain/campaigns/platform-profile.ts";
import { VERSION } from "../../http/version.ts";
import { maskPhone, PlatformError, type Platform } from "../../platform/index.ts";
import { findProfile, profileFile, writeProfile } from "../../profile-file.ts";
import { readMap } from "../contact-list.ts";
import type { CliContext, Voice } from "../context.ts";
import { CliError } from "../errors.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { InterruptedError, watchInterrupts } from "../interrupts.ts";
import { jsonOption, mapOption, regionOption } from "../options.ts";
import { openByHand } from "../platform/open.ts";
import { canAsk, openQuestions } from "../questions.ts";
import { studyInterrupted, studyUnstarted, studyWhole } from "./batches.ts";
import { chooseAgent, chooseNumber } from "./choices.ts";
import { studyLists } from "./lists.ts";
import { readPhones } from "./phones.ts";
import { blankProfile, studyPace, type Study } from "./study.ts";
import { profileLines } from "./summary.ts";
import { attempt } from "./looking.ts";

interface QualifyOptions {
  numbers: string;
  agentId?: string;
  fromNumber?: string;
  map: readonly string[];
  defaultRegion?: string;
  yes?: true;
  out?: string;
  json?: true;
}

const HELP = `
Finds out what the platform does where its contract is silent: its words, page sizes, filters and times, what
pause, cancel and a second start do, what its stream says. It makes two or three batches of its own, calls each
phone of the file once (a second start may call again, and is asked for), and deletes the batches.

The phones must be yours, or their owners must have agreed: 20 at most. Each is asked for at the beginning, and
those of a batch again before it is started. No calling window, suppression or stop-all is looked at.

What it finds stands in a profile in the data folder. \`outdial doctor\` shows it; a worker reads it when it
starts, and takes from it only what makes dialing more careful.

Examples:
  outdial qualify --numbers my-phones.csv
  outdial qualify --numbers my-phones.csv --agent-id 6f1c... --from-number +12025550100 --out profile.json`;

export function registerQualify(program: CliCommand, context: CliContext): void {
  program
    .command("qualify")
    .here()
    .description(
      "Finds out with phones of your own what the platform really does, and keeps it as a profile.",
    )
    .requiredOption("--numbers <list>", "CSV or NDJSON file of phones that may be called, 20 at most")
    .option("--agent-id <id>", "the agent that calls; by default the only one that is published")
    .option("--from-number <number>", "the number that it calls from; by default the first one owned")
    .addOption(mapOption())
    .addOption(regionOption())
    .option("--yes", "call every phone of the file without asking")
    .option("--out <file>", "where the profile goes, instead of the data folder")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does((doing, options: QualifyOptions) => qualify(context, doing, options));
}

async function qualify(
  context: CliContext,
  { config, voice }: Doing,
  options: QualifyOptions,
): Promise<ExitCode> {
  const phones = await readPhones(options.numbers, readMap(options.map), options.defaultRegion);
  if (!options.yes && !canAsk(context)) {
    throw new CliError(
      "each call is asked for, and nobody can be asked here: run it in a terminal, or add --yes",
      EXIT.badInput,
    );
  }
  const platform = await openByHand(context, config);
  const headerOnly = await openByHand(context, config, { streamTokenInQuery: false });
  const interrupts = watchInterrupts(() => {
    context.stderr.write("left at once: batches named `outdial qualify` may be left on the platform\n");
  });
  const questions = openQuestions(context);
  try {
    const study = await beginStudy(
      { config, options, voice, platform, headerOnly },
      interrupts.signal,
      (question) => (options.yes ? Promise.resolve(true) : questions.ask(question, interrupts.signal)),
    );
    try {
      await findOut(study, phones);
    } finally {
      await takeAway(study);
    }
    const file = options.out ?? profileFile(config);
    const earlier = findProfile(config, file);
    const profile =
      earlier.kind === "found" ? carriedOver(study.found, earlier.profile, study.words.up) : study.found;
    await writeProfile(file, profile);
    voice.tell(profileLines(profile, voice.colours));
    voice.tell([
      "",
      ...(earlier.kind === "found"
        ? [`what was not found out this time is kept from the profile of ${earlier.profile.made_at}`]
        : []),
      file === profileFile(config)
        ? `profile written to ${file}; a worker that runs reads it when it is started again`
        : `profile written to ${file}; it counts once OUTDIAL_PLATFORM_PROFILE names it, for a worker that is started then`,
    ]);
    voice.json(profile);
    return EXIT.ok;
  } catch (error) {
    if (error instanceof InterruptedError || interrupts.signal.aborted)
      throw new CliError(
        "interrupted, and nothing that was found out is kept: run the same command again",
        EXIT.interrupted,
        { code: "interrupted" },
      );
    throw error instanceof PlatformError
      ? new CliError(
          `${error.message}: \`outdial doctor\` looks at the platform, the key and its scopes`,
          EXIT.failed,
          {
            cause: error,
          },
        )
      : error;
  } finally {
    questions.close();
    interrupts.end();
    await Promise.all([platform.close(), headerOnly.close()]);
  }
}

interface Setting {
  readonly config: Config;
  readonly options: QualifyOptions;
  readonly voice: Voice;
  readonly platform: Platform;
  readonly headerOnly: Platform;
}

async function beginStudy(
  { config, options, voice, platform, headerOnly }: Setting,
  signal: AbortSignal,
  ask: Study["ask"],
): Promise<Study> {
  const agentId = await chooseAgent(platform, options.agentId);
  const fromNumber = await chooseNumber(platform, options.fromNumber);
  const { baseUrl = "" } = config.platform;
  const found = blankProfile(baseUrl, VERSION, new Date());
  voice.tell([`${found.base_url}: agent ${agentId} calls from ${maskPhone(fromNumber)}`]);
  return {
    platform,
    headerOnly,
    agentId,
    fromNumber,
    pace: studyPace(config.speed),
    found,
    made: new Set(),
    words: { overCalls: new Set(), up: new Set() },
    signal,
    say: (line) => voice.tell([line]),
    ask,
  };
}

async function findOut(study: Study, phones: readonly string[]): Promise<void> {
  await studyLists(study);
  const allowed: string[] = [];
  for (const phone of phones) {
    if (await study.ask(`Call ${maskPhone(phone)}?`)) allowed.push(phone);
  }
  const { not_tried: notTried } = study.found;
  if (allowed.length > 0) await studyUnstarted(study, allowed);
  let left: readonly string[] = allowed;
  if (allowed.length > 1) {
    const untouched = await studyInterrupted(study, allowed.slice(0, 2));
    left = [...untouched, ...allowed.slice(2)];
  } else {
    notTried.push("pause and cancel of a running batch: needs two phones");
  }
  if (left.length > 0) await studyWhole(study, left);
  else notTried.push("a batch from start to end, a second start, filters: no phone was left to call");
}

/** Stops and deletes what is left of our batches, whatever happened: no phone rings when we are gone. */
async function takeAway({ platform, made, say }: Study): Promise<void> {
  for (const id of made) {
    const cancelled = await attempt(() => platform.batchCalls.cancel(id)).catch(unclear);
    const deleted = await attempt(() => platform.batchCalls.delete(id)).catch(unclear);
    if (!deleted.done)
      say(`batch ${id} is left on the platform: cancel ${cancelled.text}, delete ${deleted.text}`);
  }
}

/** Whatever ended the qualification is told; this is beside it. */
function unclear(error: unknown): { done: false; text: string } {
  return { done: false, text: reasonWords(error) };
}

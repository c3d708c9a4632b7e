import { Command, CommanderError } from "commander";

import { VERSION } from "../http/version.ts";
import { registerAttentionList } from "./attention/list.ts";
import { registerAttentionResolve } from "./attention/resolve.ts";
import { registerAutomationCommands } from "./automation/automation.ts";
import { registerCampaignAmend } from "./campaign/amend.ts";
import { registerCampaignControls } from "./campaign/control.ts";
import { registerCampaignCreate } from "./campaign/create.ts";
import { registerCampaignExplain } from "./campaign/explain.ts";
import { registerCampaignExport } from "./campaign/export.ts";
import { registerCampaignList } from "./campaign/list.ts";
import { registerCampaignStart } from "./campaign/start.ts";
import { registerCampaignStatus } from "./campaign/status.ts";
import { registerCampaignWatch } from "./campaign/watch.ts";
import { registerContactsValidate } from "./contacts-validate.ts";
import type { CliContext } from "./context.ts";
import { registerDeclaredCommands } from "./declared/declared.ts";
import { registerDemo } from "./demo.ts";
import { registerDoctor } from "./doctor/doctor.ts";
import { explain } from "./errors.ts";
import { EXIT, EXIT_HELP, type ExitCode } from "./exit-codes.ts";
import { registerFollowUpCommands } from "./follow-up/commands.ts";
import { registerFollowUpList } from "./follow-up/list.ts";
import { registerFollowUpShow } from "./follow-up/show.ts";
import { registerGoOn } from "./go-on.ts";
import { registerHealth } from "./health.ts";
import { dataDirOption } from "./options.ts";
import { registerPlatform } from "./platform/platform.ts";
import { registerQualify } from "./qualify/qualify.ts";
import { registerRecover } from "./recover.ts";
import { registerRun } from "./run.ts";
import { registerSandbox } from "./sandbox.ts";
import { registerKeyCommands } from "./key/key.ts";
import { registerScheduleCommands } from "./schedule/schedule.ts";
import { registerSequenceCommands } from "./sequence/sequence.ts";
import { registerServer } from "./server.ts";
import { registerStopAll } from "./stop-all.ts";
import { registerSuppressAdd } from "./suppress/add.ts";
import { registerSuppressImport } from "./suppress/import.ts";
import { registerSuppressList } from "./suppress/list.ts";
import { registerSuppressRemove } from "./suppress/remove.ts";
import { registerSweep } from "./sweep.ts";
import { registerTagList } from "./tag/list.ts";
import { registerTagRemove } from "./tag/remove.ts";
import { registerTriggerCommands } from "./trigger/trigger.ts";
import { registerUi } from "./ui.ts";
import { printable } from "./view/printable.ts";
import { registerWorker } from "./worker.ts";

const HELP = `
Settings are environment variables; \`outdial doctor\` says which are wrong. Commands about campaigns and
suppressions talk to the system that runs on the data folder, or at OUTDIAL_API_URL.

${EXIT_HELP}

Examples:
  outdial demo
  outdial run campaign.yaml --contacts list.csv
  outdial doctor campaign.yaml
  outdial campaign status spring-renewal
  outdial suppress add +12025550143 --reason "asked on the phone"
  outdial stop-all`;

/** Every command. Nothing of them is done before the program is told to parse. */
function buildProgram(context: CliContext): Command {
  const program = new Command("outdial")
    .description("Durable phone campaigns with AI voice agents, under policy.")
    .version(VERSION, "-V, --version", "the version")
    .helpOption("-h, --help", "this help")
    // Behind a command's name its own options count: an agent of the platform has a --version, too.
    .enablePositionalOptions()
    .addOption(dataDirOption())
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, "outdial: ")),
    })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("(--help says more)")
    .exitOverride()
    .addHelpText("after", HELP);
  registerDemo(program, context);
  registerRun(program, context);
  registerDoctor(program, context);
  registerCampaignCommands(program, context);
  registerSequenceCommands(program, context);
  registerSuppressCommands(program, context);
  registerTriggerCommands(program, context);
  registerAutomationCommands(program, context);
  registerScheduleCommands(program, context);
  registerDeclaredCommands(program, context);
  registerKeyCommands(program, context);
  registerFollowUpAll(program, context);
  const tag = program.command("tag").description("Words that follow-ups gave to people.");
  registerTagList(tag, context);
  registerTagRemove(tag, context);
  const contacts = program.command("contacts").description("Looks at lists.");
  registerContactsValidate(contacts, context);
  const attention = program.command("attention").description("What waits for a person.");
  registerAttentionList(attention, context);
  registerAttentionResolve(attention, context);
  registerSweep(program, context);
  registerStopAll(program, context);
  registerGoOn(program, context);
  registerRecover(program, context);
  registerWorker(program, context);
  registerServer(program, context);
  registerSandbox(program, context);
  registerPlatform(program, context);
  registerQualify(program, context);
  registerUi(program, context);
  registerHealth(program, context);
  for (const command of program.commands) takeDataDir(command);
  return program;
}

/** `--data-dir` is taken behind every command's name, too; the help tells of it once, as a global option. */
function takeDataDir(command: Command): void {
  command.addOption(dataDirOption().hideHelp());
  for (const inner of command.commands) takeDataDir(inner);
}

function registerCampaignCommands(program: Command, context: CliContext): void {
  const campaign = program
    .command("campaign")
    .description("Creates, starts, pauses, watches campaigns of a running system.");
  registerCampaignCreate(campaign, context);
  registerCampaignStart(campaign, context);
  registerCampaignControls(campaign, context);
  registerCampaignAmend(campaign, context);
  registerCampaignStatus(campaign, context);
  registerCampaignWatch(campaign, context);
  registerCampaignList(campaign, context);
  registerCampaignExport(campaign, context);
  registerCampaignExplain(campaign, context);
}

function registerFollowUpAll(program: Command, context: CliContext): void {
  const followUp = program
    .command("follow-up")
    .description("What is done after calls, and what became of it.");
  registerFollowUpList(followUp, context);
  registerFollowUpShow(followUp, context);
  registerFollowUpCommands(followUp, context);
}

function registerSuppressCommands(program: Command, context: CliContext): void {
  const suppress = program.command("suppress").description("Numbers that must not be dialed.");
  registerSuppressAdd(suppress, context);
  registerSuppressRemove(suppress, context);
  registerSuppressImport(suppress, context);
  registerSuppressList(suppress, context);
}

/**
 * Runs one command line. Every error is one message with its remedy on standard error.
 *
 * @param showStack an unexpected error is shown with where it happened
 */
export async function runProgram(
  context: Omit<CliContext, "finish">,
  args: readonly string[],
  showStack: () => boolean,
): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const program = buildProgram({
    ...context,
    finish(ended) {
      code = ended;
    },
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    // Commander has said already what is wrong with the arguments; asking for help is no mistake.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
    const { message, exitCode, unexpected } = explain(error);
    context.stderr.write(`outdial: ${printable(message)}\n`);
    if (showStack()) context.stderr.write(`${error instanceof Error ? (error.stack ?? "") : ""}\n`);
    else if (unexpected) context.stderr.write("(OUTDIAL_LOG_LEVEL=debug shows where this happened)\n");
    return exitCode;
  }
}

import { CommanderError, Help, type Command } from "commander";

import { VERSION } from "../http/version.ts";
import { wantsJson } from "./answer-form.ts";
import { CliCommand } from "./cli-command.ts";
import { COMMANDS, type CommandGroup, type SingleCommand } from "./commands.ts";
import type { CliContext } from "./context.ts";
import { EXIT, EXIT_HELP, type ExitCode } from "./exit-codes.ts";
import { contextOption, dataDirOption } from "./options.ts";
import { printable } from "./view/printable.ts";
import { usageText } from "./usage-text.ts";

const HELP = `
Settings are environment variables; \`outdial doctor\` says which are wrong. Commands about campaigns and
suppressions talk to the system that runs on the data folder, or at OUTDIAL_API_URL, or to that of a context.

${EXIT_HELP}

Examples:
  outdial demo
  outdial run campaign.yaml --contacts list.csv
  outdial doctor campaign.yaml
  outdial campaign status spring-renewal
  outdial suppress add +12025550143 --reason "asked on the phone"
  outdial stop-all`;

/**
 * The program as far as a command line needs it: the command that it names is loaded, of the others there is what
 * the list of commands says. Nothing is done before the program is told to parse.
 */
async function buildProgram(
  context: CliContext,
  args: readonly string[],
  { whole = false } = {},
): Promise<CliCommand> {
  const listed = new Map<Command, string>();
  const program = new CliCommand(context, "outdial")
    .description("Durable phone campaigns with AI voice agents, under policy.")
    .version(VERSION, "-V, --version", "the version")
    .helpOption("-h, --help", "this help")
    // Behind a command's name its own options count: an agent of the platform has a --version, too.
    .enablePositionalOptions()
    .addOption(dataDirOption())
    .addOption(contextOption())
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      // A program is told of what is wrong once, by the object that the command ends with.
      writeErr: (text) => (wantsJson(args) ? true : context.stderr.write(text)),
      outputError: (text, write) => write(text.startsWith("error: ") ? `outdial: ${usageText(text)}` : text),
    })
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (command) => listed.get(command) ?? Help.prototype.subcommandTerm(command),
    })
    .showHelpAfterError("(--help says more)")
    .exitOverride()
    .addHelpText("after", HELP);
  const words = commandWords(program, args);
  const asksForHelp = words[0] === "help";
  const [name, inner] = asksForHelp ? words.slice(1) : words;
  for (const entry of COMMANDS) {
    const isNamed = whole || entry.name === name;
    switch (entry.kind) {
      case "group":
        await addGroup(program, context, entry, isNamed, whole || asksForHelp ? undefined : inner);
        break;
      case "single":
        if (isNamed) await addSingle(program, context, entry);
        else listed.set(program.command(entry.name).summary(entry.summary), termOf(entry));
        break;
    }
  }
  // No command for people: the scripts of `completion` call it.
  if (name === "__complete") (await import("./completion/values.ts")).registerComplete(program, context);
  for (const command of program.commands) takeSystem(command);
  return program;
}

/** The program with every command loaded, to be looked at: it takes a second, and is not for running. */
export async function wholeProgram(context: CliContext): Promise<CliCommand> {
  const program = await buildProgram(context, [], { whole: true });
  const complete = (command: Command): void => {
    if (command instanceof CliCommand) command.complete();
    for (const inner of command.commands) complete(inner);
  };
  complete(program);
  return program;
}

/** What stands on a command line beside options and the program's own options' values: a command's name comes first. */
function commandWords(program: Command, args: readonly string[]): string[] {
  const takesNext = (word: string | undefined) =>
    word !== undefined &&
    program.options.some((option) => option.required && (option.long === word || option.short === word));
  return args.filter((word, at) => !word.startsWith("-") && !takesNext(args[at - 1]));
}

/** As it would be listed if it was loaded. Each takes `--data-dir` at least. */
function termOf({ name, takes }: SingleCommand): string {
  return [name, "[options]", ...(takes === undefined ? [] : [takes])].join(" ");
}

async function addSingle(program: CliCommand, context: CliContext, entry: SingleCommand): Promise<void> {
  const register = await entry.load();
  register(program, context);
  const command = program.commands.find((one) => one.name() === entry.name);
  if (!command) throw new Error(`the module of ${entry.name} makes no such command`);
  if (command.description() === "") command.description(entry.summary);
  command.summary(entry.summary);
}

/** With the one command that is named in it; where none of them is, its help or a complaint lists all. */
async function addGroup(
  program: CliCommand,
  context: CliContext,
  { name, description, modules }: CommandGroup,
  isNamed: boolean,
  inner: string | undefined,
): Promise<void> {
  const group = program.command(name).description(description);
  if (!isNamed) return;
  const named = modules.filter(({ names }) => inner !== undefined && names.includes(inner));
  for (const { load } of named.length > 0 ? named : modules) (await load())(group, context);
}

/** Both are taken behind every command's name, too; the help tells of them once, as global options. */
function takeSystem(command: Command): void {
  command.addOption(dataDirOption().hideHelp());
  command.addOption(contextOption().hideHelp());
  for (const inner of command.commands) takeSystem(inner);
}

/** What a program runs with. Settings take a while to load, and only what is done needs them. */
export interface ProgramContext extends Omit<CliContext, "finish" | "settings"> {
  openSettings(): Promise<CliContext["settings"]>;
}

/**
 * Runs one command line. Every error is one message with its remedy on standard error; with `--json` it is one object
 * there, the last line.
 *
 * @param showStack an unexpected error is shown with where it happened
 */
export async function runProgram(
  context: ProgramContext,
  args: readonly string[],
  showStack: () => Promise<boolean>,
): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  let settings: CliContext["settings"] | undefined;
  try {
    const program = await buildProgram(
      {
        ...context,
        settings(dataDir, asked) {
          if (!settings) throw new Error("settings are read by what a command does, not before");
          return settings(dataDir, asked);
        },
        finish(ended) {
          code = ended;
        },
      },
      args,
    );
    program.hook("preAction", async () => {
      const read = await context.openSettings();
      const { withContext } = await import("./contexts/chosen.ts");
      settings = (dataDir, asked) => withContext(read(dataDir), { ...asked, dataDir });
    });
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    // Asking for help is no mistake; and nobody is there to be told that nobody is there.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    if (context.readerGone?.aborted && isOfReader(error)) return code;
    return tellFailure(context, args, error, showStack);
  }
}

async function tellFailure(
  context: ProgramContext,
  args: readonly string[],
  error: unknown,
  showStack: () => Promise<boolean>,
): Promise<ExitCode> {
  const { explain, failureJson } = await import("./errors.ts");
  const explained = explain(error);
  const { stderr } = context;
  if (wantsJson(args)) {
    if (await showStack()) stderr.write(`${stackOf(error)}\n`);
    stderr.write(`${JSON.stringify(failureJson(explained))}\n`);
  } else if (!(error instanceof CommanderError)) {
    // Commander has said already what is wrong with the arguments.
    stderr.write(`outdial: ${printable(explained.message)}\n`);
    if (await showStack()) stderr.write(`${stackOf(error)}\n`);
    else if (explained.unexpected) stderr.write("(OUTDIAL_LOG_LEVEL=debug shows where this happened)\n");
  }
  return explained.exitCode;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? "") : "";
}

function isOfReader(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EPIPE" || error.code === "aborted");
}

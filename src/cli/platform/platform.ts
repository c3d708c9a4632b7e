import { Argument, Option } from "commander";

import { CliCommand } from "../cli-command.ts";
import { operations, resources, type OperationEntry } from "../../platform/index.ts";
import type { CliContext } from "../context.ts";
import { jsonOption } from "../options.ts";
import type { PerformOptions } from "./answer.ts";
import { fieldsOf, takesBody, type Field } from "./fields.ts";
import type { Given } from "./input.ts";
import { registerLive } from "./live.ts";
import { perform } from "./perform.ts";
import { showsKeyOnce } from "./secrets.ts";
import type { GivenValue } from "./values.ts";
import { kebab } from "./words.ts";

/*
 * `outdial platform`: every operation of the platform as a command, made from the client's table of operations.
 * Nothing about a single operation is said here, but for what is secret (secrets.ts). What holds several together is in
 * live.ts.
 */

const HELP = `
Every operation of the platform by hand, with the key of the settings. What is dialed so is not a campaign's: no
calling window, suppression, cap or stop-all is asked.

Fields are options, or stand in a JSON object that --body names (- is standard input); an option goes before the
same field in the object. Secrets, and what is named like one inside of JSON, are read from files or standard
input only, and shown only with --show-secret or in the file of --out. What deletes or dials asks first; --yes answers.

Examples:
  outdial platform agents list
  outdial platform agents create --agent-name "Renewals" --body agent.json
  outdial platform agents export 6f1c... --out agent.json
  outdial platform calls list --status ended --from-date 2026-11-01 --all --json
  outdial platform calls recording 6f1c... --out call.ogg
  outdial platform batch-calls follow 6f1c...
  outdial platform chat talk 6f1c...
  outdial platform api-keys create --name worker --scopes batch_calls:write,calls:read --out worker.key.json`;

export function registerPlatform(program: CliCommand, context: CliContext): void {
  const platform = program
    .command("platform")
    .description("Sends any operation of the platform, and shows its answer.")
    .addHelpText("after", HELP);
  for (const [resource, { section, title }] of Object.entries(resources)) {
    registerResource(platform, context, resource, section, title);
  }
}

function registerResource(
  platform: CliCommand,
  context: CliContext,
  resource: string,
  section: string,
  title: string,
): void {
  const group = platform
    .command(kebab(resource))
    .summary(inSentence(title))
    .description(`${title} (section ${section} of the platform's contract).`)
    // Its help would not know the fields, which are made for the command that is run.
    .helpCommand(false);
  for (const entry of operations.filter((one) => one.resource === resource)) {
    registerOperation(group, context, entry);
  }
  registerLive(group, context, resource);
  group.hook("preSubcommand", (_group, command) => {
    if (command instanceof CliCommand) command.complete();
  });
}

/** A title as it stands in a list: in lower case, unless its first word is an abbreviation. */
function inSentence(title: string): string {
  return /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}

/** Its options come last: the rules of a hundred operations in words would cost every command a while. */
function registerOperation(group: CliCommand, context: CliContext, entry: OperationEntry): void {
  const command = group
    .command(kebab(entry.action))
    .here()
    .summary(entry.summary)
    .description(`${entry.summary}.`)
    .addHelpText("after", () => contractText(entry));
  for (const [name, rule] of Object.entries(entry.params.shape)) {
    const argument = new Argument(`<${name}>`);
    const words: unknown = "options" in rule ? rule.options : undefined;
    command.addArgument(Array.isArray(words) ? argument.choices(words.map(String)) : argument);
  }
  let fields: readonly FieldOption[] = [];
  command.does(({ config }, ...args: unknown[]) =>
    perform(context, config, entry, givenBy(command, fields, args), command.opts<PerformOptions>()),
  );
  command.completedBy(() => {
    fields = fieldsOf(entry).map((field) => ({ field, option: optionOf(field) }));
    for (const { option } of fields) command.addOption(option);
    addCommonOptions(command, entry);
  });
}

interface FieldOption {
  readonly field: Field;
  readonly option: Option;
}

function optionOf(field: Field): Option {
  const required = field.isRequired ? " (required)" : "";
  const option = new Option(`${field.flag} ${placeholderOf(field)}`, `${field.rules}${required}`);
  return option
    .helpGroup(field.part === "query" ? "Query:" : "Fields:")
    .argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), text]);
}

function placeholderOf({ kind }: Field): string {
  switch (kind) {
    case "text":
    case "texts":
      return "<text>";
    case "number":
      return "<n>";
    case "flag":
      return "[true|false]";
    case "map":
      return "<name=value>";
    case "json":
      return "<json>";
    case "secret":
      return "<file>";
    case "secrets":
      return "<name=file>";
  }
}

function addCommonOptions(command: CliCommand, entry: OperationEntry): void {
  const { body, answer, asks, name } = entry;
  if (body === "multipart") {
    command.addOption(
      new Option("--file <path>", "the file to upload; - is standard input").makeOptionMandatory(),
    );
    command.option("--filename <name>", "what the platform is to call it, instead of its own name");
  }
  if (takesBody(entry)) {
    command.option("--body <file>", "file with a JSON object of fields; - is standard input");
  }
  const isList = answer.kind === "page" || answer.kind === "array";
  if (isList) command.option("--all", "every row, page by page; with --json a row a line");
  if (answer.kind === "object" || isList) {
    command.option(
      "--show-secret",
      showsKeyOnce(name)
        ? "print the key, which no other answer shows"
        : "print keys and tokens of the answer",
    );
  }
  if (answer.kind !== "nothing") {
    command.option("--out <file>", "write the answer into a new file that only you may read");
  }
  if (asks !== undefined) command.option("--yes", "do not ask first");
  command.addOption(jsonOption());
}

/** What stands on the command line. Commander hands over path parameters first, then options and the command. */
function givenBy(command: CliCommand, fields: readonly FieldOption[], args: readonly unknown[]): Given {
  const options = command.opts<Record<string, unknown>>();
  const text = (name: string) => (typeof options[name] === "string" ? options[name] : undefined);
  const file = text("file");
  return {
    ids: args.slice(0, command.registeredArguments.length).map(String),
    fields: new Map(
      fields.flatMap(({ field, option }) => {
        const values = options[option.attributeName()];
        return values === undefined ? [] : [[field, valuesOf(values)] as const];
      }),
    ),
    body: text("body"),
    upload: file === undefined ? undefined : { file, filename: text("filename") },
  };
}

/** An option whose value was left out is `true`. */
function valuesOf(values: unknown): GivenValue {
  return Array.isArray(values) ? values.map((value) => (value === true ? true : String(value))) : [true];
}

function contractText({ endpoint, section }: OperationEntry): string {
  return `\n${endpoint.method} ${endpoint.route} (section ${section} of the platform's contract)`;
}

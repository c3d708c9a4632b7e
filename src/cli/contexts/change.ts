import path from "node:path";
import { text } from "node:stream/consumers";
import { InvalidArgumentError, Option } from "commander";

import { isLoopback } from "../../http/loopback.ts";
import { httpUrl } from "../../settings/setting.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CliContext } from "../context.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption } from "../options.ts";
import { contextIn } from "./chosen.ts";
import { changeContexts, CONTEXT_NAME, type Context } from "./context-file.ts";
import { shownContext } from "./show.ts";

const HELP = `
What is not named stays as it was. A token is kept in the file of contexts, which only you may read, or better in a
file of its own or behind a command that prints it; it never stands on a command line. A protected context asks
before something grave is done in it, or takes --yes; stop-all never asks.

Examples:
  outdial context set production --url https://outdial.example.com --token-file ~/.outdial-token --protected --use
  outdial context set staging --url https://staging.example.com --token-command "pass outdial/staging"
  outdial context set local --url http://127.0.0.1:8480 --token-stdin < token`;

interface SetOptions {
  url?: string;
  tokenFile?: string;
  tokenCommand?: string;
  tokenStdin?: true;
  ca?: string;
  brand?: string;
  protected?: boolean;
  use?: true;
}

export function registerContextChanges(group: CliCommand, context: CliContext): void {
  registerUse(group);
  registerSet(group, context);
  registerDelete(group);
}

function registerUse(group: CliCommand): void {
  group
    .command("use")
    .description("Has commands go by a context from now on, where nothing else is said.")
    .argument("[context]", "its name")
    .option("--none", "by no context any more")
    .here()
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string | undefined, { none }: { none?: true }) => {
      if ((name === undefined) === (none === undefined))
        throw new CliError("name a context, or add --none for no context", EXIT.badInput);
      const found = changeContexts(config.api.contextsFile, ({ current: _current, ...rest }) =>
        name === undefined ? rest : { current: checked(rest, name), ...rest },
      );
      const url = name === undefined ? undefined : contextIn(found, name).url;
      voice.tell([
        name === undefined ? "commands go by no context" : `commands go by ${name} (${url ?? ""})`,
      ]);
      voice.json({ current: name ?? null, url: url ?? null });
    });
}

function checked(file: Parameters<typeof contextIn>[0], name: string): string {
  contextIn(file, name);
  return name;
}

function registerSet(group: CliCommand, context: CliContext): void {
  const tokens = ["tokenFile", "tokenCommand", "tokenStdin"];
  const only = (option: Option) => option.conflicts(tokens.filter((name) => name !== option.attributeName()));
  group
    .command("set")
    .description("Makes a context, or changes one.")
    .argument("<context>", "its name, such as production", contextName)
    .addOption(new Option("--url <address>", "where its API is").argParser(address))
    .addOption(only(new Option("--token-file <file>", "the token is in this file, read each time")))
    .addOption(only(new Option("--token-command <command>", "the token is what this prints, run each time")))
    .addOption(only(new Option("--token-stdin", "the token stands on standard input, and is kept")))
    .option("--ca <file>", "certificate of who signed the API's, in PEM")
    .option("--brand <brand>", "whose campaigns are meant where nobody says it")
    .option("--protected", "ask before something grave is done there")
    .option("--no-protected", "do not ask any more")
    .option("--use", "have commands go by it from now on")
    .here()
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, name: string, options: SetOptions) => {
      const token = options.tokenStdin && (await tokenIn(context));
      const found = changeContexts(config.api.contextsFile, (file) => {
        const before = Object.hasOwn(file.contexts, name) ? file.contexts[name] : undefined;
        const contexts = { ...file.contexts, [name]: changed(name, before, options, token) };
        return { ...file, contexts, ...(options.use && { current: name }) };
      });
      const one = shownContext(found, name, contextIn(found, name));
      voice.tell([
        `the context ${name} is ${one.url}${one.current ? ", which commands go by" : ""}`,
        ...(isReadable(one.url)
          ? [
              voice.colours.yellow(
                "warning: without TLS its token and people's numbers can be read on the way",
              ),
            ]
          : []),
      ]);
      voice.json(one);
    });
}

function changed(
  name: string,
  before: Context | undefined,
  options: SetOptions,
  token: string | undefined,
): Context {
  const { tokenFile, tokenCommand, ca, brand } = options;
  const url = options.url ?? before?.url;
  if (url === undefined)
    throw new CliError(`the context ${name} is new: say where its API is with --url`, EXIT.badInput);
  const { token: _token, token_file: _file, token_command: _command, ...rest } = before ?? {};
  const isNewToken = tokenFile !== undefined || tokenCommand !== undefined || token !== undefined;
  // A token is for its system: it does not go to another address in silence.
  if (
    before !== undefined &&
    url !== before.url &&
    !isNewToken &&
    (before.token ?? before.token_command ?? before.token_file) !== undefined
  )
    throw new CliError(
      `the token of ${name} is for ${before.url}: name the one for ${url} with --token-file, --token-command or --token-stdin`,
      EXIT.badInput,
    );
  return {
    ...(isNewToken ? rest : before),
    url,
    ...(tokenFile !== undefined && { token_file: path.resolve(tokenFile) }),
    ...(tokenCommand !== undefined && { token_command: tokenCommand }),
    ...(token !== undefined && { token }),
    ...(ca !== undefined && { ca_file: path.resolve(ca) }),
    ...(brand !== undefined && { brand }),
    ...(options.protected !== undefined && { protected: options.protected }),
  };
}

function registerDelete(group: CliCommand): void {
  group
    .command("delete")
    .description("Forgets a context, and the token that is kept of it.")
    .argument("<context>", "its name")
    .here()
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string) => {
      changeContexts(config.api.contextsFile, (file) => {
        contextIn(file, name);
        const { current, contexts } = file;
        const others = Object.fromEntries(Object.entries(contexts).filter(([other]) => other !== name));
        return { ...(current !== undefined && current !== name && { current }), contexts: others };
      });
      voice.tell([`the context ${name} is forgotten`]);
      voice.json({ deleted: name });
    });
}

function contextName(name: string): string {
  if (CONTEXT_NAME.test(name)) return name;
  throw new InvalidArgumentError(
    "It must be letters, digits, -, _ and ., 64 at most, beginning with a letter or digit, such as production.",
  );
}

function address(given: string): string {
  const parsed = httpUrl.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError(`It ${parsed.error.issues[0]?.message ?? "must be an address"}.`);
}

async function tokenIn({ stdin }: CliContext): Promise<string> {
  const given = stdin === undefined ? "" : (await text(stdin)).trim();
  if (/^[\x21-\x7e]{16,}$/.test(given)) return given;
  throw new CliError(
    "standard input holds no token: pipe one in, one word of 16 characters or more",
    EXIT.badInput,
  );
}

function isReadable(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !isLoopback(hostname);
}

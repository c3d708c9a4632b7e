import fs from "node:fs";

import type { Config } from "../../config.ts";
import { reasonWords } from "../../domain/ground/reason-words.ts";
import type { AskedContext } from "../context.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { readContexts, type Context, type ContextFile } from "./context-file.ts";

/*
 * Which context a command goes by. What is said nearer to the command goes before what is said once for all:
 *
 * 1. `--context`; refused beside another address or data folder, since one of them would be passed over in silence.
 * 2. OUTDIAL_API_URL and `--data-dir`: no context.
 * 3. OUTDIAL_CONTEXT.
 * 4. DATABASE_URL and OUTDIAL_DATA_DIR, by which a machine is set up for its own system: no context.
 * 5. The context that `outdial context use` named.
 *
 * A context's address goes with its own token, and with that of the environment only where it names none: the token
 * of one system must not be shown to another.
 */

interface Asked extends Partial<AskedContext> {
  readonly dataDir: string | undefined;
}

/** The settings as the context has them. @throws CliError where it is not there, or not clear which one is meant */
export function withContext(config: Config, asked: Asked): Config {
  const name = contextNameFor(config, asked, () => readContexts(config.api.contextsFile).current);
  if (name === undefined) {
    return asked.isHere === true && goesElsewhere(config, asked)
      ? { ...config, api: { ...config.api, isContextElsewhere: true } }
      : config;
  }
  const context = contextIn(readContexts(config.api.contextsFile), name);
  const { url } = config.api;
  if (url !== undefined && url !== context.url) {
    throw unclear(
      `--context ${name} is ${context.url}, and OUTDIAL_API_URL is ${url}: leave out --context, or unset OUTDIAL_API_URL`,
    );
  }
  const { ca_file: caFile, brand } = context;
  return {
    ...config,
    api: {
      ...config.api,
      url: context.url,
      caFile: caFile ?? config.api.caFile,
      context: {
        name,
        isProtected: context.protected === true,
        brand,
        isNamedHere: asked.context !== undefined,
        isTokenOfProgram: context.token_command !== undefined,
        token: () => tokenOf(name, context) ?? config.api.token,
      },
    },
  };
}

/** Whether the same words without `--data-dir` would be said to a context's system. */
function goesElsewhere(config: Config, asked: Asked): boolean {
  try {
    const { current } = readContexts(config.api.contextsFile);
    return contextNameFor(config, { ...asked, isHere: false }, () => current) !== undefined;
  } catch {
    // What can't be read is told by the commands that would go by it.
    return true;
  }
}

/** Undefined: none. `current` is read only where it decides. */
export function contextNameFor(
  { api, databaseUrl, dataDirGiven }: Config,
  { context, isHere = false, dataDir }: Asked,
  current: () => string | undefined,
): string | undefined {
  if (context !== undefined) {
    if (isHere) {
      throw unclear(
        `this command is about this machine, and goes by no context: leave out --context ${context}`,
      );
    }
    if (dataDir !== undefined) {
      throw unclear(`--context ${context} and --data-dir ${dataDir} name two systems: leave one of them out`);
    }
    return context;
  }
  if (isHere || api.url !== undefined || dataDir !== undefined) return undefined;
  if (api.contextNamed !== undefined) return api.contextNamed;
  return databaseUrl !== undefined || dataDirGiven ? undefined : current();
}

function unclear(message: string): CliError {
  return new CliError(message, EXIT.badInput, { code: "unclear_system" });
}

/** @throws CliError where there is none of that name */
export function contextIn({ contexts }: ContextFile, name: string): Context {
  const context = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  if (context) return context;
  const names = Object.keys(contexts);
  throw new CliError(
    `there is no context ${name}${names.length === 0 ? "" : ` (there are ${names.join(", ")})`}: make it with \`outdial context set ${name} --url ...\``,
    EXIT.badInput,
    { code: "unknown_context" },
  );
}

/** A keychain may ask its owner for a password. Milliseconds. */
const TOKEN_WITHIN_MS = 60_000;

function tokenOf(name: string, context: Context): string | undefined {
  const { token, token_file: file, token_command: command } = context;
  if (file !== undefined) return usable(name, `its token file ${file}`, () => fs.readFileSync(file, "utf8"));
  if (command !== undefined) return usable(name, "its token command", () => outputOf(command));
  return token;
}

function usable(name: string, what: string, read: () => string): string {
  let text: string;
  try {
    text = read().trim();
  } catch (error) {
    throw tokenError(name, `${what} failed (${reasonWords(error)})`);
  }
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw tokenError(name, `${what} gives ${text === "" ? "nothing" : "more than one word"}`);
}

function tokenError(name: string, what: string): CliError {
  return new CliError(
    `the context ${name} has no token, since ${what}: correct it with \`outdial context set ${name}\``,
    EXIT.badInput,
    { code: "no_token" },
  );
}

/** Its own words go to the terminal; what it prints is the token, and is shown nowhere. */
function outputOf(command: string): string {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const ended = spawnSync(command, {
    shell: true,
    encoding: "utf8",
    stdio: ["inherit", "pipe", "inherit"],
    timeout: TOKEN_WITHIN_MS,
  });
  if (ended.error) throw ended.error;
  if (ended.status !== 0) throw new Error(`it ended with ${ended.status ?? ended.signal ?? "nothing"}`);
  return ended.stdout;
}

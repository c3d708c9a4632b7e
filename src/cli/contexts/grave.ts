import type { Config } from "../../config.ts";
import type { CliContext } from "../context.ts";
import type { CliCommand } from "../cli-command.ts";
import { CliError } from "../errors.ts";
import { watchInterrupts } from "../interrupts.ts";
import { openQuestions } from "../questions.ts";
import { printable } from "../view/printable.ts";

/** The system that a command speaks to by its context's name. Undefined: it goes by none. */
export function spokenTo({ api: { context, url } }: Config): string | undefined {
  return context && `the context ${context.name} (${url ?? ""})`;
}

/** The system that a command speaks to, whatever it goes by. An address of a database is not told: it may hold a password. */
export function systemOf(config: Config): string {
  const { api, databaseUrl, dataDir } = config;
  const named = spokenTo(config) ?? (api.url === undefined ? undefined : `the system at ${api.url}`);
  return named ?? (databaseUrl === undefined ? `the data folder ${dataDir}` : "the ledger of DATABASE_URL");
}

/**
 * Says which system is about to be changed, and asks where it is a protected one.
 *
 * @throws CliError where the answer is no, or nobody can be asked
 */
export async function meant(
  context: Pick<CliContext, "stdin" | "stderr">,
  config: Config,
  command: CliCommand,
  { asks }: { asks: boolean },
): Promise<void> {
  const system = spokenTo(config);
  if (system === undefined) return;
  const { yes } = command.opts<{ yes?: true }>();
  if (!asks || yes === true || config.api.context?.isProtected !== true) {
    context.stderr.write(`outdial: ${printable(`in ${system}`)}\n`);
    return;
  }
  const words = `${command.parent?.parent ? `${command.parent.name()} ` : ""}${command.name()}`;
  if (await isYes(context, `${words} in ${system}, which is protected?`)) return;
  throw new CliError("nothing was done, since the answer was not yes: add --yes to say so", undefined, {
    code: "declined",
  });
}

async function isYes(context: Pick<CliContext, "stdin" | "stderr">, question: string): Promise<boolean> {
  const interrupts = watchInterrupts(() => undefined);
  const questions = openQuestions(context);
  try {
    return await questions.ask(question, interrupts.signal);
  } finally {
    questions.close();
    interrupts.end();
  }
}

import type { Config } from "../../config.ts";
import { maskPhone, PlatformError, type OperationEntry, type RequestInput } from "../../platform/index.ts";
import { askedForm } from "../answer-form.ts";
import { voiceOf, type CliContext } from "../context.ts";
import { CliError } from "../errors.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { InterruptedError, watchInterrupts } from "../interrupts.ts";
import { openQuestions } from "../questions.ts";
import { showAnswer, type Performance, type PerformOptions } from "./answer.ts";
import { failureOf } from "./failure.ts";
import { gather, readsStdin, type Given } from "./input.ts";
import { openByHand } from "./open.ts";
import { openOutFile } from "./out-file.ts";
import { showsKeyOnce } from "./secrets.ts";
import { kebab } from "./words.ts";

/** Sends one operation and shows its answer. @throws CliError */
export async function perform(
  context: CliContext,
  config: Config,
  entry: OperationEntry,
  given: Given,
  options: PerformOptions,
): Promise<ExitCode> {
  refuseWithoutPlace(context, entry, options);
  refusePageOfAll(entry, given, options);
  const interrupts = watchInterrupts(() => {
    context.stderr.write("left at once: what was sent may have happened\n");
  });
  const { signal } = interrupts;
  try {
    const input = await gather(entry, given, context.stdin);
    if (await mayGoOn(context, entry, given, input, options, signal)) {
      await send(
        { context, voice: await voiceOf(context, config, options), entry, options, input, signal },
        config,
      );
      return EXIT.ok;
    }
    throw new CliError("nothing was sent, since the answer was not yes: add --yes to say so", EXIT.failed, {
      code: "declined",
    });
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    throw new CliError("interrupted, and nothing was sent: run the same command again", EXIT.interrupted, {
      code: "interrupted",
    });
  } finally {
    interrupts.end();
  }
}

async function send(performance: Omit<Performance, "platform" | "out">, config: Config): Promise<void> {
  const { context, entry, input, options } = performance;
  const out = options.out === undefined ? undefined : await openOutFile(options.out);
  try {
    const platform = await openByHand(context, config);
    try {
      await showAnswer({ ...performance, platform, out });
    } finally {
      await platform.close();
    }
    await out?.keep();
  } catch (error) {
    await out?.discard();
    throw error instanceof PlatformError ? failureOf(error, entry, input) : error;
  }
}

/** What can't be shown, or would be lost, is told before anything is sent. */
function refuseWithoutPlace(context: CliContext, entry: OperationEntry, options: PerformOptions): void {
  if (showsKeyOnce(entry.name) && options.out === undefined && options.showSecret !== true) {
    throw new CliError(
      "the key is in this answer and in no other: say where it goes with --out <file>, or print it with --show-secret",
      EXIT.badInput,
    );
  }
  if (entry.answer.kind === "bytes" && options.out === undefined && context.stdout.isTTY === true) {
    throw new CliError("the answer is bytes, and this is a terminal: name a file with --out", EXIT.badInput);
  }
}

/**
 * Rows can be begun with anywhere, and are with --all; pages by their number begin with the first. However many they
 * are, they are written as they come: what has to know all of them first is for one page.
 */
function refusePageOfAll(
  { answer }: OperationEntry,
  { fields }: Given,
  { all, ...options }: PerformOptions,
): void {
  if (all !== true) return;
  const asked = askedForm(options);
  if (!asked.inWords && (asked.form !== "json" || asked.fields !== undefined)) {
    throw new CliError(
      "--all writes rows as they come, as a table or as JSON: leave out --fields and any other -o, or leave out --all",
      EXIT.badInput,
    );
  }
  if (answer.kind !== "page" || answer.style !== "page") return;
  if ([...fields.keys()].some(({ part, name }) => part === "query" && name === "page")) {
    throw new CliError(
      "--all is every page from the first one, and --page is one of them: leave one of the two out",
      EXIT.badInput,
    );
  }
}

async function mayGoOn(
  context: CliContext,
  entry: OperationEntry,
  given: Given,
  input: RequestInput,
  options: PerformOptions,
  signal: AbortSignal,
): Promise<boolean> {
  if (entry.asks === undefined || options.yes === true) return true;
  const question = questionOf(entry, input);
  if (readsStdin(given)) {
    throw new CliError(`${question} Standard input is used up: add --yes to say so`, EXIT.badInput);
  }
  const questions = openQuestions(context);
  try {
    return await questions.ask(question, signal);
  } finally {
    questions.close();
  }
}

/** What is about to happen, and to what. */
function questionOf(
  { asks, summary, resource, action }: OperationEntry,
  { params, body }: RequestInput,
): string {
  const ids = Object.values(params ?? {}).join(" ");
  const to = typeof body === "object" && body !== null ? Reflect.get(body, "to_number") : undefined;
  const whom = typeof to === "string" ? ` ${maskPhone(to)}` : "";
  const warning =
    asks === "dials"
      ? "Phones ring, and no campaign's policy is asked. Go on?"
      : "There is no way back. Go on?";
  return `${kebab(resource)} ${kebab(action)}${ids === "" ? "" : ` ${ids}`}${whom}: ${summary}. ${warning}`;
}

import { createInterface } from "node:readline";

import type { Config } from "../../config.ts";
import {
  type ChatSession,
  type EndpointName,
  operationOf,
  type Platform,
  PlatformError,
} from "../../platform/index.ts";
import type { CliContext, Voice } from "../context.ts";
import { CliError } from "../errors.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { watchInterrupts } from "../interrupts.ts";
import { canAsk } from "../questions.ts";
import { failureOf } from "./failure.ts";
import { openByHand } from "./open.ts";
import { clean } from "./show.ts";

export interface TalkOptions {
  readonly json?: true;
  readonly draft?: true;
  readonly variable?: readonly string[];
}

/** Longer messages are not taken (contract 4.11). */
const LONGEST_MESSAGE = 4_000;

/**
 * Holds a conversation with an agent over REST: a line is a message. It ends where the agent ends it, at the end of
 * the input, or with Ctrl-C, and the session is closed then. A message of which nobody knows whether it arrived is not
 * sent again. @throws CliError
 */
export async function talk(
  context: CliContext,
  config: Config,
  voice: Voice,
  agentId: string,
  options: TalkOptions,
): Promise<ExitCode> {
  const dynamic_variables = variablesOf(options.variable ?? []);
  const interrupts = watchInterrupts(() => {});
  const platform = await openByHand(context, config);
  const say = (role: string, content: string): void => {
    if (options.json) context.stdout.write(`${JSON.stringify({ role, content })}\n`);
    else voice.tell(content.split("\n").map((line, n) => `${n === 0 ? `${role}:` : "  "} ${clean(line)}`));
  };
  try {
    const given = { agent_id: agentId, dynamic_variables };
    const session = options.draft
      ? await asked("chat.test", () => platform.chat.test(given))
      : await asked("chat.create", () => platform.chat.create({ ...given, transport: "rest" }));
    const { content: greeting } = session.greeting ?? {};
    if (greeting !== undefined) say("agent", greeting);
    const reason = await converse({ context, platform, session, say, signal: interrupts.signal });
    voice.tell([`the session ${session.session_id} is closed${reason === undefined ? "" : `: ${reason}`}`]);
    return interrupts.signal.aborted ? EXIT.interrupted : EXIT.ok;
  } finally {
    interrupts.end();
    await platform.close();
  }
}

interface Conversation {
  readonly context: CliContext;
  readonly platform: Platform;
  readonly session: ChatSession;
  readonly say: (role: string, content: string) => void;
  readonly signal: AbortSignal;
}

/** @returns why the platform closed the session; undefined: it was closed here */
async function converse({
  context,
  platform,
  session: { session_id: id },
  say,
  signal,
}: Conversation): Promise<string | undefined> {
  const { stdin, stderr } = context;
  // Not as a terminal of its own: what is typed is shown by the terminal, and Ctrl-C stays a signal.
  const lines = stdin && createInterface({ input: stdin, terminal: false });
  const prompt = (): void => {
    if (canAsk(context)) stderr.write("you: ");
  };
  signal.addEventListener("abort", () => lines?.close(), { once: true });
  let isClosed = false;
  let isFailed = false;
  try {
    prompt();
    for await (const line of lines ?? []) {
      const content = line.trim();
      if (content.length > LONGEST_MESSAGE)
        stderr.write(
          `not sent: ${content.length} characters, and a message has at most ${LONGEST_MESSAGE}\n`,
        );
      else if (content !== "") {
        if (!canAsk(context)) say("you", content);
        const reply = await asked("chat.send", () => platform.chat.send(id, content, { signal }));
        say("agent", reply.assistant_content ?? "");
        isClosed = reply.session_closed === true;
        if (isClosed) return reply.close_reason ?? "by the agent";
      }
      prompt();
    }
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    isFailed = true;
    throw error;
  } finally {
    lines?.close();
    // Without it the session stays open until the platform tires of it.
    const closing = isClosed ? undefined : asked("chat.close", () => platform.chat.close(id));
    // What failed before says more than that the session can't be closed either.
    await (isFailed ? closing?.catch(() => {}) : closing);
  }
}

async function asked<T>(name: EndpointName, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    throw error instanceof PlatformError ? failureOf(error, operationOf(name), {}) : error;
  }
}

function variablesOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((one) => {
      const at = one.indexOf("=");
      if (at < 1) {
        throw new CliError(`--variable ${one}: must be a name and a value, such as name=Ann`, EXIT.badInput);
      }
      return [one.slice(0, at), one.slice(at + 1)];
    }),
  );
}

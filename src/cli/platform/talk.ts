import { createInterface, type Interface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

import type { Config } from "../../config.ts";
import {
  type ChatSession,
  type EndpointName,
  joinChat,
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
  readonly room?: true;
  readonly variable?: readonly string[];
}

/** An agent that greets in a room has done so by then: some servers take three seconds to tell it who came. */
const GREETED_WITHIN_MS = 5_000;

/** Longer messages are not taken (contract 4.11). */
const LONGEST_MESSAGE = 4_000;

/**
 * Holds a conversation with an agent over REST or in a room: a line is a message. It ends where the agent ends it, at the end of
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
    const transport = options.room ? ("livekit" as const) : ("rest" as const);
    const given = { agent_id: agentId, dynamic_variables, transport };
    const session = options.draft
      ? await asked("chat.test", () => platform.chat.test(given))
      : await asked("chat.create", () => platform.chat.create(given));
    const { content: greeting } = session.greeting ?? {};
    if (greeting !== undefined) say("agent", greeting);
    const conversation = { context, platform, session, say, signal: interrupts.signal };
    const reason = await (options.room ? converseInRoom(conversation) : converse(conversation));
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

/** The same over a room, where what the agent says comes when it comes. */
async function converseInRoom(conversation: Conversation): Promise<string | undefined> {
  const { context, platform, session, say, signal } = conversation;
  const { stdin, stderr } = context;
  const id = session.session_id;
  const room = await asked("chat.create", () => joinChat(platform.chat, session, { signal })).catch(
    async (error: unknown) => {
      await platform.chat.close(id).catch(() => {});
      throw error;
    },
  );
  let lines: Interface | undefined;
  let isOver = signal.aborted;
  const over = (): void => {
    isOver = true;
    lines?.close();
  };
  signal.addEventListener("abort", over, { once: true });
  // A line that was piped in waits for the answer to the one before: the agent closes the session with its goodbye.
  let answered = (): void => {};
  const nextWords = () =>
    new Promise<void>((resolve) => {
      answered = resolve;
    });
  const greeted = nextWords();
  const hearing = (async () => {
    for await (const { content } of room) {
      say("agent", content);
      answered();
    }
  })().finally(() => {
    over();
    answered();
  });
  // It is awaited at the end; until then a failure ends the reading of lines.
  hearing.catch(() => {});
  try {
    // Whoever types is not kept waiting by an agent that does not greet.
    if (!canAsk(context)) await Promise.race([greeted, hearing, delay(GREETED_WITHIN_MS, signal)]);
    // Opened only now: lines that come before they are read are lost.
    if (!isOver && stdin) lines = createInterface({ input: stdin, terminal: false });
    for await (const line of lines ?? []) {
      // Lines that were read before it ended come all the same.
      if (isOver) break;
      const content = line.trim();
      if (content.length > LONGEST_MESSAGE) {
        stderr.write(
          `not sent: ${content.length} characters, and a message has at most ${LONGEST_MESSAGE}\n`,
        );
      } else if (content !== "") {
        if (!canAsk(context)) say("you", content);
        const answer = nextWords();
        await asked("chat.send", () => room.send(content));
        if (!canAsk(context)) await Promise.race([answer, hearing]);
      }
    }
  } catch (error) {
    if (!signal.aborted) {
      // What failed says more than that the session can't be closed either.
      await room.close().catch(() => {});
      throw error;
    }
  } finally {
    lines?.close();
  }
  const closing = asked("chat.close", () => room.close());
  closing.catch(() => {});
  try {
    await asked("chat.get", () => hearing);
  } catch (error) {
    // That the room was lost for good says more than that its session can't be closed either.
    await closing.catch(() => {});
    if (!signal.aborted) throw error;
  }
  await closing;
  const { close_reason: reason } = await asked("chat.get", () => platform.chat.get(id));
  return reason === "explicit_close" ? undefined : reason;
}

async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
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

import { createInterface, type Interface } from "node:readline";

import type { CliContext } from "./context.ts";
import { CliError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";

/** Asks a person, who types on standard input and reads on standard error. */
export interface Questions {
  /**
   * Whether the answer is `y` or `yes`; anything else and the end of the input are a no.
   *
   * @throws CliError with exit code 2 where nobody can be asked; the signal's reason where it is aborted.
   */
  ask(question: string, signal: AbortSignal): Promise<boolean>;
  close(): void;
}

/** Whether there is somebody to ask. */
export function canAsk({ stdin }: Pick<CliContext, "stdin">): boolean {
  return stdin?.isTTY === true;
}

/** Nothing is read before the first question. */
export function openQuestions(context: Pick<CliContext, "stdin" | "stderr">): Questions {
  const { stdin, stderr } = context;
  let lines: Interface | undefined;
  let answers: AsyncIterator<string> | undefined;
  return {
    async ask(question, signal) {
      signal.throwIfAborted();
      if (stdin === undefined || !canAsk(context)) {
        throw new CliError(`${question} Nobody can be asked here: add --yes to say so`, EXIT.badInput);
      }
      // Not as a terminal of its own: what is typed is shown by the terminal, and Ctrl-C stays a signal.
      lines ??= createInterface({ input: stdin, terminal: false });
      answers ??= lines[Symbol.asyncIterator]();
      stderr.write(`${question} [y/N] `);
      const answer = await unlessAborted(answers.next(), signal);
      return answer.done !== true && /^\s*y(?:es)?\s*$/i.test(answer.value);
    },
    close: () => lines?.close(),
  };
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let forget = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => {
      reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
    };
    signal.addEventListener("abort", onAbort);
    forget = () => signal.removeEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    forget();
  }
}

import { EXIT } from "./exit-codes.ts";

/** Ctrl-C and SIGTERM while a command goes on. */
export interface Interrupts {
  /** Aborted by the first one. */
  readonly signal: AbortSignal;
  /** Listens no longer. */
  end(): void;
}

/**
 * The first one is the command's to answer, in good order. The second one leaves at once: all that was begun is
 * durable, so nothing is lost by it.
 *
 * @param onLeave last words before leaving at once
 */
export function watchInterrupts(onLeave: () => void): Interrupts {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) {
      onLeave();
      process.exit(EXIT.interrupted);
    }
    controller.abort(new InterruptedError());
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    end() {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}

/** Somebody asked the command to end. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";

  constructor() {
    super("interrupted");
  }
}

/** Resolves after a time, or as soon as the signal is given. */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}

/** The longest that a timer can wait. */
const FAR_MS = 2 ** 31 - 1;

/** Resolves when the signal is given. The process stays for it: listening for signals alone does not keep it. */
export async function until(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await waitFor(FAR_MS, signal);
}

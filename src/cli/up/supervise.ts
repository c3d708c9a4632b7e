import { durationText } from "../view/words.ts";
import { waitFor } from "../interrupts.ts";

/*
 * Keeps processes running: one that ends by itself, or hangs, is started again, sooner or later by how often it did.
 * One that never came up says why, and is not tried again: whoever started it stands before the screen.
 */

/** How a process ended. */
export interface Ended {
  code: number | null;
  signal: string | null;
}

/** A process that was started. */
export interface Part {
  /** Resolves when it is gone. */
  readonly ended: Promise<Ended>;
  /** Resolves once it said that it does its work. */
  readonly up: Promise<void>;
  /** Whether it gives no sign of life any more. */
  isStuck(): boolean;
  /** Asks it to end in good order. */
  stop(): void;
  kill(): void;
}

/** A process that never came up. */
export class PartFailedError extends Error {
  override readonly name = "PartFailedError";
  readonly exitCode: number | undefined;

  constructor(name: string, { code, signal }: Ended) {
    super(`the ${name} did not come up (${signal ?? `exit code ${code}`})`);
    this.exitCode = code ?? undefined;
  }
}

/** It ran well: what ends it after that is something new. */
const WELL_MS = 60_000;

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** Twice in a row: a machine that slept has signs of life that are old, too, for a moment. */
const LOOK_MS = 15_000;

export interface Supervision {
  name: string;
  start: () => Part;
  say: (message: string) => void;
  /** Ends it, in good order. */
  signal: AbortSignal;
  /** Waits; tests need not. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  now?: () => number;
}

/**
 * Keeps one process running until the signal is given, and ends with it.
 *
 * @throws PartFailedError where it ends before it ever came up.
 */
export async function supervise(supervision: Supervision): Promise<void> {
  const { name, start, say, signal, wait = waitFor, now = () => performance.now() } = supervision;
  let failures = 0;
  let wasUp = false;
  while (!signal.aborted) {
    const part = start();
    const startedMs = now();
    part.up.then(
      () => {
        wasUp = true;
      },
      () => {},
    );
    const how = await untilItsEnd(part, { signal, wait });
    if (signal.aborted) return;
    if (!wasUp) throw new PartFailedError(name, how);
    failures = now() - startedMs >= WELL_MS ? 0 : failures + 1;
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(0, failures - 1));
    say(`the ${name} ended (${endText(how)}): it is started again in ${durationText(waitMs)}`);
    await wait(waitMs, signal);
  }
}

async function untilItsEnd(
  part: Part,
  { signal, wait }: { signal: AbortSignal; wait: NonNullable<Supervision["wait"]> },
): Promise<Ended & { stuck?: true }> {
  const stop = () => part.stop();
  signal.addEventListener("abort", stop);
  const watching = new AbortController();
  const over = AbortSignal.any([signal, watching.signal]);
  /** Says that it is stuck, or nothing any more once it is asked to end. */
  const watch = async (): Promise<"stuck"> => {
    for (let looks = 0; looks < 2;) {
      await wait(LOOK_MS, over);
      if (over.aborted) await part.ended;
      if (watching.signal.aborted) break;
      looks = part.isStuck() ? looks + 1 : 0;
    }
    return "stuck";
  };
  try {
    const first = await Promise.race([part.ended, watch()]);
    if (first !== "stuck") return first;
    part.kill();
    return { ...(await part.ended), stuck: true };
  } finally {
    watching.abort();
    signal.removeEventListener("abort", stop);
  }
}

function endText({ code, signal, stuck }: Ended & { stuck?: true }): string {
  if (stuck) return "it gave no sign of life, and was killed";
  return signal ?? `exit code ${code}`;
}

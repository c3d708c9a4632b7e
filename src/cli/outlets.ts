import type { Writable } from "node:stream";

import { reasonWords } from "../domain/ground/reason-words.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

/*
 * Where a command's words go may be gone or full: `| head` stops reading, a disk has no room. That ends no command:
 * what dials goes on dialing, and what stops calls is carried out. What could not be written is told in the end.
 */

export interface Outlets {
  /** Aborted when nobody reads standard output any more: what only shows something need not go on. */
  readonly readerGone: AbortSignal;
  /** Waits until everything was written or could not be. Resolves with what the process is to end with. */
  settle(code: ExitCode): Promise<ExitCode>;
}

/** Listens for the troubles of both streams, which would end the process otherwise. */
export function guardOutlets(stdout: Writable, stderr: Writable): Outlets {
  const reader = new AbortController();
  let lost: NodeJS.ErrnoException | undefined;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") reader.abort();
    else lost = error;
  });
  // It is where troubles are told: there is no other place.
  stderr.on("error", () => {});
  return {
    readerGone: reader.signal,
    async settle(code) {
      await written(stdout);
      if (!lost) return code;
      const why = reasonWords(lost);
      stderr.write(
        `outdial: standard output could not be written (${why}), and what was to stand there is missing; what was done is done\n`,
      );
      return code === EXIT.ok ? EXIT.failed : code;
    },
  };
}

function written(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    // The answer to it comes behind those to everything before it.
    stream.write("", () => resolve());
  });
}

import { temporalWords } from "../words.ts";

/** Why one source has no executable for us. The reason goes into the list that the user reads if all fail. */
export class SourceUnavailableError extends Error {
  override readonly name = "SourceUnavailableError";
}

/** One way that was tried to get a server, and why it did not work out. */
export interface Attempt {
  readonly source: string;
  readonly reason: string;
}

/** No Temporal server could be provided. The message lists each attempt with its reason, and the remedy. */
export class TemporalUnavailableError extends Error {
  override readonly name = "TemporalUnavailableError";
  readonly attempts: readonly Attempt[];
  constructor(message: string, attempts: readonly Attempt[] = [], options?: ErrorOptions) {
    super(message, options);
    this.attempts = attempts;
  }
}

/** The words of any thrown value. */
export const reasonOf = temporalWords;

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return (
    error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code)
  );
}

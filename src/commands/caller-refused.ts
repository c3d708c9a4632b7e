/** What the platform would not call with: a field of a spec, or of a step's, and what to do about it. */
export interface CallerProblem {
  field: string;
  message: string;
}

/** The platform would not dial as this says. It was asked before anything was written. */
export class CallerRefusedError extends Error {
  override readonly name = "CallerRefusedError";
  readonly errors: readonly CallerProblem[];

  constructor(what: string, errors: readonly CallerProblem[]) {
    super(`${what}: ${errors.map(({ field, message }) => `${field}: ${message}`).join("; ")}`);
    this.errors = errors;
  }
}

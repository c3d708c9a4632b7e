import type { FieldProblem, ProblemBody } from "../../http/wire/problem.ts";

/** The system answered, and refused or failed. The message is its own. */
export class ApiProblemError extends Error {
  override readonly name = "ApiProblemError";
  readonly status: number;
  /** http/wire/problem.ts; `unreadable` for an answer that no Outdial gave. */
  readonly code: string;
  readonly errors: readonly FieldProblem[];
  readonly body: ProblemBody;

  constructor(body: ProblemBody) {
    super(body.detail);
    this.status = body.status;
    this.code = body.code;
    this.errors = body.errors ?? [];
    this.body = body;
  }
}

/** Nobody answers at the address, or no longer. */
export class ApiUnreachableError extends Error {
  override readonly name = "ApiUnreachableError";
}

/** Of which version a system is that has answered this process, where that is another: what it said may lack something. */
export const answeredBy: { note: string | undefined } = { note: undefined };

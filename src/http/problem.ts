import { STATUS_CODES } from "node:http";

import type { FieldProblem, ProblemBody, ProblemCode } from "./wire/problem.ts";

export interface ProblemFacts {
  status: number;
  code: ProblemCode;
  /** What is wrong and how to mend it, for a person. */
  detail: string;
  errors?: readonly FieldProblem[];
  /** Further members of the body. */
  extra?: Readonly<Record<string, unknown>>;
}

/** What a request is refused with (RFC 9457). Thrown by routes, written by plugins/errors.ts. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly code: ProblemCode;
  readonly errors: readonly FieldProblem[] | undefined;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(facts: ProblemFacts, options?: ErrorOptions) {
    super(facts.detail, options);
    this.status = facts.status;
    this.code = facts.code;
    this.errors = facts.errors;
    this.extra = facts.extra ?? {};
  }

  /** `requestId` is that of the request which is refused, where there is one. */
  body(requestId?: string): ProblemBody {
    return {
      ...this.extra,
      type: `/openapi.json#/x-problems/${this.code}`,
      title: STATUS_CODES[this.status] ?? "Problem",
      status: this.status,
      code: this.code,
      detail: this.message,
      ...(requestId !== undefined && { instance: `urn:uuid:${requestId}` }),
      ...(this.errors && { errors: [...this.errors] }),
    };
  }
}

/** 404 for a campaign that nobody has. */
export function unknownCampaign(ref: string): Problem {
  return new Problem({
    status: 404,
    code: "unknown_campaign",
    detail: `there is no campaign ${JSON.stringify(ref)}: list them with \`outdial campaign list\`, and name the brand where it is not the default one`,
  });
}

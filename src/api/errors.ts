import type { ProblemCode } from "./generated.ts";

/** What is wrong with which field. */
export interface FieldProblem {
  field: string;
  message: string;
}

interface ProblemFacts {
  title: string;
  status: number;
  code: string;
  detail: string;
  instance?: string | undefined;
  errors?: readonly FieldProblem[] | undefined;
}

/** A refusal of the API (RFC 9457). Programs decide by its `code`, and people read its message, which names the remedy. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly status: number;
  /** One of those that this version knows, or a newer one; `unreadable` where no Outdial answered. */
  readonly code: ProblemCode | "unreadable" | (string & Record<never, never>);
  readonly detail: string;
  readonly errors: readonly FieldProblem[];
  /** As the system's log has it. */
  readonly requestId: string | undefined;
  /** All of it, with what a code has beside these. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(facts: ProblemFacts, options?: ErrorOptions) {
    super(facts.detail, options);
    this.status = facts.status;
    this.code = facts.code;
    this.detail = facts.detail;
    this.errors = facts.errors ?? [];
    this.requestId = facts.instance?.replace(/^urn:uuid:/, "");
    this.body = { ...facts };
  }
}

/** Nobody answered. Whether something was done is not known, but for requests under a key, which may come again. */
export class ApiConnectionError extends Error {
  override readonly name = "ApiConnectionError";

  constructor(url: string, cause: unknown) {
    // An address may hold a phone number, which belongs into no log.
    super(
      `no answer from ${new URL(url).origin}: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  }
}

export async function problemIn(answer: Response, url: string): Promise<ApiProblem> {
  const { status } = answer;
  const body: unknown = await answer.json().catch(() => undefined);
  if (isProblem(body)) return new ApiProblem({ ...body, status });
  return new ApiProblem({
    title: answer.statusText,
    status,
    code: "unreadable",
    detail: `what answers at ${new URL(url).origin} is no Outdial of this version (status ${status})`,
  });
}

function isProblem(body: unknown): body is ProblemFacts {
  return (
    typeof body === "object" &&
    body !== null &&
    typeof Reflect.get(body, "code") === "string" &&
    typeof Reflect.get(body, "detail") === "string"
  );
}

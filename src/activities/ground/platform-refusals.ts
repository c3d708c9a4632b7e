import {
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  PaymentRequiredError,
  UnauthorizedError,
  UnexpectedStatusError,
  UnprocessableError,
} from "../../platform/index.ts";

/** What people mend: the key, its rights, or the money. */
export type ForPeople = UnauthorizedError | ForbiddenError | PaymentRequiredError;

/** What is wrong with the request. */
export type Refused =
  | NotFoundError
  | ConflictError
  | UnprocessableError
  | InvalidRequestError
  | UnexpectedStatusError;

/** Whether people have to mend something before anything works again. */
export function needsPeople(error: unknown): error is ForPeople {
  return (
    error instanceof UnauthorizedError ||
    error instanceof ForbiddenError ||
    error instanceof PaymentRequiredError
  );
}

/** Whether the same request would be refused again, though nothing is amiss otherwise. */
export function isRefused(error: unknown): error is Refused {
  return (
    error instanceof NotFoundError ||
    error instanceof ConflictError ||
    error instanceof UnprocessableError ||
    error instanceof InvalidRequestError ||
    // 400 and its like, which have no class of their own.
    (error instanceof UnexpectedStatusError && error.effect !== "may_have_happened")
  );
}

/** @param scopes what the key has to have */
export function remedyFor(error: ForPeople, scopes: string): string {
  if (error instanceof UnauthorizedError)
    return "set PLATFORM_API_KEY, or the file that PLATFORM_API_KEY_FILE names, to a valid key";
  return error instanceof ForbiddenError ? `give the key ${scopes}` : "add credit";
}

import {
  isGrpcServiceError,
  ServiceError,
  type ConnectionLike,
  type WorkflowClientInterceptor,
} from "@temporalio/client";

import { elapsedMs } from "../domain/time/elapsed.ts";
import { SEARCH_ATTRIBUTES, SEARCHABLE, searchAttributesOf } from "./search-attribute-keys.ts";

/*
 * Workflows are started with what they are found by. That has to be registered in the namespace first: on a server of
 * ours Outdial does it, one that people run belongs to them. Where it is missing workflows are started without, and
 * they start in any case: nothing that dials hangs on what only helps people to look.
 */

/** gRPC status code of a request that names what is not registered (grpc.io, "Status codes"). */
const INVALID_ARGUMENT = 3;

/** Somebody may have registered them meanwhile. */
const ASK_AGAIN_MS = 5 * 60_000;

/** A start waits for the answer, once in a while: what lists workflows may be away where what runs them is not. */
const ANSWER_MS = 3_000;
const AFTER_FAILURE_MS = 60_000;

/**
 * Whether workflows of the namespace can be found by them.
 *
 * It asks what serves the web UI: whoever may work in a namespace may ask that, but not everywhere what is registered.
 */
export async function hasSearchAttributes(connection: ConnectionLike, namespace: string): Promise<boolean> {
  const query = SEARCH_ATTRIBUTES.map((name) => `${name} = 'any'`).join(" AND ");
  try {
    await connection.workflowService.countWorkflowExecutions({ namespace, query });
    return true;
  } catch (error) {
    if (isInvalid(error)) return false;
    throw error;
  }
}

/** Adds them to whatever is started through a client, where they are registered. */
export function searchAttributesInterceptor(
  connection: ConnectionLike,
  namespace: string,
  now: () => number = Date.now,
): WorkflowClientInterceptor {
  let isThere = false;
  let asked = { atMs: Number.NEGATIVE_INFINITY, againAfterMs: 0 };
  let asking: Promise<void> | undefined;
  const ask = async () => {
    try {
      isThere = await connection.withDeadline(Date.now() + ANSWER_MS, () =>
        hasSearchAttributes(connection, namespace),
      );
      asked = { atMs: now(), againAfterMs: ASK_AGAIN_MS };
    } catch {
      asked = { atMs: now(), againAfterMs: AFTER_FAILURE_MS };
    } finally {
      asking = undefined;
    }
  };
  const started = async <
    Input extends { readonly options: { readonly memo?: Record<string, unknown> } },
    Output,
  >(
    input: Input,
    next: (input: Input) => Promise<Output>,
  ): Promise<Output> => {
    if (!isThere && elapsedMs(now(), asked.atMs) >= asked.againAfterMs) await (asking ??= ask());
    const typedSearchAttributes = searchAttributesOf(input.options.memo ?? {});
    if (!isThere || typedSearchAttributes.length === 0) return next(input);
    try {
      const memo = { ...input.options.memo, [SEARCHABLE]: true };
      return await next({ ...input, options: { ...input.options, memo, typedSearchAttributes } });
    } catch (error) {
      if (!isInvalid(error)) throw error;
      // Somebody has taken them out of the namespace; or it is something else, which fails without them, too. The next
      // start asks which.
      isThere = false;
      asked = { atMs: now(), againAfterMs: 0 };
      return next(input);
    }
  };
  return {
    startWithDetails: (input, next) => started(input, next),
    signalWithStart: (input, next) => started(input, next),
  };
}

function isInvalid(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  const code: number | undefined = isGrpcServiceError(cause) ? cause.code : undefined;
  return code === INVALID_ARGUMENT;
}

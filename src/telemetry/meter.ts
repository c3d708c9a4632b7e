import type { Meter } from "../activities/deps.ts";
import { DISPOSITIONS } from "../domain/policy/disposition.ts";
import { RETENTION_KINDS } from "../domain/ground/retention.ts";
import type { ResponseEvent } from "../platform/index.ts";
import type { Instruments } from "./instruments.ts";

/** Counts what the engine does. */
export function createMeter(instruments: Instruments): Meter {
  // What has not happened yet is 0, so that the first time is an increase.
  for (const disposition of DISPOSITIONS) instruments.count("outdial_calls_ended_total", { disposition }, 0);
  for (const result of ["begun", "unclear", "not_begun"])
    instruments.count("outdial_batch_starts_total", { result }, 0);
  for (const kind of RETENTION_KINDS) instruments.count("outdial_retention_removed_total", { kind }, 0);
  return {
    aged: (kind, removed) => instruments.count("outdial_retention_removed_total", { kind }, removed),
    planned: (tookMs) => instruments.observe("outdial_planning_duration_seconds", {}, tookMs / 1_000),
    started({ result, calls, idleMs }) {
      instruments.count("outdial_batch_starts_total", { result });
      if (result === "not_begun") return;
      instruments.count("outdial_dials_total", {}, calls);
      if (idleMs === undefined) return;
      for (let call = 0; call < calls; call += 1)
        instruments.observe("outdial_call_end_to_dial_seconds", {}, Math.max(0, idleMs) / 1_000);
    },
    adopted: (calls) => instruments.count("outdial_dials_total", {}, calls),
    returned: (calls) => instruments.count("outdial_dials_returned_total", {}, calls),
    ended(calls, nowMs) {
      for (const { disposition, startedAtMs, endedAtMs, heldItsLine } of calls) {
        instruments.count("outdial_calls_ended_total", { disposition });
        if (startedAtMs === undefined) continue;
        instruments.count("outdial_call_seconds_total", {}, Math.max(0, endedAtMs - startedAtMs) / 1_000);
        if (heldItsLine)
          instruments.observe("outdial_call_end_noticed_seconds", {}, Math.max(0, nowMs - endedAtMs) / 1_000);
      }
    },
  };
}

/** Counts a request to the platform that has ended. */
export function countRequest(instruments: Instruments, event: ResponseEvent): void {
  const { method, route, durationMs, waitedMs } = event;
  const result = resultOf(event);
  instruments.count("outdial_platform_requests_total", { method, route, result });
  instruments.observe("outdial_platform_request_wait_seconds", {}, waitedMs / 1_000);
  if (result === "held_back") return;
  const tookMs = Math.max(0, durationMs - waitedMs);
  instruments.observe("outdial_platform_request_duration_seconds", { method, route }, tookMs / 1_000);
}

/** Bounded, however many errors the platform knows. */
function resultOf({ status, error, isHeldBack }: ResponseEvent): string {
  if (isHeldBack) return "held_back";
  if (status === undefined) return "unanswered";
  if (status === TOO_MANY_REQUESTS) return "rate_limited";
  if (status >= 500) return "failed";
  if (status >= 400) return "refused";
  return error === undefined ? "ok" : "unreadable";
}

const TOO_MANY_REQUESTS = 429;

/** An answer of the HTTP API. */
export interface Answered {
  method: string;
  /** The route as it was registered; undefined: there is none for the address. */
  route: string | undefined;
  status: number;
  tookMs: number;
}

/** Counts an answer of the HTTP API. Nobody but us registers routes; methods are those that Node's parser knows. */
export function countAnswer(instruments: Instruments, answered: Answered): void {
  const { route = "none", status, tookMs } = answered;
  // Where there is no route, whoever asks chooses the method, too.
  const method = answered.route === undefined ? "any" : answered.method;
  instruments.count("outdial_http_requests_total", { method, route, status: String(status) });
  instruments.observe("outdial_http_request_duration_seconds", { method, route }, tookMs / 1_000);
}

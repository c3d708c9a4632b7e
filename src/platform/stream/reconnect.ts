import { backoffMs } from "../backoff.ts";
import type { ConnectionEnd } from "./connection.ts";

/** Why a stream waits before it connects again. */
export type WaitReason =
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "refused"
  | "batch_ended"
  | "closed"
  | "silent"
  | "oversize"
  | "unreachable";

export interface ReconnectTiming {
  /** The first wait after a connection was lost, doubling from there. */
  readonly backoffBaseMs: number;
  readonly backoffMaxMs: number;
  /** A connection that lived this long was a good one: the next loss starts from the first wait again. */
  readonly stableMs: number;
  /** The wait where asking again soon can't help: key, scopes or batch were refused, or the batch has ended. */
  readonly refusedMs: number;
}

export interface Loss {
  readonly end: ConnectionEnd;
  /** How long the connection was open; 0 where it never was. */
  readonly livedMs: number;
  /** Losses in a row before this one. */
  readonly failures: number;
  /** The newest frames seemed to say that the batch is over. */
  readonly batchEnded: boolean;
}

export interface Wait {
  readonly reason: WaitReason;
  readonly delayMs: number;
  /** Losses in a row, this one included. */
  readonly failures: number;
}

const NORMAL_CLOSURE = 1000;

/** What follows the loss of a connection. Pure but for `random`. */
export function nextWait(loss: Loss, timing: ReconnectTiming, random = Math.random): Wait {
  const reason = reasonOf(loss);
  const failures = loss.livedMs >= timing.stableMs ? 1 : loss.failures + 1;
  const backoff = backoffMs(failures, { baseMs: timing.backoffBaseMs, maxMs: timing.backoffMaxMs }, random);
  switch (reason) {
    case "unauthorized":
    case "forbidden":
    case "not_found":
    case "batch_ended":
      return {
        reason,
        failures,
        delayMs: backoffMs(1, { baseMs: timing.refusedMs, maxMs: timing.refusedMs }, random),
      };
    case "refused": {
      const askedMs = loss.end.kind === "refused" ? (loss.end.retryAfterMs ?? 0) : 0;
      return { reason, failures, delayMs: Math.max(backoff, askedMs) };
    }
    case "closed":
    case "silent":
    case "oversize":
    case "unreachable":
      return { reason, failures, delayMs: backoff };
  }
}

function reasonOf({ end, batchEnded }: Loss): WaitReason {
  switch (end.kind) {
    case "refused":
      return REFUSALS.get(end.status) ?? "refused";
    case "closed":
      // The server may close at the end of the batch: that is how a stream ends, not how it fails.
      return batchEnded && end.code === NORMAL_CLOSURE ? "batch_ended" : "closed";
    case "silent":
    case "oversize":
      return end.kind;
    case "failed":
      return "unreachable";
  }
}

const REFUSALS = new Map<number, WaitReason>([
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "not_found"],
]);

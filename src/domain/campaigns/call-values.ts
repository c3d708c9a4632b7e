import { normaliseWord } from "../ground/normalise-word.ts";
import type { CallField } from "../expressions/call-fields.ts";
import { isProcessed, type CallFacts } from "./call-outcome.ts";

/** What is known of a call that is over: by the platform's record of it, as far as that was read, and beside it. */
export interface CallAccount {
  callId: string | undefined;
  /** Its record; `processingStatus` and what follows from processing only where it was read whole. */
  call: CallFacts | undefined;
  /** The word of its item, for where its own is not known. */
  itemStatus: string | undefined;
  errorText: string | undefined;
  /** For where its record does not tell. */
  durationSeconds?: number | undefined;
  /** From 1. */
  attempt: number;
  disposition: string;
  reason: string;
  startedAtMs: number | undefined;
  endedAtMs: number | undefined;
}

/** A call as expressions see it, in every scope. Whatever is not known is empty, and nothing is missing. */
export function callValues(account: CallAccount): Record<CallField, unknown> {
  const { call } = account;
  return {
    call_id: account.callId ?? "",
    status: normaliseWord(call?.status ?? account.itemStatus ?? ""),
    direction: call?.direction ?? "outbound",
    attempt: account.attempt,
    duration_seconds: call?.durationSeconds ?? account.durationSeconds ?? 0,
    error: account.errorText ?? "",
    disposition: account.disposition,
    reason: account.reason,
    started_at: isoOf(account.startedAtMs ?? call?.startedAtMs),
    ended_at: isoOf(account.endedAtMs ?? call?.endedAtMs),
    processed: call !== undefined && isProcessed(call),
    analysis: call?.analysis ?? {},
    summary: call?.summary ?? "",
    transcript_length: call?.transcriptLength ?? 0,
  };
}

function isoOf(momentMs: number | undefined): string {
  return momentMs === undefined ? "" : new Date(momentMs).toISOString();
}

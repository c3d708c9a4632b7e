import type { Outcome } from "../simulator.ts";

/** What an item is, in the sandbox's own words. */
export const ITEM_STATUSES = [
  "pending",
  "dialing",
  "in_progress",
  "completed",
  "voicemail",
  "no_answer",
  "busy",
  "failed",
  "cancelled",
] as const;

export type ItemStatus = (typeof ITEM_STATUSES)[number];

/**
 * How items say it. The contract shows no item words, so clients must cope with both ways: `detailed` has a word for
 * each outcome; `terse` says completed or failed, and only the error text and the call tell why.
 */
export type ItemWords = "detailed" | "terse";

const TERSE: Readonly<Record<ItemStatus, string>> = {
  pending: "pending",
  dialing: "processing",
  in_progress: "processing",
  completed: "completed",
  voicemail: "completed",
  no_answer: "failed",
  busy: "failed",
  failed: "failed",
  cancelled: "cancelled",
};

export function wordOf(status: ItemStatus, words: ItemWords): string {
  return words === "terse" ? TERSE[status] : status;
}

/** The item status that a finished call leaves. */
export function itemStatusAfter(outcome: Outcome): ItemStatus {
  switch (outcome) {
    case "answered":
      return "completed";
    case "unreachable":
      return "failed";
    case "voicemail":
    case "no_answer":
    case "busy":
    case "failed":
      return outcome;
  }
}

/** Whether the platform dials again after this, attempts permitting. A voicemail counts as reached. */
export function isRetried(status: ItemStatus): boolean {
  return status === "no_answer" || status === "busy" || status === "failed";
}

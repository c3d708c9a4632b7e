import type { Disposition } from "../policy/disposition.ts";
import { normaliseWord } from "../ground/normalise-word.ts";
import type { AnalysisRule } from "../policy/dialing-policy.ts";

/**
 * From what the platform says of an item and its call to what the attempt came to.
 *
 * The platform's item words are not documented, so the table below is wide, and whatever it does not hold is
 * not guessed at: an unrecognised word counts as a call still up until a bound has passed, then as `unknown`.
 * Where two readings are possible the one that dials less wins. docs/dispositions.md carries the same table.
 */

/** What the items listing says of one item. */
export interface ItemFacts {
  status: string;
  errorText: string | undefined;
  callId: string | undefined;
  /** How often the platform says that it dialed this item. */
  dialCount: number | undefined;
  startedAtMs: number | undefined;
  completedAtMs: number | undefined;
  /** Whether it gives a time of start, be it one that can't be read. Absent: where `startedAtMs` says so. */
  hasStart?: boolean;
}

/** What the calls listing, or one call read whole, says. */
export interface CallFacts {
  callId: string;
  status: string;
  durationSeconds: number | undefined;
  startedAtMs: number | undefined;
  endedAtMs: number | undefined;
  /** Only on a call read whole. */
  processingStatus?: string | undefined;
  analysis?: Readonly<Record<string, unknown>> | undefined;
  summary?: string | undefined;
  /** Lines of its transcript. */
  transcriptLength?: number | undefined;
  direction?: string | undefined;
  /** What it cost, in millionths of a US dollar. */
  costMicros?: number | undefined;
}

type Decision =
  | { by: "word"; disposition: Disposition }
  /** The error text decides; `otherwise` where it says nothing known. */
  | { by: "error_text"; otherwise: Disposition }
  /** The call's status and duration decide. */
  | { by: "call" };

type WordMeaning =
  | { phase: "waiting" }
  | { phase: "up" }
  | { phase: "cancelled" }
  | { phase: "ended"; decision: Decision };

/** Item words, lower case, with every run of other characters as one underscore. */
export const ITEM_WORDS: Readonly<Record<string, WordMeaning>> = {
  ...words(["pending", "queued", "waiting", "scheduled", "created", "new"], { phase: "waiting" }),
  ...words(
    ["dialing", "calling", "initiating", "initiated", "ringing", "connecting", "connected", "answering"],
    { phase: "up" },
  ),
  ...words(["active", "in_progress", "processing", "running", "started", "ongoing", "retrying"], {
    phase: "up",
  }),
  ...words(["cancelled", "canceled", "skipped", "aborted"], { phase: "cancelled" }),
  ...words(["completed", "complete", "ended", "done", "finished", "success", "successful"], {
    phase: "ended",
    decision: { by: "call" },
  }),
  ...words(["answered"], { phase: "ended", decision: { by: "word", disposition: "answered" } }),
  ...words(["voicemail", "voicemail_detected", "voicemail_left", "machine", "answering_machine"], {
    phase: "ended",
    decision: { by: "word", disposition: "voicemail" },
  }),
  ...words(["no_answer", "noanswer", "not_answered", "unanswered", "missed", "declined", "rejected"], {
    phase: "ended",
    decision: { by: "word", disposition: "no_answer" },
  }),
  ...words(["busy", "user_busy", "line_busy"], {
    phase: "ended",
    decision: { by: "word", disposition: "busy" },
  }),
  ...words(["invalid", "invalid_number", "unallocated", "not_in_service"], {
    phase: "ended",
    decision: { by: "word", disposition: "invalid_number" },
  }),
  ...words(["failed", "failure", "error"], {
    phase: "ended",
    decision: { by: "error_text", otherwise: "failed" },
  }),
};

function words(list: readonly string[], meaning: WordMeaning): Record<string, WordMeaning> {
  return Object.fromEntries(list.map((word) => [word, meaning]));
}

/** SIP final responses (RFC 3261 section 21, RFC 8197, RFC 8688) that say what became of the call. */
export const SIP_DISPOSITIONS: Readonly<Record<number, Disposition>> = {
  404: "invalid_number",
  408: "no_answer",
  410: "invalid_number",
  480: "no_answer",
  484: "invalid_number",
  486: "busy",
  487: "no_answer",
  600: "busy",
  603: "no_answer",
  604: "invalid_number",
  // "Unwanted": the person said so. Calling on would be calling against a stated wish.
  607: "opted_out",
};

/** ITU-T Q.850 release causes, as gateways write them: `cause 17`, `Q.850;cause=17`. */
export const Q850_DISPOSITIONS: Readonly<Record<number, Disposition>> = {
  1: "invalid_number",
  17: "busy",
  18: "no_answer",
  19: "no_answer",
  20: "no_answer",
  21: "no_answer",
  22: "invalid_number",
  28: "invalid_number",
};

/** Phrases of error texts without a code. The first that stands in the text decides. */
export const ERROR_PHRASES: readonly (readonly [phrase: RegExp, disposition: Disposition])[] = [
  [/\bvoice ?mail\b|\banswering machine\b/, "voicemail"],
  [/\bno[ _-]?answer\b|\bnot answered\b|\bunanswered\b|\bring(?:ing)? timeout\b/, "no_answer"],
  [/\bbusy\b/, "busy"],
  [/\bdecline[ds]?\b/, "no_answer"],
  [
    /\binvalid (?:phone )?number\b|\bunallocated\b|\bnot in service\b|\bdoes not exist\b|\bdisconnected number\b/,
    "invalid_number",
  ],
];

/** Phrases by which the platform says that it did not make a call, in small letters and with single spaces. */
export const REFUSAL_PHRASES: readonly string[] = [
  "concurrency limit",
  "concurrent call limit",
  "too many concurrent",
  "rate limit",
  "too many requests",
  "insufficient credit",
  "insufficient balance",
  "insufficient funds",
  "out of credit",
  "payment required",
  "invalid from number",
  "invalid caller id",
  "unverified caller id",
  "caller id not verified",
];

/** Whoever is named so was asked to put the call through: nobody here can tell how far it came. */
const BEYOND_THE_PLATFORM = /\b(?:sip|q ?850|cause|carrier|trunk|provider)\b/;

/**
 * Why the platform refused to make the call, in its words; undefined where it may have made it. Its item has to say
 * itself that it was never dialed, by a count of 0, and what it failed of must be the platform's own (I1).
 */
export function readRefusal(item: ItemFacts): string | undefined {
  const { errorText, dialCount } = item;
  const meaning = meaningOf(normaliseWord(item.status));
  const isFailure = meaning?.phase === "ended" && meaning.decision.by === "error_text";
  if (!isFailure || dialCount !== 0 || hasDialMarks(item)) return undefined;
  if (errorText === undefined || readErrorText(errorText)) return undefined;
  const plain = errorText
    .slice(0, 500)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
  if (BEYOND_THE_PLATFORM.test(plain)) return undefined;
  return REFUSAL_PHRASES.some((phrase) => plain.includes(phrase)) ? plain : undefined;
}

function meaningOf(word: string): WordMeaning | undefined {
  return Object.hasOwn(ITEM_WORDS, word) ? ITEM_WORDS[word] : undefined;
}

/** What an item's present state amounts to. */
export type ItemReading =
  | { phase: "waiting" }
  | { phase: "up" }
  | { phase: "cancelled" }
  /** A word that nobody has seen: not terminal, but bounded by whoever waits. */
  | { phase: "unrecognised"; word: string }
  | { phase: "ended"; disposition: Disposition; reason: string }
  /** Ended, but what it came to stands in its call. */
  | { phase: "ended"; disposition: undefined; reason: string };

const NO_WORDS: ReadonlySet<string> = new Set();

/** A word that a platform is known to end items with (platform-profile.ts): what it came to, its call says. */
const ENDED_BY_CALL: WordMeaning = { phase: "ended", decision: { by: "call" } };

/**
 * Reads one item. What it came to is undefined where only the call can tell.
 *
 * @param endedWords further words that end an item, in their normal form; one of the table keeps its meaning.
 * Such a word was seen a few times and may be wrong, so that it counts only beside a sign of the end: the item's
 * time of end, or its call, over. By itself it would free the slot of a phone that is up (I2).
 * @param call the item's call, where it is known
 */
export function readItem(
  item: ItemFacts,
  endedWords: ReadonlySet<string> = NO_WORDS,
  call?: CallFacts,
): ItemReading {
  const word = normaliseWord(item.status);
  const hasSign = item.completedAtMs !== undefined || (call !== undefined && readCall(call) !== undefined);
  const further = hasSign && endedWords.has(word) ? ENDED_BY_CALL : undefined;
  const meaning = meaningOf(word) ?? further;
  if (!meaning) return { phase: "unrecognised", word };
  if (meaning.phase !== "ended") return meaning;
  const { decision } = meaning;
  switch (decision.by) {
    case "word":
      return { phase: "ended", disposition: decision.disposition, reason: `item ${word}` };
    case "error_text": {
      const read = readErrorText(item.errorText);
      if (read)
        return { phase: "ended", disposition: read.disposition, reason: `item ${word}: ${read.reason}` };
      return { phase: "ended", disposition: decision.otherwise, reason: `item ${word}` };
    }
    case "call": {
      // A platform with few words says `completed` for all that it is through with, and the rest in the text.
      const read = readErrorText(item.errorText);
      if (read)
        return { phase: "ended", disposition: read.disposition, reason: `item ${word}: ${read.reason}` };
      return { phase: "ended", disposition: undefined, reason: `item ${word}` };
    }
  }
}

/** What an ended call came to by its status and duration alone. */
export function readCall(call: CallFacts): { disposition: Disposition; reason: string } | undefined {
  const status = normaliseWord(call.status);
  if (["failed", "error"].includes(status)) return { disposition: "failed", reason: `call ${status}` };
  if (!["ended", "completed"].includes(status)) return undefined;
  if (call.durationSeconds === 0) return { disposition: "no_answer", reason: `call ${status}, 0 s` };
  const length = call.durationSeconds === undefined ? "duration not given" : `${call.durationSeconds} s`;
  return { disposition: "answered", reason: `call ${status}, ${length}` };
}

/** Whether a call's post-call processing is over, well or badly. */
export function isProcessed(call: CallFacts): boolean {
  const status = normaliseWord(call.processingStatus ?? "");
  return status === "completed" || status === "failed";
}

/** The first rule over an answer word of the analysis that the processed call satisfies. */
export function readAnalysis(
  rules: readonly AnalysisRule[],
  call: CallFacts,
): { disposition: Disposition; reason: string } | undefined {
  for (const { key, equals, disposition } of rules) {
    if (key === undefined || equals === undefined) continue;
    const said = call.analysis?.[key];
    if (typeof said !== "string" && typeof said !== "number" && typeof said !== "boolean") continue;
    if (said === equals || String(said).toLowerCase() === String(equals).toLowerCase()) {
      return { disposition, reason: `analysis ${key} = ${String(equals)}` };
    }
  }
  return undefined;
}

/** What an error text says, by SIP code first, then by Q.850 cause, then by phrase. */
export function readErrorText(
  text: string | undefined,
): { disposition: Disposition; reason: string } | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  // Bounded, because the text comes from outside and is searched with several patterns.
  const lower = text.slice(0, 500).toLowerCase();
  const cause = /\bcause\D{0,4}(\d{1,3})\b/.exec(lower);
  const sip = /(?:\bsip\b\D{0,12}?(?:2\.0\s+)?|^\s*|\b(?:code|status|response)\D{0,4})([3-6]\d\d)\b/.exec(
    lower,
  );
  const bySip = sip ? SIP_DISPOSITIONS[Number(sip[1])] : undefined;
  if (sip && bySip) return { disposition: bySip, reason: `SIP ${sip[1]}` };
  const byCause = cause ? Q850_DISPOSITIONS[Number(cause[1])] : undefined;
  if (cause && byCause) return { disposition: byCause, reason: `Q.850 cause ${cause[1]}` };
  for (const [phrase, disposition] of ERROR_PHRASES) {
    const found = phrase.exec(lower);
    if (found) return { disposition, reason: `"${found[0]}"` };
  }
  return undefined;
}

/** Whether an item shows that it was dialed by anything but its word: a call, a count, a beginning. */
export function hasDialMarks(item: ItemFacts): boolean {
  return (
    item.callId !== undefined ||
    (item.dialCount !== undefined && item.dialCount !== 0) ||
    item.startedAtMs !== undefined ||
    item.hasStart === true
  );
}

/**
 * Whether what is read here is compatible with the item never having been dialed: a known undialed word, no call, no
 * count, no beginning. Necessary, not sufficient: see `evidence.ts` (I1).
 */
export function looksUndialed(item: ItemFacts): boolean {
  const { phase } = readItem(item);
  return (phase === "waiting" || phase === "cancelled") && !hasDialMarks(item);
}

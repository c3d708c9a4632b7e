import { formatDurationMs } from "../time/duration.ts";
import type { Disposition } from "../policy/disposition.ts";

/*
 * The breaker of a campaign: too many of its newest calls came to what nobody wants, and it pauses itself.
 *
 * closed: it dials. open: it is paused, until a person resumes it or, where it probes, until its time has come.
 * probing: it makes a few calls and no more; what they come to closes the breaker, or opens it again. After so many
 * probes in a row that opened it, only a person resumes it.
 */
export const BREAKER_STATES = ["closed", "open", "probing"] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

/** What it counts: dispositions, and conversations that were over at once. */
export const BREAKER_CAUSES = ["failed", "invalid_number", "voicemail", "opted_out", "short"] as const;
export type BreakerCause = (typeof BREAKER_CAUSES)[number];

export interface BreakerPolicy {
  /** How many of the newest calls are looked at. */
  newest: number;
  /** Fewer calls than this say nothing. */
  atLeast: number;
  /** From which share on, above 0 and up to 1, it opens. `short` is a share of the conversations, the others of all calls. */
  shares: Partial<Record<BreakerCause, number>>;
  /** A conversation below this is short. */
  shortMs: number;
  /** Absent: a person alone closes it. */
  probe: { calls: number; afterMs: number; tries: number } | undefined;
}

/** The newest calls of a campaign, a letter each, the last one last. */
const LETTERS = {
  failed: "f",
  unknown: "f",
  invalid_number: "i",
  voicemail: "v",
  opted_out: "o",
  answered: "a",
  callback_requested: "a",
  no_answer: "n",
  busy: "b",
} as const satisfies Record<Disposition, string>;
const SHORT = "s";

const LETTER_OF: Readonly<Record<BreakerCause, string>> = {
  failed: LETTERS.failed,
  invalid_number: LETTERS.invalid_number,
  voicemail: LETTERS.voicemail,
  opted_out: LETTERS.opted_out,
  short: SHORT,
};
const CONVERSATIONS = new Set<string>([LETTERS.answered, LETTERS.opted_out, SHORT]);

/** More of them are never kept: the most that a breaker looks at. */
export const MAX_NEWEST_CALLS = 500;

/** The letter under which a call that ended is kept. Whoever opts out in a short call has opted out. */
export function letterOf(
  ended: { disposition: Disposition; durationSeconds: number | undefined },
  { shortMs }: Pick<BreakerPolicy, "shortMs">,
): string {
  const letter = LETTERS[ended.disposition];
  const { durationSeconds } = ended;
  const isShort =
    letter === LETTERS.answered && durationSeconds !== undefined && durationSeconds * 1_000 < shortMs;
  return isShort ? SHORT : letter;
}

/** What a campaign's newest calls say. */
export type Verdict = { kind: "goes_on" } | { kind: "undecided" } | { kind: "opens"; detail: string };

/**
 * Whether the newest calls open the breaker.
 *
 * @param newest of the calls since it was closed last, or of those of the probe.
 */
export function verdictOf(newest: string, policy: BreakerPolicy, state: BreakerState): Verdict {
  if (state === "open") return { kind: "undecided" };
  const isProbe = state === "probing" && policy.probe !== undefined;
  const probed = isProbe ? (policy.probe?.calls ?? 0) : 0;
  if (isProbe && newest.length < probed) return { kind: "undecided" };
  // A probe is few calls: all of them are looked at, and half of them say something of its conversations.
  const seen = newest.slice(-Math.max(policy.newest, probed));
  const atLeast = isProbe ? Math.ceil(probed / 2) : policy.atLeast;
  for (const cause of BREAKER_CAUSES) {
    const share = policy.shares[cause];
    if (share === undefined) continue;
    const of = cause === "short" ? countIn(seen, CONVERSATIONS) : seen.length;
    const counted = countIn(seen, new Set([LETTER_OF[cause]]));
    if (of < atLeast || counted < share * of) continue;
    return { kind: "opens", detail: told({ cause, counted, of, share, policy }) };
  }
  return { kind: "goes_on" };
}

function countIn(newest: string, letters: ReadonlySet<string>): number {
  let counted = 0;
  for (const letter of newest) counted += letters.has(letter) ? 1 : 0;
  return counted;
}

function told(input: {
  cause: BreakerCause;
  counted: number;
  of: number;
  share: number;
  policy: BreakerPolicy;
}): string {
  const { cause, counted, of, share, policy } = input;
  const limit = `${Math.round(share * 1_000) / 10} %`;
  const what =
    cause === "short"
      ? `conversations were over within ${formatDurationMs(policy.shortMs)}`
      : `calls came to ${cause}`;
  return `${counted} of the last ${of} ${what} (${limit} open its breaker)`;
}

/** When an open breaker probes by itself, or undefined where a person has to look. `opened`: times in a row, this one included. */
export function probeAtMs(policy: BreakerPolicy, opened: number, nowMs: number): number | undefined {
  const { probe } = policy;
  // It opened once by calls, and then by each probe.
  if (!probe || opened > probe.tries) return undefined;
  return nowMs + probe.afterMs;
}

/** How many calls more a probe may make: those that are over and those that are leased are of it already. */
export function probeRoom(policy: BreakerPolicy, newest: string, leased: number): number {
  return Math.max(0, (policy.probe?.calls ?? 0) - newest.length - leased);
}

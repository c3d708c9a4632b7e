import { ENDING_MS, roundedEnd } from "./consent.ts";

/*
 * Scrubbing: a service of somebody else is asked about numbers before they are dialed, and its answers hold for a while.
 * Whether a number may be dialed by what it said is decided here, for whoever plans and whoever permits a start.
 */

/** What holds for numbers without an answer while the service can't be reached, each with what it means (Markdown). */
export const WHEN_AWAY = {
  wait: "nobody is dialed of whom it has not said that they may be",
  dial: "whom it did not list before, and was not silent about, is dialed without it, once three requests in a row had no answer",
} as const;

export type WhenAway = keyof typeof WHEN_AWAY;

/** A source of suppressions that is asked about single numbers. */
export interface Scrubber {
  sourceId: number;
  source: string;
  /** Since when it is asked where it is asked now: by what another address had said nobody is dialed. */
  sinceMs: number;
  /** How old its answer may be. */
  cacheMs: number;
  whenAway: WhenAway;
  /** When it was tried last, where it is away; undefined: it is not known to be. */
  awayTriedAtMs: number | undefined;
}

/** What a service said of a number. */
export interface ScrubAnswer {
  sourceId: number;
  /** Its last answer of the two; undefined: it never gave one. */
  last: { askedAtMs: number; listed: boolean } | undefined;
  /** When it was asked since and said nothing of the number, though it answered. */
  unansweredAtMs: number | undefined;
}

export type ScrubStanding =
  /** May be dialed, as long as the dial happens before `untilMs`. */
  | { kind: "clear"; untilMs: number }
  /** May be dialed without it: it is away, and its rule says so. */
  | { kind: "away"; untilMs: number }
  | { kind: "listed"; untilMs: number }
  /** It was asked, and said nothing of this number: it is asked again then. */
  | { kind: "unanswered"; untilMs: number }
  | { kind: "unasked" };

/** A number of which the service says nothing is asked about again after this: what it can't read it will not soon. */
export const UNANSWERED_REST_MS = 30 * 60_000;

/** That a service is away is known for so long after the last try: twice the longest rest between two. */
export const AWAY_HOLDS_MS = 30 * 60_000;

/**
 * Answers that end within this are asked for again. Ends are rounded down by up to ten minutes, and a call takes a moment
 * to begin: an answer is replaced before it is of no use any more.
 */
export const ASKED_AHEAD_MS = 20 * 60_000;

/** How a number stands with one service, at a moment. */
export function scrubStanding(
  { sinceMs, cacheMs, whenAway, awayTriedAtMs }: Scrubber,
  answer: ScrubAnswer | undefined,
  nowMs: number,
): ScrubStanding {
  const { last, unansweredAtMs } = answer ?? {};
  // No answer is of the future, whatever a clock elsewhere says.
  const endMs = last === undefined ? Number.NEGATIVE_INFINITY : Math.min(last.askedAtMs, nowMs) + cacheMs;
  if (last?.listed === true && nowMs < endMs) return { kind: "listed", untilMs: endMs };
  if (last?.listed === false && last.askedAtMs >= sinceMs && nowMs < endMs) {
    const untilMs = roundedEnd(endMs, nowMs);
    if (untilMs - nowMs > ENDING_MS) return { kind: "clear", untilMs };
  }
  if (unansweredAtMs !== undefined && unansweredAtMs >= sinceMs) {
    const untilMs = Math.min(unansweredAtMs, nowMs) + UNANSWERED_REST_MS;
    if (nowMs < untilMs) return { kind: "unanswered", untilMs };
  }
  // Whom it listed last, or would say nothing of when it answered, is not dialed without its word.
  const isOpen = last?.listed !== true && unansweredAtMs === undefined;
  if (whenAway === "dial" && awayTriedAtMs !== undefined && isOpen) {
    const untilMs = awayTriedAtMs + AWAY_HOLDS_MS;
    if (untilMs - nowMs > ENDING_MS) return { kind: "away", untilMs };
  }
  return { kind: "unasked" };
}

export interface Unscrubbed {
  source: string;
  standing: Extract<ScrubStanding, { kind: "listed" | "unanswered" | "unasked" }>;
}

/** Until when a number may be dialed by all services that are to be asked, or the first that says no, or nothing. */
export function scrubbedUntil(
  scrubbers: readonly Scrubber[],
  answers: readonly ScrubAnswer[],
  nowMs: number,
): { untilMs: number } | Unscrubbed {
  let untilMs = Number.POSITIVE_INFINITY;
  for (const scrubber of scrubbers) {
    const answer = answers.find(({ sourceId }) => sourceId === scrubber.sourceId);
    const standing = scrubStanding(scrubber, answer, nowMs);
    if (standing.kind !== "clear" && standing.kind !== "away") return { source: scrubber.source, standing };
    untilMs = Math.min(untilMs, standing.untilMs);
  }
  return { untilMs };
}

/** Why a number is not dialed by a service, in words. */
export function unscrubbedText({ source, standing }: Unscrubbed): string {
  switch (standing.kind) {
    case "listed":
      return `the scrubbing service ${source} lists the number`;
    case "unanswered":
      return `the scrubbing service ${source} was asked and said nothing of the number: it is asked again`;
    case "unasked":
      return `the scrubbing service ${source} has not said yet that the number may be dialed: outdial suppress source show ${source} tells whether it answers`;
  }
}

/** Failures in a row after which a service counts as away: one request that was lost is none. */
const AWAY_AFTER = 3;

const FIRST_REST_MS = 10_000;
const LONGEST_REST_MS = 15 * 60_000;

/**
 * What a try that failed means. A service that answers what it should not, or must not be asked as it is set up, is not
 * away: that is for people to mend, and nobody is dialed without it meanwhile.
 */
export interface ScrubFailure {
  kind: "away" | "wrong";
  text: string;
  /** How long it wants to be left alone. */
  retryAfterMs?: number | undefined;
}

/**
 * After how many failures in a row, this one counted, a service is away, and how long it is left alone.
 *
 * @param silent how many of them, the last ones, were of a service that is away
 */
export function afterScrubFailure(
  { kind, retryAfterMs = 0 }: ScrubFailure,
  { failures, silent }: { failures: number; silent: number },
): { isAway: boolean; restMs: number } {
  const restMs = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(failures - 1, 10));
  return {
    isAway: kind === "away" && silent >= AWAY_AFTER,
    restMs: Math.min(LONGEST_REST_MS, Math.max(restMs, retryAfterMs)),
  };
}

/** In one request. */
export const MOST_ASKED = 1_000;

export interface ScrubReading {
  listed: ReadonlyMap<string, string | undefined>;
  clear: ReadonlySet<string>;
  /** Numbers of which it says nothing. */
  missing: readonly string[];
}

/**
 * Reads what a service answers: `{"listed": [...], "clear": [...]}`, numbers as they were asked, or, of one that is listed,
 * `{"phone": ..., "reason": ...}`. Numbers that were not asked are none of our business; one that is in both is listed.
 *
 * One that says nothing of any number is an answer like others: a service may cover none of those.
 *
 * @returns a text that says what is wrong, where it can't be read.
 */
export function readScrubAnswer(body: string, asked: readonly string[]): ScrubReading | string {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return "its answer is no JSON, or longer than 512 KB, or compressed";
  }
  if (typeof answer !== "object" || answer === null || !("listed" in answer) || !("clear" in answer))
    return 'its answer has no "listed" and "clear"';
  const { listed: saidListed, clear: saidClear } = answer;
  if (!Array.isArray(saidListed) || !Array.isArray(saidClear))
    return '"listed" and "clear" of its answer are not both lists of numbers';
  const asks = new Set(asked);
  const listed = new Map<string, string | undefined>();
  for (const item of saidListed) {
    const { phone, reason } = listedOf(item);
    if (phone !== undefined && asks.has(phone)) listed.set(phone, reason);
  }
  const clear = new Set<string>();
  for (const item of saidClear) {
    if (typeof item === "string" && asks.has(item) && !listed.has(item)) clear.add(item);
  }
  const missing = asked.filter((phone) => !listed.has(phone) && !clear.has(phone));
  return { listed, clear, missing };
}

/** What people are told of an answer that says nothing of any number; undefined where it says something. */
export function silenceText({ listed, clear, missing }: ScrubReading): string | undefined {
  if (listed.size + clear.size > 0) return undefined;
  return `its answer says nothing of any of the ${missing.length} numbers that it was asked about last: each is to stand in "listed" or "clear" as it was sent`;
}

const MOST_REASON = 200;

function listedOf(item: unknown): { phone?: string; reason?: string } {
  if (typeof item === "string") return { phone: item };
  if (typeof item !== "object" || item === null || !("phone" in item)) return {};
  const { phone } = item;
  if (typeof phone !== "string") return {};
  const reason = "reason" in item && typeof item.reason === "string" ? item.reason.trim() : "";
  return reason === "" ? { phone } : { phone, reason: reason.slice(0, MOST_REASON) };
}

/** What asking a service about some numbers came to. */
export type ScrubAsking =
  | { kind: "read"; reading: ScrubReading }
  | {
      kind: "failed";
      failure: ScrubFailure;
      /** Of its answer, where there was one, and the beginning of that. */
      status?: number;
      said?: string;
    }
  /** We gave it up ourselves. */
  | { kind: "none" };

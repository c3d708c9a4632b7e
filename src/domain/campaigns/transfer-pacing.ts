import type { TransferCapacity } from "../policy/dialing-policy.ts";
import { DEFAULT_HOLD_MS } from "./batch-sizing.ts";

/*
 * How many lines a campaign may hold, so that those who take transferred calls are not met by more at once, on average,
 * than there are of them.
 *
 * A line makes a call each `holdMs`; a share of these is transferred, and keeps a person for `talkMs`. So a line keeps
 * share x talkMs / holdMs of a person busy, and as many lines are let dial as come to all of them. It is a mean: calls
 * come in bunches, and who wants nobody to wait says fewer people than there are.
 *
 * Nothing is known before the first calls: then every call is taken for a conversation, and the share is what the spec
 * expects. That is counted as so many calls that came to it, and gives way to the campaign's own as these grow. A
 * conversation of which nobody says whether it was transferred says nothing of the share.
 */

/** What is taken for granted weighs as much as so many calls. */
const PRIOR_CALLS = 20;

/** What a campaign's calls came to so far. */
export interface TransferPast {
  calls: number;
  /** Of these: somebody was, or may have been, spoken with. */
  conversations: number;
  /** Of these: an answer of the analysis says whether they were transferred. */
  known: number;
  /** Of these: it says that they were. */
  transfers: number;
  /** Mean time that a call held its line; undefined: not known yet. */
  meanHoldMs: number | undefined;
}

export interface TransferPace {
  people: number;
  /** How many lines it may hold: 1 at least, since a campaign that dials nobody learns nothing. */
  lines: number;
  /** The share of its calls that is taken to be transferred. */
  share: number;
}

/** @param elsewhere how many of them the calls of others that share them keep busy */
export function transferPace(capacity: TransferCapacity, past: TransferPast, elsewhere = 0): TransferPace {
  const { people } = capacity;
  const { share, talkMs, holdMs } = loadOf(capacity, past);
  // Sums of parts may be a hair below a whole.
  const lines = Math.max(1, Math.floor(((people - elsewhere) * holdMs) / (share * talkMs) + 1e-9));
  return { people, lines, share };
}

/** How many of them so many lines keep busy, on average. */
export function keptBusy(capacity: TransferCapacity, past: TransferPast, lines: number): number {
  const { share, talkMs, holdMs } = loadOf(capacity, past);
  return (lines * share * talkMs) / holdMs;
}

function loadOf(
  { expectedShare, talkMs, answer }: TransferCapacity,
  { calls, conversations, known, transfers, meanHoldMs = DEFAULT_HOLD_MS }: TransferPast,
): { share: number; talkMs: number; holdMs: number } {
  const weighed = (value: number, count: number, before: number) =>
    (value + before * PRIOR_CALLS) / (count + PRIOR_CALLS);
  const spokenWith = Math.min(1, weighed(conversations, calls, 1));
  const ofThose =
    answer === undefined
      ? expectedShare
      : Math.min(1, weighed(Math.min(transfers, known), known, expectedShare));
  const share = spokenWith * ofThose;
  const holdMs = Math.max(1, weighed(meanHoldMs * calls, calls, DEFAULT_HOLD_MS));
  return { share, talkMs, holdMs };
}

/** Whether an answer of a call's analysis says that it was transferred; undefined: it is not there, or says neither. */
export function saysTransferred(
  answer: string,
  kept: { analysis?: Readonly<Record<string, unknown>> } | undefined,
): boolean | undefined {
  const said = kept?.analysis?.[answer.slice("analysis.".length)];
  if (typeof said === "boolean") return said;
  if (typeof said !== "string") return undefined;
  const word = said.trim();
  if (/^(?:true|yes|y)$/i.test(word)) return true;
  return /^(?:false|no|n)$/i.test(word) ? false : undefined;
}

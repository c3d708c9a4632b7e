import { formatDurationMs } from "../time/duration.ts";
import type { Scrubber } from "./scrubbing.ts";

/** What a list of numbers that must not be dialed is about, each with what it means (Markdown). */
export const SOURCE_TYPES = {
  own: "people who asked you not to call, or whom you keep out: another system's list of your own",
  do_not_call: "a national or state register of people who are not to be called",
  litigators: "numbers of people who sue callers",
  reassigned: "numbers that were given to somebody else since consent was",
  scrub:
    "what a [scrubbing service](#scrubbing-services) finds among your numbers, by its lists or asked about each",
} as const;

export type SourceType = keyof typeof SOURCE_TYPES;

/** A source that a campaign is in the scope of, as it is at the moment of asking. */
export interface SourceInScope {
  source: string;
  /** As of when its list is. Unix milliseconds; undefined: none was ever taken. */
  renewedAtMs: number | undefined;
  /** How old that may be; undefined: as old as it is. */
  maxAgeMs: number | undefined;
  /** Of one that is asked about single numbers. */
  scrubber?: Scrubber | undefined;
}

/** How old the list of a source is, and may be. */
export interface ListAge extends SourceInScope {
  maxAgeMs: number;
}

export function hasAge(source: SourceInScope): source is ListAge {
  return source.maxAgeMs !== undefined;
}

/** The services that are to be asked about each number. */
export function scrubbersOf(sources: readonly SourceInScope[]): Scrubber[] {
  return sources.flatMap(({ scrubber }) => (scrubber ? [scrubber] : []));
}

/** What is wrong with the sources that a campaign requires, in words; undefined where all are there and have a list. */
export function lackOfSources(
  required: readonly string[],
  sources: readonly SourceInScope[],
): string | undefined {
  for (const name of required) {
    const found = sources.find(({ source }) => source === name);
    if (!found)
      return `the campaign requires the source ${name}, and there is none of that name for its brand: declare it with outdial suppress source put ${name}, or take it out of requires_sources`;
    if (found.renewedAtMs === undefined && !found.scrubber)
      return `the campaign requires the source ${name}, which has no list yet: ${renewalOf(name)}`;
  }
  return undefined;
}

/** From when on the list of a source is too old to dial by; one that was never taken always was. */
export function staleFromMs({ renewedAtMs, maxAgeMs }: ListAge): number {
  return renewedAtMs === undefined ? Number.NEGATIVE_INFINITY : renewedAtMs + maxAgeMs;
}

/** The list that is too old first. */
export function firstStale(lists: readonly ListAge[]): ListAge | undefined {
  return lists.toSorted((a, b) => staleFromMs(a) - staleFromMs(b))[0];
}

/** What part of its age a list has when people are told that it is to be renewed. */
const TOLD_AT = 0.8;

export type AgeOfList = "fresh" | "old" | "stale";

export function ageOf(list: ListAge, nowMs: number): AgeOfList {
  const staleMs = staleFromMs(list);
  if (nowMs >= staleMs) return "stale";
  return nowMs >= staleMs - list.maxAgeMs * (1 - TOLD_AT) ? "old" : "fresh";
}

/** Why nobody is called by a list, in words. */
export function staleText({ source, renewedAtMs, maxAgeMs }: ListAge): string {
  const allowed = formatDurationMs(maxAgeMs);
  const what =
    renewedAtMs === undefined
      ? `the source ${source} has no list yet, and must have one that is at most ${allowed} old`
      : `the list of the source ${source} is of ${new Date(renewedAtMs).toISOString()}, and may be ${allowed} old`;
  return `${what}: ${renewalOf(source)}`;
}

/** How its list is renewed, in words. */
export function renewalOf(source: string): string {
  return `import the newest with outdial suppress import FILE --source ${source} --replace`;
}

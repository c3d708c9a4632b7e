import type { AttentionKind } from "../ground/attention.ts";
import { msOfDuration } from "../time/duration.ts";
import { breaksQuiet, concerns, LONGEST_GATHER_MS, type RouteDefinition } from "./route.ts";

/* What a route tells of an entry, from what stands in the list and what the route has told: facts alone. */

/**
 * What is said of an entry: that it is there, that it goes on or came again, that nobody has acknowledged it, that
 * somebody has, and that it is over.
 */
export const NOTICE_WORDS = ["problem", "again", "reminder", "acknowledged", "resolved"] as const;

export type NoticeWord = (typeof NOTICE_WORDS)[number];

/** An entry of the list, as far as it matters here. */
export interface EntrySeen {
  id: number;
  kind: AttentionKind;
  subject: string;
  brand: string;
  times: number;
  resolvedAtMs: number | undefined;
  acknowledgedAtMs: number | undefined;
  /** Undefined: for as long as it is there. */
  acknowledgedUntilMs: number | undefined;
}

/** What a route has told of a kind and subject: that of which it is known that it was delivered. */
export interface Told {
  /** The entry that the receiver takes to be open; undefined: none. */
  entryId: number | undefined;
  /** When it was told of last. */
  atMs: number | undefined;
  /** As often as it had happened then. */
  times: number;
  /** How often in a row it was told as `problem` or `again`. */
  tellings: number;
  reminders: number;
  /** The acknowledgement that was told, by its time. */
  acknowledgedAtMs: number | undefined;
  /** A message about it is under way: it is looked at again when that has ended. */
  isUnderWay: boolean;
}

export interface NoticeTurn {
  /** What is to be told now; undefined: nothing. */
  word: NoticeWord | undefined;
  /** When it is to be looked at again, unless something happens; undefined: not before that. Unix milliseconds. */
  lookAtMs: number | undefined;
}

const NOTHING: NoticeTurn = { word: undefined, lookAtMs: undefined };

/**
 * @param quietUntilMs until when the route is quiet; undefined: it is not
 */
export function noticeTurn(
  route: RouteDefinition,
  entry: EntrySeen,
  told: Told | undefined,
  { nowMs, quietUntilMs }: { nowMs: number; quietUntilMs: number | undefined },
): NoticeTurn {
  if (!concerns(route, entry) || told?.isUnderWay === true) return NOTHING;
  const due =
    entry.resolvedAtMs === undefined ? dueOfOpen(route, entry, told, nowMs) : dueOfResolved(entry, told);
  if (due === undefined) return NOTHING;
  if (due.atMs > nowMs) return { word: undefined, lookAtMs: due.atMs };
  if (quietUntilMs !== undefined && !breaksQuiet(route, entry.kind))
    return { word: undefined, lookAtMs: quietUntilMs };
  return { word: due.word, lookAtMs: undefined };
}

interface Due {
  word: NoticeWord;
  atMs: number;
}

/**
 * Whoever was never told of it need not know that it is over. It may have been over and have come back since they were
 * told: the end of what came back is the end of what they were told of.
 */
function dueOfResolved({ id }: EntrySeen, told: Told | undefined): Due | undefined {
  return told?.entryId !== undefined && told.entryId <= id ? { word: "resolved", atMs: 0 } : undefined;
}

function dueOfOpen(
  route: RouteDefinition,
  entry: EntrySeen,
  told: Told | undefined,
  nowMs: number,
): Due | undefined {
  const { acknowledgedAtMs, acknowledgedUntilMs } = entry;
  const isKnown = told?.entryId === entry.id;
  if (acknowledgedAtMs !== undefined) {
    const isOver = acknowledgedUntilMs !== undefined && acknowledgedUntilMs <= nowMs;
    if (!isOver) {
      if (isKnown && told.acknowledgedAtMs !== acknowledgedAtMs) return { word: "acknowledged", atMs: 0 };
      return acknowledgedUntilMs === undefined ? undefined : { word: "reminder", atMs: acknowledgedUntilMs };
    }
    // It is still there when the time is up that somebody had asked for.
    if (isKnown && (told.atMs ?? 0) < acknowledgedUntilMs) return { word: "reminder", atMs: 0 };
  }
  if (told?.atMs === undefined) return { word: "problem", atMs: 0 };
  const gathered: Due = { word: "again", atMs: told.atMs + gatherMsOf(route, told.tellings) };
  if (!isKnown) return gathered;
  const dues = [...(entry.times > told.times ? [gathered] : []), ...remindersOf(route, told, told.atMs)];
  return dues.sort((a, b) => a.atMs - b.atMs)[0];
}

/** Whatever goes on for days is told less and less often. */
function gatherMsOf({ gather }: RouteDefinition, tellings: number): number {
  return Math.min(LONGEST_GATHER_MS, msOfDuration(gather) * 2 ** Math.min(20, Math.max(0, tellings - 1)));
}

function remindersOf({ remind }: RouteDefinition, { reminders }: Told, toldAtMs: number): Due[] {
  if (remind === undefined || reminders >= remind.times) return [];
  return [{ word: "reminder", atMs: toldAtMs + msOfDuration(remind.every) }];
}

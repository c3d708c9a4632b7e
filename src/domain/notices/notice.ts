import { z } from "zod";

import { NOTICE_WORDS, type NoticeWord } from "./turn.ts";

/*
 * A notice: what one message of a route says. It is written down before it is sent, and each try says the same.
 */

/** In full; of the others the counts are said. A screen of a phone holds fewer. */
export const SHOWN_IN_FULL = 20;

/** Of a summary or a remedy: some name what the other side said. */
const LONGEST_TEXT = 500;

const instant = z.number();

const itemSchema = z.object({
  word: z.enum(NOTICE_WORDS),
  id: z.int(),
  /** Another version may know other kinds: what was written down is sent all the same. */
  kind: z.string(),
  subject: z.string(),
  brand: z.string(),
  summary: z.string(),
  remedy: z.string(),
  /** Since when it is so. */
  sinceMs: instant,
  times: z.int(),
  acknowledgedBy: z.string().optional(),
  acknowledgedUntilMs: instant.optional(),
  resolvedBy: z.string().optional(),
  resolution: z.string().optional(),
});

export type NoticeItem = z.output<typeof itemSchema>;

export const noticeSchema = z.object({
  /** Of the message: the same in each try. */
  id: z.string(),
  route: z.string(),
  atMs: instant,
  isTest: z.boolean(),
  items: z.array(itemSchema).max(SHOWN_IN_FULL),
  /** Of all that it is about, with those that are not shown. */
  counts: z.array(z.object({ word: z.enum(NOTICE_WORDS), kind: z.string(), n: z.int() })),
});

export type Notice = z.output<typeof noticeSchema>;

/** An entry as a notice says it: bounded, and fit for other people's screens. */
export function itemOf(item: NoticeItem, masked: (text: string) => string): NoticeItem {
  const fit = (text: string) => plain(masked(text)).slice(0, LONGEST_TEXT).toWellFormed();
  return {
    ...item,
    subject: fit(item.subject),
    summary: fit(item.summary),
    remedy: fit(item.remedy),
    ...(item.acknowledgedBy !== undefined && { acknowledgedBy: fit(item.acknowledgedBy) }),
    ...(item.resolvedBy !== undefined && { resolvedBy: fit(item.resolvedBy) }),
    ...(item.resolution !== undefined && { resolution: fit(item.resolution) }),
  };
}

/** In one line, without what moves a cursor or turns the direction of writing. */
function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll(/[\u061C\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g, "");
}

/** A notice that says that notices arrive. */
export function testNotice(route: string, id: string, atMs: number): Notice {
  return { id, route, atMs, isTest: true, items: [], counts: [] };
}

export function totalOf({ counts }: Notice): number {
  return counts.reduce((total, { n }) => total + n, 0);
}

const WORDS: Readonly<Record<NoticeWord, string>> = {
  problem: "new",
  again: "again",
  reminder: "still waiting",
  acknowledged: "acknowledged",
  resolved: "resolved",
};

/** In one line what a notice is about: the subject of a mail, the first line of a message. */
export function headlineOf(notice: Notice): string {
  if (notice.isTest) return `Outdial: a test of the route ${notice.route}`;
  const [first] = notice.items;
  if (first && totalOf(notice) === 1)
    return `Outdial: ${WORDS[first.word]}: ${kindText(first.kind)} (${first.brand})`;
  const byWord = NOTICE_WORDS.flatMap((word) => {
    const n = notice.counts.reduce((sum, count) => sum + (count.word === word ? count.n : 0), 0);
    return n === 0 ? [] : [`${n} ${WORDS[word]}`];
  });
  return `Outdial: ${byWord.join(", ")}`;
}

export const TEST_TEXT = "Somebody tests whether notices arrive here. There is nothing to do.";

/** An entry in lines: what it is, since when, and what can be done about it. */
export function linesOf(item: NoticeItem): string[] {
  const { word, id, kind, brand, summary, remedy, sinceMs, times } = item;
  const often = times > 1 ? `, ${times} times` : "";
  const head = `[${WORDS[word]}] ${kindText(kind)}, brand ${brand}, since ${momentText(sinceMs)}${often}, entry ${id}`;
  if (word === "resolved") {
    const { resolvedBy = "somebody", resolution = "" } = item;
    return [head, summary, `Over: ${resolution} (${resolvedBy})`];
  }
  const { acknowledgedBy, acknowledgedUntilMs } = item;
  const until = acknowledgedUntilMs === undefined ? "" : ` until ${momentText(acknowledgedUntilMs)}`;
  const seenTo = acknowledgedBy === undefined ? [] : [`Seen to by ${acknowledgedBy}${until}`];
  return [head, summary, `To do: ${remedy}`, ...seenTo];
}

/** What a notice is about and does not show, in lines; none where it shows all. */
export function restOf({ items, counts }: Notice): string[] {
  const left = counts.flatMap(({ word, kind, n }) => {
    const shown = items.filter((item) => item.word === word && item.kind === kind).length;
    return n > shown ? [`${n - shown} more ${WORDS[word]}: ${kindText(kind)}`] : [];
  });
  return left.length === 0 ? [] : [...left, "The whole list: outdial attention list"];
}

function kindText(kind: string): string {
  return kind.replaceAll("_", " ");
}

/** In UTC: whoever reads it may be anywhere. */
function momentText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/**
 * Walks lists page by page (contract 2.1.2).
 *
 * P1 What is asked for next starts after the rows received, never after the rows asked for: a platform may
 *    return fewer than the limit in the middle of a list.
 * P2 An empty page ends every walk. `untilEmpty` accepts no other end, for whoever needs proof of absence.
 *    Otherwise a walk also ends, one request earlier, where the rows received are exactly the total that the
 *    platform gave. Fewer or more than the total means that the list moved meanwhile: the walk goes on.
 * P3 A walk ends. Pages are bounded in number, and a page that repeats the one before it is an error: the
 *    platform ignores where we asked it to start. Only a short bare array may repeat: it is a whole list from a
 *    platform that does not page, and still no proof.
 * P4 A row that can't be read is a row that was received. Whoever walks is told, or the walk fails: it is never passed
 *    over in silence, since it may be the one that is looked for.
 * P5 A list that changes during the walk may show a row twice, and hide one from any walk, `untilEmpty` or not: where
 *    a row that was received is taken out of the list, all behind it move up, and the next page begins behind one
 *    that was never shown. Rows are joined by id by whoever needs them to be unique. Whoever must not overlook a row
 *    of a list that rows are taken out of walks more than once (activities/campaigns/steady-listing.ts).
 */
import type { CallOptions } from "./request.ts";
import type { Page } from "./decoding.ts";
import type { PagingStyle } from "./operations/operation.ts";

export interface WalkOptions extends CallOptions {
  /** End only at an empty page; costs one request more. Default false. */
  readonly untilEmpty?: boolean | undefined;
  /** Pages that a walk may ask for before it is given up as endless. Default 10,000. */
  readonly maxPages?: number | undefined;
  /** Is told of rows that have no id, and so are none of those that come. Without it they are an error. */
  readonly onUnreadable?: ((rows: number) => void) | undefined;
}

export interface Walk<Row> {
  readonly style: PagingStyle;
  /** Rows per page to ask for. */
  readonly limit: number;
  /** Rows to leave out at the beginning; 0 for style `page`, whose pages are counted by the platform. */
  readonly skip: number;
  /** The page to begin with, for style `page`. Default 1. */
  readonly page?: number;
  /** Asks for one page with the position's query parameters. */
  readonly fetchPage: (position: Readonly<Record<string, number>>) => Promise<Page<Row>>;
  readonly idOf: (row: Row) => string;
  /** Makes the error of a list that is not what it must be. */
  readonly broken: (problem: string) => Error;
  /** Makes the error of rows that can't be read. */
  readonly unreadable: (rows: number) => Error;
}

/** A million rows at 100 a page: no list of ours is longer. */
const DEFAULT_MAX_PAGES = 10_000;

/** Yields the rows of a list, one page in memory at a time. */
export async function* walk<Row>(
  list: Walk<Row>,
  options: WalkOptions,
): AsyncGenerator<Row, void, undefined> {
  for await (const page of walkPages(list, options)) yield* page.items;
}

/** Yields the pages of a list, none of them empty. */
export async function* walkPages<Row>(
  list: Walk<Row>,
  options: WalkOptions,
): AsyncGenerator<Page<Row>, void, undefined> {
  const maxPages = options.maxPages ?? DEFAULT_MAX_PAGES;
  let received = list.skip;
  let before = "";
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await list.fetchPage(positionOf(list, received, pages));
    const { unreadable = 0 } = page;
    const rows = page.items.length + unreadable;
    if (rows === 0) return;
    if (unreadable > 0 && !options.onUnreadable) throw list.unreadable(unreadable);
    const ids = page.items.map(list.idOf).join("\n");
    if (ids === before) {
      const wholeList = page.total === undefined && rows < list.limit;
      if (wholeList && options.untilEmpty !== true) return;
      throw list.broken("the list repeats a page: where to start is being ignored");
    }
    before = ids;
    if (unreadable > 0) options.onUnreadable?.(unreadable);
    yield page;
    received += rows;
    if (received === page.total && options.untilEmpty !== true) return;
  }
  throw list.broken(`the list has not ended after ${maxPages} pages`);
}

function positionOf<Row>(list: Walk<Row>, received: number, pages: number): Record<string, number> {
  const { style, limit } = list;
  switch (style) {
    case "skip":
      return { skip: received, limit };
    case "offset":
      return { offset: received, limit };
    case "page":
      return { page: (list.page ?? 1) + pages, per_page: limit };
  }
}

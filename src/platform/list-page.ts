import type { Page } from "./decoding.ts";
import { type Walk, walkPages, type WalkOptions } from "./paging.ts";
import { invalidOption } from "./url.ts";

/** Rows of a list that were gathered up to a bound. */
export interface Gathered<Row> {
  readonly items: readonly Row[];
  /** False: there are more, which the bound left out. */
  readonly isAll: boolean;
}

/** Where a page stands: what its walk needs to go on from it. */
export interface Position<Row> {
  readonly list: Walk<Row>;
  readonly options: WalkOptions;
}

/**
 * One page of a list, and the way on from it (paging.ts): `for await` of it yields its rows and those of all pages
 * behind it.
 */
export class ListPage<Row> implements Page<Row>, AsyncIterable<Row> {
  readonly items: readonly Row[];
  readonly total: number | undefined;
  declare readonly unreadable?: number;
  readonly #position: Position<Row>;

  constructor({ items, total, unreadable }: Page<Row>, position: Position<Row>) {
    this.items = items;
    this.total = total;
    // Left out where there are none: pages of lists that have no such rows do not speak of them.
    if (unreadable !== undefined) this.unreadable = unreadable;
    this.#position = position;
  }

  /** The page behind this one; undefined where this one is the last. One request at most. */
  async next(): Promise<ListPage<Row> | undefined> {
    const pages = this.pages();
    await pages.next();
    const { value } = await pages.next();
    return value instanceof ListPage ? value : undefined;
  }

  /** This page, where it has rows, and those behind it, one at a time in memory. */
  async *pages(): AsyncGenerator<ListPage<Row>, void, undefined> {
    const { list, options } = this.#position;
    let { skip, page: number = 1 } = list;
    let isFirst = true;
    const fetchPage: typeof list.fetchPage = (position) => {
      if (!isFirst) return list.fetchPage(position);
      isFirst = false;
      return Promise.resolve(this);
    };
    for await (const page of walkPages({ ...list, fetchPage }, options)) {
      yield page === this ? this : new ListPage(page, { list: { ...list, skip, page: number }, options });
      skip += page.items.length + (page.unreadable ?? 0);
      number += 1;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }

  /** The rows from here on, but no more than the bound: a list may be longer than memory. */
  async gather({ atMost }: { readonly atMost: number }): Promise<Gathered<Row>> {
    if (!Number.isSafeInteger(atMost) || atMost < 1)
      throw invalidOption("atMost", "must be a whole number from 1");
    const items: Row[] = [];
    for await (const row of this) {
      if (items.length === atMost) return { items, isAll: false };
      items.push(row);
    }
    return { items, isAll: true };
  }
}

import { z } from "zod";

import { queryInteger } from "./query.ts";

/** The most rows that one page may ask for. The contract names none; some versions take 1,000 for batch items. */
const LARGEST_PAGE = 1_000;

/** Far beyond any list, and small enough that the rows before a page are counted exactly. */
const LAST_PAGE = 1_000_000_000;

const position = queryInteger(z.int().min(0).optional());
const pageNumber = queryInteger(z.int().min(1).max(LAST_PAGE).optional());

/** How many rows; `meta` puts the number that stands for none into the description. */
function size(standard: number | null) {
  const rows = z.int().min(1).max(LARGEST_PAGE).optional();
  return queryInteger(standard === null ? rows : rows.meta({ default: standard }));
}

/** Where a page begins and how long it is, by whichever names it was asked for. */
const windowSchema = z.object({
  skip: z.number().optional(),
  offset: z.number().optional(),
  limit: z.number().optional(),
  page: z.number().optional(),
  per_page: z.number().optional(),
});

type Window = z.output<typeof windowSchema>;

/** A page that was asked for: rows to leave out, rows to show, and its number, where pages are counted. */
export interface PageAsked {
  readonly skip: number;
  readonly limit: number;
  readonly page: number | null;
}

/** Two names for one thing that say different things: neither of them can be passed over. */
function refuseContradiction(window: Window, context: z.RefinementCtx): void {
  const { skip, offset, limit, page, per_page: perPage } = window;
  const refuse = (name: string, message: string): void => {
    context.addIssue({ code: "custom", path: [name], message });
  };
  if (page !== undefined && (skip ?? offset) !== undefined) {
    refuse("page", "Count either rows or pages, not both");
  }
  if (skip !== undefined && offset !== undefined && skip !== offset) {
    refuse("offset", "skip and offset contradict each other");
  }
  if (limit !== undefined && perPage !== undefined && limit !== perPage) {
    refuse("per_page", "limit and per_page contradict each other");
  }
}

function asked(window: Window, standard: number): PageAsked {
  const limit = window.limit ?? window.per_page ?? standard;
  const from = window.skip ?? window.offset;
  const countsPages = from === undefined && (window.page ?? window.per_page) !== undefined;
  const page = window.page ?? 1;
  return countsPages ? { skip: (page - 1) * limit, limit, page } : { skip: from ?? 0, limit, page: null };
}

function windowFields(standard: number | null) {
  return { skip: position, limit: size(standard), page: pageNumber, per_page: size(standard) };
}

function withWindow<T extends z.ZodObject>(query: T, standard: number) {
  return query
    .superRefine((asking, context) => refuseContradiction(windowSchema.parse(asking), context))
    .transform((asking) => ({ ...asking, window: asked(windowSchema.parse(asking), standard) }));
}

/**
 * Query of a list (contract 2.1.2), with the default page size of its resource (contract 8). Every list is paged by
 * `skip` and `limit` as well as by `page` and `per_page`: clients ask for either.
 */
export function pageQuery<F extends z.core.$ZodLooseShape>(standard: number, filters: F) {
  return withWindow(z.object({ ...filters, ...windowFields(standard) }), standard);
}

/** Query of a list that the contract gives in one answer: all of it, unless a part is asked for. */
export function wholeListQuery<F extends z.core.$ZodLooseShape>(filters: F) {
  return withWindow(z.object({ ...filters, ...windowFields(null) }), Number.POSITIVE_INFINITY);
}

/** Query of a billing list: rows are counted by `offset` there (contract 2.1.2). */
export function offsetQuery<F extends z.core.$ZodLooseShape>(standard: number, filters: F) {
  return withWindow(z.object({ ...filters, offset: position, ...windowFields(standard) }), standard);
}

/** Where the page is in the list of pages, for whoever counts them. */
const counted = { page: z.int().optional(), per_page: z.int().optional() };

/** The envelope of a list (contract 2.1.2). */
export function envelopeOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), total: z.int(), skip: z.int(), limit: z.int(), ...counted });
}

export interface Page<T> {
  items: T[];
  total: number;
  skip: number;
  limit: number;
  page?: number;
  per_page?: number;
}

/** One page of all the rows, viewed. */
export function pageOf<R, V>(rows: readonly R[], window: PageAsked, view: (row: R) => V): Page<V> {
  const { skip, limit, page } = window;
  return {
    items: rowsOf(rows, window, view),
    total: rows.length,
    skip,
    limit,
    ...(page === null ? {} : { page, per_page: limit }),
  };
}

/** The rows of a page alone. */
export function rowsOf<R, V>(rows: readonly R[], { skip, limit }: PageAsked, view: (row: R) => V): V[] {
  return rows.slice(skip, skip + limit).map((row) => view(row));
}

/** The path of a resource. Ids are opaque text: one that cannot exist is a 404, not a 422. */
export const idParams = z.object({ id: z.string().min(1) });

/** What a delete or an action without a record to show answers. */
export const messageResponse = z.object({ message: z.string() });

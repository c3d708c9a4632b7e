import { z } from "zod";

import { queryInteger } from "./query.ts";

/** The most rows that one page may ask for. The contract names none; some versions take 1,000 for batch items. */
export const LARGEST_PAGE = 1_000;

/** Query of a list (contract 2.1.2), with the default page size of its resource (contract 8). */
export function pageQuery(defaultLimit: number) {
  return z.object({
    skip: queryInteger(z.int().min(0).default(0)),
    limit: queryInteger(z.int().min(1).max(LARGEST_PAGE).default(defaultLimit)),
  });
}

/** The envelope of a list (contract 2.1.2). */
export function envelopeOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), total: z.int(), skip: z.int(), limit: z.int() });
}

export interface Page<T> {
  items: T[];
  total: number;
  skip: number;
  limit: number;
}

/** One page of all the rows, viewed. */
export function pageOf<R, V>(
  rows: readonly R[],
  query: { readonly skip: number; readonly limit: number },
  view: (row: R) => V,
): Page<V> {
  const items = rows.slice(query.skip, query.skip + query.limit).map((row) => view(row));
  return { items, total: rows.length, skip: query.skip, limit: query.limit };
}

/** The path of a resource. Ids are opaque text: one that cannot exist is a 404, not a 422. */
export const idParams = z.object({ id: z.string().min(1) });

/** What a delete or an action without a record to show answers. */
export const messageResponse = z.object({ message: z.string() });

import { z } from "zod";

import { isPlainText } from "../domain/ground/plain-text.ts";
import { cursorText } from "../ledger/events/event-document.ts";
import { Problem } from "./problem.ts";

/*
 * One way of paging: an answer has `items` and `next_after`, and the next page is asked for with that as `after`.
 * A cursor tells where a page ended, so what is added or ends between two pages moves nothing from one to the other.
 * What stands in it is nobody's business, and may change with a release.
 */

/** The `after` of a list's query. */
export const afterQuery = z.string().min(1).max(400).optional();

/** The `limit` of a list's query. */
export const limitQuery = z.coerce.number().int().min(1).max(500).default(50);

type Place = readonly (string | number)[];

/** Of up to `limit + 1` read rows, the page and its end. One more than the page tells whether there is another. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => Place,
): { page: Row[]; next_after: string | null } {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, next_after: last === undefined ? null : cursorOf(placeOf(last)) };
}

/** A place among what is listed the newest first: when it was, and its id. */
export interface TimePlace {
  atMs: number;
  id: string;
}

/** Such a place, where `after` names one; `idSchema` is what its ids are. */
export function timePlaceIn(
  after: string | undefined,
  idSchema: z.ZodType<string> = z.uuid(),
): { after?: TimePlace } {
  if (after === undefined) return {};
  const [atMs, id] = readCursor(after, z.tuple([z.int().min(0).max(LATEST_MS), idSchema]));
  return { after: { atMs, id } };
}

/** What a date may hold; the ledger refuses what is later. */
const LATEST_MS = 8.64e15;

/** A place in a list by brand and name. */
export function namePlaceIn(after: string): { brand: string; name: string } {
  const part = z.string().max(200).refine(isPlainText);
  const [brand, name] = readCursor(after, z.tuple([part, part]));
  return { brand, name };
}

/** A place in a list by numbers. */
export function numberIn(after: string | undefined): number | undefined {
  if (after === undefined) return undefined;
  const [id] = readCursor(after, z.tuple([z.int().min(0)]));
  return id;
}

export function cursorOf(place: Place): string {
  return cursorText(place);
}

/** What `cursorOf` was given. Throws a problem that names `after` where it is anything else. */
export function readCursor<Place extends z.ZodType>(after: string, place: Place): z.output<Place> {
  const read = place.safeParse(jsonIn(after));
  if (read.success) return read.data;
  throw noPlace("must be what the page before gave as next_after");
}

/** Of an `after` that names no place. */
export function noPlace(message: string): Problem {
  return new Problem({
    status: 422,
    code: "invalid_request",
    detail: `after ${message}`,
    errors: [{ field: "after", message }],
  });
}

function jsonIn(after: string): unknown {
  try {
    return JSON.parse(Buffer.from(after, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

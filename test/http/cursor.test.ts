import { expect, test } from "vitest";
import { z } from "zod";

import { cursorOf, cutPage, readCursor } from "../../src/http/cursor.ts";

const place = z.tuple([z.int(), z.string()]);

test("a cursor comes back as the place that it was made of, whatever stands in it", () => {
  expect(readCursor(cursorOf([1_794_000_000_000, "a/b +%\u00e9"]), place)).toEqual([
    1_794_000_000_000,
    "a/b +%\u00e9",
  ]);
  expect(cursorOf([1, "?&=/+"])).toMatch(/^[\w-]+$/);
});

test.each(["x", "", "bnVsbA", cursorOf(["1", "a"]), cursorOf([1]), cursorOf([1, "a", 2])])(
  "%j is refused as after",
  (after) => {
    expect(() => readCursor(after, place)).toThrow("after must be what the page before gave as next_after");
  },
);

test("a page says where the next begins only where there is one", () => {
  expect(cutPage([3, 2, 1], 2, (row) => [row])).toEqual({ page: [3, 2], next_after: cursorOf([2]) });
  expect(cutPage([3, 2], 2, (row) => [row])).toEqual({ page: [3, 2], next_after: null });
  expect(cutPage<number>([], 2, (row) => [row])).toEqual({ page: [], next_after: null });
});

import { expect, it } from "vitest";

import { pageOf } from "../../dashboard/src/parts/list-page.ts";

it("says that a list has nothing only where nothing stands behind the page", () => {
  expect(pageOf({ items: [], next: null, isFirst: true })).toBe("none");
  expect(pageOf({ items: [], next: "behind", isFirst: true })).toBe("passed");
  expect(pageOf({ items: [], next: "behind", isFirst: false })).toBe("passed");
  expect(pageOf({ items: [], next: null, isFirst: false })).toBe("last");
  expect(pageOf({ items: [1], next: null, isFirst: true })).toBe("some");
});

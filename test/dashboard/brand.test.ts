import { expect, it } from "vitest";

import { withBrand } from "../../dashboard/src/api/brand.ts";
import { ROUTE_ACCESS } from "../../src/http/route-access.ts";

it("names the brand to every route that takes it from the query, and to no other", () => {
  for (const [route, { brand }] of Object.entries(ROUTE_ACCESS)) {
    const [method = "", template = ""] = route.split(" ");
    const path = template.replaceAll(/:\w+/g, "x");
    const isNamed = withBrand(method, path, "acme") !== path;
    expect([route, isNamed]).toEqual([route, brand === "query"]);
  }
});

it("leaves a brand that is named, what else is asked for, and whoever has nothing to choose", () => {
  expect(withBrand("GET", "/v1/campaigns?limit=5", "a b")).toBe("/v1/campaigns?limit=5&brand=a+b");
  expect(withBrand("GET", "/v1/campaigns?brand=other", "acme")).toBe("/v1/campaigns?brand=other");
  expect(withBrand("GET", "/v1/campaigns", undefined)).toBe("/v1/campaigns");
});

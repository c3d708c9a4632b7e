import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

import { words } from "../../dashboard/src/words.ts";
import { kindOf, KINDS_OF_PAGES } from "./kinds-of-pages.ts";

const ROUTER = path.join(path.dirname(path.dirname(import.meta.dirname)), "dashboard/src/pages/index.ts");

/** Those that are pages by their last part, and what else that may be. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  "/campaigns/:ref": Object.keys(words.campaign.parts).filter((part) => part !== "now"),
  "/rules": ["triggers"],
};

it("every page of the router is looked at by some test, with each of its parts, and each is told apart", () => {
  const [places = ""] = fs.readFileSync(ROUTER, "utf8").split("export const SIDE");
  const kinds = [...places.matchAll(/path: "([^"]+)"/g)].flatMap(([, kind = ""]) => {
    const whole = kind.replace("/:part?", "");
    return [whole, ...(whole === kind ? [] : (PARTS[whole] ?? [])).map((part) => `${whole}/${part}`)];
  });
  expect(kinds.length).toBeGreaterThan(30);
  expect(Object.keys(KINDS_OF_PAGES).toSorted()).toEqual(kinds.toSorted());
  for (const kind of kinds)
    expect(kindOf(`http://127.0.0.1:1/${kind.slice(1).replaceAll(/:\w+/g, "x")}?a=/b`)).toBe(kind);
});

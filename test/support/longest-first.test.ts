import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

import { LONGEST } from "./longest-first.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

it("whatever is begun early since it takes long is there, and named once", () => {
  expect(LONGEST.filter((name) => !fs.existsSync(path.join(root, name)))).toEqual([]);
  expect([...new Set(LONGEST)]).toEqual(LONGEST);
});

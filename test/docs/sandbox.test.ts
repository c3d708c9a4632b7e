import { expect, it } from "vitest";

import { readDocument, readText } from "./support/documents.ts";

it("the test in docs/sandbox.md is one that is run", () => {
  const shown = readDocument("docs/sandbox.md").fences.filter(({ language }) => language === "ts");
  expect(shown).toHaveLength(1);
  expect(readText("examples/vitest/lost-answers.test.ts")).toContain(shown[0]?.text);
});

import { expect, it } from "vitest";

import { restoredTokensText } from "../../../src/cli/recovery/restored-tokens.ts";

it("tokens that a restore brought back are named, and how many more there are", () => {
  expect(restoredTokensText({ count: 0, names: [] })).toEqual([]);
  expect(restoredTokensText({ count: 2, names: ["crm", "nightly"] })).toEqual([
    expect.stringMatching(
      /^tokens in force: crm, nightly\. One that was revoked after the backup is good again/,
    ),
  ]);
  expect(restoredTokensText({ count: 23, names: ["crm"] })[0]).toContain(
    "crm and 22 more (`outdial token list`)",
  );
});

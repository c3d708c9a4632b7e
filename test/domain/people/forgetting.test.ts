import { describe, expect, it } from "vitest";

import { elsewhereOf, keptOf, type KeptCounts } from "../../../src/domain/people/forgetting.ts";

const NOTHING: KeptCounts = { suppressions: 0, listed: 0, consents: 0, audit: 0, attempts: 0 };

describe("the certificate of somebody who was forgotten", () => {
  it("says what stays, how much of it, and as what", () => {
    const counts = { suppressions: 1, listed: 2, consents: 3, audit: 4, attempts: 5 };
    expect(keptOf(counts, false).map(({ what, rows, as }) => [what, rows, as])).toEqual([
      ["suppressions", 1, "number"],
      ["lists that others keep", 2, "number"],
      ["consents and their withdrawals", 3, "digest"],
      ["audit", 4, "digest"],
      ["calls, without the person", 5, "nothing that leads to the person"],
    ]);
  });

  it("says that a suppression stays as a digest, where that was asked for", () => {
    expect(keptOf({ ...NOTHING, suppressions: 1, listed: 1 }, true).map(({ as }) => as)).toEqual([
      "digest",
      "number",
    ]);
  });

  it("says nothing of what there is none of", () => {
    expect(keptOf(NOTHING, true)).toEqual([]);
    expect(keptOf({ ...NOTHING, audit: 1 }, true).map(({ what }) => what)).toEqual(["audit"]);
  });

  it("names everybody who was told of the person, and the platform where it keeps the number", () => {
    const always = ["the platform's calls", "the platform's chats", "backups", "Temporal"];
    const where = (hosts: string[], platformBatches: number) =>
      elsewhereOf({ hosts, platformBatches }).map((one) => one.where);
    expect(where([], 0)).toEqual(always);
    expect(where(["crm.example.com", "b.example.com"], 1)).toEqual([
      "crm.example.com",
      "b.example.com",
      "the platform",
      ...always,
    ]);
    expect(elsewhereOf({ hosts: [], platformBatches: 7 })[0]?.what).toContain("in 7 of its batches");
  });
});

import { describe, expect, it } from "vitest";

import { elsewhereOf, keptOf, waitingOf, type KeptCounts } from "../../../src/domain/people/forgetting.ts";

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

  it("names what waits by its own name, where it is, since when and why", () => {
    const left = { error: "EACCES", sinceAtMs: Date.UTC(2026, 5, 1) };
    expect(waitingOf({ ...left, kind: "platform_call", what: "call-7", keptIn: undefined })).toEqual({
      what: "record of a call",
      name: "call-7",
      where: "the platform",
      since: "2026-06-01T00:00:00.000Z",
      why: "EACCES",
    });
    const recording = { ...left, kind: "recording", what: "of/Ann/call-7.ogg" } as const;
    const where = "the folder for recordings /var/recordings";
    const said = { what: "recording", name: "call-7.ogg", where };
    expect(waitingOf({ ...recording, keptIn: "/var/recordings" })).toMatchObject(said);
    const unknown = "the folder for recordings that nobody wrote down";
    expect(waitingOf({ ...recording, keptIn: undefined })).toMatchObject({ where: unknown });
  });
});

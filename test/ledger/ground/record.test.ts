import { describe, expect, it } from "vitest";

import { SAMPLE } from "../support/sample-record.ts";

describe("a record", () => {
  it("reads null as undefined, makes documents into what they are, and leaves the rest as it is", () => {
    const row = {
      brand: "acme",
      stateReason: null,
      state: "running",
      attempts: 3,
      standing: false,
      zones: ["acme"],
      dispositions: { answered: 1 },
      createdAtMs: 1_000,
      nextLookAtMs: null,
      overAtMs: 2_000,
    };
    expect(SAMPLE.read(row)).toStrictEqual({
      brand: "acme",
      stateReason: undefined,
      state: "running",
      attempts: 3,
      standing: false,
      zones: ["acme"],
      dispositions: ["answered"],
      createdAtMs: 1_000,
      nextLookAtMs: undefined,
      overAtMs: 2_000,
    });
  });
});

import { describe, expect, it } from "vitest";

import { stopActorOf, stopReasonOf } from "../../../src/domain/campaigns/stop-form.ts";

describe("the reason of a stop", () => {
  it.each([
    ["wrong list", "wrong list"],
    [42, "42"],
    ["  wrong\r\n\tlist\u0000 \u00a0of\u2028leads  ", "wrong list of leads"],
    ["caf\u00e9 \u{1f4de}", "caf\u00e9 \u{1f4de}"],
    ["half \ud83d and \ude00 of one", "half \ufffd and \ufffd of one"],
  ])("%j is kept in one line: %j", (given, kept) => {
    expect(stopReasonOf(given)).toBe(kept);
  });

  it.each([undefined, null, "", " \n\u0000", true, {}, ["why"]])(
    "%j is none, which is what is told, or another that was meant for that",
    (given) => {
      expect(stopReasonOf(given)).toBe("no reason was given");
      expect(stopReasonOf(given, "by the command line")).toBe("by the command line");
    },
  );

  it("is cut where it is too long, between letters, and without a space at its end", () => {
    expect(stopReasonOf("x".repeat(501))).toBe("x".repeat(500));
    expect(stopReasonOf(`${"x".repeat(499)}\u{1f4de}`)).toBe("x".repeat(499));
    expect(stopReasonOf(`${"x".repeat(498)}\u{1f4de}y`)).toBe(`${"x".repeat(498)}\u{1f4de}`);
    expect(stopReasonOf(`${"x".repeat(499)} yes`)).toBe("x".repeat(499));
    expect(stopReasonOf(`\u{1f4de} ${"x".repeat(600)}`)).toBe(`\u{1f4de} ${"x".repeat(497)}`);
  });
});

describe("whoever stopped", () => {
  it.each([
    ["ann", "ann"],
    [" ann ", "ann"],
    ["Zo\u00eb\u{1f4de}\n Ann", "Zo? Ann"],
    ["\n", "?"],
    ["x".repeat(101), "x".repeat(100)],
  ])("is named as the audit keeps names: %j is %j", (given, name) => {
    expect(stopActorOf(given)).toBe(name);
  });

  it.each([undefined, null, 7, ["ann"], "", "  "])("is nobody who is named by %j", (given) => {
    expect(stopActorOf(given)).toBeUndefined();
  });
});

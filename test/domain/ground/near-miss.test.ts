import { describe, expect, it } from "vitest";

import { nearMiss } from "../../../src/domain/ground/near-miss.ts";

const meant = (name: string, ...known: string[]) => /^ \(is (.+) meant\?\)$/.exec(nearMiss(name, known))?.[1];

describe("a name that nobody knows", () => {
  it.each([
    ["a letter too many", "concurrrency", "concurrency"],
    ["a letter too few", "concurency", "concurrency"],
    ["another letter", "concurrancy", "concurrency"],
    ["two letters that changed places", "windwo", "window"],
    ["three letters off, of nine and more", "max_atempz", "max_attempts"],
    ["three letters short, of nine", "_attempts", "max_attempts"],
  ])("is taken for the one that it is %s from", (_how, name, known) => {
    expect(meant(name, "agent_id", known, "retry")).toBe(known);
  });

  it("is taken for none where a third of its letters and more would have to change", () => {
    expect(meant("abc", "abd")).toBe("abd");
    expect(meant("abc", "ade")).toBeUndefined();
    expect(meant("ab", "ac")).toBeUndefined();
    expect(meant("abcdefgh", "abcdefxyz")).toBeUndefined();
    expect(meant("abcdefghijklmnop", "abcdefghijklwxyz"), "four of many").toBeUndefined();
    expect(meant("abcdefghijklm", "abcdefghijklmnopq"), "be they at its end").toBe("abcdefghijklmnopq");
    expect(meant("bcdefghijklm", "wxyzbcdefghijklm")).toBeUndefined();
  });

  it("is taken for the nearest of several", () => {
    expect(meant("windov", "windows", "window", "wind")).toBe("window");
    expect(meant("windov", "window", "windows")).toBe("window");
  });

  it("that begins one name alone is that name, from three letters on", () => {
    expect(meant("con", "contacts", "window")).toBe("contacts");
    expect(meant("con", "contacts", "concurrency")).toBeUndefined();
    expect(meant("co", "contacts")).toBeUndefined();
  });

  it("is not taken for itself", () => {
    expect(meant("window", "window")).toBeUndefined();
    expect(meant("window", "window", "windows")).toBe("windows");
  });

  it("is compared in its first forty letters, however long it is", () => {
    const known = "k".repeat(42);
    expect(meant(`${"k".repeat(40)}xy`, known)).toBe(known);
    expect(meant(`xx${"k".repeat(40)}`, known), "two changed, two not looked at").toBeUndefined();
  });

  it("is told of by nothing where none is near", () => {
    expect(nearMiss("colour", ["agent_id"])).toBe("");
    expect(nearMiss("colour", [])).toBe("");
  });
});

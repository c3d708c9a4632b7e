import { describe, expect, it } from "vitest";

import { nearestWord, nearMiss } from "../../../src/domain/ground/near-miss.ts";

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

  it("is told of by nothing where none is near", () => {
    expect(nearMiss("colour", ["agent_id"])).toBe("");
    expect(nearMiss("colour", [])).toBe("");
  });
});

it.each<[what: string, word: string, among: string[], nearest: string | undefined]>([
  ["a letter too few", "dispositon", ["disposition"], "disposition"],
  ["a letter too many at its beginning", "xstatus", ["status"], "status"],
  ["a letter of another case", "Status", ["status"], "status"],
  ["two wrong letters of many", "durasiom", ["duration"], "duration"],
  ["three wrong letters of many", "durasinm", ["duration"], undefined],
  ["three wrong letters of nine and more", "durasinm_seconds", ["duration_seconds"], "duration_seconds"],
  ["three wrong letters at its beginning", "yyyation", ["duration"], undefined],
  ["one wrong letter of three", "abd", ["abc"], "abc"],
  ["two wrong letters of three", "add", ["abc"], undefined],
  ["one wrong letter of two", "ad", ["ab"], undefined],
  ["the nearer of two", "startedat", ["started", "started_at"], "started_at"],
  ["four letters of one", "dura", ["duration_seconds", "status"], "duration_seconds"],
  ["three letters of one", "dur", ["duration_seconds", "status"], "duration_seconds"],
  ["two letters of one", "du", ["duration_seconds", "status"], undefined],
  ["the beginning of two", "started", ["started_at_first", "started_at_last"], undefined],
  ["one and more", "duration_in_ms", ["duration"], "duration"],
  ["the end of one", "not_duration_ms", ["duration_ms"], undefined],
  ["one and more, of two letters", "ca_on", ["ca", "us"], undefined],
  ["just as long as names are compared", `${"x".repeat(59)}y`, ["x".repeat(60)], "x".repeat(60)],
  ["longer than names are", `${"x".repeat(60)}y`, ["x".repeat(60)], undefined],
])("what is meant by %s", (_what, word, among, nearest) => {
  expect(nearestWord(word, among)).toBe(nearest);
});

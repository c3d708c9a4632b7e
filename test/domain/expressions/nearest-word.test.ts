import { expect, it } from "vitest";

import { nearestWord } from "../../../src/domain/expressions/nearest-word.ts";

it.each<[what: string, word: string, among: string[], nearest: string | undefined]>([
  ["a letter too few", "dispositon", ["disposition"], "disposition"],
  ["a letter too many at its beginning", "xstatus", ["status"], "status"],
  ["a letter of another case", "Status", ["status"], "status"],
  ["two wrong letters of many", "durasiom", ["duration"], "duration"],
  ["three wrong letters of many", "durasinm", ["duration"], undefined],
  ["three wrong letters at its beginning", "yyyation", ["duration"], undefined],
  ["one wrong letter of three", "abd", ["abc"], "abc"],
  ["two wrong letters of three", "add", ["abc"], undefined],
  ["one wrong letter of two", "ad", ["ab"], undefined],
  ["the nearer of two", "startedat", ["started", "started_at"], "started_at"],
  ["four letters of one", "dura", ["duration_seconds", "status"], "duration_seconds"],
  ["three letters of one", "dur", ["duration_seconds", "status"], undefined],
  ["the beginning of two", "started", ["started_at_first", "started_at_last"], undefined],
  ["one and more", "duration_in_ms", ["duration"], "duration"],
  ["the end of one", "in_duration_ms", ["duration_ms"], undefined],
  ["just as long as names are compared", `${"x".repeat(59)}y`, ["x".repeat(60)], "x".repeat(60)],
  ["longer than names are", `${"x".repeat(60)}y`, ["x".repeat(60)], undefined],
])("what is meant by %s", (_what, word, among, nearest) => {
  expect(nearestWord(word, among)).toBe(nearest);
});

import { describe, expect, it } from "vitest";

import { errorsBehind, reasonWords, wordsOfCode } from "../../../src/domain/ground/reason-words.ts";

const coded = (code: unknown, message = "connect RAW") => Object.assign(new Error(message), { code });
const around = (cause: unknown, message = "around it") => new Error(message, { cause });
const named = (name: string, cause: unknown) => Object.assign(around(cause, "its own words"), { name });

describe("why something failed", () => {
  it.each([
    ["a code", coded("ECONNREFUSED"), "nobody listens there"],
    ["a code of what speaks no HTTP", coded("HPE_INVALID_CONSTANT"), "what answers there speaks no HTTP"],
    ["a code of what lies behind it", around(around(coded("EACCES"))), "there is no permission"],
    [
      "one that it knows before one that it does not",
      around(coded("ENOENT"), "RAW"),
      "there is no such file or folder",
    ],
    [
      "a request's",
      Object.assign(new TypeError("fetch failed"), { cause: coded("ENOTFOUND") }),
      "there is no host of that name",
    ],
    [
      "the first of several addresses'",
      around(new AggregateError([coded("ETIMEDOUT"), coded("EACCES")])),
      "there is no answer",
    ],
  ])("is told by %s, in words", (_what, error, words) => {
    expect(reasonWords(error)).toBe(words);
  });

  it.each([
    ["in its own words", coded("ESTRANGE", "it is strange"), "it is strange"],
    ["in its own words, by a code that is a number", coded(7, "it is strange"), "it is strange"],
    ["by a code that is unknown, where it has no words", coded("ESTRANGE", ""), "ESTRANGE"],
    [
      "by its name, where it has neither",
      Object.assign(new Error(""), { name: "StrangeError" }),
      "StrangeError",
    ],
    ["by its name, where its code is a number", Object.assign(new RangeError(""), { code: 7 }), "RangeError"],
    [
      "in its own words, where it has a name for what is wrong",
      named("StrangeError", coded("EACCES")),
      "its own words",
    ],
    ["as it is, where it is no error", "just text", "just text"],
    ["as it is, where it is nothing", undefined, "undefined"],
    [
      "in its own words, where one of no word has a code behind it that all objects have",
      coded("toString"),
      "connect RAW",
    ],
  ])("is told %s", (_how, error, words) => {
    expect(reasonWords(error)).toBe(words);
  });

  it("is looked for five errors deep, also where they lead in a circle", () => {
    const deep = (depth: number): Error => (depth === 0 ? coded("EACCES") : around(deep(depth - 1)));
    expect(reasonWords(deep(4))).toBe("there is no permission");
    expect(reasonWords(deep(5))).toBe("around it");
    const circle = new Error("round");
    circle.cause = circle;
    expect([...errorsBehind(circle)]).toHaveLength(5);
    expect(reasonWords(circle)).toBe("round");
  });

  it("is known by no code in the midst of another", () => {
    expect(wordsOfCode("NO_HPE_")).toBeUndefined();
    expect(wordsOfCode("")).toBeUndefined();
  });
});

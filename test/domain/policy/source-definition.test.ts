import { describe, expect, it } from "vitest";

import { readSourceDefinition } from "../../../src/domain/policy/source-definition.ts";
import { SOURCE_TYPES } from "../../../src/domain/policy/suppression-source.ts";

const LIST = { name: "dnc", type: "do_not_call" };
const SERVICE = {
  name: "carrier",
  type: "scrub",
  scrub: { url: "https://scrub.example.com/v1", secret: "carrier" },
};
const scrub = (changes: object) => ({ ...SERVICE, scrub: { ...SERVICE.scrub, ...changes } });

const read = (definition: unknown) => readSourceDefinition(definition);
const fieldsOf = (definition: unknown) => {
  const reading = read(definition);
  return reading.ok ? [] : reading.problems.map(({ field }) => field);
};
const problemsOf = (definition: unknown) => {
  const reading = read(definition);
  return reading.ok ? [] : reading.problems.map(({ field, problem }) => `${field}: ${problem}`);
};

describe("a source of numbers that must not be dialed", () => {
  it("is read as it is kept: each duration in one way, and what is not said filled in", () => {
    expect(read({ ...LIST, brand: "acme", max_age: "48h" })).toEqual({
      ok: true,
      definition: { ...LIST, brand: "acme", max_age: "2d" },
    });
    expect(read(SERVICE)).toEqual({
      ok: true,
      definition: { ...SERVICE, scrub: { ...SERVICE.scrub, cache_for: "30d", when_away: "wait" } },
    });
    expect(read(scrub({ cache_for: "72h", when_away: "dial" }))).toMatchObject({
      definition: { scrub: { cache_for: "3d", when_away: "dial" } },
    });
    for (const type of Object.keys(SOURCE_TYPES)) expect(fieldsOf({ ...LIST, type })).toEqual([]);
  });

  it("has a list that may be from a minute to five years old", () => {
    for (const age of ["1m", "1830d"]) expect(fieldsOf({ ...LIST, max_age: age })).toEqual([]);
    for (const age of ["59s", "1831d", "soon"])
      expect(problemsOf({ ...LIST, max_age: age })).toEqual([
        "max_age: must be a duration from 1m to 1830d such as 24h or 31d",
      ]);
  });

  it("has answers that hold from an hour to a year", () => {
    for (const cache of ["1h", "366d"]) expect(fieldsOf(scrub({ cache_for: cache }))).toEqual([]);
    for (const cache of ["59m", "367d"])
      expect(problemsOf(scrub({ cache_for: cache }))).toEqual([
        "scrub.cache_for: must be a duration from 1h to 366d such as 24h or 30d",
      ]);
  });

  it("is asked at an address of the web, without a password in it", () => {
    expect(fieldsOf(scrub({ url: "http://10.0.0.7/scrub?list=a@b" }))).toEqual([]);
    expect(fieldsOf(scrub({ url: "https://scrub.example.com/who@where" }))).toEqual([]);
    expect(fieldsOf(scrub({ url: "https://scrub.example.com/?of=http://who@where" }))).toEqual([]);
    for (const url of [
      "ftp://scrub.example.com/",
      "scrub.example.com",
      `https://a.example/${"x".repeat(2_000)}`,
    ])
      expect(fieldsOf(scrub({ url })), url).toContain("scrub.url");
    for (const url of [
      "https://user:pass@scrub.example.com/",
      "HTTPS://user@scrub.example.com/",
      "http://user@scrub.example.com/",
    ])
      expect(problemsOf(scrub({ url })), url).toEqual(
        expect.arrayContaining([expect.stringContaining("must hold no user and password")]),
      );
    // One slash is read as two.
    expect(fieldsOf(scrub({ url: "https:/user:pass@scrub.example.com/" }))).not.toEqual([]);
  });

  it("that is asked about numbers is of that type, and has no list that grows old", () => {
    expect(problemsOf({ ...SERVICE, type: "litigators", max_age: "1d" })).toEqual([
      "type: must be scrub, since the source is asked about numbers",
      "max_age: is for lists: how old an answer may be is said by scrub.cache_for",
    ]);
    expect(fieldsOf({ ...LIST, type: "scrub", max_age: "1d" }), "one with a list may have it").toEqual([]);
  });

  it.each([
    [{ ...LIST, name: "No name" }, "name"],
    [{ ...LIST, type: "other" }, "type"],
    [{ ...LIST, brand: "ACME" }, "brand"],
    [{ ...LIST, colour: "red" }, "colour"],
    [{ name: "dnc" }, "type"],
    [scrub({ secret: undefined }), "scrub.secret"],
    [scrub({ when_away: "guess" }), "scrub.when_away"],
    [scrub({ colour: "red" }), "scrub.colour"],
    [scrub({ secret: "sk_live_4f9a8b7c6d5e4f3a2b1c" }), "scrub.secret"],
  ])("is refused as %j, and told which field is wrong", (definition, field) => {
    expect(fieldsOf(definition)).toContain(field);
  });

  it("that is no group of fields is told so", () => {
    expect(problemsOf([])).toEqual(["the suppression source: must be a group of fields"]);
    expect(problemsOf({ ...LIST, colour: "red" })[0]).toContain("a suppression source");
  });
});

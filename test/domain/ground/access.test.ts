import { describe, expect, it } from "vitest";

import {
  actorName,
  callerText,
  CALLER_KINDS,
  hasRole,
  isOfCaller,
  mayTouch,
  readActorName,
  ROLES,
  TOKEN_NAME,
  type Caller,
} from "../../../src/domain/ground/access.ts";

const caller = (changes: Partial<Caller> = {}): Caller => ({
  kind: "token",
  name: "crm",
  role: "viewer",
  brands: undefined,
  ...changes,
});

describe("a caller", () => {
  it("may what its role may, and what those before it may, and nothing beyond", () => {
    const may = ROLES.map((role) => ROLES.map((least) => hasRole(caller({ role }), least)));
    expect(may).toEqual([
      [true, false, false],
      [true, true, false],
      [true, true, true],
    ]);
  });

  it("of all brands may touch each of them, and what is of none", () => {
    expect([mayTouch(caller(), "acme"), mayTouch(caller(), undefined)]).toEqual([true, true]);
  });

  it("of some brands may touch these, and neither another nor what is of all together", () => {
    const of = caller({ brands: ["acme", "other"] });
    expect(["acme", "other", "third", undefined].map((brand) => mayTouch(of, brand))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(mayTouch(caller({ brands: [] }), "acme")).toBe(false);
  });

  it("is told to a person by what it was found out by", () => {
    expect(CALLER_KINDS.map((kind) => callerText({ kind, name: "crm" }))).toEqual([
      "the system's own token",
      "the token crm",
      "crm, who came by a sign-in link,",
      "crm",
    ]);
  });
});

describe("the name by which the audit has a caller", () => {
  it.each([
    ["token", undefined, "token:crm"],
    ["link", undefined, "link:crm"],
    ["person", "alice for bob", "person:crm for alice for bob"],
    ["token", "alice", "token:crm for alice"],
  ] as const)("of a %s that acts for %s is read again as it was written", (kind, onBehalfOf, written) => {
    expect(actorName({ kind, name: "crm" }, onBehalfOf)).toBe(written);
    expect(readActorName(written)).toEqual({ actor: `${kind}:crm`, onBehalfOf });
  });

  it("that nobody has found out is whole, whatever it says", () => {
    for (const name of ["alice for bob", "cli", "my token:crm for bob", " token:crm for bob"])
      expect(readActorName(name)).toEqual({ actor: name, onBehalfOf: undefined });
  });

  it("can't be taken by whoever names itself, in whatever letters", () => {
    for (const name of ["token:crm", "link:crm", "person:jane", "  Token:crm", "PERSON:", "\tlink:x for y"])
      expect(isOfCaller(name), name).toBe(true);
    for (const name of ["crm", "tokens:crm", "a token:crm", "person", ""])
      expect(isOfCaller(name), name).toBe(false);
  });

  it("of a token holds nothing at which it would end", () => {
    for (const name of ["crm", "4th", "crm.eu_2-b", "a".repeat(64)]) expect(TOKEN_NAME.test(name)).toBe(true);
    for (const name of ["", "CRM", "crm eu", ".crm", "crm\n", "x\ncrm", "a".repeat(65)])
      expect(TOKEN_NAME.test(name), JSON.stringify(name)).toBe(false);
  });
});

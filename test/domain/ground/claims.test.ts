import { describe, expect, it } from "vitest";

import {
  brandsBy,
  isBrandOrEvery,
  isRole,
  personIn,
  readClaimRule,
  roleBy,
  type ClaimRule,
} from "../../../src/domain/ground/claims.ts";

const rule = (text: string, isMeaning = isRole as (word: string) => boolean): ClaimRule => {
  const read = readClaimRule(text, isMeaning);
  if (typeof read === "string") throw new Error(read);
  return read;
};

describe("a rule over claims", () => {
  it("names a claim, and what its values stand for", () => {
    expect(rule(" groups: ops-admins=admin,  ops = operator, *=viewer ")).toEqual({
      claim: "groups",
      means: [
        ["ops-admins", "admin"],
        ["ops", "operator"],
        ["*", "viewer"],
      ],
    });
  });

  it("may name a claim that is an address, and values that hold an equals sign", () => {
    expect(rule("https://idp.example.com/groups: cn=ops=operator")).toEqual({
      claim: "https://idp.example.com/groups",
      means: [["cn=ops", "operator"]],
    });
  });

  it.each([
    "",
    "groups",
    "groups:",
    "groups: ",
    "groups:ops=operator",
    ": ops=operator",
    "my groups: a=viewer",
  ])("%j names none", (text) => {
    expect(readClaimRule(text, isRole)).toBe("must name a claim and a colon, then what its values stand for");
  });

  it.each([
    ["groups: ops", "ops"],
    ["groups: admin", "admin"],
    ["groups: =operator", "=operator"],
    ["groups: ops=", "ops="],
    ["groups: ops=owner", "ops=owner"],
    ["groups: ops=operator,", ""],
    ["groups: ops=operator, other = Admin", "other = Admin"],
  ])("%j is told of what it can't read", (text, part) => {
    expect(readClaimRule(text, isRole)).toBe(
      `has ${JSON.stringify(part)}, which is not a value, = and what it stands for`,
    );
  });

  it("stands for a role, or for a brand or all of them", () => {
    expect(["viewer", "operator", "admin", "owner", "*", ""].map(isRole)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(["acme", "*", "**", "ACME", ""].map(isBrandOrEvery)).toEqual([true, true, false, false, false]);
  });
});

describe("a person's role", () => {
  const RULE = rule("groups: ops-admins=admin, ops=operator, all=viewer");

  it.each<[unknown, string | undefined]>([
    [["ops"], "operator"],
    [["all", "ops-admins", "ops"], "admin"],
    ["all", "viewer"],
    [["other"], undefined],
    [[], undefined],
    [undefined, undefined],
    [["Ops"], undefined],
    [[["ops"]], undefined],
    [{ ops: true }, undefined],
    [7, undefined],
  ])("by groups %j is %s", (groups, role) => {
    expect(roleBy(RULE, { groups })).toBe(role);
  });

  it("is everybody's where the rule says so, be the claim there or not, and the greatest counts", () => {
    const everybody = rule("groups: ops=operator, *=viewer");
    expect(roleBy(everybody, {})).toBe("viewer");
    expect(roleBy(everybody, { groups: ["ops"] })).toBe("operator");
  });

  it("is no more by a value that calls itself everybody", () => {
    expect(roleBy(RULE, { groups: ["*"] })).toBeUndefined();
  });

  it("may stand inside of another claim, or under a name with dots", () => {
    const inside = rule("realm_access.roles: ops=operator");
    expect(roleBy(inside, { realm_access: { roles: ["ops"] } })).toBe("operator");
    expect(roleBy(inside, { "realm_access.roles": ["ops"] })).toBe("operator");
    expect(roleBy(inside, { "realm_access.roles": [], realm_access: { roles: ["ops"] } })).toBeUndefined();
    expect(
      roleBy(rule("groups.length: ops=operator"), { groups: "ops" }),
      "a text holds none",
    ).toBeUndefined();
    for (const claims of [{}, { realm_access: null }, { realm_access: "ops" }, { realm_access: {} }])
      expect(roleBy(inside, claims)).toBeUndefined();
  });

  it("is not read from what every object has", () => {
    expect(roleBy(rule("constructor.name: Object=admin"), {})).toBeUndefined();
    expect(roleBy(rule("constructor: Object=admin"), {})).toBeUndefined();
  });
});

describe("the brands that a person is for", () => {
  const RULE = rule("brands: a=acme, b=other, chain=acme, chain=other, group=*", isBrandOrEvery);

  it.each<[unknown, ReturnType<typeof brandsBy>]>([
    [["a"], ["acme"]],
    [
      ["b", "a"],
      ["acme", "other"],
    ],
    [
      ["a", "chain"],
      ["acme", "other"],
    ],
    [["a", "group"], undefined],
    [["c"], "none"],
    [undefined, "none"],
  ])("by %j are %j", (brands, expected) => {
    expect(brandsBy(RULE, { brands })).toEqual(expected);
  });

  it("are all of them where no rule says any", () => {
    expect(brandsBy(undefined, { brands: ["a"] })).toBeUndefined();
  });
});

describe("what the audit calls a person", () => {
  const CLAIMS = { sub: "248289761001", email: "jane@example.com", email_verified: true, name: "Jane" };

  it.each<[string, Record<string, unknown>, string | undefined, string | undefined]>([
    ["the e-mail address that the provider has made sure of", CLAIMS, undefined, "jane@example.com"],
    ["the subject where it has not", { ...CLAIMS, email_verified: false }, undefined, CLAIMS.sub],
    ["nor where it says so in a text", { ...CLAIMS, email_verified: "true" }, undefined, CLAIMS.sub],
    ["the subject where there is no address", { sub: "one" }, undefined, "one"],
    ["the claim that is set for it", CLAIMS, "name", "Jane"],
    ["one inside of another", { ...CLAIMS, profile: { nick: "jd" } }, "profile.nick", "jd"],
    ["the subject where that claim is missing, not the address", CLAIMS, "nickname", CLAIMS.sub],
    ["the subject where it is empty", { ...CLAIMS, name: "" }, "name", CLAIMS.sub],
    ["the subject where it is no text", { ...CLAIMS, name: ["Jane"] }, "name", CLAIMS.sub],
    ["nothing where there is none of them", { email: "jane@example.com" }, undefined, undefined],
    ["nothing where the subject is empty", { sub: "" }, undefined, undefined],
  ])("is %s", (_what, claims, claim, name) => {
    expect(personIn(claims, claim)).toBe(name);
  });

  it("holds no blank, at which its entry of the audit would end", () => {
    expect(personIn({ sub: "token:crm for Jane Döe" }, undefined)).toBe("token:crm%20for%20Jane%20D%C3%B6e");
    expect(personIn({ sub: "half \uD83D" }, undefined)).toBe("half%20%EF%BF%BD");
  });

  it("is as long as a subject may be, three letters for each of its own, and no longer", () => {
    expect(personIn({ sub: "ö".repeat(127) }, undefined)).toHaveLength(762);
    expect(personIn({ sub: "a".repeat(765) }, undefined)).toHaveLength(765);
    expect(personIn({ sub: "a".repeat(766) }, undefined)).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";

import { isSecretFor, readSecretBrands, type ActsFor } from "../../../src/domain/ground/secrets.ts";

const isFor = (text: string, name: string, actsFor: ActsFor) => {
  const brands = readSecretBrands(text);
  if (typeof brands === "string") throw new Error(brands);
  return isSecretFor(brands, name, actsFor);
};

describe("a secret", () => {
  it.each<[what: string, text: string, name: string, actsFor: ActsFor, is: boolean]>([
    ["of a brand is for it", "crm=acme", "crm", ["acme"], true],
    ["of a brand is for no other", "crm=acme", "crm", ["beta"], false],
    ["of a brand is not for what names none", "crm=acme", "crm", [], false],
    ["of a brand is for what acts for that one and another", "crm=acme", "crm", ["acme", "beta"], true],
    ["of a brand is for what acts for every brand", "crm=acme", "crm", "every", true],
    ["of two brands is for each", "crm=acme, hub=x ,crm = beta", "crm", ["beta"], true],
    ["that is not named is for every brand", "crm=acme", "hub", ["beta"], true],
    ["that is not named is for what names no brand", "crm=acme", "hub", [], true],
    ["of no brand is for none", "crm=-", "crm", ["acme"], false],
    ["of no brand is for what acts for every brand", "crm=-", "crm", "every", true],
    ["of the others is for none where they are", "crm=acme, *=-", "hub", ["acme"], false],
    ["of the others is of their brand", "*=acme", "hub", ["acme"], true],
    ["that is named is not of the others", "*=acme, crm=beta", "crm", ["acme"], false],
    ["is the same in its variable's other spelling", "crm-2=acme", "crm_2", ["beta"], false],
    ["is named in its variable's other spelling", "crm_2=acme", "crm-2", ["acme"], true],
    ["is not any other whose name begins alike", "crm=acme", "crm-2", ["beta"], true],
  ])("%s", (_what, text, name, actsFor, is) => {
    expect(isFor(text, name, actsFor)).toBe(is);
  });
});

it.each([
  ["crm", '"crm"'],
  ["crm=", '"crm="'],
  ["=acme", '"=acme"'],
  ["crm=acme,", '""'],
  ["crm=acme beta", '"crm=acme beta"'],
  ["CRM=acme", '"CRM=acme"'],
  ["crm=Acme", '"crm=Acme"'],
  ["crm=acme=beta", '"crm=acme=beta"'],
  ["crm=*", '"crm=*"'],
  ["crm=acme, crm=-", "gives crm to no brand (-) and to acme"],
  ["crm-2=-, crm_2=acme", "gives crm_2 to no brand (-) and to acme"],
])("the brands of secrets are not %j, and it is said what is wrong", (text, told) => {
  expect(readSecretBrands(text)).toContain(told);
});

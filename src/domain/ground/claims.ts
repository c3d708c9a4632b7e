import { ROLES, type Role } from "./access.ts";
import { brandNameSchema } from "./brand-name.ts";

/*
 * What a provider's claims about a person come to here: a role, and brands. Both are said by a rule: the name of a claim,
 * and what its values stand for.
 */

export type Claims = Readonly<Record<string, unknown>>;

/** `groups: ops-admins=admin, ops=operator, *=viewer` */
export interface ClaimRule {
  claim: string;
  /** In the order in which they stand; the value `*` is everybody's. */
  means: readonly (readonly [value: string, meaning: string])[];
}

/** The meaning `*` among brands. */
const EVERY = "*";

/** @returns the rule, or what is wrong with it. */
export function readClaimRule(text: string, isMeaning: (word: string) => boolean): ClaimRule | string {
  // A blank behind the colon: names of claims may be addresses.
  const [, claim = "", rest = ""] = /^(\S+):\s+(.+)$/s.exec(text.trim()) ?? [];
  if (claim === "") return "must name a claim and a colon, then what its values stand for";
  const means: (readonly [string, string])[] = [];
  for (const part of rest.split(",")) {
    // The last one: a value may hold one itself, as those of directories do.
    const end = part.lastIndexOf("=");
    const [value, meaning] = [part.slice(0, end).trim(), part.slice(end + 1).trim()];
    if (end < 0 || value === "" || !isMeaning(meaning))
      return `has ${JSON.stringify(part.trim())}, which is not a value, = and what it stands for`;
    means.push([value, meaning]);
  }
  return { claim, means };
}

export const isRole = (word: string): word is Role => (ROLES as readonly string[]).includes(word);
export const isBrandOrEvery = (word: string): boolean =>
  word === EVERY || brandNameSchema.safeParse(word).success;

/** The greatest role that the claims give somebody; undefined: none. */
export function roleBy(rule: ClaimRule, claims: Claims): Role | undefined {
  const given: ReadonlySet<string> = new Set(meaningsIn(rule, claims));
  return ROLES.findLast((role) => given.has(role));
}

/** The brands that somebody is for. `none`: nothing says any. Undefined: every brand. */
export function brandsBy(
  rule: ClaimRule | undefined,
  claims: Claims,
): readonly string[] | undefined | "none" {
  if (!rule) return undefined;
  const given = [...new Set(meaningsIn(rule, claims))];
  if (given.includes(EVERY)) return undefined;
  return given.length === 0 ? "none" : given;
}

function meaningsIn({ claim, means }: ClaimRule, claims: Claims): string[] {
  const values = valuesOf(claimNamed(claims, claim));
  return means.flatMap(([value, meaning]) => (value === "*" || values.has(value) ? [meaning] : []));
}

/** By its whole name, or as a way through what is inside of another: `realm_access.roles`. */
function claimNamed(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}

function valuesOf(value: unknown): ReadonlySet<string> {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return new Set(all.filter((one): one is string => typeof one === "string"));
}

/**
 * What the audit calls a person: what the claim says that is set for it; else the e-mail address, where the provider has
 * made sure that it is theirs; else the subject, which the provider gives to nobody else.
 */
export function personIn(claims: Claims, claim: string | undefined): string | undefined {
  const chosen = claim === undefined ? undefined : claimNamed(claims, claim);
  const email = claims["email_verified"] === true ? claims["email"] : undefined;
  const name = [chosen, claim === undefined ? email : undefined, claims["sub"]].find(
    (one): one is string => typeof one === "string" && one !== "",
  );
  if (name === undefined) return undefined;
  // It stands in the audit, where a blank would end it.
  const written = encodeURI(name.toWellFormed());
  return written.length <= LONGEST_NAME ? written : undefined;
}

/** A subject has 255 characters at most (OpenID Connect Core 2), each of which may take three here. */
const LONGEST_NAME = 765;

/*
 * Who may do what: roles, and the brands that a caller is for. Whoever asks over HTTP is a caller, by whatever means
 * it was found out who that is.
 */

/** Each may what those before it may. */
export const ROLES = ["viewer", "operator", "admin"] as const;

export type Role = (typeof ROLES)[number];

export interface Caller {
  /** `system`: whoever has the token of the system itself, or is on its machine where it has none. */
  kind: "system" | "token";
  /** Of a named token: the part of it that is no secret. */
  tokenId?: string;
  /** Of the token; what the audit names a caller by is `actorName`. */
  name: string;
  role: Role;
  /** Undefined: every brand, and what is of none. */
  brands: readonly string[] | undefined;
}

export function hasRole({ role }: Caller, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** @param brand undefined: all of them together */
export function mayTouch({ brands }: Caller, brand: string | undefined): boolean {
  if (brands === undefined) return true;
  return brand !== undefined && brands.includes(brand);
}

/** What a token may be called: it stands in the audit, and a blank ends it there. */
export const TOKEN_NAME = /^[a-z\d][a-z\d._-]{0,63}$/;

const OF_TOKENS = "token:";
const FOR = " for ";

/**
 * What the audit calls a named token, and for whom that says it acts: `token:crm for alice`. What stands behind the
 * name is its own word, and nobody has looked.
 */
export function actorName(tokenName: string, onBehalfOf: string | undefined): string {
  return `${OF_TOKENS}${tokenName}${onBehalfOf === undefined ? "" : `${FOR}${onBehalfOf}`}`;
}

/** Whether a name that somebody gives itself would be taken for a token's. */
export function isOfToken(name: string): boolean {
  return name.trimStart().toLowerCase().startsWith(OF_TOKENS);
}

/** The two parts of `actorName`; any other name is whole. */
export function readActorName(name: string): { actor: string; onBehalfOf: string | undefined } {
  const end = name.startsWith(OF_TOKENS) ? name.indexOf(FOR) : -1;
  if (end < 0) return { actor: name, onBehalfOf: undefined };
  return { actor: name.slice(0, end), onBehalfOf: name.slice(end + FOR.length) };
}

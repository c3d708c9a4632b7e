/*
 * Who may do what: roles, and the brands that a caller is for. Whoever asks over HTTP is a caller, by whatever means
 * it was found out who that is.
 */

/** Each may what those before it may. */
export const ROLES = ["viewer", "operator", "admin"] as const;

export type Role = (typeof ROLES)[number];

/** By what it was found out who somebody is. */
export const CALLER_KINDS = ["system", "token", "link", "person"] as const;

export interface Caller {
  /**
   * `system`: whoever has the token of the system itself, or is on its machine where it has none. `link`: whoever opened
   * a sign-in link. `person`: somebody for whom the OpenID Connect provider vouches.
   */
  kind: (typeof CALLER_KINDS)[number];
  /** Of a named token, or of that which made the link: the part of it that is no secret. */
  tokenId?: string;
  /** Of a session in a browser: the part of its cookie that is no secret. */
  sessionId?: string;
  /** Of the token, the link or the person; what the audit names a caller by is `actorName`. */
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

/** What stands before a name that was found out, by how it was. */
const PREFIXES = { token: "token:", link: "link:", person: "person:" } as const;
const FOR = " for ";

/**
 * What the audit calls a caller who has a name, and for whom that says it acts: `token:crm for alice`. What stands
 * behind the name is its own word, and nobody has looked.
 */
export function actorName(
  { kind, name }: { kind: keyof typeof PREFIXES; name: string },
  onBehalfOf: string | undefined,
): string {
  return `${PREFIXES[kind]}${name}${onBehalfOf === undefined ? "" : `${FOR}${onBehalfOf}`}`;
}

/** Whether a name that somebody gives itself would be taken for one that was found out. */
export function isOfCaller(name: string): boolean {
  const said = name.trimStart().toLowerCase();
  return Object.values(PREFIXES).some((prefix) => said.startsWith(prefix));
}

/** A caller, in words for a person. */
export function callerText({ kind, name }: Pick<Caller, "kind" | "name">): string {
  switch (kind) {
    case "system":
      return "the system's own token";
    case "token":
      return `the token ${name}`;
    case "link":
      return `${name}, who came by a sign-in link,`;
    case "person":
      return name;
  }
}

/** The two parts of `actorName`; any other name is whole. */
export function readActorName(name: string): { actor: string; onBehalfOf: string | undefined } {
  const end = Object.values(PREFIXES).some((prefix) => name.startsWith(prefix)) ? name.indexOf(FOR) : -1;
  if (end < 0) return { actor: name, onBehalfOf: undefined };
  return { actor: name.slice(0, end), onBehalfOf: name.slice(end + FOR.length) };
}

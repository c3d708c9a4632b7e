import type { ClaimRule, Claims } from "./claims.ts";

/*
 * An OpenID Connect provider, as the way in asks it. Who speaks to it is src/outbound/sign-in-provider.ts.
 */

/** What a browser keeps between leaving for the provider and coming back. */
export interface BegunSignIn {
  state: string;
  nonce: string;
  verifier: string;
}

/** It does not answer, or not as a provider does. */
export class ProviderAwayError extends Error {
  override readonly name = "ProviderAwayError";
}

/** What came back from it lets nobody in. */
export class ProviderRefusedError extends Error {
  override readonly name = "ProviderRefusedError";
}

export interface SignInProvider {
  /** What the provider says of itself. @throws ProviderAwayError */
  look(): Promise<{ issuer: string }>;
  /** Where to send a browser. @throws ProviderAwayError */
  begin(): Promise<{ url: string; begun: BegunSignIn }>;
  /**
   * Who came back.
   *
   * @param query of the address that the provider sent the browser to
   * @throws ProviderAwayError or ProviderRefusedError
   */
  finish(query: string, begun: BegunSignIn): Promise<Claims>;
}

/** What claims come to here. */
export interface RightsByClaims {
  roles: ClaimRule;
  /** Undefined: whoever has a role is for every brand. */
  brands: ClaimRule | undefined;
  /** The claim that names a person in the audit; undefined: the e-mail address or the subject. */
  person: string | undefined;
}

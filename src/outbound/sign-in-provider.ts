import * as oidc from "openid-client";

import { reasonWords } from "../domain/ground/reason-words.ts";
import {
  ProviderAwayError,
  ProviderRefusedError,
  type SignInProvider,
} from "../domain/ground/sign-in-provider.ts";
import { OutboundError, OutboundRefusedError } from "./errors.ts";
import type { Outbound } from "./outbound.ts";

/*
 * Signing in by an OpenID Connect provider: the authorization code flow, with PKCE, a state and a nonce.
 *
 * 1. What the provider says of itself is kept for a minute: whoever begins again and again causes no more requests.
 * 2. Its keys are read anew for each person who comes back: one that it changed a moment ago is known. The signature of
 *    the ID token is checked, though it comes from the provider over TLS.
 * 3. Requests go by the guarded way, to public addresses or those that OUTDIAL_OUTBOUND_ALLOW names, and are bounded in
 *    time and size.
 */

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  scopes: string;
  /** Where the provider sends people back to. */
  redirectUri: string;
}

const REQUEST_WITHIN_MS = 10_000;

/** Some hundred keys; claims of somebody in thousands of groups. */
const LARGEST_ANSWER_BYTES = 512 * 1024;

const KNOWN_FOR_MS = 60_000;

/** A provider that is away is asked again after this. */
const AWAY_FOR_MS = 5_000;

export function createSignInProvider(
  settings: ProviderSettings,
  { outbound, now }: { outbound: Pick<Outbound, "request">; now: () => number },
): SignInProvider {
  const { issuer, clientId, clientSecret, scopes, redirectUri } = settings;
  const fetch = guardedFetch(outbound);
  // On this machine alone: the settings refuse any other without TLS.
  const isPlain = new URL(issuer).protocol === "http:";
  let known: { metadata: Promise<oidc.ServerMetadata>; untilMs: number } | undefined;

  function prepare(config: oidc.Configuration): oidc.Configuration {
    config[oidc.customFetch] = fetch;
    config.timeout = REQUEST_WITHIN_MS / 1_000;
    oidc.enableNonRepudiationChecks(config);
    if (isPlain) oidc.allowInsecureRequests(config);
    return config;
  }

  async function discover(): Promise<oidc.ServerMetadata> {
    try {
      const found = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), {
        [oidc.customFetch]: fetch,
        timeout: REQUEST_WITHIN_MS / 1_000,
        ...(isPlain && { execute: [oidc.allowInsecureRequests] }),
      });
      const metadata = found.serverMetadata();
      if (metadata.authorization_endpoint === undefined || metadata.token_endpoint === undefined)
        throw new Error("it names no address to sign in at");
      return metadata;
    } catch (error) {
      throw new ProviderAwayError(
        `the OpenID Connect provider ${issuer} can't be used (${wordsOf(error)}): check OUTDIAL_OIDC_ISSUER and the way there`,
        { cause: error },
      );
    }
  }

  function metadata(): Promise<oidc.ServerMetadata> {
    // Whatever the clock was then: it is not known for longer than that.
    if (known && now() < known.untilMs && known.untilMs - now() <= KNOWN_FOR_MS) return known.metadata;
    const one = { metadata: discover(), untilMs: now() + KNOWN_FOR_MS };
    one.metadata.catch(() => {
      one.untilMs = now() + AWAY_FOR_MS;
    });
    known = one;
    return one.metadata;
  }

  /** With no keys yet. */
  async function configured(): Promise<oidc.Configuration> {
    const server = await metadata();
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authentication =
      clientSecret === undefined
        ? oidc.None()
        : methods.includes("client_secret_basic")
          ? oidc.ClientSecretBasic(clientSecret)
          : oidc.ClientSecretPost(clientSecret);
    return prepare(new oidc.Configuration(server, clientId, undefined, authentication));
  }

  return {
    look: async () => ({ issuer: (await metadata()).issuer }),
    async begin() {
      const config = await configured();
      const begun = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: scopes,
        state: begun.state,
        nonce: begun.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, begun };
    },
    async finish(query, { state, nonce, verifier }) {
      const config = await configured();
      const current = new URL(redirectUri);
      current.search = query;
      try {
        const tokens = await oidc.authorizationCodeGrant(config, current, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new ProviderRefusedError("the provider sent no ID token");
        if (config.serverMetadata().userinfo_endpoint === undefined) return claims;
        // Groups stand there with many providers; what the token says goes before it.
        const more = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
        return { ...more, ...claims };
      } catch (error) {
        throw failureOf(error);
      }
    },
  };
}

/** `fetch` as the library calls it, by the guarded way. */
function guardedFetch(outbound: Pick<Outbound, "request">): oidc.CustomFetch {
  return async (url, { method, headers, body }) => {
    if (method !== "GET" && method !== "POST") throw new TypeError(`a provider is not asked with ${method}`);
    const sent = body instanceof URLSearchParams ? body.toString() : body;
    if (sent !== undefined && sent !== null && typeof sent !== "string")
      throw new TypeError("a provider is sent forms alone");
    const answer = await outbound.request({
      method,
      url,
      headers,
      body: sent ?? undefined,
      timeoutMs: REQUEST_WITHIN_MS,
      answerBytes: LARGEST_ANSWER_BYTES,
    });
    const kept = Object.entries(answer.headers).filter(([name]) => name !== "content-length");
    return new Response(answer.body, { status: answer.status, headers: Object.fromEntries(kept) });
  };
}

function failureOf(error: unknown): Error {
  if (error instanceof ProviderRefusedError || error instanceof ProviderAwayError) return error;
  const away = causesOf(error).find(
    (one) =>
      one instanceof OutboundError ||
      one instanceof OutboundRefusedError ||
      (one instanceof Response && one.status >= 500),
  );
  const why = wordsOf(error);
  if (away !== undefined)
    return new ProviderAwayError(`the OpenID Connect provider does not answer as it should (${why})`, {
      cause: error,
    });
  return new ProviderRefusedError(why, { cause: error });
}

/** An error, and what is behind it. Bounded: it may go in a circle. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let one = error; one !== undefined && causes.length < 10;) {
    causes.push(one);
    one = one instanceof Error ? one.cause : undefined;
  }
  return causes;
}

/** Nothing of a token or a code: the provider's own word for an error, or the library's. */
function wordsOf(error: unknown): string {
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError)
    return `it says ${error.error}`;
  const outer = causesOf(error).find(
    (one) => one instanceof OutboundError || one instanceof OutboundRefusedError,
  );
  return reasonWords(outer ?? error);
}

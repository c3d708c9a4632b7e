import http from "node:http";

import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from "jose";
import Provider from "oidc-provider";
import { onTestFinished } from "vitest";

/*
 * A real OpenID Connect provider on loopback, whose people sign in without a form: whoever `person` names is in.
 */

export const CLIENT = { id: "outdial", secret: "the-secret-of-the-client" };

type Person = Record<string, unknown>;

export interface TestProvider {
  issuer: string;
  /** Who sits before the browser; undefined: nobody, and the provider says that access is denied. */
  person: string | undefined;
  /** An ID token of its own making, with its key. */
  sign(claims: JWTPayload): Promise<string>;
  /** The same provider with other keys, at the same address. */
  rotate(): Promise<void>;
  close(): Promise<void>;
  /** Goes where a browser is sent, until it is sent back: the address that it comes back to. */
  visit(url: string): Promise<URL>;
}

interface Running {
  server: http.Server;
  key: CryptoKey;
  kid: string;
}

export async function startProvider(
  people: Readonly<Record<string, Person>>,
  redirectUri: string,
): Promise<TestProvider> {
  let running = await run(0);
  const { port } = addressOf(running.server);
  const issuer = `http://127.0.0.1:${port}`;
  const self: TestProvider = {
    issuer,
    person: Object.keys(people)[0],
    sign: (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: running.kid }).sign(running.key),
    async rotate() {
      await self.close();
      running = await run(port);
    },
    close: () =>
      new Promise((resolve) => {
        running.server.close(() => resolve());
        running.server.closeAllConnections();
      }),
    visit: (url) => visit(url, redirectUri),
  };
  onTestFinished(() => self.close());

  async function run(at: number): Promise<Running> {
    const server = http.createServer();
    await new Promise<void>((resolve) => {
      server.listen(at, "127.0.0.1", resolve);
    });
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    const kid = `key-${Math.random()}`;
    const jwk = { ...(await exportJWK(privateKey)), kid, alg: "RS256", use: "sig" };
    const provider = new Provider(`http://127.0.0.1:${addressOf(server).port}`, {
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
      jwks: { keys: [jwk] },
      cookies: { keys: ["a key of the test"] },
      scopes: ["openid", "email", "profile", "groups"],
      claims: { openid: ["sub"], email: ["email", "email_verified"], groups: ["groups"] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      findAccount: (_ctx, id) => ({
        accountId: id,
        claims: async () => ({ sub: id, ...people[id] }),
      }),
      async loadExistingGrant({ oidc }) {
        const { client, session } = oidc;
        if (!client || session?.accountId === undefined) return undefined;
        const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope("openid email profile groups");
        await grant.save();
        return grant;
      },
    });
    const callback = provider.callback();
    server.on("request", (request, response) => {
      if (request.url?.startsWith("/interaction/") !== true) return void callback(request, response);
      const result =
        self.person === undefined ? { error: "access_denied" } : { login: { accountId: self.person } };
      void provider.interactionFinished(request, response, result);
    });
    return { server, key: privateKey, kid };
  }
  return self;
}

function addressOf(server: http.Server): { port: number } {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the provider does not listen");
  return address;
}

/** Redirects of one visit: to the form, from it, and back. */
const MOST_HOPS = 10;

async function visit(url: string, redirectUri: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = new URL(url);
  for (let hop = 0; hop < MOST_HOPS; hop += 1) {
    if (next.href.startsWith(redirectUri)) return next;
    const answer = await fetch(next, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const to = answer.headers.get("location");
    if (to === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
    next = new URL(to, next);
  }
  throw new Error("the provider sends a browser in a circle");
}

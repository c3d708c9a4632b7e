import { decodeJwt } from "jose";
import { expect, it, onTestFinished, vi } from "vitest";

import { isBrandOrEvery, isRole, readClaimRule, type ClaimRule } from "../../../src/domain/ground/claims.ts";
import { createOutbound } from "../../../src/outbound/client.ts";
import type { Outbound } from "../../../src/outbound/outbound.ts";
import { createSignInProvider } from "../../../src/outbound/sign-in-provider.ts";
import type { Ledger } from "../../../src/ledger/ground/connection.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";
import { CLIENT, startProvider, type TestProvider } from "../../support/oidc-provider.ts";
import { openGuarded } from "./support.ts";

const PUBLIC_URL = "http://127.0.0.1:8480";
const REDIRECT = `${PUBLIC_URL}/v1/session/oidc/callback`;
const DAY_MS = 86_400_000;

const PEOPLE = {
  "ann-1": { email: "ann@example.com", email_verified: true, groups: ["ops", "ops-admins"] },
  "bob-2": { email: "boss@example.com", email_verified: false, groups: ["ops"] },
  "eve-3": { groups: ["sales"] },
  "cy-4": { email: "cy@example.com", email_verified: true, groups: ["ops", "acme-team"] },
};

function rule(text: string, isMeaning: (word: string) => boolean): ClaimRule {
  const read = readClaimRule(text, isMeaning);
  if (typeof read === "string") throw new Error(read);
  return read;
}

interface Options {
  /** Where the settings say that the provider is. */
  issuer?: string;
  brands?: string;
  /** The API's clock. */
  now?: () => number;
  /** Sees every request to the provider, and may answer in its place. */
  between?: (outbound: Pick<Outbound, "request">) => Pick<Outbound, "request">;
}

/** An API whose people sign in by a provider. */
async function openWithProvider(ledger: Ledger, options: Options = {}) {
  const provider = await startProvider(PEOPLE, REDIRECT);
  const outbound = createOutbound({ allow: ["127.0.0.1", "localhost"] });
  onTestFinished(() => outbound.close());
  const guarded = await openGuarded(ledger, {
    ...(options.now && { now: options.now }),
    sessions: { idleMs: DAY_MS, lifeMs: 7 * DAY_MS, publicUrl: PUBLIC_URL },
    oidc: {
      name: "Example SSO",
      rights: {
        roles: rule("groups: ops-admins=admin, ops=operator", isRole),
        brands: options.brands === undefined ? undefined : rule(options.brands, isBrandOrEvery),
        person: undefined,
      },
      provider: createSignInProvider(
        {
          issuer: options.issuer ?? provider.issuer,
          clientId: CLIENT.id,
          clientSecret: CLIENT.secret,
          scopes: "openid email groups",
          redirectUri: REDIRECT,
        },
        { outbound: options.between?.(outbound) ?? outbound, now: Date.now },
      ),
    },
  });
  const { app } = guarded.api;
  const start = (returnTo?: string) =>
    app.inject({
      url: "/v1/session/oidc/start",
      ...(returnTo !== undefined && { query: { return_to: returnTo } }),
      headers: { accept: "text/html" },
    });
  const comeBack = (at: URL, cookie: string) =>
    app.inject({
      url: `${at.pathname}${at.search}`,
      headers: { accept: "text/html", "sec-fetch-site": "cross-site", cookie },
    });
  return {
    ...guarded,
    provider,
    start,
    comeBack,
    /** As far as the provider, and to where that sends the browser back. */
    leave: async (returnTo?: string) => {
      const left = await start(returnTo);
      if (left.statusCode !== 302) throw new Error(left.body);
      const cookie = given(String(left.headers["set-cookie"]).split(";")[0]);
      return { left, cookie, at: await provider.visit(String(left.headers.location)) };
    },
  };
}

type WithProvider = Awaited<ReturnType<typeof openWithProvider>>;

async function signIn({ leave, comeBack }: WithProvider, returnTo?: string) {
  const { cookie, at } = await leave(returnTo);
  return comeBack(at, cookie);
}

/** The session's cookie that an answer sets; undefined: it lets nobody in. */
function cookieIn(answer: { headers: Record<string, unknown> }): string | undefined {
  const set = [answer.headers["set-cookie"]].flat().map(String);
  return set.find((one) => one.startsWith("outdial_session="))?.split(";")[0];
}

function expectRefused(answer: { statusCode: number; body: string; headers: Record<string, unknown> }) {
  expect([answer.statusCode, cookieIn(answer)]).toEqual([401, undefined]);
  expect(answer.body).toContain("<code>sign_in_refused</code>");
}

describeSomeLedger("people of an OpenID Connect provider", (ledger) => {
  it("sign in with the greatest role that their groups give, and are named in the audit", async () => {
    const system = await openWithProvider(ledger());
    const { ask, leave, comeBack } = system;
    expect((await ask({ url: "/v1/session/ways" }, "")).json()).toEqual({ oidc: { name: "Example SSO" } });
    const { left, cookie, at } = await leave("/campaigns?state=running#now");
    expect(String(left.headers["set-cookie"])).toMatch(
      /^outdial_sign_in=[\w-]+; Max-Age=600; Path=\/v1\/session\/oidc; HttpOnly; SameSite=Lax$/,
    );
    const asked = new URL(String(left.headers.location)).searchParams;
    expect(asked.get("code_challenge_method")).toBe("S256");
    const back = await comeBack(at, cookie);
    expect([back.statusCode, back.headers.location]).toEqual([302, "/campaigns?state=running#now"]);
    const shown = given(cookieIn(back));
    const session = (await ask({ url: "/v1/session", headers: { cookie: shown } }, "")).json();
    expect(session).toMatchObject({
      kind: "person",
      name: "ann@example.com",
      role: "admin",
      brands: null,
      actor: "person:ann@example.com",
    });
    // However long sessions may be: who somebody is, the provider is asked again by then.
    const lifeMs = Date.parse(String(session["expires_at"])) - Date.parse(String(session["created_at"]));
    expect(lifeMs).toBe(DAY_MS / 2);
    const audit = (await ask({ url: "/v1/audit", query: { actor: "person:ann@example.com" } })).json<{
      items: { action: string; detail: object }[];
    }>();
    expect(audit.items[0]).toMatchObject({
      action: "session.begin",
      detail: { role: "admin", subject: "ann-1" },
    });
  });

  it("are named by their subject where nobody made sure of their address", async () => {
    const system = await openWithProvider(ledger());
    system.provider.person = "bob-2";
    const shown = given(cookieIn(await signIn(system)));
    const { headers } = { headers: { cookie: shown } };
    expect((await system.ask({ url: "/v1/me", headers }, "")).json()).toMatchObject({
      actor: "person:bob-2",
      role: "operator",
    });
  });

  it("are not let in without a role, or without a brand where brands are said, and are told so", async () => {
    const system = await openWithProvider(ledger(), { brands: "groups: acme-team=acme, ops-admins=*" });
    const outcome = async (person: string) => {
      system.provider.person = person;
      const answer = await signIn(system);
      const shown = cookieIn(answer);
      const me =
        shown === undefined ? undefined : await system.ask({ url: "/v1/me", headers: { cookie: shown } }, "");
      return { status: answer.statusCode, body: answer.body, brands: me?.json()["brands"] };
    };
    const eve = await outcome("eve-3");
    expect([eve.status, eve.brands]).toEqual([403, undefined]);
    expect(eve.body).toContain("eve-3 is known to the provider, and has no role here");
    const bob = await outcome("bob-2");
    expect(bob.status).toBe(403);
    expect(bob.body).toContain("is for no brand here");
    expect(await outcome("cy-4")).toMatchObject({ status: 302, brands: ["acme"] });
    expect(await outcome("ann-1")).toMatchObject({ status: 302, brands: null });
  });

  it("are led back to nowhere but this server", async () => {
    const system = await openWithProvider(ledger());
    for (const elsewhere of [
      "https://evil.example/",
      "//evil.example/",
      "/\\evil.example",
      "/\t/evil.example",
      "javascript:alert(1)",
      "/..//evil.example",
      "/.//evil.example",
    ]) {
      const { statusCode, headers } = await signIn(system, elsewhere);
      expect(statusCode).toBe(302);
      const to = new URL(String(headers.location), PUBLIC_URL);
      expect({ elsewhere, origin: to.origin }).toEqual({ elsewhere, origin: PUBLIC_URL });
    }
  });

  it("come back with what another browser began with to no avail", async () => {
    const system = await openWithProvider(ledger());
    const { leave, comeBack } = system;
    const [mine, theirs] = [await leave(), await leave()];
    expectRefused(await comeBack(theirs.at, ""));
    expectRefused(await comeBack(theirs.at, mine.cookie));
    // Its cookie with another nonce, or another verifier: the ID token, or the code, is not for it.
    for (const field of ["nonce", "verifier"]) {
      const left = await leave();
      const kept = JSON.parse(
        Buffer.from(given(left.cookie.split("=")[1]), "base64url").toString("utf8"),
      ) as object;
      const changed = Buffer.from(JSON.stringify({ ...kept, [field]: "x".repeat(43) })).toString("base64url");
      expectRefused(await comeBack(left.at, `outdial_sign_in=${changed}`));
    }
    expectRefused(await comeBack(theirs.at, "outdial_sign_in=nonsense"));
  });

  it("sign in, and are in, while others are led back from nowhere or send wrong tokens", async () => {
    // However long it takes, it is all within a minute.
    const nowMs = Date.now();
    const system = await openWithProvider(ledger(), { now: () => nowMs });
    const lost = new URL(`${REDIRECT}?code=x&state=y`);
    for (let n = 0; n < 61; n += 1) expectRefused(await system.comeBack(lost, ""));
    const { cookie, at } = await system.leave();
    for (let n = 0; n < 60; n += 1)
      expect((await system.ask({ url: "/v1/me" }, `wrong-${n}`)).statusCode).toBe(401);
    expect((await system.ask({ url: "/v1/me" }, "wrong")).statusCode).toBe(429);
    const shown = given(cookieIn(await system.comeBack(at, cookie)));
    expect((await system.ask({ url: "/v1/session", headers: { cookie: shown } }, "")).statusCode).toBe(200);
  });

  it("come back once: the same answer again lets nobody in", async () => {
    const system = await openWithProvider(ledger());
    const { cookie, at } = await system.leave();
    const first = await system.comeBack(at, cookie);
    expect(cookieIn(first)).toBeDefined();
    expect([first.headers["set-cookie"]].flat().join()).toContain("outdial_sign_in=; Max-Age=0");
    expectRefused(await system.comeBack(at, cookie));
  });

  it("come back in time, or begin anew", async () => {
    const system = await openWithProvider(ledger());
    const { cookie, at } = await system.leave();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    const late = await system.comeBack(at, cookie);
    expectRefused(late);
    expect(late.body).toContain("invalid_grant");
  });

  it("are told what the provider says where it does not let them in", async () => {
    const system = await openWithProvider(ledger());
    system.provider.person = undefined;
    const answer = await signIn(system);
    expectRefused(answer);
    expect(answer.body).toContain("access_denied");
    const { at } = await system.leave();
    const asProgram = await system.api.app.inject({ url: `${at.pathname}${at.search}` });
    expect(asProgram.json<{ code: string }>().code).toBe("sign_in_refused");
  });

  it("sign in after the provider changed its keys, at once", async () => {
    const system = await openWithProvider(ledger());
    expect(cookieIn(await signIn(system))).toBeDefined();
    await system.provider.rotate();
    expect(cookieIn(await signIn(system))).toBeDefined();
  });

  it("are told that the provider is away, before they leave and when they come back, and nothing hangs", async () => {
    const away = await openWithProvider(ledger());
    await away.provider.close();
    const start = await away.start();
    expect([start.statusCode, start.headers["content-type"]]).toEqual([503, "text/html; charset=utf-8"]);
    expect(start.body).toContain("<code>provider_unavailable</code>");
    const later = await openWithProvider(ledger());
    const { cookie, at } = await later.leave();
    await later.provider.close();
    const back = await later.comeBack(at, cookie);
    expect([back.statusCode, cookieIn(back)]).toEqual([503, undefined]);
  });

  it("are not sent to a provider that says that it is another", async () => {
    const port: { now?: string } = {};
    const system = await openWithProvider(ledger(), {
      issuer: "http://localhost:1",
      between: (outbound) => ({
        request: (request) =>
          outbound.request({ ...request, url: request.url.replace("http://localhost:1", given(port.now)) }),
      }),
    });
    port.now = system.provider.issuer;
    const start = await system.start();
    expect([start.statusCode, start.headers.location]).toEqual([503, undefined]);
  });

  it("are not let in by an ID token for somebody else, of somebody else, or that is over", async () => {
    let change: (claims: Record<string, unknown>) => Record<string, unknown> = (claims) => claims;
    const holder: { provider?: TestProvider } = {};
    const system = await openWithProvider(ledger(), {
      between: (outbound) => ({
        async request(request) {
          const answer = await outbound.request(request);
          if (!request.url.endsWith("/token")) return answer;
          const body = JSON.parse(answer.body) as { id_token: string };
          const token = await given(holder.provider).sign(change({ ...decodeJwt(body.id_token) }));
          return { ...answer, body: JSON.stringify({ ...body, id_token: token }) };
        },
      }),
    });
    holder.provider = system.provider;
    // The same words under the provider's key are taken: what is refused below is refused for what it says.
    expect(cookieIn(await signIn(system))).toBeDefined();
    for (const wrong of [
      { aud: "another-client" },
      { iss: "https://another.example" },
      { exp: Math.floor(Date.now() / 1_000) - 600 },
      { nonce: undefined },
    ]) {
      change = (claims) => ({ ...claims, ...wrong });
      expectRefused(await signIn(system));
    }
    const stranger = await startProvider(PEOPLE, REDIRECT);
    holder.provider = stranger;
    change = (claims) => claims;
    expectRefused(await signIn(system));
  });
});

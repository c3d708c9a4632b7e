import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";

import { sql } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";

import { removeOldSessions } from "../../../src/chores/ground/end-sessions.ts";
import { firstRow, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { ms } from "../../../src/ledger/ground/sql.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { until } from "../../support/until.ts";
import { openApi, specOf } from "../support.ts";
import { openGuarded, SYSTEM_TOKEN, type Guarded } from "./support.ts";
import { removeOverSessions } from "../../../src/ledger/ground/sessions.ts";

interface Session {
  kind: string;
  name: string;
  role: string;
  brands: string[] | null;
  actor: string;
  expires_at: string;
  idle_expires_at: string;
  csrf_token: string;
}

const HOUR_MS = 3_600_000;

/** A browser: what it is signed in with, and how it asks. */
async function signIn({ ask }: Pick<Guarded, "ask">, by: { token: string } | { code: string }) {
  const answer = await ask({ method: "POST", url: "/v1/session", payload: by }, "");
  if (answer.statusCode !== 201) throw new Error(answer.body);
  const cookie = String(answer.headers["set-cookie"]);
  const shown = given(cookie.split(";")[0]);
  const session = answer.json<Session>();
  return {
    cookie,
    session,
    shown,
    get: (url: string, headers: Record<string, string> = {}) =>
      ask({ url, headers: { cookie: shown, ...headers } }, ""),
    change: (method: string, url: string, payload?: unknown, headers: Record<string, string> = {}) =>
      ask(
        {
          method,
          url,
          payload,
          headers: { cookie: shown, "x-csrf-token": session.csrf_token, ...headers },
        },
        "",
      ),
  };
}

async function makeCode({ ask }: Guarded, body: Record<string, unknown> = {}): Promise<string> {
  const answer = await ask({
    method: "POST",
    url: "/v1/session/codes",
    payload: { name: "ann", role: "operator", ...body },
  });
  if (answer.statusCode !== 201) throw new Error(answer.body);
  return answer.json<{ code: string }>().code;
}

/** That a session was used at a moment: no request waits for that. */
async function untilNoted(ledger: Ledger, { shown }: { shown: string }, usedAtMs: number): Promise<void> {
  const [id] = given(shown.split("=")[1]).split("_");
  await until("the use is noted", async () => {
    const row = await firstRow<{ at_ms: number }>(
      ledger.db,
      sql`select ${ms(sql`last_used_at`)} as at_ms from sessions where id = ${id}`,
    );
    return row?.at_ms === usedAtMs;
  });
}

describeLedgers("sessions of browsers", (ledger) => {
  it("begin by a token, have its rights, and are named by it in the audit", async () => {
    const guarded = await openGuarded(ledger());
    const { name, secret } = await guarded.makeToken("operator", { brands: ["acme"] });
    const browser = await signIn(guarded, { token: secret });
    expect(browser.cookie).toMatch(
      /^outdial_session=[\da-f]{32}_[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(browser.session).toMatchObject({ kind: "token", name, role: "operator", brands: ["acme"] });
    const { idle_expires_at: _later, ...same } = browser.session;
    expect((await browser.get("/v1/session")).json()).toMatchObject(same);
    expect((await browser.get("/v1/me")).json()).toMatchObject({ actor: `token:${name}` });
    expect((await browser.get("/v1/tokens")).json()["code"]).toBe("role_needed");
    expect((await browser.get("/v1/campaigns?brand=globex")).json()["code"]).toBe("other_brands");
    const made = await browser.change("POST", "/v1/campaigns", { spec: specOf({ brand: "acme" }) });
    expect(made.statusCode).toBe(201);
    const audit = (await guarded.ask({ url: "/v1/audit", query: { actor: `token:${name}` } })).json<{
      items: { action: string }[];
    }>();
    expect(audit.items.map(({ action }) => action)).toEqual(["campaign.create", "session.begin"]);
  });

  it("are kept as a digest alone, and nothing of them is logged", async () => {
    const guarded = await openGuarded(ledger());
    const code = await makeCode(guarded);
    const before = await firstRow<{ whole: string }>(
      ledger().db,
      sql`select jsonb_agg(c)::text as whole from sign_in_codes c`,
    );
    expect(before?.whole).toContain("ann");
    expect(before?.whole).not.toContain(code);
    const { shown, session } = await signIn(guarded, { code });
    const secret = given(shown.split("=")[1]).split("_").slice(1).join("_");
    const kept = await firstRow<{ whole: string }>(
      ledger().db,
      sql`select jsonb_agg(s)::text as whole from sessions s where name = 'ann'`,
    );
    expect(kept?.whole).toContain("operator");
    const audit = await guarded.ask({ url: "/v1/audit" });
    for (const hidden of [code, secret, session.csrf_token]) {
      expect(kept?.whole).not.toContain(hidden);
      expect(audit.body).not.toContain(hidden);
      expect(guarded.api.logged.join()).not.toContain(hidden);
    }
  });

  it("begin by a link once, however many browsers open it at the same time", async () => {
    const guarded = await openGuarded(ledger());
    const code = await makeCode(guarded, { name: "jo", role: "viewer", brands: ["acme"] });
    const open = () => guarded.ask({ method: "POST", url: "/v1/session", payload: { code } }, "");
    const answers = await Promise.all(Array.from({ length: 8 }, open));
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(7);
    expect(answers.find(({ statusCode }) => statusCode === 201)?.json()).toMatchObject({
      kind: "link",
      name: "jo",
      role: "viewer",
      brands: ["acme"],
      actor: "link:jo",
    });
    const late = await open();
    expect([late.statusCode, late.json()["code"]]).toEqual([401, "sign_in_code"]);
  });

  it("do not begin by a link that is older than ten minutes", async () => {
    let nowMs = Date.UTC(2026, 10, 3, 12);
    const guarded = await openGuarded(ledger(), { now: () => nowMs });
    const [first, second] = [await makeCode(guarded), await makeCode(guarded)];
    nowMs += 10 * 60_000 - 1;
    await signIn(guarded, { code: first });
    nowMs += 1;
    const late = await guarded.ask({ method: "POST", url: "/v1/session", payload: { code: second } }, "");
    expect(late.json()["code"]).toBe("sign_in_code");
  });

  it("change nothing without the token that only our pages read, and nothing for another site", async () => {
    const guarded = await openGuarded(ledger());
    const { secret } = await guarded.makeToken("admin");
    const other = await signIn(guarded, { token: secret });
    const browser = await signIn(guarded, { token: secret });
    const spec = () => ({ spec: specOf() });
    const refused = async (headers: Record<string, string>) => {
      const answer = await browser.change("POST", "/v1/campaigns", spec(), headers);
      return [answer.statusCode, answer.json()["code"]];
    };
    expect(await refused({ "x-csrf-token": "" })).toEqual([403, "csrf_token"]);
    expect(await refused({ "x-csrf-token": other.session.csrf_token })).toEqual([403, "csrf_token"]);
    for (const site of ["cross-site", "same-site", "none"])
      expect(await refused({ "sec-fetch-site": site })).toEqual([403, "cross_site"]);
    for (const origin of ["https://evil.example", "null", "http://localhost:9999"])
      expect(await refused({ host: "localhost:8480", origin })).toEqual([403, "cross_site"]);
    const own = { host: "localhost:8480", origin: "http://localhost:8480", "sec-fetch-site": "same-origin" };
    expect((await browser.change("POST", "/v1/campaigns", spec(), own)).statusCode).toBe(201);
    // A page of another port of this machine reads nothing by somebody's session, either.
    const read = await browser.get("/v1/campaigns", { "sec-fetch-site": "same-site" });
    expect([read.statusCode, read.json()["code"]]).toEqual([403, "cross_site"]);
    expect((await browser.get("/v1/campaigns", { "sec-fetch-site": "none" })).statusCode).toBe(200);
    // Nor does it sign a browser in under a name of its choice.
    const planted = await guarded.ask(
      {
        method: "POST",
        url: "/v1/session",
        payload: { token: secret },
        headers: { "sec-fetch-site": "cross-site" },
      },
      "",
    );
    expect([planted.statusCode, planted.headers["set-cookie"]]).toEqual([403, undefined]);
  });

  it("are taken behind a proxy under the address that people open", async () => {
    const guarded = await openGuarded(ledger(), {
      sessions: { idleMs: HOUR_MS, lifeMs: HOUR_MS, publicUrl: "https://calls.example.com" },
    });
    const { secret } = await guarded.makeToken("operator");
    const browser = await signIn(guarded, { token: secret });
    expect(browser.cookie).toMatch(/; Secure$/);
    const ask = (origin: string) =>
      browser.change("POST", "/v1/campaigns", { spec: specOf() }, { host: "127.0.0.1:8480", origin });
    expect((await ask("https://calls.example.com")).statusCode).toBe(201);
    expect((await ask("http://calls.example.com")).json()["code"]).toBe("cross_site");
  });

  it("end with their tokens, in the commit that revokes them or the second that they expire", async () => {
    let nowMs = Date.UTC(2026, 10, 4);
    const guarded = await openGuarded(ledger(), { now: () => nowMs });
    const { name, secret } = await guarded.makeToken("viewer");
    const expiring = await guarded.makeToken("viewer", {
      expires_at: new Date(nowMs + 60_000).toISOString(),
    });
    const [revoked, late] = [
      await signIn(guarded, { token: secret }),
      await signIn(guarded, { token: expiring.secret }),
    ];
    expect(late.session.expires_at).toBe(new Date(nowMs + 60_000).toISOString());
    expect((await revoked.get("/v1/session")).statusCode).toBe(200);
    await guarded.ask({ method: "DELETE", url: `/v1/tokens/${name}`, payload: { reason: "it leaked" } });
    const refused = await revoked.get("/v1/session");
    expect([refused.statusCode, refused.json()["code"]]).toEqual([401, "token_revoked"]);
    expect(String(refused.headers["set-cookie"])).toContain("Max-Age=0");
    expect((await late.get("/v1/session")).statusCode).toBe(200);
    nowMs += 60_000;
    expect((await late.get("/v1/session")).json()["code"]).toBe("token_expired");
  });

  it("that the system's own token began end with it", async () => {
    const guarded = await openGuarded(ledger());
    const browser = await signIn(guarded, { token: SYSTEM_TOKEN });
    expect(browser.session).toMatchObject({ kind: "system", role: "admin", actor: "api" });
    expect((await browser.get("/v1/tokens")).statusCode).toBe(200);
    const renewed = await openApi(ledger(), { token: "another-token-of-the-system-0123456789" });
    const after = await renewed.app.inject({ url: "/v1/session", headers: { cookie: browser.shown } });
    expect(after.json<{ code: string }>().code).toBe("session_over");
  });

  it("end by signing out, by being left alone, and at the latest at their end", async () => {
    let nowMs = Date.UTC(2026, 10, 5);
    const guarded = await openGuarded(ledger(), {
      now: () => nowMs,
      sessions: { idleMs: HOUR_MS, lifeMs: 3 * HOUR_MS, publicUrl: undefined },
    });
    const { secret } = await guarded.makeToken("viewer");
    const begin = () => signIn(guarded, { token: secret });
    const left = await begin();
    const out = await begin();
    const used = await begin();
    const gone = await out.change("DELETE", "/v1/session");
    expect([gone.statusCode, gone.body]).toEqual([204, ""]);
    expect(String(gone.headers["set-cookie"])).toMatch(/^outdial_session=; Max-Age=0; Path=\/; HttpOnly/);
    expect((await out.get("/v1/me")).json()["code"]).toBe("session_over");
    for (let hour = 0; hour < 3; hour += 1) {
      nowMs += HOUR_MS - 1;
      const answer = await used.get("/v1/session");
      expect(answer.statusCode).toBe(200);
      expect(answer.json()["idle_expires_at"]).toBe(
        new Date(Math.min(nowMs + HOUR_MS, Date.UTC(2026, 10, 5, 3))).toISOString(),
      );
      await untilNoted(ledger(), used, nowMs);
    }
    expect((await left.get("/v1/me")).json()["detail"]).toContain("was not used for too long");
    nowMs += 3;
    const over = await used.get("/v1/me");
    expect([over.statusCode, over.json()["code"]]).toEqual([401, "session_over"]);
    await removeOldSessions({ ledger: ledger(), sessionIdleMs: HOUR_MS, now: () => nowMs });
    expect((await used.get("/v1/me")).json()["detail"]).toContain("has ended, or never was");
  });

  it("of one who forgets to sign out are twenty at most: the one that was used the longest ago ends", async () => {
    let nowMs = Date.UTC(2026, 10, 6);
    const guarded = await openGuarded(ledger(), { now: () => nowMs });
    const { name, secret } = await guarded.makeToken("viewer");
    const browsers = [];
    for (let n = 0; n < 21; n += 1) {
      nowMs += 1_000;
      browsers.push(await signIn(guarded, { token: secret }));
    }
    const codes = [];
    for (const browser of browsers) codes.push((await browser.get("/v1/me")).statusCode);
    expect(codes).toEqual([401, ...Array(20).fill(200)]);
    const audit = await guarded.ask({ url: "/v1/audit", query: { action: "session.end", limit: "1" } });
    expect(audit.json<{ items: object[] }>().items).toEqual([
      expect.objectContaining({
        actor: `token:${name}`,
        detail: expect.objectContaining({
          name,
          kind: "token",
          reason: expect.stringContaining("more than 20"),
        }),
      }),
    ]);
  });

  it("can't be guessed at will, and whoever is in stays in", async () => {
    const nowMs = Date.UTC(2026, 10, 7);
    const guarded = await openGuarded(ledger(), { now: () => nowMs });
    const { secret } = await guarded.makeToken("viewer");
    const browser = await signIn(guarded, { token: secret });
    const guess = (payload: object) => guarded.ask({ method: "POST", url: "/v1/session", payload }, "");
    for (let n = 0; n < 30; n += 1) {
      expect((await guess({ code: `x${n}` })).statusCode).toBe(401);
      expect((await guess({ token: `x${n}` })).statusCode).toBe(401);
    }
    const code = await makeCode(guarded);
    expect((await guess({ code: "x" })).json()["code"]).toBe("rate_limited");
    expect((await guess({ code })).statusCode).toBe(201);
    const forge = (n: number) => {
      const cookie = `outdial_session=${"0".repeat(32)}_${String(n).repeat(43)}`;
      return guarded.ask({ url: "/v1/me", headers: { cookie } }, "");
    };
    const forged = [];
    for (let n = 0; n < 5; n += 1) forged.push((await forge(n)).statusCode);
    expect(forged).toEqual([401, 401, 401, 401, 429]);
    expect((await forge(0)).json()["code"]).toBe("rate_limited");
    expect((await browser.get("/v1/me")).statusCode).toBe(200);
  });

  it("that are over are nobody's on the machine itself, too", async () => {
    const guarded = await openGuarded(ledger());
    const { name, secret } = await guarded.makeToken("viewer");
    const { shown } = await signIn(guarded, { token: secret });
    const { app } = await openApi(ledger());
    const ask = (headers: Record<string, string>) =>
      app.inject({ url: "/v1/tokens", headers: { host: "localhost", ...headers } });
    expect((await ask({})).statusCode).toBe(200);
    expect((await ask({ cookie: shown })).json<{ code: string }>().code).toBe("role_needed");
    await guarded.ask({ method: "DELETE", url: `/v1/tokens/${name}`, payload: { reason: "left" } });
    const over = await ask({ cookie: shown });
    expect([over.statusCode, String(over.headers["set-cookie"])]).toEqual([
      401,
      expect.stringContaining("Max-Age=0"),
    ]);
    // The page whose cookie went by that is not the machine, and neither is a cookie beside which another is planted.
    for (const headers of [{ "sec-fetch-site": "same-origin" }, { cookie: `${shown}; ${shown}` }]) {
      const next = await ask(headers);
      expect([next.statusCode, next.json<{ code: string }>().code]).toEqual([401, "unauthorized"]);
    }
    expect((await ask({})).statusCode).toBe(200);
  });

  it("are begun while an address sends wrong tokens, and asked by from then on", async () => {
    const nowMs = Date.UTC(2026, 10, 8);
    const guarded = await openGuarded(ledger(), { now: () => nowMs });
    const { secret } = await guarded.makeToken("viewer");
    expect((await guarded.ask({ url: "/v1/me" }, secret)).statusCode).toBe(200);
    for (let n = 0; n < 60; n += 1)
      expect((await guarded.ask({ url: "/v1/me" }, `wrong-${n}`)).statusCode).toBe(401);
    expect((await guarded.ask({ url: "/v1/me" }, "wrong")).statusCode).toBe(429);
    for (const token of [SYSTEM_TOKEN, secret]) {
      const browser = await signIn(guarded, { token });
      expect((await browser.get("/v1/session")).json()).toEqual(browser.session);
    }
  });

  it("that links began end with the session in which the link was made, and so do links that nobody opened", async () => {
    const guarded = await openGuarded(ledger());
    const { name, secret } = await guarded.makeToken("admin");
    const [maker, other] = [
      await signIn(guarded, { token: secret }),
      await signIn(guarded, { token: secret }),
    ];
    const codeBy = async (browser: typeof maker) => {
      const answer = await browser.change("POST", "/v1/session/codes", { name: "eve", role: "admin" });
      return answer.json<{ code: string }>().code;
    };
    const guest = await signIn(guarded, { code: await codeBy(maker) });
    const guests = await signIn(guarded, { code: await codeBy(guest) });
    const untouched = await signIn(guarded, { code: await codeBy(other) });
    const waiting = [await codeBy(maker), await codeBy(guests)];
    const isIn = async (browser: typeof maker) => (await browser.get("/v1/me")).statusCode === 200;
    expect(await Promise.all([guest, guests].map(isIn))).toEqual([true, true]);
    expect((await maker.change("DELETE", "/v1/session")).statusCode).toBeLessThan(300);
    expect(await Promise.all([maker, guest, guests].map(isIn))).toEqual([false, false, false]);
    for (const code of waiting) {
      const opened = await guarded.ask({ method: "POST", url: "/v1/session", payload: { code } }, "");
      expect(opened.statusCode).toBe(401);
    }
    expect(await Promise.all([other, untouched].map(isIn))).toEqual([true, true]);
    // An admin puts all of somebody out.
    const ended = await guarded.ask({
      method: "DELETE",
      url: "/v1/sessions",
      payload: { kind: "token", name, reason: "has left" },
    });
    expect(ended.statusCode, ended.body).toBe(200);
    expect(await Promise.all([other, untouched].map(isIn))).toEqual([false, false]);
  });

  it("that links began end with whoever made the link, also where their session was over for want of use", async () => {
    let nowMs = Date.UTC(2026, 10, 10);
    const idleMs = HOUR_MS;
    const guarded = await openGuarded(ledger(), {
      now: () => nowMs,
      sessions: { idleMs, lifeMs: 12 * HOUR_MS, publicUrl: undefined },
    });
    const { name, secret } = await guarded.makeToken("admin");
    const maker = await signIn(guarded, { token: secret });
    const made = await maker.change("POST", "/v1/session/codes", { name: "eve", role: "admin" });
    const { code } = made.json<{ code: string }>();
    const guest = await signIn(guarded, { code });
    for (let use = 0; use < 3; use += 1) {
      nowMs += HOUR_MS / 2;
      expect((await guest.get("/v1/me")).statusCode).toBe(200);
      await untilNoted(ledger(), guest, nowMs);
    }
    expect((await maker.get("/v1/me")).statusCode).toBe(401);
    await ledger().transaction((tx) => removeOverSessions(tx, { idleMs, nowMs }));
    const payload = { kind: "token", name, reason: "has left" };
    const ended = await guarded.ask({ method: "DELETE", url: "/v1/sessions", payload });
    expect(ended.statusCode, ended.body).toBe(200);
    expect((await guest.get("/v1/me")).statusCode).toBe(401);
  });

  it("that a link began end with the token that made the link, and with the maker's session at the latest", async () => {
    let nowMs = Date.UTC(2026, 10, 9);
    const guarded = await openGuarded(ledger(), {
      now: () => nowMs,
      sessions: { idleMs: HOUR_MS, lifeMs: HOUR_MS, publicUrl: undefined },
    });
    const { name, secret } = await guarded.makeToken("admin");
    const admin = await signIn(guarded, { token: secret });
    const codeBy = async (browser: typeof admin) => {
      const answer = await browser.change("POST", "/v1/session/codes", { name: "eve", role: "admin" });
      return answer.json<{ code: string }>().code;
    };
    nowMs += 59 * 60_000;
    const bySession = await signIn(guarded, { code: await codeBy(admin) });
    expect(bySession.session.expires_at).toBe(admin.session.expires_at);
    expect(bySession.cookie).toContain("; Max-Age=60;");
    // A link of a link's session is by the same token.
    const again = await signIn(guarded, { code: await codeBy(bySession) });
    expect(again.session.expires_at).toBe(admin.session.expires_at);
    const waiting = await codeBy(again);
    const byToken = await guarded.ask(
      { method: "POST", url: "/v1/session/codes", payload: { name: "eve", role: "admin" } },
      secret,
    );
    expect((await again.get("/v1/tokens")).statusCode).toBe(200);
    const own = await signIn(guarded, { code: await makeCode(guarded) });
    await guarded.ask({ method: "DELETE", url: `/v1/tokens/${name}`, payload: { reason: "left" } });
    for (const browser of [bySession, again]) {
      const refused = await browser.get("/v1/tokens");
      expect([refused.statusCode, refused.json()["code"]]).toEqual([401, "session_over"]);
      expect(refused.json()["detail"]).toContain(`a link of the token ${name}`);
    }
    for (const code of [waiting, byToken.json<{ code: string }>().code]) {
      const late = await guarded.ask({ method: "POST", url: "/v1/session", payload: { code } }, "");
      expect([late.json()["code"], late.headers["set-cookie"]]).toEqual(["sign_in_code", undefined]);
    }
    expect((await own.get("/v1/session")).statusCode).toBe(200);
    const renewed = await openApi(ledger(), {
      token: "another-token-of-the-system-0123456789",
      now: () => nowMs,
    });
    const after = await renewed.app.inject({ url: "/v1/session", headers: { cookie: own.shown } });
    expect(after.json<{ code: string }>().code).toBe("session_over");
  });

  it("can't be begun for more than whoever makes the link may: only admins of every brand make them", async () => {
    const guarded = await openGuarded(ledger());
    const { secret } = await guarded.makeToken("operator");
    const browser = await signIn(guarded, { token: secret });
    const make = await browser.change("POST", "/v1/session/codes", { name: "ann", role: "admin" });
    expect([make.statusCode, make.json()["code"]]).toEqual([403, "role_needed"]);
    const both = await guarded.ask(
      { method: "POST", url: "/v1/session", payload: { token: secret, code: "x" } },
      "",
    );
    expect(both.json()["code"]).toBe("invalid_request");
  });
});

/** What a build of the dashboard leaves. */
function builtDashboard(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-dashboard-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  fs.mkdirSync(path.join(folder, "assets"));
  fs.writeFileSync(path.join(folder, "index.html"), "<!doctype html><title>Outdial</title>");
  fs.writeFileSync(path.join(folder, "assets", "main-abc.js"), "console.log('hello');");
  fs.writeFileSync(
    path.join(folder, "assets", "main-abc.js.br"),
    brotliCompressSync("console.log('hello');"),
  );
  fs.writeFileSync(path.join(folder, "..", `${path.basename(folder)}.secret`), "nobody's business");
  onTestFinished(() => fs.rmSync(`${folder}.secret`, { force: true }));
  return folder;
}

describeLedgers("the dashboard's files", (ledger) => {
  it("are served to everybody, with rules that let nothing in from elsewhere", async () => {
    const { api } = await openGuarded(ledger(), { dashboardDir: builtDashboard() });
    const page = await api.app.inject({ url: "/", headers: { accept: "text/html" } });
    expect([page.statusCode, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers["cache-control"]).toBe("no-cache");
    expect(page.headers["content-security-policy"]).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;media-src 'self' blob:;font-src 'self';connect-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none'",
    );
    expect(page.headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
    const again = await api.app.inject({
      url: "/",
      headers: { "if-none-match": String(page.headers["etag"]) },
    });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
    const script = await api.app.inject({ url: "/assets/main-abc.js" });
    expect(script.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
    });
    expect(script.headers["content-encoding"]).toBeUndefined();
    const small = await api.app.inject({
      url: "/assets/main-abc.js",
      headers: { "accept-encoding": "gzip, br;q=1" },
    });
    expect(small.headers).toMatchObject({ "content-encoding": "br", vary: "accept-encoding" });
    expect(small.headers["etag"]).not.toBe(script.headers["etag"]);
    expect(brotliDecompressSync(small.rawPayload).toString()).toBe("console.log('hello');");
    const head = await api.app.inject({ method: "HEAD", url: "/assets/main-abc.js" });
    expect([head.statusCode, head.body]).toEqual([200, ""]);
  });

  it("are the page at any address that a browser opens, and nowhere in the way of the API", async () => {
    const folder = builtDashboard();
    const { api } = await openGuarded(ledger(), { dashboardDir: folder });
    const get = async (url: string, headers: Record<string, string> = { accept: "text/html,*/*;q=0.8" }) => {
      const { statusCode, headers: had } = await api.app.inject({ url, headers });
      return [statusCode, String(had["content-type"]).split(";")[0]];
    };
    expect(await get("/campaigns/spring?tab=calls")).toEqual([200, "text/html"]);
    expect(await get("/campaigns", { accept: "*/*" })).toEqual([401, "application/problem+json"]);
    for (const url of ["/v1/nothing", "/v1", "/openapi.json", "/docs/x"])
      expect(await get(url)).toEqual([401, "application/problem+json"]);
    const secret = `${path.basename(folder)}.secret`;
    for (const url of [
      "/assets/none.js",
      `/assets/../../${secret}`,
      `/assets/%2e%2e/%2e%2e/${secret}`,
      `/assets/..%2f..%2f${secret}`,
      "/assets/..%2findex.html",
    ])
      expect([url, (await api.app.inject({ url })).body.includes("nobody's")]).toEqual([url, false]);
    expect(await get("/assets/none.js")).toEqual([404, "application/problem+json"]);
    const posted = await api.app.inject({
      method: "POST",
      url: "/campaigns",
      headers: { accept: "text/html" },
    });
    expect(posted.statusCode).toBe(401);
  });

  it("are said to be missing where nobody built them", async () => {
    const { api } = await openGuarded(ledger());
    const page = await api.app.inject({ url: "/" });
    expect([page.statusCode, page.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
    expect(page.body).toContain("The dashboard is not built");
  });
});

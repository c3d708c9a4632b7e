import { expect, it } from "vitest";

import type { Ledger } from "../../src/ledger/ground/connection.ts";
import { goOn } from "../../src/ledger/ground/installation.ts";
import { describeSomeLedger } from "../support/ledgers.ts";
import { openApi } from "./support.ts";

const TOKEN = "a-token-of-this-test-0123456789";

describeSomeLedger("access to the API", (ledger) => {
  it("asks for the token where there is one, and for nothing at the probes", async () => {
    const { app } = await openApi(ledger(), { token: TOKEN });
    const ask = (authorization?: string) =>
      app.inject({ url: "/v1/system", headers: authorization === undefined ? {} : { authorization } });
    const without = await ask();
    expect(without.statusCode).toBe(401);
    expect(without.headers["www-authenticate"]).toBe("Bearer");
    expect(without.json()).toMatchObject({
      code: "unauthorized",
      detail: expect.stringContaining("OUTDIAL_API_TOKEN"),
    });
    expect((await ask("Bearer wrong")).statusCode).toBe(401);
    expect((await ask(`Bearer ${TOKEN}`)).statusCode).toBe(200);
    expect((await app.inject({ url: "/healthz" })).json()).toEqual({ ok: true });
    expect((await app.inject({ url: "/readyz" })).json()).toEqual({ ok: true });
  });

  it("without a token serves this machine alone, and no web page of another site", async () => {
    const { app } = await openApi(ledger());
    const ask = async (headers: Record<string, string>) =>
      (await app.inject({ url: "/v1/system", headers })).json<{ code?: string }>().code;
    expect(await ask({ host: "localhost:8480" })).toBeUndefined();
    expect(await ask({ host: "[::1]:8480" })).toBeUndefined();
    expect(await ask({ host: "rebound.example.com:8480" })).toBe("forbidden_host");
    expect(await ask({ host: "127.0.0.1:8480", origin: "https://evil.example" })).toBe("cross_site");
    expect(await ask({ host: "127.0.0.1:8480", origin: "null" })).toBe("cross_site");
    expect(await ask({ host: "127.0.0.1:8480", "sec-fetch-site": "cross-site" })).toBe("cross_site");
    const own = { host: "127.0.0.1:8480", origin: "http://127.0.0.1:8480" };
    expect(await ask(own)).toBeUndefined();
    // A page of ours signs in: its session may have ended a moment ago, and gave less than the machine has.
    expect(await ask({ ...own, "sec-fetch-site": "same-origin" })).toBe("unauthorized");
  });

  it("without a token serves nobody who comes through a proxy, whatever name that gives us", async () => {
    const { app } = await openApi(ledger());
    for (const name of ["x-forwarded-for", "forwarded", "via", "x-real-ip", "x-forwarded-host"]) {
      const answer = await app.inject({
        url: "/v1/triggers",
        headers: { host: "127.0.0.1:8480", [name]: "203.0.113.7" },
      });
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, "forbidden_host"]);
    }
  });

  it("stays open to people and probes while others flood a trigger from the same address", async () => {
    const { app } = await openApi(ledger(), { token: TOKEN });
    const knock = () =>
      app.inject({ method: "POST", url: `/v1/hooks/platform/${"x".repeat(24)}`, payload: "{}" });
    for (let round = 0; round < 60; round += 1) {
      await Promise.all(Array.from({ length: 100 }, knock));
    }
    expect((await knock()).statusCode).toBe(429);
    const authorization = `Bearer ${TOKEN}`;
    expect((await app.inject({ url: "/v1/system", headers: { authorization } })).statusCode).toBe(200);
    expect((await app.inject({ url: "/readyz" })).statusCode).toBe(200);
  });

  it("stays open to people while others load pages from the same address, and to a stop in any case", async () => {
    const { app } = await openApi(ledger(), { token: TOKEN });
    const headers = { authorization: `Bearer ${TOKEN}` };
    const read = () => app.inject({ url: "/v1/me", headers });
    const flood = async (ask: () => Promise<{ statusCode: number }>) => {
      for (let round = 0; round < 60; round += 1) await Promise.all(Array.from({ length: 100 }, ask));
      return (await ask()).statusCode;
    };
    expect(await flood(() => app.inject({ url: "/assets/nothing.js" }))).toBe(429);
    expect((await app.inject({ url: "/v1/session/ways" })).statusCode).toBe(429);
    expect((await read()).statusCode).toBe(200);
    expect(await flood(read)).toBe(429);
    const stop = (token: string) =>
      app.inject({
        method: "POST",
        url: "/v1/stop-all",
        headers: { authorization: `Bearer ${token}` },
        payload: { reason: "a test of the limit" },
      });
    expect((await stop(TOKEN)).statusCode).toBe(200);
    expect((await stop("wrong")).statusCode).toBe(401);
    // What the other tests of this ledger ask for is no stop.
    await goOn(ledger().db, { actor: "test", reason: "the test is over", nowMs: Date.now() });
  });

  it("takes a NUL in an address for what it is: the name of nothing", async () => {
    const api = await openApi(ledger(), { token: TOKEN });
    const headers = { authorization: `Bearer ${TOKEN}` };
    const statusOf = async (url: string) => (await api.app.inject({ url, headers })).statusCode;
    expect(await statusOf("/v1/triggers/a%00b")).toBe(404);
    expect(await statusOf("/v1/attention?brand=a%00b")).toBe(200);
    expect(await statusOf("/v1/follow-ups?campaign=a%00b")).toBe(404);
    const outside = await api.app.inject({ method: "POST", url: "/v1/triggers/a%00b", payload: "{}" });
    expect(outside.statusCode).toBe(401);
  });

  it("refuses a name that no audit can keep, also where nothing is written or an answer is given once more", async () => {
    const { app } = await openApi(ledger());
    const key = { "idempotency-key": `actor ${process.pid}` };
    const ask = (url: string, payload: object, headers: Record<string, string>) =>
      app.inject({ method: "POST", url, payload, headers: { ...key, ...headers } });
    const suppressed = { entries: [{ phone: "+12025550187", reason: "asked to" }] };
    expect((await ask("/v1/suppressions", suppressed, {})).statusCode).toBe(200);
    for (const [url, payload] of [
      ["/v1/suppressions", suppressed],
      ["/v1/budgets/check", {}],
    ] as const) {
      const refused = await ask(url, payload, { "x-outdial-actor": "Zo\u00eb" });
      expect([refused.statusCode, refused.json()["code"]], url).toEqual([422, "invalid_request"]);
    }
  });

  it("is not ready while Temporal is away", async () => {
    const { app, temporal } = await openApi(ledger());
    temporal.away = true;
    const probe = await app.inject({ url: "/readyz" });
    expect(probe.statusCode).toBe(503);
    expect(probe.json()).toMatchObject({ code: "temporal_unavailable" });
  });

  it("answers problems for what is not there, too large, not JSON or not understood", async () => {
    const { app } = await openApi(ledger());
    const post = (payload: string, type: string) =>
      app.inject({ method: "POST", url: "/v1/suppressions", headers: { "content-type": type }, payload });
    expect((await app.inject({ url: "/v1/nothing" })).json()).toMatchObject({ code: "not_found" });
    for (const [url, allow] of [
      ["/v1/triggers/crm/?x=1", "GET, HEAD, POST"],
      ["/v1/stop-all", "POST"],
      ["/v1/campaigns/spring/contacts", "GET, HEAD, POST"],
    ]) {
      const wrong = await app.inject({ method: "PATCH", url: url ?? "" });
      expect([wrong.statusCode, wrong.json()["code"], wrong.headers["allow"]]).toEqual([
        405,
        "method_not_allowed",
        allow,
      ]);
    }
    expect((await app.inject({ method: "PATCH", url: "/v1/triggers/" })).headers["allow"]).toBe(
      "GET, HEAD, PUT",
    );
    expect((await app.inject({ method: "PATCH", url: "/v1/triggers//" })).statusCode).toBe(404);
    expect((await post("{", "application/json")).json()).toMatchObject({
      code: "invalid_request",
      status: 400,
    });
    expect((await post("x".repeat(2_000_000), "application/json")).json()).toMatchObject({
      code: "too_large",
    });
    expect((await post("a,b", "text/csv")).json()).toMatchObject({ code: "unsupported_media_type" });
    expect((await app.inject({ url: "/v1/campaigns?limit=0" })).json()).toMatchObject({
      code: "invalid_request",
      errors: [{ field: "limit" }],
    });
    expect((await app.inject({ url: "/v1/campaigns/nobody" })).json()).toMatchObject({
      code: "unknown_campaign",
    });
    expect((await post('{"__proto__": {}}', "application/json")).json()).toMatchObject({
      code: "invalid_request",
      detail: expect.stringContaining("not JSON, or has a field called __proto__"),
    });
    for (const [url, status] of [
      ["/v1/campaigns/%zz", 400],
      [`/v1/campaigns/${"x".repeat(300)}`, 414],
    ] as const) {
      const malformed = await app.inject({ url });
      expect(malformed.json()).toMatchObject({ code: "invalid_request", status });
      expect(malformed.headers["content-type"]).toContain("application/problem+json");
    }
    for (const [url, says] of [
      ["/v1/enrolments/x", "must be the id of an enrolment, as `outdial sequence enrolments`"],
      ["/v1/follow-ups/x", "must be the id of a follow-up"],
      ["/v1/actions/x", "must be the id of an action"],
      ["/v1/deliveries/x", "must be the id of a delivery"],
    ] as const)
      expect((await app.inject({ url })).json<{ detail: string }>().detail).toContain(says);
  });

  it("tells nothing of an unexpected failure, and logs it without the address that was asked for", async () => {
    const broken: Ledger = {
      ...ledger(),
      db: new Proxy(ledger().db, {
        get: () => () => {
          throw new Error("secret inside");
        },
      }),
    };
    const api = await openApi(broken);
    const failed = await api.app.inject({ url: "/v1/campaigns/x/contacts/%2B12025550100/explanation" });
    expect(failed.statusCode).toBe(500);
    expect(failed.body).not.toContain("secret inside");
    expect(api.logged.join()).toContain("secret inside");
    expect(api.logged.join()).not.toContain("2025550100");
  });

  it("describes every route", async () => {
    const { app } = await openApi(ledger());
    const { paths } = (await app.inject({ url: "/openapi.json" })).json<{ paths: Record<string, object> }>();
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([
        "/v1/campaigns",
        "/v1/campaigns/{ref}",
        "/v1/campaigns/{ref}/contacts",
        "/v1/campaigns/{ref}/pause",
        "/v1/suppressions/import",
        "/v1/stop-all",
      ]),
    );
  });
});

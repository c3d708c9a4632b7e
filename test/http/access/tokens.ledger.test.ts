import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { firstRow, LedgerUnavailableError, rows } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers } from "../../support/ledgers.ts";
import { until } from "../../support/until.ts";
import { createCampaign, openApi, openSandbox, specOf } from "../support.ts";
import { openGuarded, SYSTEM_TOKEN } from "./support.ts";

interface Entry {
  actor: string;
  on_behalf_of: string | null;
  action: string;
  detail: Record<string, unknown>;
}

describeLedgers("tokens of the API", (ledger) => {
  it("are told once, and kept as a digest alone", async () => {
    const { ask, makeToken, api } = await openGuarded(ledger());
    const { name, secret } = await makeToken("operator", { brands: ["acme", "acme", "emca"] });
    expect(secret).toMatch(/^outdial_[\da-f]{32}_[\w-]{43}$/);
    const kept = await firstRow<{ whole: string }>(
      ledger().db,
      sql`select to_jsonb(t)::text as whole from api_tokens t where name = ${name}`,
    );
    const random = secret.split("_").slice(2).join("_");
    expect(kept?.whole).toContain(name);
    expect(kept?.whole).not.toContain(random);
    const list = await ask({ url: "/v1/tokens" });
    expect(list.body).not.toContain(random);
    expect(list.json<{ items: object[] }>().items).toContainEqual(
      expect.objectContaining({ name, role: "operator", brands: ["acme", "emca"], last_used_at: null }),
    );
    const audit = await ask({ url: "/v1/audit", query: { action: "token.create" } });
    expect(audit.body).not.toContain(random);
    expect(audit.json<{ items: Entry[] }>().items[0]).toMatchObject({
      actor: "api",
      detail: { token: name, after: { role: "operator", brands: ["acme", "emca"], expires_at: null } },
    });
    expect(api.logged.join()).not.toContain(random);
    const me = await ask({ url: "/v1/me" }, secret);
    expect(me.json()).toEqual({
      kind: "token",
      name,
      role: "operator",
      brands: ["acme", "emca"],
      actor: `token:${name}`,
    });
  });

  it("are one of a name while they are in force, and are to expire in the future", async () => {
    const { ask, makeToken } = await openGuarded(ledger());
    const { name, secret } = await makeToken("viewer");
    const create = (payload: object) => ask({ method: "POST", url: "/v1/tokens", payload });
    const again = await create({ name, role: "admin" });
    expect([again.statusCode, again.json()["code"]]).toEqual([409, "command_refused"]);
    expect(again.json()["detail"]).toContain(`outdial token revoke ${name}`);
    expect(
      (await create({ name: "late", role: "admin", expires_at: "2020-01-01T00:00:00Z" })).statusCode,
    ).toBe(422);
    for (const bad of ["Ann", "a b", "", "token:x", "x".repeat(65)])
      expect((await create({ name: bad, role: "viewer" })).statusCode, bad).toBe(422);
    const revoke = () =>
      ask({ method: "DELETE", url: `/v1/tokens/${name}`, payload: { reason: "left the company" } });
    expect((await revoke()).json()).toMatchObject({
      revoked: { name, revoked_reason: "left the company", revoked_by: "api" },
    });
    expect((await revoke()).json()["code"]).toBe("unknown_token");
    expect((await ask({ url: "/v1/me" }, secret)).json()["code"]).toBe("token_revoked");
    expect((await create({ name, role: "viewer" })).statusCode).toBe(201);
    const gone = (await ask({ url: "/v1/tokens", query: { revoked: "true" } })).json<{ items: object[] }>();
    expect(gone.items).toContainEqual(expect.objectContaining({ name, revoked_reason: "left the company" }));
  });

  it("are 1,000 at most, until one is revoked", async () => {
    await ledger()
      .transaction(async (tx) => {
        await rows(
          tx,
          sql`insert into api_tokens (id, name, digest, role, created_at, created_by)
              select 'filler ' || n, 'filler-' || n, '', 'viewer', now(), 'test' from generate_series(1, 1000) as t(n)`,
        );
        const api = await openGuarded({ ...ledger(), db: tx, transaction: (work) => work(tx) });
        const full = await api.ask({
          method: "POST",
          url: "/v1/tokens",
          payload: { name: "one-more", role: "viewer" },
        });
        expect(full.json()["detail"]).toContain("there are 1000 tokens already");
        throw new Error("undone");
      })
      .catch((error: unknown) => expect(String(error)).toContain("undone"));
  });

  it("say when they were used last, to the minute", async () => {
    let nowMs = Date.UTC(2026, 10, 1, 12);
    const { ask, makeToken } = await openGuarded(ledger(), { now: () => nowMs });
    const { name, secret } = await makeToken("viewer");
    const lastUse = async () => {
      const { items } = (await ask({ url: "/v1/tokens" })).json<{
        items: { name: string; last_used_at: string | null }[];
      }>();
      return items.find((one) => one.name === name)?.last_used_at;
    };
    await ask({ url: "/v1/me" }, secret);
    await until("the use is noted", async () => (await lastUse()) === "2026-11-01T12:00:00.000Z");
    nowMs += 30_000;
    await ask({ url: "/v1/me" }, secret);
    nowMs += 30_000;
    await ask({ url: "/v1/me" }, secret);
    await until("the use is noted", async () => (await lastUse()) === "2026-11-01T12:01:00.000Z");
  });

  it("are named in the audit, whoever they say that they are", async () => {
    const { api, ask, makeToken } = await openGuarded(ledger());
    const { name, secret } = await makeToken("operator");
    const create = (headers: Record<string, string>, token?: string) =>
      ask({ method: "POST", url: "/v1/campaigns", payload: { spec: specOf() }, headers }, token);
    const newest = async () =>
      (await ask({ url: "/v1/audit", query: { action: "campaign.create", limit: "1" } })).json<{
        items: Entry[];
      }>().items[0];
    expect((await create({ "x-outdial-actor": "token:boss" }, secret)).statusCode).toBe(201);
    expect(await newest()).toMatchObject({ actor: `token:${name}`, on_behalf_of: "token:boss" });
    expect((await create({}, secret)).statusCode).toBe(201);
    expect(await newest()).toMatchObject({ actor: `token:${name}`, on_behalf_of: null });
    expect((await create({ "x-outdial-actor": "ann" })).statusCode).toBe(201);
    expect(await newest()).toMatchObject({ actor: "ann", on_behalf_of: null });
    const pretending = await create({ "x-outdial-actor": ` Token:${name}` });
    expect(pretending.json()).toMatchObject({ code: "invalid_request", status: 422 });
    const stop = await api.app.inject({
      method: "POST",
      url: "/v1/stop-all",
      headers: { authorization: `Bearer ${SYSTEM_TOKEN}`, "x-outdial-actor": `token:${name}` },
    });
    expect(stop.statusCode).toBe(200);
    const { items } = (await ask({ url: "/v1/audit", query: { action: "stop_all", limit: "1" } })).json<{
      items: Entry[];
    }>();
    expect(items[0]?.actor).toBe(`?token:${name}`);
    await ask({ method: "POST", url: "/v1/go-on", payload: { reason: "a test" } });
  });

  it("are not asked for where the system's own is shown, so that a stop works while the ledger is stuck", async () => {
    let isStuck = false;
    const stuck = new Proxy(ledger().db, {
      get: (target, name) => {
        if (isStuck) throw new LedgerUnavailableError("stuck");
        return Reflect.get(target, name) as unknown;
      },
    });
    const { ask, makeToken } = await openGuarded({ ...ledger(), db: stuck });
    const { secret } = await makeToken("operator");
    isStuck = true;
    const stop = (token?: string) => ask({ method: "POST", url: "/v1/stop-all" }, token);
    expect((await stop()).statusCode).toBe(200);
    // A named one is looked up by the way that stops have to the ledger.
    expect((await stop(secret)).statusCode).toBe(200);
    expect((await ask({ url: "/v1/me" }, secret)).statusCode).toBe(503);
    isStuck = false;
    await ask({ method: "POST", url: "/v1/go-on", payload: { reason: "a test" } });
  });

  it("hold whoever shows one to it, on a system that asks for none", async () => {
    const guarded = await openGuarded(ledger());
    const { secret } = await guarded.makeToken("viewer");
    const { app } = await openApi(ledger());
    const ask = (authorization?: string) =>
      app.inject({
        url: "/v1/tokens",
        headers: { host: "localhost", ...(authorization !== undefined && { authorization }) },
      });
    expect((await ask()).statusCode).toBe(200);
    expect((await ask(`Bearer ${secret}`)).json<{ code: string }>().code).toBe("role_needed");
    expect((await ask(`Bearer ${SYSTEM_TOKEN}`)).statusCode).toBe(401);
  });

  it("that are wrong are counted by address, and keep out nobody whose token was good before", async () => {
    let nowMs = Date.UTC(2026, 10, 2);
    let probes = 0;
    const counting = new Proxy(ledger().db, {
      get: (target, name) => {
        if (name === "execute") probes += 1;
        return Reflect.get(target, name) as unknown;
      },
    });
    const { api, ask, makeToken } = await openGuarded({ ...ledger(), db: counting }, { now: () => nowMs });
    const known = await makeToken("viewer");
    const fresh = await makeToken("viewer");
    expect((await ask({ url: "/v1/me" }, known.secret)).statusCode).toBe(200);
    const wrong = `outdial_${"0".repeat(32)}_${"x".repeat(43)}`;
    for (let n = 0; n < 60; n += 1) expect((await ask({ url: "/v1/me" }, wrong)).statusCode).toBe(401);
    probes = 0;
    for (const hopeless of [wrong, "a-word", "outdial_1_2"])
      expect((await ask({ url: "/v1/me" }, hopeless)).json()["code"]).toBe("rate_limited");
    expect(probes).toBe(0);
    // Nobody whom this process has not met yet is kept out by others behind the same proxy.
    expect((await ask({ url: "/v1/me" }, fresh.secret)).statusCode).toBe(200);
    // Who knows the id of a token alone is nobody, and takes nothing from its holder.
    // A secret may have a "_" in it, too.
    const [word, id] = known.secret.split("_");
    const idAlone = `${word}_${id}_${"y".repeat(43)}`;
    expect((await ask({ url: "/v1/me" }, idAlone)).statusCode).toBe(401);
    expect((await ask({ url: "/v1/me" }, idAlone)).json()["code"]).toBe("rate_limited");
    expect((await ask({ url: "/v1/me" }, known.secret)).statusCode).toBe(200);
    expect((await ask({ url: "/v1/me" })).statusCode).toBe(200);
    expect(api.logged.filter((line) => line.includes("a token was refused"))).toHaveLength(2);
    expect(api.logged.join()).not.toContain("xxx");
    nowMs += 60_000;
    expect((await ask({ url: "/v1/me" }, wrong)).statusCode).toBe(401);
  });

  it("can be guessed five times a second at most behind too many wrong ones, and a stop is never refused for them", async () => {
    let nowMs = Date.UTC(2026, 10, 3);
    const { ask, makeToken, api } = await openGuarded(ledger(), { now: () => nowMs });
    const [viewer, operator] = [await makeToken("viewer"), await makeToken("operator")];
    const fresh = await makeToken("operator");
    const begun = await ask({ method: "POST", url: "/v1/session", payload: { token: operator.secret } }, "");
    const browser = {
      cookie: String(begun.headers["set-cookie"]).split(";")[0] ?? "",
      "x-csrf-token": begun.json<{ csrf_token: string }>().csrf_token,
    };
    const wrong = (n: number) => `outdial_${n.toString(16).padStart(32, "0")}_${"x".repeat(43)}`;
    let guesses = 0;
    const guess = async () => (await ask({ url: "/v1/me" }, wrong((guesses += 1)))).statusCode;
    for (let n = 0; n < 60; n += 1) expect(await guess()).toBe(401);
    for (let second = 0; second < 3; second += 1) {
      const answers = [];
      for (let n = 0; n < 20; n += 1) answers.push(await guess());
      expect(answers.filter((status) => status === 401)).toHaveLength(5);
      expect(answers.slice(5)).toEqual(Array(15).fill(429));
      nowMs += 1_000;
    }
    for (let n = 0; n < 5; n += 1) expect(await guess()).toBe(401);
    expect((await ask({ url: "/v1/me" }, viewer.secret)).statusCode).toBe(429);
    const stopBy = async (secret: string) =>
      (await ask({ method: "POST", url: "/v1/stop-all" }, secret)).statusCode;
    expect(await stopBy(fresh.secret)).toBe(200);
    // Guesses at it are bounded, too, far above what people are, and keep out nobody who was good before.
    const flood = [];
    for (let n = 0; n < 60; n += 1) flood.push(await stopBy(wrong(20_000 + n)));
    expect(flood.filter((status) => status === 401)).toHaveLength(49);
    expect(await stopBy(fresh.secret)).toBe(200);
    // Another process, as behind a proxy after a deploy: it has seen neither of them before.
    const other = await openGuarded(ledger(), { now: () => nowMs });
    for (let n = 0; n < 65; n += 1) await other.ask({ url: "/v1/me" }, wrong(10_000 + n));
    expect((await other.ask({ url: "/v1/me" }, viewer.secret)).statusCode).toBe(429);
    const byBrowser = await other.ask({ method: "POST", url: "/v1/stop-all", headers: browser }, "");
    expect(byBrowser.statusCode).toBe(200);
    nowMs += 1_000;
    expect((await ask({ url: "/v1/me" }, viewer.secret)).statusCode).toBe(200);
    expect((await other.ask({ url: "/v1/me" }, viewer.secret)).statusCode).toBe(200);
    expect(api.logged.join()).not.toContain("xxx");
    await ask({ method: "POST", url: "/v1/go-on", payload: { reason: "a test" } });
  });

  it("have an answer under an Idempotency-Key told again to nobody else", async () => {
    const { ask, makeToken } = await openGuarded(ledger());
    const [first, second] = [await makeToken("operator"), await makeToken("operator")];
    const payload = { spec: specOf() };
    const create = (token: string) =>
      ask(
        { method: "POST", url: "/v1/campaigns", payload, headers: { "idempotency-key": "a key of both" } },
        token,
      );
    expect((await create(first.secret)).statusCode).toBe(201);
    const again = await create(first.secret);
    expect([again.statusCode, again.headers["idempotency-replayed"]]).toEqual([201, "true"]);
    const other = await create(second.secret);
    expect([other.statusCode, other.headers["idempotency-replayed"]]).toEqual([409, undefined]);
  });

  it("of one brand need not name it, list nothing else, and can't reach another's by its id", async () => {
    const guarded = await openGuarded(ledger());
    const { ask, makeToken, api } = guarded;
    const system = { authorization: `Bearer ${SYSTEM_TOKEN}` };
    const made = async (brand: string, name: string) =>
      (
        await api.app.inject({
          method: "POST",
          url: "/v1/campaigns",
          headers: system,
          payload: { spec: specOf({ brand, name }) },
        })
      ).json<{ id: string }>().id;
    const [mine, theirs] = [await made("acme", "spring"), await made("globex", "spring")];
    const acme = (await makeToken("operator", { brands: ["acme"] })).secret;
    const both = (await makeToken("viewer", { brands: ["acme", "globex"] })).secret;
    const get = (url: string, token: string, query: Record<string, string> = {}) =>
      ask({ url, query }, token).then((answer) => ({ status: answer.statusCode, ...answer.json() }));
    expect(await get("/v1/campaigns/spring", acme)).toMatchObject({ id: mine });
    expect(await get("/v1/campaigns/spring", acme, { brand: "globex" })).toMatchObject({
      status: 403,
      code: "other_brands",
    });
    const foreign = await get(`/v1/campaigns/${theirs}`, acme);
    const absent = await get(`/v1/campaigns/${crypto.randomUUID()}`, acme);
    const wordsOf = (answer: Record<string, unknown>) => String(answer["detail"]).replace(/"[^"]*"/, "");
    expect([foreign.status, absent.status]).toEqual([404, 404]);
    expect(wordsOf(foreign)).toBe(wordsOf(absent));
    expect(await get("/v1/campaigns", acme)).toMatchObject({ total: 1, items: [{ id: mine }] });
    expect(await get("/v1/campaigns", both)).toMatchObject({ status: 403, code: "other_brands" });
    expect(await get("/v1/campaigns", both, { brand: "globex" })).toMatchObject({ items: [{ id: theirs }] });
    const suppress = (entry: object) =>
      ask(
        {
          method: "POST",
          url: "/v1/suppressions",
          payload: { entries: [{ phone: "+12025550171", reason: "asked", ...entry }] },
        },
        acme,
      );
    // An opt-out that would hold for every brand is not made one of a single brand in silence.
    expect((await suppress({})).json()["code"]).toBe("other_brands");
    expect((await suppress({ brand: "globex" })).json()["code"]).toBe("other_brands");
    expect((await suppress({ brand: "acme" })).statusCode).toBe(200);
    // A brand of its own beside the one that counts opens nothing.
    for (const [method, url, payload] of [
      ["DELETE", "/v1/suppressions", { phone: "+12025550171", reason: "x" }],
      ["DELETE", "/v1/suppressions", { phone: "+12025550171", reason: "x", brand: "globex" }],
      ["POST", "/v1/consents/withdraw", { phone: "+12025550171", reason: "x", brand: "globex" }],
      ["POST", "/v1/blackouts", { from: "2029-12-24", name: "x" }],
      ["POST", "/v1/rules/test", { definition: {}, campaign: "spring", brand: "globex" }],
    ] as const) {
      const beside = await ask({ method, url, payload, query: { brand: "acme" } }, acme);
      expect({ url, code: beside.json()["code"] }).toEqual({ url, code: "other_brands" });
    }
    const pause = {
      method: "POST",
      url: "/v1/campaigns/spring/pause",
      query: { brand: "globex" },
      payload: {},
    };
    expect((await ask(pause, acme)).json()["code"]).toBe("other_brands");
    const stop = await ask({ method: "POST", url: "/v1/stop-all" }, acme);
    expect([stop.statusCode, stop.json()["code"]]).toEqual([403, "other_brands"]);
  });

  it("can't be made or revoked by whoever is for some brands alone", async () => {
    const { ask, makeToken } = await openGuarded(ledger());
    const { name, secret } = await makeToken("admin", { brands: ["acme"] });
    const create = await ask(
      { method: "POST", url: "/v1/tokens", payload: { name: "mine", role: "admin" } },
      secret,
    );
    expect(create.json()["code"]).toBe("other_brands");
    const revoke = await ask(
      { method: "DELETE", url: `/v1/tokens/${name}`, payload: { reason: "x" } },
      secret,
    );
    expect(revoke.json()["code"]).toBe("other_brands");
  });
});

describeLedgers("the audit", (ledger) => {
  it("is read page by page, by who, what, when, campaign and brand", async () => {
    const { api, ask } = await openGuarded(ledger());
    const open = await openApi(ledger(), { platform: (await openSandbox()).platform });
    const id = await createCampaign(open, { brand: "audited" });
    for (const reason of ["one", "two", "three"])
      await api.app.inject({
        method: "POST",
        url: "/v1/blackouts",
        headers: { authorization: `Bearer ${SYSTEM_TOKEN}`, "x-outdial-actor": "auditor" },
        payload: { from: "2029-12-24", name: reason, brand: "audited" },
      });
    const list = async (query: Record<string, string>) =>
      (await ask({ url: "/v1/audit", query })).json<{
        items: (Entry & { id: number; campaign_id: string | null })[];
        next_after: string | null;
      }>();
    const first = await list({ actor: "auditor", limit: "2" });
    expect(first.items.map(({ detail }) => detail["name"])).toEqual(["three", "two"]);
    const rest = await list({ actor: "auditor", after: String(first.next_after) });
    expect(rest.items.map(({ detail }) => detail["name"])).toEqual(["one"]);
    expect(rest.next_after).toBeNull();
    expect((await list({ campaign: id })).items.map(({ action }) => action)).toEqual(["campaign.create"]);
    const ofBrand = await list({ brand: "audited" });
    expect(ofBrand.items.map(({ action }) => action)).toEqual([
      "blackout.add",
      "blackout.add",
      "blackout.add",
      "campaign.create",
    ]);
    expect((await list({ brand: "audited", until: "2020-01-01T00:00:00Z" })).items).toEqual([]);
    expect((await list({ brand: "audited", since: "2020-01-01T00:00:00Z" })).items).toHaveLength(4);
  });

  it("can't be changed or taken back, by any statement", async () => {
    const { db } = ledger();
    await openGuarded(ledger()).then(({ makeToken }) => makeToken("viewer"));
    for (const change of [
      sql`update audit set actor = 'nobody'`,
      sql`delete from audit`,
      sql`truncate audit`,
      sql`delete from audit where false`,
    ])
      await expect(rows(db, change)).rejects.toThrow("the audit is append-only");
  });
});

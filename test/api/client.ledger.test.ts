import { expect, it } from "vitest";

import { ApiConnectionError, ApiProblem, createClient, type components } from "../../src/api/index.ts";
import { csvOf, openApi, openSandbox, phonesFrom, sha256, type TestApi } from "../http/support.ts";
import { withLedger } from "../support/ledgers.ts";

async function listening(api: TestApi): Promise<string> {
  await api.app.listen({ port: 0, host: "127.0.0.1" });
  const address = api.app.server.address();
  if (typeof address !== "object" || address === null) throw new Error("it does not listen");
  return `http://127.0.0.1:${address.port}`;
}

withLedger((ledger) => {
  it("makes a campaign, uploads its list, starts it and reads it, in types of the description", async () => {
    const { platform } = await openSandbox();
    const baseUrl = await listening(await openApi(ledger(), { platform, token: "secret" }));
    const api = createClient({ baseUrl, token: () => "secret", actor: "dashboard" });
    const who = { name: `client ${process.pid}`, agent_id: "11111111-1111-4111-8111-111111111111" };
    const made = await api.createCampaign({
      body: { spec: { ...who, from_numbers: ["+12025550100"], window: "always", concurrency: 5 } },
    });
    const list = csvOf(phonesFrom(4100, 3));
    const query = { digest: sha256(list), source_name: "three.csv" };
    const uploaded = await api.uploadContacts({ path: { ref: made.id }, query, body: list });
    expect(uploaded.rows).toMatchObject({ accepted: 3 });
    expect((await api.startCampaign({ path: { ref: made.id }, body: { reason: "go" } })).state).toBe(
      "running",
    );
    const results = await api.downloadResults({ path: { ref: made.id } });
    expect((await results.text()).split("\n")[0]).toMatch(/^line,phone,/);
    const { items } = await api.listAudit({ query: { campaign: made.id } });
    expect(items.map(({ actor }) => actor)).toEqual(expect.arrayContaining(["dashboard"]));
  });

  it("goes through a list page by page, and asks for no page that nobody wants", async () => {
    const asked: string[] = [];
    const baseUrl = await listening(await openApi(ledger()));
    const fetch: typeof globalThis.fetch = async (url, init) => {
      asked.push(new Request(url).url);
      return globalThis.fetch(url, init);
    };
    const api = createClient({ baseUrl, fetch });
    const brand = `pages-${process.pid}`;
    const entries = phonesFrom(4200, 5).map((phone) => ({ phone, brand, reason: "asked to" }));
    await api.addSuppressions({ body: { entries } });
    asked.length = 0;
    const seen: string[] = [];
    for await (const item of api.pages("listSuppressions", { query: { brand, limit: 2 } }))
      if (item.brand === brand) seen.push(item.phone);
    expect(seen).toEqual(entries.map(({ phone }) => phone));
    expect(asked.length).toBeGreaterThanOrEqual(3);
    asked.length = 0;
    for await (const item of api.pages("listSuppressions", { query: { brand, limit: 1 } })) {
      expect(item.phone).toBeDefined();
      break;
    }
    expect(asked).toHaveLength(1);
  });

  it("goes through the events that there are, and ends where the feed says that there is no more", async () => {
    const pages = [
      { items: [{ id: "a" }], next_after: "1", more: true },
      // What is asked for may be rare among what there is.
      { items: [], next_after: "2", more: true },
      { items: [{ id: "b" }], next_after: "3", more: false },
    ];
    const asked: (string | null)[] = [];
    const fetch: typeof globalThis.fetch = async (url) => {
      asked.push(new URL(new Request(url).url).searchParams.get("after"));
      return Response.json(
        pages[asked.length - 1] ?? { items: [{ id: "again" }], next_after: "4", more: true },
      );
    };
    const api = createClient({ baseUrl: "http://127.0.0.1:9", fetch });
    const seen: string[] = [];
    for await (const { id } of api.pages("listEvents", { query: { limit: 1 } })) {
      seen.push(id);
      if (asked.length > pages.length) break;
    }
    expect(seen).toEqual(["a", "b"]);
    expect(asked).toEqual([null, "1", "2"]);
  });

  it("throws refusals with their code, fields and the id of the request that the log has", async () => {
    const it = await openApi(ledger(), { token: "secret" });
    const baseUrl = await listening(it);
    const api = createClient({ baseUrl, token: "secret" });
    const refusal = await api.readCampaign({ path: { ref: "nobody's" } }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiProblem);
    expect(refusal).toMatchObject({ status: 404, code: "unknown_campaign" });
    expect(refusal).toMatchObject({ requestId: expect.stringMatching(/^[\da-f-]{36}$/) });
    const stranger = createClient({ baseUrl, token: "another" });
    await expect(stranger.readMe()).rejects.toMatchObject({ status: 401, code: "unauthorized" });
    await expect(api.removeBudget({ body: { reason: "" } })).rejects.toMatchObject({
      code: "invalid_request",
      errors: [{ field: "reason" }],
    });
  });

  it("replaces a document only as it was looked at", async () => {
    const api = createClient({ baseUrl: await listening(await openApi(ledger())) });
    const definition: components.TriggerDefinition = {
      name: `edited-${process.pid}`,
      auth: { scheme: "bearer", secret: "crm" },
      enroll: { sequence: "any", phone: "item.phone" },
    };
    await api.putTrigger({ body: { definition } });
    const { data, etag } = await api.send("readTrigger", { path: { name: definition.name } });
    const there = data.definition as components.TriggerDefinition;
    const changed = { ...there, when: "item.stage == 'won'" };
    expect(await api.putTrigger({ body: { definition: changed }, ifMatch: etag })).toMatchObject({
      change: "changed",
    });
    await expect(api.putTrigger({ body: { definition }, ifMatch: etag })).rejects.toMatchObject({
      status: 412,
      code: "precondition_failed",
      body: { current: { when: "item.stage == 'won'" } },
    });
  });

  it("asks again for what it may, under one key, and never twice for what may have been done", async () => {
    const baseUrl = await listening(await openApi(ledger()));
    const keys: (string | null)[] = [];
    let left = 2;
    const fetch: typeof globalThis.fetch = async (url, init) => {
      keys.push(new Headers(init?.headers).get("idempotency-key"));
      left -= 1;
      if (left >= 0) return new Response("{}", { status: 503, headers: { "retry-after": "0" } });
      return globalThis.fetch(url, init);
    };
    const api = createClient({ baseUrl, fetch });
    const body = { entries: [{ phone: "+12025554300", reason: "asked to" }] };
    await api.addSuppressions({ body });
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).not.toBeNull();
    // A stop has no key: it is carried out whenever it comes.
    keys.length = 0;
    left = 1;
    await expect(api.stopAll({ body: { reason: "stop" } })).rejects.toMatchObject({ status: 503 });
    expect(keys).toEqual([null]);
    // Longer than it is willing to wait.
    left = 9;
    keys.length = 0;
    const slow: typeof globalThis.fetch = async () => {
      keys.push(null);
      return new Response("{}", { status: 429, headers: { "retry-after": "3600" } });
    };
    await expect(createClient({ baseUrl, fetch: slow }).readSystem()).rejects.toMatchObject({ status: 429 });
    expect(keys).toHaveLength(1);
  });

  it("says that nobody answered, without the address, and gives up when it is told to", async () => {
    const gone = createClient({ baseUrl: "http://127.0.0.1:9", retries: 0 });
    const error = await gone
      .readStory({ path: { phone: "+12025550143" } })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiConnectionError);
    expect(String(error)).not.toContain("2025550143");
    const reason = new Error("enough");
    const waiting = createClient({
      baseUrl: "http://127.0.0.1:9",
      fetch: async () => new Response("{}", { status: 503, headers: { "retry-after": "20" } }),
    });
    const controller = new AbortController();
    const asked = waiting.readSystem({ signal: controller.signal });
    controller.abort(reason);
    await expect(asked).rejects.toBe(reason);
  });
});

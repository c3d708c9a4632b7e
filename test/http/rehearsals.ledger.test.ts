import { expect, it } from "vitest";

import { describeSomeLedger } from "../support/ledgers.ts";
import { openGuarded } from "./access/support.ts";
import { createCampaign, csvOf, openApi, openSandbox, phonesFrom, specOf, type TestApi } from "./support.ts";

const FROM = "2026-11-30T15:00:00Z";

function rehearse(api: TestApi, list: string, query: Record<string, string> = {}) {
  return api.app.inject({
    method: "POST",
    url: "/v1/rehearsals",
    query: { from: FROM, runs: "3", ...query },
    headers: { "content-type": "text/csv" },
    payload: list,
  });
}

interface Told {
  code: string;
  detail: string;
}

const outcomes = JSON.stringify({ shares: { answered: 40, no_answer: 60 }, invalid_numbers: 0 });

describeSomeLedger("a campaign that is rehearsed over HTTP", (ledger) => {
  it("is told of with what it would come to, by a campaign or by a spec alike, and nobody is called", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const brand = "rehearsed";
    const list = csvOf(phonesFrom(6_400, 30));
    const spec = specOf({ brand, concurrency: 3 });
    const query = {
      spec: JSON.stringify(spec),
      outcomes,
      cost_per_minute: "0.5",
      end_by: "2026-12-02T00:00:00Z",
    };
    const answer = await rehearse(api, list, query);
    expect(answer.statusCode, answer.body).toBe(200);
    const told = answer.json<{ calls: { low: number }; cost_usd: { median: number } }>();
    expect(told).toMatchObject({
      campaign: spec["name"],
      from: "2026-11-30T15:00:00.000Z",
      runs: 3,
      seed: 1,
      lines: 3,
      rows: { read: 30, ok: 30 },
      cost_per_minute_usd: 0.5,
      excluded_reasons: {},
      end_by: { at: "2026-12-02T00:00:00.000Z", runs: 3 },
      blackouts: 0,
    });
    expect(told.calls.low).toBeGreaterThanOrEqual(30);
    expect(told.cost_usd.median).toBeGreaterThan(0);

    const campaign = await createCampaign(api, spec);
    const again = await rehearse(api, list, { ...query, spec: "", campaign, brand });
    expect(again.statusCode, again.body).toBe(422);
    const { spec: _spec, ...rest } = query;
    const ofCampaign = await rehearse(api, list, { ...rest, campaign, brand });
    const untimed = (text: string) => ({ ...(JSON.parse(text) as object), took_ms: 0 });
    expect(untimed(ofCampaign.body)).toEqual(untimed(answer.body));
    const shown = await api.app.inject({ url: `/v1/campaigns/${campaign}` });
    expect(shown.json()).toMatchObject({ contacts: { total: 0 } });
  });

  it("keeps the ledger's suppressions and blackouts", async () => {
    const api = await openApi(ledger(), { now: () => Date.parse(FROM) });
    const brand = "kept-free";
    const phones = phonesFrom(6_440, 5);
    await api.app.inject({
      method: "POST",
      url: "/v1/suppressions",
      payload: { entries: [{ phone: phones[2], brand, reason: "said so" }] },
    });
    await api.app.inject({
      method: "POST",
      url: "/v1/blackouts",
      payload: { from: "2026-11-29", to: "2026-12-09", name: "inventory", brand },
    });
    const spec = JSON.stringify(specOf({ brand }));
    const answer = await rehearse(api, csvOf(phones), { spec, outcomes });
    expect(answer.statusCode, answer.body).toBe(200);
    const told = answer.json<{
      end: { low: string };
      excluded_reasons: object;
      calls_by_hour: { hour: string }[];
    }>();
    expect(told).toMatchObject({ blackouts: 1, excluded_reasons: { suppressed: { low: 1, high: 1 } } });
    // Nobody whose clock may be at any of these days is called on one of them.
    expect(told.calls_by_hour[0]?.hour.slice(0, 10)).toBe("2026-12-10");
  });

  it("is refused over what can't be, with what to mend", async () => {
    const api = await openApi(ledger());
    const spec = JSON.stringify(specOf());
    const list = csvOf(phonesFrom(6_460, 2));
    const refusal = async (text: string, query: Record<string, string>) => {
      const answer = await rehearse(api, text, query);
      return [answer.statusCode, answer.json<Told>().code, answer.json<Told>().detail];
    };
    expect(await refusal(list, {})).toEqual([422, "invalid_request", expect.stringContaining("campaign")]);
    expect(await refusal("phone\nnobody\n", { spec })).toEqual([
      422,
      "invalid_list",
      expect.stringContaining("line 2"),
    ]);
    expect(await refusal('phone,name\n+12025550143,"open\n', { spec })).toEqual([
      422,
      "invalid_list",
      expect.stringContaining("mend the list"),
    ]);
    expect(await refusal(list, { spec, outcomes: '{"shares":{"answred":1}}' })).toEqual([
      422,
      "invalid_request",
      expect.stringContaining("answred"),
    ]);
    expect(await refusal(list, { spec, like: "nobody" })).toEqual([
      404,
      "unknown_campaign",
      expect.stringContaining("nobody"),
    ]);
    expect(await refusal(list, { spec, time_zone: "Mars/Phobos" })).toEqual([
      422,
      "invalid_request",
      expect.stringContaining("time_zone"),
    ]);
  });

  it("is a guest: one at a time, and the loop turns while it works", async () => {
    const api = await openApi(ledger());
    const spec = JSON.stringify(specOf({ concurrency: 50 }));
    const list = `phone\n${Array.from({ length: 6_000 }, (_, i) => `+1202${5_550_000 + i}\n`).join("")}`;
    const over = new AbortController();
    let answered = 0;
    // Whoever asks for something else meanwhile is answered, again and again.
    const asking = (async () => {
      while (!over.signal.aborted) {
        const probe = await api.app.inject({ url: "/healthz" });
        if (probe.statusCode === 200 && !over.signal.aborted) answered += 1;
        await new Promise((resolve) => {
          setTimeout(resolve, 1);
        });
      }
    })();
    const [first, second] = await Promise.all([
      rehearse(api, list, { spec, outcomes, runs: "4" }),
      rehearse(api, list, { spec, outcomes, runs: "4" }),
    ]);
    over.abort();
    await asking;
    const [done, busy] = first.statusCode === 200 ? [first, second] : [second, first];
    expect(done.statusCode, done.body.slice(0, 300)).toBe(200);
    expect([busy.statusCode, busy.json<Told>().code, busy.headers["retry-after"]]).toEqual([
      503,
      "busy",
      expect.any(String),
    ]);
    expect(answered).toBeGreaterThan(20);
    expect((await rehearse(api, csvOf(phonesFrom(6_470, 1)), { spec })).statusCode).toBe(200);
  });

  it("tells nobody of another brand's campaigns, by whichever way one is named", async () => {
    const { api, ask, makeToken } = await openGuarded(ledger());
    const { secret } = await makeToken("operator", { brands: ["acme"] });
    const own = await ask({
      method: "POST",
      url: "/v1/campaigns",
      payload: { spec: specOf({ brand: "default", name: "of the default brand" }) },
    });
    const { id } = own.json<{ id: string }>();
    const list = csvOf(phonesFrom(6_480, 1));
    const asked = { method: "POST", url: "/v1/rehearsals", payload: list };
    const statusOf = async (query: Record<string, string>) =>
      (await ask({ ...asked, query: { runs: "1", ...query } }, secret)).statusCode;
    expect(await statusOf({ campaign: id })).toBe(404);
    expect(await statusOf({ spec: JSON.stringify(specOf({ brand: "default" })) })).toBe(403);
    const spec = JSON.stringify(specOf({ brand: "acme" }));
    expect(await statusOf({ spec, like: id })).toBe(404);
    expect(await statusOf({ spec })).toBe(200);
    expect(api.logged).toEqual([]);
  });
});

const AGENT = "11111111-1111-4111-8111-111111111111";

const definition = {
  name: "rehearsed welcome",
  agent_id: AGENT,
  from_numbers: ["+12025550100"],
  window: "always",
  concurrency: 1,
  steps: [
    {
      id: "welcome",
      call: { give_up_after: "5d" },
      on: { answered: "talked", unknown: "missed", otherwise: "missed" },
    },
    { id: "talked", exit: { outcome: "welcomed" } },
    { id: "missed", exit: { outcome: "not_reached" } },
  ],
};

describeSomeLedger("a sequence that is rehearsed over HTTP", (ledger) => {
  const rehearseWith = (api: TestApi, body: Record<string, unknown>) =>
    api.app.inject({
      method: "POST",
      url: "/v1/sequences/rehearse",
      payload: { person: { phone: "+12025550143" }, from: FROM, ...body },
    });

  it("is walked in every way that it may take, as it is stored or as it is sent", async () => {
    const api = await openApi(ledger(), { platform: (await openSandbox()).platform });
    const { concurrency: _concurrency, ...stored } = definition;
    const put = await api.app.inject({
      method: "PUT",
      url: "/v1/sequences",
      payload: { definition: stored },
    });
    expect(put.statusCode, put.body).toBe(200);
    const sent = await rehearseWith(api, { definition: stored });
    expect(sent.statusCode, sent.body).toBe(200);
    const told = sent.json<{ way: { fork: { ways: { when: string[]; end: { outcome: string } }[] } } }>();
    expect(told).toMatchObject({ sequence: "rehearsed welcome", phone: "+12025550143", blackouts: 0 });
    const ends = told.way.fork.ways.map(({ when, end }) => [when.includes("answered"), end.outcome]);
    expect(ends).toContainEqual([true, "welcomed"]);
    expect(ends).toContainEqual([false, "not_reached"]);
    const ofStored = await rehearseWith(api, { sequence: "rehearsed welcome" });
    expect(ofStored.body).toBe(sent.body);
    const assumed = await rehearseWith(api, { definition: stored, assume: { welcome: ["answered"] } });
    expect(assumed.json()).toMatchObject({ ends: 1 });
    const status = await api.app.inject({ url: "/v1/sequences/rehearsed%20welcome" });
    expect(status.statusCode).toBe(200);
    expect(status.body).not.toContain("2025550143");
  });

  it("is refused over a person and over assumptions that can't be, field by field", async () => {
    const api = await openApi(ledger());
    const { concurrency: _concurrency, ...sent } = definition;
    const nobody = await rehearseWith(api, { definition: sent, person: { phone: "nobody" } });
    expect([nobody.statusCode, nobody.json()]).toEqual([
      422,
      expect.objectContaining({ errors: [expect.objectContaining({ field: "person.phone" })] }),
    ]);
    const odd = await rehearseWith(api, {
      definition: sent,
      person: { phone: "+12025550143", colour: "red" },
    });
    expect(odd.json<Told>().detail).toContain("colour");
    const assumed = await rehearseWith(api, {
      definition: sent,
      assume: { welcome: ["met"], home: ["done"] },
    });
    expect(assumed.json<{ errors: { field: string }[] }>().errors.map(({ field }) => field)).toEqual([
      "assume.welcome",
      "assume.home",
    ]);
    expect((await rehearseWith(api, { sequence: "not there" })).statusCode).toBe(404);
    expect((await rehearseWith(api, {})).statusCode).toBe(422);
  });

  it("tells nobody of another brand's sequence, by its name or its id", async () => {
    const { ask, makeToken } = await openGuarded(ledger());
    const { secret } = await makeToken("operator", { brands: ["acme"] });
    const { concurrency: _concurrency, ...stored } = { ...definition, name: "of others" };
    const put = await ask({ method: "PUT", url: "/v1/sequences", payload: { definition: stored } });
    const { id } = put.json<{ id: string }>();
    const statusOf = async (payload: object) =>
      (
        await ask(
          {
            method: "POST",
            url: "/v1/sequences/rehearse",
            payload: { person: { phone: "+12025550143" }, ...payload },
          },
          secret,
        )
      ).statusCode;
    expect(await statusOf({ sequence: "of others" })).toBe(403);
    expect(await statusOf({ sequence: id, brand: "acme" })).toBe(404);
    expect(await statusOf({ definition: stored, brand: "acme" })).toBe(403);
    expect(await statusOf({ definition: { ...stored, brand: "acme" }, brand: "acme" })).toBe(200);
  });
});

import { expect, it } from "vitest";

import { describeSomeLedger } from "../support/ledgers.ts";
import { openGuarded } from "./access/support.ts";
import {
  createCampaign,
  csvOf,
  openApi,
  openSandbox,
  phonesFrom,
  sha256,
  specOf,
  upload,
  type TestApi,
} from "./support.ts";

function validate(api: TestApi, list: string, query: Record<string, string> = {}) {
  return api.app.inject({
    method: "POST",
    url: "/v1/contacts/validate",
    query,
    headers: { "content-type": "text/csv" },
    payload: list,
  });
}

describeSomeLedger("a list that is looked at over HTTP", (ledger) => {
  it("is told of as its import would take it, with who is suppressed and who is there already, and nothing is written", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const [first = "", second = "", third = ""] = phonesFrom(6_200, 3);
    const id = await createCampaign(api);
    await upload(api, id, csvOf([first]));
    await api.app.inject({
      method: "POST",
      url: "/v1/suppressions",
      payload: { entries: [{ phone: third, reason: "said so" }] },
    });
    const list = `Mobile,first_name\n${first},A\n${second},B\n${third},C\n${second},again\nnobody,D\n`;
    const query = { campaign: id, map: JSON.stringify({ phone: "Mobile" }) };
    const answer = await validate(api, list, query);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toMatchObject({
      digest: sha256(list),
      layout: { format: "csv", columns: [{ name: "Mobile", role: "phone" }, { role: "variable" }] },
      rows: { read: 5, ok: 3, rejected: 1, duplicate: 1 },
      problems: [{ line: 6, raw: expect.stringContaining("nobody") }],
      suppressed: { contacts: 1, lines: [4] },
      duplicate_lines: [5],
      in_campaign: 1,
      stopped: null,
    });
    const shown = await api.app.inject({ url: `/v1/campaigns/${id}` });
    expect(shown.json()).toMatchObject({ contacts: { total: 1 }, lists: [{ rows: { read: 1 } }] });
  });

  it("shows no more bad rows than asked for, and counts all", async () => {
    const api = await openApi(ledger());
    const list = `phone\n${"nobody\n".repeat(30)}`;
    const answer = await validate(api, list, { problems: "2" });
    expect(answer.json<{ problems: unknown[] }>().problems).toHaveLength(2);
    expect(answer.json()).toMatchObject({ rows: { read: 30, rejected: 30 }, in_campaign: null });
  });

  it("is held against the hours of a spec that is given, which need be no campaign's", async () => {
    const api = await openApi(ledger());
    // Who may be anywhere in the United States has no hour in common with such a window.
    const list = "phone\n+18005550143\n";
    const never = specOf({ window: { weekdays: ["09:00-09:30"] } });
    const always = JSON.stringify(specOf({ window: "always" }));
    expect((await validate(api, list, { spec: always })).json()).toMatchObject({
      rows: { ok: 1 },
      never_dialed: [],
    });
    const answer = await validate(api, list, { spec: JSON.stringify(never) });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toMatchObject({
      under: `campaign "${String(never["name"])}"`,
      never_dialed: [{ reason: "no_common_window", contacts: 1 }],
    });
    for (const spec of ["{", JSON.stringify({ name: "x" })]) {
      const refused = await validate(api, list, { spec });
      expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([
        422,
        spec === "{" ? "invalid_request" : "invalid_spec",
      ]);
    }
    const both = await validate(api, list, { spec: JSON.stringify(never), campaign: "any" });
    expect(both.statusCode).toBe(422);
  });

  it("tells nobody of another brand's numbers, by whichever way the brand is named", async () => {
    const { ask, makeToken } = await openGuarded(ledger());
    const { secret } = await makeToken("operator", { brands: ["acme"] });
    const list = csvOf(phonesFrom(6_220, 1));
    const asked = { method: "POST", url: "/v1/contacts/validate", payload: list };
    const spec = JSON.stringify(specOf({ brand: "default" }));
    expect((await ask({ ...asked, query: { brand: "default" } }, secret)).statusCode).toBe(403);
    expect((await ask({ ...asked, query: { spec } }, secret)).statusCode).toBe(403);
    expect((await ask(asked, secret)).statusCode).toBe(200);
  });

  it("says where it can't be read to its end", async () => {
    const api = await openApi(ledger());
    const answer = await validate(api, `phone,name\n${phonesFrom(6_230, 1)[0]},"never closed\n`);
    expect(answer.json(), answer.body).toMatchObject({
      digest: null,
      stopped: { line: 2, message: expect.any(String) },
    });
  });
});

describeSomeLedger("a trigger that is tried over HTTP", (ledger) => {
  const definition = {
    name: "tried",
    auth: { scheme: "bearer", secret: "crm" },
    each: "payload.people",
    enroll: { sequence: "welcome", phone: "item.phone" },
  };
  const tryIt = (api: TestApi, payload: Record<string, unknown>) =>
    api.app.inject({ method: "POST", url: "/v1/triggers/tried/try", payload });

  it("says what would be done for each item, by the stored definition or a given one, and does nothing", async () => {
    const api = await openApi(ledger());
    const body = JSON.stringify({ people: [{ phone: "+12025550143" }, { phone: "no number" }] });
    expect((await tryIt(api, { body })).json()).toMatchObject({ status: 404, code: "unknown_trigger" });
    const given = await tryIt(api, { body, definition });
    expect(given.statusCode, given.body).toBe(200);
    expect(given.json()).toMatchObject({
      ok: false,
      items: [
        { kind: "wanted", ok: true, wanted: [{ kind: "enroll", number: "+12025550143" }] },
        { kind: "wanted", ok: false, wanted: [{ number: expect.stringMatching(/./) }] },
      ],
    });
    await api.app.inject({ method: "PUT", url: "/v1/triggers", payload: { definition } });
    expect((await tryIt(api, { body })).json()).toEqual(given.json());
    const deliveries = await api.app.inject({ url: "/v1/triggers/tried/deliveries" });
    expect(deliveries.json()).toMatchObject({ items: [] });
  });

  it("refuses what is no body and no definition, each with its words", async () => {
    const api = await openApi(ledger());
    expect((await tryIt(api, { body: "{", definition })).json()).toMatchObject({
      status: 422,
      errors: [{ field: "body", message: "is not JSON" }],
    });
    expect((await tryIt(api, { body: "{}", definition: { name: "tried" } })).json()).toMatchObject({
      status: 422,
      code: "invalid_trigger",
    });
  });
});

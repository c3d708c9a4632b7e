import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { rows } from "../../src/ledger/ground/connection.ts";
import { withLedger } from "../support/ledgers.ts";
import { createCampaign, openApi, openSandbox, specOf, type TestApi } from "./support.ts";

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

withLedger((ledger) => {
  const open = async () => openApi(ledger(), { platform: (await openSandbox()).platform });
  const send = async (
    api: TestApi,
    method: "PUT" | "POST" | "DELETE",
    url: string,
    payload: string | Buffer,
    type = "application/json",
  ) => {
    const answer = await api.app.inject({ method, url, payload, headers: { "content-type": type } });
    return { status: answer.statusCode, body: answer.json<{ code: string; detail: string }>() };
  };

  it.each([
    ["POST", "/v1/campaigns", "spec"],
    ["POST", "/v1/campaigns/nobody/amend", "spec"],
    ["PUT", "/v1/sequences", "definition"],
    ["POST", "/v1/sequences/nobody/event", "data"],
    ["PUT", "/v1/triggers", "definition"],
    ["PUT", "/v1/schedules", "definition"],
    ["PUT", "/v1/automations", "definition"],
    ["POST", "/v1/automations/import", "exported"],
    ["POST", "/v1/declared/apply", "document"],
    ["POST", "/v1/declared/diff", "documents"],
    ["POST", "/v1/suppressions", "entries"],
  ] as const)("%s %s refuses a body that is nested to break whoever walks it", async (method, url, field) => {
    const api = await open();
    const refused = {
      status: 400,
      body: { code: "invalid_request", detail: expect.stringContaining("is nested deeper than 64") },
    };
    expect(await send(api, method, url, `{"${field}":${nested(20_000)}}`)).toMatchObject(refused);
    expect(await send(api, method, url, `{"${field}":[${nested(64)}]}`)).toMatchObject(refused);
    // Brackets in a text are none.
    const text = await send(api, method, url, `{"${field}":"${"[".repeat(100)}"}`);
    expect(text.body.detail).not.toContain("nested");
    expect(text.status).toBeLessThan(500);
  });

  it("what is nested as deep as people and programs write is taken", async () => {
    const api = await open();
    const definition = {
      name: "deep",
      trigger_type: "webhook",
      workflow: { nodes: JSON.parse(nested(50)) as unknown },
    };
    const put = await send(api, "PUT", "/v1/automations", JSON.stringify({ definition }));
    expect(put.status, JSON.stringify(put.body)).toBe(200);
  });

  it("a body that is not UTF-8 is refused, and not kept with other letters", async () => {
    const api = await open();
    const body = JSON.stringify({ entries: [{ phone: "+12025550143", reason: "Müller asked" }] });
    const refused = await send(api, "POST", "/v1/suppressions", Buffer.from(body, "latin1"));
    expect(refused).toMatchObject({
      status: 400,
      body: { code: "invalid_request", detail: "the body is not UTF-8: send it as that" },
    });
    expect(await rows(ledger().db, sql`select 1 as one from suppressions`)).toEqual([]);
    expect((await send(api, "POST", "/v1/suppressions", `\u{feff}${body}`)).status).toBe(200);
    expect(await rows(ledger().db, sql`select reason from suppressions`)).toEqual([
      { reason: "Müller asked" },
    ]);
  });

  it("a body that is no JSON is told what to be, whatever it calls itself", async () => {
    const api = await open();
    for (const type of ["text/plain", "text/csv", "application/xml"])
      expect(
        await send(api, "POST", "/v1/campaigns", JSON.stringify({ spec: specOf() }), type),
      ).toMatchObject({
        status: 415,
        body: { code: "unsupported_media_type", detail: expect.stringContaining("send application/json") },
      });
    expect(await send(api, "POST", "/v1/campaigns", "{")).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("is not JSON") },
    });
    expect(await send(api, "POST", "/v1/campaigns", "")).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("the body is empty") },
    });
    expect(await send(api, "POST", "/v1/campaigns", '{"spec":{"__proto__":{}}}')).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("__proto__") },
    });
  });

  it("a command that needs no word is taken without a body, and one that needs some names them", async () => {
    const api = await open();
    const id = await createCampaign(api);
    const bare = async (url: string) => {
      const answer = await api.app.inject({ method: "POST", url });
      return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
    };
    for (const command of ["start", "pause", "resume", "cancel"])
      expect(await bare(`/v1/campaigns/${id}/${command}`)).toMatchObject({
        status: 200,
        body: { command_id: expect.any(String) },
      });
    for (const [url, field] of [
      ["/v1/go-on", "reason"],
      ["/v1/suppressions", "entries"],
      ["/v1/sequences/nobody/event", "name"],
    ] as const)
      expect(await bare(url), url).toMatchObject({
        status: 422,
        body: { detail: expect.stringContaining(`${field} is missing: it has to be given`) },
      });
    // A body that says nothing is none.
    expect(await send(api, "POST", `/v1/campaigns/${id}/pause`, "null")).toMatchObject({ status: 422 });
    expect(await bare("/v1/suppressions/import")).toMatchObject({
      status: 422,
      body: { detail: "the request has no body: send the list as its body" },
    });
  });
});

import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { rows } from "../../../src/ledger/ground/connection.ts";
import { createAddressCheck } from "../../../src/outbound/address-check.ts";
import { withLedger } from "../../support/ledgers.ts";
import { createCampaign, openApi, openSandbox, specOf, type TestApi } from "../support.ts";

withLedger((ledger) => {
  const NOW = Date.parse("2027-05-03T06:30:00Z");
  const definition = {
    name: "morning",
    run: { workflow_id: "11111111-1111-4111-8111-111111111111" },
    cron: "0 9 * * 1-5",
    time_zone: "Europe/Berlin",
  };
  let nowMs = NOW;
  const open = () => openApi(ledger(), { now: () => nowMs });
  const ask = async (
    api: TestApi,
    method: "GET" | "PUT" | "POST" | "DELETE",
    path: string,
    body?: Record<string, unknown>,
  ) => {
    const answer = await api.app.inject({
      method,
      url: `/v1/schedules${path}`,
      ...(body && { payload: body }),
    });
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
  };

  it("is put once however often, listed with its last run and what is next, and shown", async () => {
    const api = await open();
    expect(await ask(api, "PUT", "", { definition })).toMatchObject({
      status: 200,
      body: { change: "created", state: "active", installed: null, definition: { catch_up: "10m" } },
    });
    const onPlatform = { ...definition, name: "kept-there", engine: "platform" };
    expect((await ask(api, "PUT", "", { definition: onPlatform })).body["installed"]).toBe(false);
    await ask(api, "DELETE", "/kept-there");
    expect((await ask(api, "PUT", "", { definition })).body["change"]).toBe("none");
    expect(api.kicks.length).toBeGreaterThan(0);
    const { body } = await ask(api, "GET", "");
    expect(body).toMatchObject({ items: [{ name: "morning", last_run: null, drift: null }] });
    const next = await ask(api, "GET", "/morning/next?count=3");
    expect(next.body["items"]).toEqual([
      "2027-05-03T07:00:00.000Z",
      "2027-05-04T07:00:00.000Z",
      "2027-05-05T07:00:00.000Z",
    ]);
  });

  it("is put with a warning of what it would run and is not there", async () => {
    const { platform } = await openSandbox();
    const refusalOf = createAddressCheck({ allow: [] });
    const api = await openApi(ledger(), { now: () => nowMs, platform, refusalOf });
    const put = async (run: object) =>
      (await ask(api, "PUT", "", { definition: { ...definition, name: "needy", run } })).body["warnings"];
    expect(await put({ automation: "sync" })).toEqual([
      'run.automation: there is no automation "sync": put it (`outdial automation put`), or correct the name',
    ]);
    expect(await put({ campaign: "Spring", brand: "acme" })).toEqual([
      expect.stringContaining('run.campaign: there is no campaign "Spring" in brand "acme"'),
    ]);
    const { name: _name, ...spec } = specOf();
    const contacts = { url: "https://10.1.2.3/list.csv" };
    expect(await put({ campaign: "Spring", spec, contacts })).toEqual([
      expect.stringContaining("run.contacts.url: 10.1.2.3 is in a private network"),
    ]);
    // Every run of it would fail.
    const unsourced = [
      expect.stringMatching(/^run: nothing says where the contacts of campaign Spring are: name a source/),
    ];
    expect(await put({ campaign: "Spring", spec })).toEqual(unsourced);
    await createCampaign(api, { name: "Spring", brand: "acme" });
    expect(await put({ campaign: "Spring", brand: "acme" })).toEqual(unsourced);
    expect(await put({ campaign: "Spring", brand: "acme", contacts: { file: "l.csv" } })).toEqual([]);
    await createCampaign(api, { name: "Sourced", brand: "acme", contacts: { file: "l.csv" } });
    expect(await put({ campaign: "Sourced", brand: "acme" })).toEqual([]);
    const automation = { name: "sync", workflow: { nodes: [] }, trigger_type: "webhook" };
    const needs = { secrets: { CRM_KEY: { secret: "crm" } } };
    const putAutomation = async (whole: object) =>
      api.app.inject({ method: "PUT", url: "/v1/automations", payload: { definition: whole } });
    const warned = (await putAutomation({ ...automation, ...needs })).json<{ warnings: string[] }>();
    expect(warned.warnings).toEqual([expect.stringMatching(/^secrets\.CRM_KEY\.secret: .*crm/)]);
    expect(await put({ automation: "sync" })).toEqual([]);
  });

  it("is refused with every problem at once", async () => {
    const api = await open();
    const refused = await ask(api, "PUT", "", {
      definition: { name: "Bad", run: {}, cron: "x", every: "1h" },
    });
    expect(refused).toMatchObject({ status: 422, body: { code: "invalid_spec" } });
    const errors = JSON.stringify(refused.body["errors"]);
    for (const field of ["name", "run", "cron", "every"]) expect(errors).toContain(`"field":"${field}"`);
  });

  it("is refused with a secret's value in an address, which is not shown of one that was stored before", async () => {
    const api = await open();
    const url = "https://user:S3CRET@crm.example.com/x.csv?page=2&api_key=S3CRET";
    const run = { campaign: "of crm", contacts: { url: "https://crm.example.com/x.csv" } };
    const put = (contacts: object) =>
      ask(api, "PUT", "", { definition: { name: "crm", run: { ...run, contacts }, cron: "0 0 1 1 *" } });
    const refused = await put({ url });
    expect(refused).toMatchObject({
      status: 422,
      body: {
        code: "invalid_spec",
        errors: [{ field: "run.contacts.url", message: expect.stringContaining("holds a secret itself") }],
      },
    });
    expect(JSON.stringify(refused.body)).not.toContain("S3CRET");
    expect((await put(run.contacts)).status).toBe(200);
    await rows(
      ledger().db,
      sql`update schedules set definition = jsonb_set(definition, '{run,contacts,url}', to_jsonb(${url}::text)) where name = 'crm'`,
    );
    const shown = await ask(api, "GET", "/crm");
    expect(shown.body).toMatchObject({
      definition: {
        name: "crm",
        run: {
          campaign: "of crm",
          contacts: { url: "https://(not shown)@crm.example.com/x.csv?page=2&api_key=(not shown)" },
        },
      },
    });
    expect(JSON.stringify((await ask(api, "GET", "")).body)).not.toContain("S3CRET");
    await ask(api, "DELETE", "/crm");
  });

  it("runs now once for each command, and lists its runs", async () => {
    const api = await open();
    const first = await ask(api, "POST", "/morning/run", { command_id: "one" });
    expect(first).toMatchObject({ status: 200, body: { state: "running", cause: "now" } });
    expect((await ask(api, "POST", "/morning/run", { command_id: "one" })).body["id"]).toBe(first.body["id"]);
    expect(await ask(api, "POST", "/morning/run", {})).toMatchObject({
      status: 409,
      body: { code: "command_refused" },
    });
    expect((await ask(api, "GET", "/morning/runs?state=running")).body).toMatchObject({
      total: 1,
      items: [{ id: first.body["id"], due_at: "2027-05-03T06:30:00.000Z" }],
    });
  });

  it("makes up for the past, and says what was asked for wrongly", async () => {
    const api = await open();
    const span = { from: "2027-04-29T00:00:00Z", to: "2027-05-01T00:00:00Z" };
    const filled = await ask(api, "POST", "/morning/backfill", span);
    expect(filled).toMatchObject({ status: 200, body: { already: 0 } });
    expect(filled.body["runs"]).toHaveLength(2);
    expect((await ask(api, "POST", "/morning/backfill", span)).body["already"]).toBe(2);
    const ahead = await ask(api, "POST", "/morning/backfill", { ...span, to: "2028-01-01T00:00:00Z" });
    expect(ahead.status).toBe(409);
    const turned = await ask(api, "POST", "/morning/backfill", { from: span.to, to: span.from });
    expect(turned.status).toBe(422);
    const unread = await ask(api, "POST", "/morning/backfill", { ...span, from: "yesterday" });
    expect(JSON.stringify(unread.body["errors"])).not.toContain("must not be before");
  });

  it("is paused, resumed and removed, and unknown after that", async () => {
    const api = await open();
    expect((await ask(api, "POST", "/morning/pause", { reason: "holidays" })).body).toMatchObject({
      state: "paused",
      reason: "holidays",
      next: [],
    });
    nowMs += 60_000;
    expect((await ask(api, "POST", "/morning/resume", {})).body).toMatchObject({
      state: "active",
      reason: null,
    });
    expect((await ask(api, "POST", "/morning/repair", {})).status).toBe(409);
    await rows(
      ledger().db,
      sql`update schedules set drift = '{"found": "it is paused"}'::jsonb where name = 'morning' and state = 'active'`,
    );
    expect((await ask(api, "POST", "/morning/repair", { reason: "by hand" })).status).toBe(200);
    const repaired = await rows(
      ledger().db,
      sql`select detail from audit where action = 'schedule.repair' order by id desc limit 1`,
    );
    expect(repaired).toEqual([{ detail: { schedule: "morning", reason: "by hand", found: "it is paused" } }]);
    expect((await ask(api, "DELETE", "/morning")).body).toMatchObject({ state: "removed" });
    for (const [method, path] of [
      ["GET", "/morning"],
      ["GET", "/morning/next"],
      ["GET", "/morning/runs"],
      ["POST", "/morning/run"],
      ["POST", "/morning/pause"],
      ["DELETE", "/morning"],
    ] as const) {
      const answer = await ask(api, method, path, method === "POST" ? {} : undefined);
      expect(answer, `${method} ${path}`).toMatchObject({ status: 404, body: { code: "unknown_schedule" } });
    }
  });
});

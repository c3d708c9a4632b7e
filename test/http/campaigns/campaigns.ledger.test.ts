import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { ended, openPhones, plan, planAndStart } from "../../ledger/support/scenario.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";
import {
  createCampaign,
  csvOf,
  DRAFT_AGENT,
  openApi,
  openSandbox,
  phonesFrom,
  platformAt,
  specOf,
  upload,
} from "../support.ts";

describeSomeLedger("campaigns over HTTP", (ledger) => {
  it("creates a campaign that the platform would dial for, found by id and by name", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const spec = specOf({ name: "Frühling 2026" });
    const created = await api.app.inject({ method: "POST", url: "/v1/campaigns", payload: { spec } });
    expect(created.statusCode).toBe(201);
    const campaign = created.json<{ id: string }>();
    expect(campaign).toMatchObject({
      name: "Frühling 2026",
      run: 1,
      state: "scheduled",
      lists: [],
      held_slots: 0,
    });
    for (const ref of [campaign.id, encodeURIComponent("Frühling 2026")]) {
      const found = await api.app.inject({ url: `/v1/campaigns/${ref}` });
      expect(found.json()).toMatchObject({ id: campaign.id, spec: { brand: "default" } });
    }
    const listed = await api.app.inject({ url: "/v1/campaigns?open=true&limit=1" });
    expect(listed.json()).toMatchObject({ items: [{ id: campaign.id }], total: expect.any(Number) });
  });

  it("reports every problem of a spec at once", async () => {
    const api = await openApi(ledger());
    const spec = specOf({ concurrency: 0, from_numbers: ["12"], windw: "always" });
    const refused = await api.app.inject({ method: "POST", url: "/v1/campaigns", payload: { spec } });
    expect(refused.statusCode).toBe(422);
    expect(refused.headers["content-type"]).toContain("application/problem+json");
    const problem = refused.json<{ code: string; errors: { field: string }[] }>();
    expect(problem.code).toBe("invalid_spec");
    expect(problem.errors.map((error) => error.field).sort()).toEqual([
      "concurrency",
      "from_numbers[0]",
      "windw",
    ]);
  });

  it("refuses an agent that is a draft and numbers that are not owned, together and before anything is written", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const spec = specOf({ agent_id: DRAFT_AGENT, from_numbers: ["+12025550100", "+12025559999"] });
    const refused = await api.app.inject({ method: "POST", url: "/v1/campaigns", payload: { spec } });
    expect(refused.statusCode).toBe(422);
    expect(refused.json()).toMatchObject({
      code: "caller_refused",
      errors: [
        { field: "agent_id", message: expect.stringContaining("publish it") },
        { field: "from_numbers[1]", message: expect.stringContaining("+12025559999") },
      ],
    });
    const found = await api.app.inject({ url: `/v1/campaigns/${encodeURIComponent(String(spec["name"]))}` });
    expect(found.statusCode).toBe(404);
  });

  it("tells an unknown agent, a refused key and a platform that is away apart", async () => {
    const { sandbox } = await openSandbox();
    const ask = async (platform: ReturnType<typeof platformAt>, changes: Record<string, unknown> = {}) => {
      const api = await openApi(ledger(), { platform });
      const payload = { spec: specOf(changes) };
      return (await api.app.inject({ method: "POST", url: "/v1/campaigns", payload })).json<{
        code: string;
        detail: string;
      }>();
    };
    const unknown = await ask(platformAt(sandbox.url, sandbox.apiKey), { agent_id: "nobody" });
    expect(unknown).toMatchObject({
      code: "caller_refused",
      detail: expect.stringContaining("has no agent nobody"),
    });
    expect(await ask(platformAt(sandbox.url, "wrong"))).toMatchObject({
      code: "platform_key_refused",
      detail: expect.stringContaining("PLATFORM_API_KEY"),
    });
    expect(await ask(platformAt("http://127.0.0.1:9", "key"))).toMatchObject({
      code: "platform_unreachable",
      detail: expect.stringContaining("PLATFORM_BASE_URL"),
    });
  });

  it("says what state a name is in, and makes a new run only of one that is over", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const spec = specOf();
    const create = (payload: object) => api.app.inject({ method: "POST", url: "/v1/campaigns", payload });
    const first = await create({ spec });
    const again = await create({ spec, new: true });
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject({ code: "campaign_exists", state: "scheduled", run: 1 });
    const { id } = first.json<{ id: string }>();
    await ledger().db.execute(
      `update campaigns set state = 'completed', ended_at = now() where id = '${id}'`,
    );
    expect((await create({ spec })).json()).toMatchObject({ code: "campaign_exists", state: "completed" });
    expect((await create({ spec, new: true })).json()).toMatchObject({ run: 2, state: "scheduled" });
  });

  it("starts a campaign even while Temporal is away, and says that its workflow comes later", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api);
    await upload(api, id, csvOf(phonesFrom(100, 3)));
    api.temporal.away = true;
    const started = await api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/start`, payload: {} });
    expect(started.json()).toMatchObject({ state: "running", workflow: "later" });
    expect(started.json()).toMatchObject({ warnings: [] });
    expect(given(await readCampaign(ledger().db, id)).state).toBe("running");
    api.temporal.away = false;
    const again = await api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/start`, payload: {} });
    expect(again.json()).toMatchObject({ state: "running", workflow: "running" });
    expect(api.temporal.started).toEqual([`campaign-${id}`]);
  });

  it("warns whoever starts a campaign that has no contacts, once", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api);
    const start = async () =>
      (await api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/start`, payload: {} })).json();
    expect(await start()).toMatchObject({
      state: "running",
      warnings: [expect.stringContaining("has no contacts: unless a list is being imported")],
    });
    expect(await start()).toMatchObject({ warnings: [] });
  });

  it("pauses, resumes and cancels with Temporal away, and answers with what is in flight", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api);
    await upload(api, id, csvOf(phonesFrom(150, 2)));
    await api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/start`, payload: {} });
    const { batchIds } = await plan(ledger(), id, Date.now());
    api.temporal.away = true;
    const tell = (command: string, command_id: string) =>
      api.app.inject({
        method: "POST",
        url: `/v1/campaigns/${id}/${command}`,
        headers: { "x-outdial-actor": "maria" },
        payload: { reason: "lunch", command_id },
      });
    const stateNow = async () => given(await readCampaign(ledger().db, id)).state;

    expect((await tell("pause", "c-1")).json()).toEqual({
      state: "paused",
      command_id: "c-1",
      in_flight: { batches: 1, calls_up: 3, uncertain: 0 },
    });
    expect(api.halted).toEqual([batchIds]);
    expect((await tell("resume", "c-2")).json()).toEqual({ state: "running", command_id: "c-2" });
    // Come late, it is the pause from before.
    expect((await tell("pause", "c-1")).json()).toMatchObject({ state: "running" });
    expect(await stateNow()).toBe("running");
    // Another command, or another reason, is none of those that were given under that id.
    expect((await tell("cancel", "c-1")).json()).toMatchObject({
      status: 409,
      code: "idempotency_key_reused",
    });
    expect((await tell("cancel", "c-3")).json()).toMatchObject({ state: "draining" });
    const refused = await tell("resume", "c-4");
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ code: "command_refused", state: "draining" });
    const audit = await rows(
      ledger().db,
      sql`select action, actor, detail ->> 'reason' as reason from audit
          where campaign_id = ${id}::uuid and detail ->> 'reason' = 'lunch' order by id`,
    );
    expect(audit).toEqual(
      ["campaign.paused", "campaign.running", "campaign.draining"].map((action) => ({
        action,
        actor: "maria",
        reason: "lunch",
      })),
    );
    // Its workflow hears of it once Temporal is back, whatever becomes of this process.
    const handedOn = await rows(
      ledger().db,
      sql`select 1 as one from outbox where kind = 'campaign' and subject = ${id}`,
    );
    expect(handedOn).toHaveLength(1);
    expect(api.kicks.length).toBeGreaterThan(0);
  });

  it("shows its first calls, and takes an approval only where they wait for one", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api, { canary: 2 });
    await upload(api, id, csvOf(phonesFrom(160, 4)));
    await api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/start`, payload: {} });
    const canary = async () => (await api.app.inject({ url: `/v1/campaigns/${id}/canary` })).json();
    const approve = () => api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/approve`, payload: {} });
    expect(await canary()).toMatchObject({ canary: 2, approval: "calling", calls: [] });
    const refused = await approve();
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ code: "command_refused" });

    for (const batchId of await planAndStart(ledger(), id, Date.now())) {
      const findings = (await openPhones(ledger(), batchId)).map((phone) => ended(phone, "answered"));
      await settleFindings(ledger(), { batchId, findings, nowMs: Date.now() });
      await closeBatch(ledger(), batchId, Date.now());
    }
    await plan(ledger(), id, Date.now());
    expect(await canary()).toMatchObject({
      state: "paused",
      approval: "waiting",
      calls: [
        { disposition: "answered", call_id: expect.any(String) as string, duration_seconds: 20 },
        { disposition: "answered" },
      ],
    });
    const resumed = await api.app.inject({
      method: "POST",
      url: `/v1/campaigns/${id}/resume`,
      payload: {},
    });
    expect(resumed.statusCode, "nobody passes over it unawares").toBe(409);
    expect((await approve()).json()).toMatchObject({ state: "running" });
    expect(await canary()).toMatchObject({ approval: "approved" });
  });

  it("refuses an amendment of who calls whom by field, and changes nothing", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const spec = specOf();
    const created = await api.app.inject({ method: "POST", url: "/v1/campaigns", payload: { spec } });
    const { id } = created.json<{ id: string }>();
    const amended = await api.app.inject({
      method: "POST",
      url: `/v1/campaigns/${id}/amend`,
      payload: { spec: { ...spec, agent_id: "another", concurrency: 7 } },
    });
    expect(amended.statusCode).toBe(409);
    expect(amended.json()).toMatchObject({ code: "command_refused", errors: [{ field: "agent_id" }] });
    expect((await readCampaign(ledger().db, id))?.policyVersion).toBe(1);
  });

  it("amends a campaign under way in the ledger, with Temporal away, and refuses what does not fit", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const spec = specOf();
    const created = await api.app.inject({ method: "POST", url: "/v1/campaigns", payload: { spec } });
    const { id } = created.json<{ id: string }>();
    const ask = (command: string, payload: object = {}) =>
      api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/${command}`, payload });
    const amend = (concurrency: number, command_id?: string) =>
      ask("amend", { spec: { ...spec, concurrency }, command_id });
    expect((await ask("pause")).json()).toMatchObject({ code: "command_refused", state: "scheduled" });
    await ask("start");

    api.temporal.away = true;
    api.woken.length = 0;
    expect((await amend(7, "c-9")).json()).toMatchObject({
      state: "running",
      command_id: "c-9",
      policy_version: 2,
      differences: [{ field: "concurrency", after: "7" }],
    });
    expect(api.woken).toEqual([`campaign ${id}`]);
    // The same command again is the same one, however late; another under its id is refused.
    expect((await amend(7, "c-9")).json()).toMatchObject({ policy_version: 2 });
    expect((await amend(8, "c-9")).json()).toMatchObject({ code: "idempotency_key_reused" });
    const handedOn = await rows(
      ledger().db,
      sql`select 1 from outbox where kind = 'campaign' and subject = ${id}`,
    );
    expect(handedOn).toHaveLength(1);

    await ledger().db.execute(
      `update campaigns set state = 'completed', ended_at = now() where id = '${id}'`,
    );
    const gone = await amend(9);
    expect(gone.statusCode).toBe(409);
    expect(gone.json()).toMatchObject({ code: "command_refused", state: "completed" });
  });

  it("explains a contact, and says where there is none", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api);
    await upload(api, id, csvOf(phonesFrom(200, 1)));
    const of = (phone: string) =>
      api.app.inject({ url: `/v1/campaigns/${id}/contacts/${encodeURIComponent(phone)}/explanation` });
    expect((await of("+1 (202) 555-0200")).json()).toMatchObject({
      contact: { phone: "+12025550200", state: "open", zones: ["America/New_York"], attempts: 0 },
    });
    expect((await of("+12025550299")).json()).toMatchObject({ code: "unknown_contact" });
    expect((await of("nobody")).statusCode).toBe(422);
  });

  it("shows where a campaign stands, cheaply and with why it waits", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api);
    await upload(api, id, csvOf(phonesFrom(300, 4)));
    await ledger().db.execute(
      `insert into holds (campaign_id, reason, detail, policy_version, from_at)
       values ('${id}', 'window', 'until 2026-12-01T09:00:00.000Z', 1, now()),
              ('${id}', 'day_off', 'until 2026-12-02T09:00:00.000Z: 2026-12-01 is a holiday (X: Y, US)', 1, now())`,
    );
    const progress = await api.app.inject({ url: `/v1/campaigns/${id}/progress` });
    expect(progress.json()).toMatchObject({
      state: "scheduled",
      contacts: { total: 4, done: 0, excluded: 0, open: 4, leased: 0 },
      held_slots: 0,
      live_batches: 0,
      holds: [
        { reason: "day_off", until: "2026-12-02T09:00:00.000Z", zone_sets: 0 },
        { reason: "window", until: "2026-12-01T09:00:00.000Z", zone_sets: 0 },
      ],
    });
  });
});

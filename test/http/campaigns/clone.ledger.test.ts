import { expect, it } from "vitest";

import { beginClone } from "../../../src/ledger/campaigns/cloning.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";
import { specOf, running, freshPhones, tell, plan } from "../../ledger/support/scenario.ts";
import { createCampaign, csvOf, openApi, openSandbox, phonesFrom, upload } from "../support.ts";

/** The sandbox has it. */
const AGENT = "11111111-1111-4111-8111-111111111111";

interface Cloned {
  id: string;
  name: string;
  run: number;
  people: Record<string, unknown>;
  dropped: string[];
}

describeSomeLedger("cloning a campaign over HTTP", (ledger) => {
  const withCampaign = async (first: number, count: number, changes: object = {}) => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api, { window: "always", ...changes });
    if (count > 0) await upload(api, id, csvOf(phonesFrom(first, count)));
    const clone = (payload: object, headers: Record<string, string> = {}, ref = id) =>
      api.app.inject({ method: "POST", url: `/v1/campaigns/${ref}/clone`, payload, headers });
    return { api, id, clone };
  };

  it("makes another campaign with its people, which nobody calls before it is started; the same under its key", async () => {
    const { api, id, clone } = await withCampaign(800, 3);
    const payload = { name: "another", contacts: "all" };
    const first = await clone(payload, { "idempotency-key": "c-1" });
    expect(first.statusCode).toBe(201);
    const source = given(await readCampaign(ledger().db, id));
    expect(first.json()).toMatchObject({
      name: "another",
      run: 1,
      state: "scheduled",
      contacts: { total: 3, open: 3 },
      cloned_from: { id, name: source.name, run: 1 },
      people: { looked_at: 3, taken: 3, excluded: 0, left_out: {}, still_open: 3 },
      dropped: [],
      warnings: expect.any(Array),
    });
    const cloned = given(await readCampaign(ledger().db, first.json<Cloned>().id));
    expect(cloned.spec).toEqual({ ...source.spec, name: "another" });
    const again = await clone(payload, { "idempotency-key": "c-1" });
    expect(again.json()).toEqual(first.json());
    expect((await clone({ ...payload, contacts: "none" }, { "idempotency-key": "c-1" })).statusCode).toBe(
      409,
    );
    const taken = await clone(payload);
    expect(taken.statusCode).toBe(409);
    expect(taken.json()).toMatchObject({ code: "campaign_exists", campaign_id: first.json<Cloned>().id });
    await api.app.inject({ method: "POST", url: "/v1/campaigns/another/start", payload: {} });
    expect((await plan(ledger(), first.json<Cloned>().id, Date.now())).batchIds.length).toBeGreaterThan(0);
  });

  it("without a name makes the next run, of one that is over; archived ones, too", async () => {
    const { clone } = await withCampaign(810, 2);
    const early = await clone({});
    expect(early.statusCode).toBe(409);
    expect(early.json()).toMatchObject({ code: "campaign_exists" });
    const { id } = await ended();
    const next = await clone({ contacts: "unreached" }, {}, id);
    expect(next.statusCode).toBe(201);
    expect(next.json()).toMatchObject({ run: 2, people: { looked_at: 2, taken: 2, still_open: 0 } });
    // A name that somebody else's campaign has, over or not, is taken.
    const { name } = given(await readCampaign(ledger().db, (await ended()).id));
    expect((await clone({ name }, {}, id)).json()).toMatchObject({ code: "campaign_exists" });
  });

  /** One that was cancelled before it called anybody, and archived. */
  async function ended(): Promise<{ id: string }> {
    const id = await running(ledger(), freshPhones(2), { agent_id: AGENT });
    await tell(ledger(), "cancel", id);
    expect((await plan(ledger(), id)).state).toBe("cancelled");
    const api = await openApi(ledger());
    await api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/archive`, payload: {} });
    return { id };
  }

  it("given again after it was cut off goes on, by the campaign's name as well, which is the clone's by then", async () => {
    const { id } = await ended();
    const source = given(await readCampaign(ledger().db, id));
    const spec = specOf({ ...source.spec });
    const whom = { people: "unreached" as const, tag: undefined };
    const input = { source, spec, whom, actor: "test", nowMs: Date.now() };
    const begun = await beginClone(ledger(), input, () => {});
    const { clone } = await withCampaign(820, 0);
    const other = await clone({ contacts: "all" }, {}, source.name);
    expect(other.statusCode).toBe(409);
    const went = await clone({ contacts: "unreached" }, {}, source.name);
    expect(went.statusCode).toBe(201);
    expect(went.json()).toMatchObject({
      id: begun.id,
      run: 2,
      cloned_from: { id, run: 1 },
      people: { looked_at: 2, taken: 2 },
    });
    expect((await clone({ contacts: "unreached" }, {}, source.name)).statusCode).toBe(409);
  });

  it("given again after it was cut off goes on although dates have passed since, and says what it left out then", async () => {
    const begunMs = Date.parse("2026-01-02T00:00:00Z");
    const dates = { starts_at: "2026-01-01T00:00:00Z", ends_at: "2026-01-03T00:00:00Z" };
    const { id, clone } = await withCampaign(825, 2, dates);
    const source = given(await readCampaign(ledger().db, id));
    const { starts_at: _passed, ...spec } = { ...source.spec, name: "cut-off" };
    const whom = { people: "all" as const, tag: undefined };
    const begun = await beginClone(ledger(), { source, spec, whom, actor: "test", nowMs: begunMs }, () => {});
    const went = await clone({ name: "cut-off", contacts: "all" });
    expect(went.json()).toMatchObject({ id: begun.id, people: { looked_at: 2, taken: 2 } });
    expect(went.statusCode).toBe(201);
    expect(went.json<Cloned>().dropped).toHaveLength(1);
    // It is whole now, and its end has passed.
    expect((await clone({ name: "cut-off", contacts: "all" })).statusCode).toBe(422);
  });

  it("refuses an end that has passed, and says what is left out", async () => {
    const { id, clone } = await withCampaign(830, 1, {
      starts_at: "2026-01-01T00:00:00Z",
      ends_at: "2026-01-02T00:00:00Z",
    });
    const refused = await clone({ name: "late" });
    expect(refused.statusCode).toBe(422);
    expect(refused.json()).toMatchObject({ code: "invalid_spec", errors: [{ field: "ends_at" }] });
    const open = await clone({ name: "late", ends_at: null });
    expect(open.statusCode).toBe(201);
    expect(open.json<Cloned>().dropped).toEqual([
      "starts_at 2026-01-01T00:00:00Z has passed: calls begin when it is started",
    ]);
    expect(given(await readCampaign(ledger().db, id)).spec.ends_at).toBe("2026-01-02T00:00:00Z");
  });

  it.each([
    [{ name: "x", tag: "vip" }, "tag"],
    [{ name: "x", contacts: { dispositions: [] } }, "contacts"],
    [{ name: "x", contacts: { dispositions: ["loud"] } }, "contacts"],
    [{ name: "x/y" }, "name"],
    [{ name: "x", starts_at: "tomorrow" }, "starts_at"],
  ])("refuses %j, and makes nothing", async (payload, field) => {
    const { api, clone } = await withCampaign(840, 0);
    const refused = await clone(payload);
    expect(refused.statusCode).toBe(422);
    expect(JSON.stringify(refused.json<{ errors: object[] }>().errors)).toContain(field);
    expect((await api.app.inject({ url: "/v1/campaigns/x" })).statusCode).toBe(404);
  });
});

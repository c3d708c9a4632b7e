import { expect, it } from "vitest";

import { paceAt } from "../../src/activities/deps.ts";
import { listUnsettled } from "../../src/ledger/campaigns/batches.ts";
import { planBatches } from "../../src/ledger/campaigns/planning.ts";
import { describeSomeLedger, given } from "../support/ledgers.ts";
import { createCampaign, csvOf, openApi, openSandbox, phonesFrom, upload } from "./support.ts";

const DAY_MS = 86_400_000;
const dateOf = (daysFromNow: number) =>
  new Date(Date.now() + daysFromNow * DAY_MS).toISOString().slice(0, 10);

describeSomeLedger("blackouts over HTTP", (ledger) => {
  it("are added, listed for a brand with those of every brand, and taken back", async () => {
    const api = await openApi(ledger());
    const post = (payload: object) =>
      api.app.inject({ method: "POST", url: "/v1/blackouts", payload }).then((answer) => answer.json());
    const fair = await post({ from: dateOf(10), to: dateOf(12), name: "Fair", brand: "acme" });
    expect(fair).toEqual({
      blackout: {
        id: expect.any(Number),
        brand: "acme",
        from: dateOf(10),
        to: dateOf(12),
        name: "Fair",
        created_at: expect.any(String),
      },
      is_new: true,
      stopped_batches: 0,
      in_flight: expect.objectContaining({ batches: 0 }),
      waiting: [],
    });
    const again = await post({ from: dateOf(10), to: dateOf(12), name: "Fair", brand: "acme" });
    expect(again).toMatchObject({ is_new: false });
    const all = await post({ from: dateOf(20), name: "Election" });
    expect(all).toMatchObject({ blackout: { brand: null, from: dateOf(20), to: dateOf(20) } });
    await post({ from: dateOf(15), name: "Stocktaking", brand: "umbrella" });
    const listed = async (query: string) => {
      const { items } = (await api.app.inject({ url: `/v1/blackouts${query}` })).json<{
        items: { name: string }[];
      }>();
      return items.map(({ name }) => name);
    };
    expect(await listed("")).toEqual(["Fair", "Stocktaking", "Election"]);
    expect(await listed("?brand=acme")).toEqual(["Fair", "Election"]);
    for (const { blackout } of [fair, all] as { blackout: { id: number } }[]) {
      const url = `/v1/blackouts/${blackout.id}`;
      const removed = await api.app.inject({ method: "DELETE", url, payload: { reason: "moved" } });
      expect(removed.json()).toMatchObject({ removed: { id: blackout.id } });
      const twice = await api.app.inject({ method: "DELETE", url, payload: { reason: "moved" } });
      expect([twice.statusCode, twice.json().code]).toEqual([404, "unknown_blackout"]);
    }
    expect(await listed("?brand=acme")).toEqual([]);
  });

  it("stop batches that dial against them, and say what is up", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api);
    await upload(api, id, csvOf(phonesFrom(2100, 3)));
    await api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/start`, payload: {} });
    const planned = await planBatches(ledger(), {
      campaignId: id,
      seenPlannings: 0,
      blockedBy: undefined,
      pace: { ...paceAt(1), gatherMs: 0 },
      nowMs: Date.now(),
    });
    // Whatever day it is where these people are.
    const added = await api.app.inject({
      method: "POST",
      url: "/v1/blackouts",
      payload: { from: dateOf(-1), to: dateOf(1), name: "Outage" },
    });
    expect(added.json()).toMatchObject({
      stopped_batches: 1,
      in_flight: { batches: 1, calls_up: 3, uncertain: 0 },
    });
    expect(api.halted).toEqual([given(planned).batchIds]);
    const stopped = await listUnsettled(ledger().db, id);
    expect(stopped.map(({ stopReason }) => stopReason)).toEqual(["window"]);
  });

  it.each([
    [{ name: "x" }, "from", /./],
    [{ from: "soon", name: "x" }, "from", /day such as/],
    [{ from: dateOf(3) }, "name", /./],
    [{ from: dateOf(3), name: " " }, "name", /people are told it/],
    [{ from: dateOf(3), to: dateOf(2), name: "x" }, "to", /must not be before `from`/],
    [{ from: dateOf(3), to: dateOf(369), name: "x" }, "to", /within 366 days/],
    [{ from: dateOf(3), name: "x", brand: "Acme" }, "brand", /lower-case/],
    [{ from: dateOf(3), name: "x", closed: true }, "closed", /./],
  ])("that can't be read are refused: %j", async (payload, field, words) => {
    const api = await openApi(ledger());
    const refused = await api.app.inject({ method: "POST", url: "/v1/blackouts", payload });
    expect(refused.statusCode).toBe(422);
    const { errors } = refused.json<{ errors: { field: string; message: string }[] }>();
    expect(errors.map((error) => error.field)).toEqual([field]);
    expect(errors[0]?.message).toMatch(words);
  });

  it("that are over everywhere are refused", async () => {
    const api = await openApi(ledger());
    const refused = await api.app.inject({
      method: "POST",
      url: "/v1/blackouts",
      payload: { from: dateOf(-5), to: dateOf(-2), name: "x" },
    });
    expect([refused.statusCode, refused.json().code]).toEqual([422, "blackout_over"]);
  });
});

import { expect, it, onTestFinished } from "vitest";

import { haltBatches } from "../../../src/activities/campaigns/halt-batches.ts";
import { phaseOfBatch } from "../../../src/domain/campaigns/platform-batch.ts";
import { readBatch } from "../../../src/ledger/campaigns/batches.ts";
import { placeCallback } from "../../../src/ledger/campaigns/placements.ts";
import { callbackAsker } from "../../ledger/support/placing.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";
import { beginOne, openStepping } from "../../support/stepping.ts";
import { createCampaign, csvOf, openApi, openSandbox, phonesFrom, upload } from "../support.ts";

/** No two campaigns here have a number in common: each is being called. */
let numbers = 4_000;

describeSomeLedger("callbacks over HTTP", (ledger) => {
  /** A campaign that is calling, a callback of it that is being made, and an API whose Temporal is away. */
  async function calling() {
    const stepping = await openStepping();
    onTestFinished(() => stepping.close());
    const deps = stepping.depsOf(ledger());
    const api = await openApi(ledger(), {
      platform: stepping.platform,
      haltBatches: (batchIds, bounds) => haltBatches(deps, batchIds, bounds),
    });
    api.temporal.away = true;
    const id = await createCampaign(api);
    await upload(api, id, csvOf(phonesFrom((numbers += 10), 3)));
    await api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/start`, payload: {} });
    const nowMs = Date.now();
    const placed = await ledger().transaction((tx) =>
      placeCallback(tx, {
        campaignId: id,
        asker: callbackAsker(),
        phone: given(phonesFrom(numbers + 5, 1)[0]),
        region: "US",
        zones: ["America/New_York"],
        variables: {},
        dueAtMs: nowMs,
        most: 20,
        actor: "test",
        nowMs,
      }),
    );
    if (placed.kind === "refused") throw new Error(placed.detail);
    const callbacksId = placed.campaignId;
    const batchIds = [await beginOne(deps, id), await beginOne(deps, callbacksId)];
    const tell = (command: string) =>
      api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/${command}`, payload: {} });
    const phases = () =>
      Promise.all(
        batchIds.map(async (batchId) => {
          const batch = given(await readBatch(ledger().db, batchId));
          return phaseOfBatch(await stepping.platform.batchCalls.get(given(batch.platformBatchId)));
        }),
      );
    const stateOf = async (of: string) =>
      (await api.app.inject({ url: `/v1/campaigns/${of}` })).json<{ state: string }>().state;
    return { id, callbacksId, tell, phases, stateOf, woken: api.woken };
  }

  it.each(["pause", "cancel"] as const)(
    "%s is answered when no new call can begin in the campaign, nor among its callbacks",
    async (command) => {
      const { tell, phases, stateOf, callbacksId, woken } = await calling();
      const told = await tell(command);
      expect(told.statusCode).toBe(200);
      expect(told.json()).toMatchObject({ in_flight: { batches: 2 } });
      for (const phase of await phases()) expect(["paused", "terminal"]).toContain(phase);
      expect(await stateOf(callbacksId)).toBe(command === "pause" ? "paused" : "draining");
      expect(woken).toContain(`campaign ${callbacksId}`);
      if (command === "cancel") return;
      expect((await tell("resume")).json()).toMatchObject({ state: "running" });
      expect(await stateOf(callbacksId)).toBe("running");
    },
  );

  it("stand in a list of campaigns where it is asked for, with what they are of", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const { id, callbacksId } = await calling();
    const listed = async (query: string) =>
      (await api.app.inject({ url: `/v1/campaigns?limit=500${query}` })).json<{ items: { id: string }[] }>()
        .items;
    expect((await listed("")).map((one) => one.id)).not.toContain(callbacksId);
    expect(await listed("&standing=true")).toContainEqual(
      expect.objectContaining({
        id: callbacksId,
        standing: true,
        standing_key: `callbacks:${id}`,
        parent_id: id,
      }),
    );
    const after = async (of: string) =>
      (await api.app.inject({ url: `/v1/campaigns/${id}/${of}` })).json<{ callbacks: object }>().callbacks;
    expect([await after("progress"), await after("report")]).toEqual([{ open: 1 }, { open: 1 }]);
    const refused = await upload(api, callbacksId, csvOf(phonesFrom(4_200, 1)));
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ detail: expect.stringContaining("takes no list") });
  });
});

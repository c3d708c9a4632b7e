import { expect, it } from "vitest";

import { planAndStart } from "../../ledger/support/scenario.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";
import { createCampaign, csvOf, openApi, openSandbox, phonesFrom, upload } from "../support.ts";

describeSomeLedger("withdrawing people over HTTP", (ledger) => {
  const withPeople = async (first: number, count: number) => {
    const api = await openApi(ledger(), await openSandbox());
    const id = await createCampaign(api, { window: "always" });
    const phones = phonesFrom(first, count);
    await upload(api, id, csvOf(phones));
    const withdraw = (payload: object, headers: Record<string, string> = {}) =>
      api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/withdrawals`, payload, headers });
    return { api, id, phones, withdraw };
  };

  it("says of every number what became of it, wakes the campaign, and is the same again under its key", async () => {
    const { api, id, phones, withdraw } = await withPeople(700, 3);
    api.woken.length = 0;
    const payload = { phones: ["(202) 555-0700", "+12025559999"], default_region: "US", reason: "renewed" };
    const first = await withdraw(payload, { "idempotency-key": "w-1" });
    expect(first.statusCode).toBe(200);
    expect(first.json()).toEqual({
      excluded: 1,
      ringing: 0,
      already: 0,
      over: 0,
      unknown: ["+12025559999"],
      more: false,
      stopped_batches: 0,
      in_flight: { batches: 0, calls_up: 0, uncertain: 0 },
    });
    expect(api.woken).toEqual([`campaign ${id}`]);
    const replayed = await withdraw(payload, { "idempotency-key": "w-1" });
    expect(replayed.json()).toEqual(first.json());
    expect((await withdraw(payload)).json()).toMatchObject({ excluded: 0, already: 1 });
    const explained = await api.app.inject({
      url: `/v1/campaigns/${id}/contacts/${encodeURIComponent(given(phones[0]))}/explanation`,
    });
    expect(explained.json()).toMatchObject({
      contact: { state: "excluded", reason: "withdrawn" },
      refusals: [{ reason: "withdrawn", detail: expect.stringMatching(/^withdrawn by .+: renewed$/) }],
    });
  });

  it("halts the batches of whoever may be ringing before it answers", async () => {
    const { api, id, phones, withdraw } = await withPeople(710, 2);
    await api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/start`, payload: {} });
    const [batchId] = await planAndStart(ledger(), id, Date.now());
    api.inFlight = { batches: 1, callsUp: 1, uncertain: 0 };
    const done = await withdraw({ phones: [phones[0]], reason: "asked" });
    expect(done.json()).toMatchObject({
      ringing: 1,
      stopped_batches: 1,
      in_flight: { batches: 1, calls_up: 1 },
    });
    expect(api.halted).toEqual([[given(batchId)]]);
  });

  it("takes everybody who is not through", async () => {
    const { withdraw } = await withPeople(720, 4);
    expect((await withdraw({ all_open: true, reason: "over" })).json()).toMatchObject({
      excluded: 4,
      more: false,
    });
  });

  it("refuses what can't be meant, and withdraws nobody then", async () => {
    const { api, id, phones, withdraw } = await withPeople(730, 2);
    for (const [payload, field] of [
      [{ phones, all_open: true, reason: "x" }, "the body"],
      [{ reason: "x" }, "the body"],
      [{ phones: [], reason: "x" }, "phones"],
      [{ phones }, "reason"],
      [{ phones: [...phones, "12"], reason: "x" }, "phones.2"],
    ] as const) {
      const refused = await withdraw(payload);
      expect(refused.statusCode).toBe(422);
      expect(refused.json<{ errors: { field: string }[] }>().errors[0]?.field).toBe(field);
    }
    const campaign = await api.app.inject({ url: `/v1/campaigns/${id}` });
    expect(campaign.json()).toMatchObject({ contacts: { open: 2, excluded: 0 } });
  });
});

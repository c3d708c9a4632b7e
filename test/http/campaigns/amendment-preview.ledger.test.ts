import { expect, it } from "vitest";

import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { describeSomeLedger } from "../../support/ledgers.ts";
import { createCampaign, csvOf, openApi, openSandbox, phonesFrom, specOf, upload } from "../support.ts";

describeSomeLedger("a look at what an amendment would do, over HTTP", (ledger) => {
  it("tells counts, reasons and some numbers, against a version that the amendment is then held to", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const spec = specOf({ window: "always" });
    const id = await createCampaign(api, spec);
    const phones = phonesFrom(760, 3);
    await upload(api, id, csvOf(phones));
    const ask = (path: string, payload: object) =>
      api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/${path}`, payload });
    const changed = { ...spec, numbers: { countries: ["DE"] } };
    api.woken.length = 0;
    const seen = await ask("amend/preview", { spec: changed });
    expect(seen.statusCode).toBe(200);
    expect(seen.json()).toMatchObject({
      policy_version: 1,
      differences: [{ field: "numbers" }],
      parts: [
        {
          campaign_id: id,
          callbacks: false,
          open: 3,
          asked: 3,
          one_in: 1,
          unchanged: 0,
          stopped: [],
          effects: [
            {
              before: { kind: "called", reason: null },
              after: { kind: "excluded", reason: "number_not_allowed" },
              contacts: 3,
              contacts_in_all: 3,
              until: null,
              samples: phones,
            },
          ],
        },
      ],
    });
    expect(api.woken).toEqual([]);
    expect(api.halted).toEqual([]);
    expect((await readCampaign(ledger().db, id))?.policyVersion).toBe(1);
    expect((await ask("amend", { spec: changed, if_version: 2 })).json()).toMatchObject({
      status: 409,
      code: "command_refused",
    });
    expect((await ask("amend", { spec: changed, if_version: 1 })).json()).toMatchObject({
      policy_version: 2,
    });
  });

  it("refuses what the amendment would refuse, field by field", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const spec = specOf();
    const id = await createCampaign(api, spec);
    const ask = (changes: object) =>
      api.app.inject({
        method: "POST",
        url: `/v1/campaigns/${id}/amend/preview`,
        payload: { spec: { ...spec, ...changes } },
      });
    expect((await ask({ agent_id: "another" })).json()).toMatchObject({
      status: 409,
      errors: [{ field: "agent_id" }],
    });
    expect((await ask({ concurrency: 0 })).json()).toMatchObject({ code: "invalid_spec" });
  });
});

import { expect, it } from "vitest";

import { openStepping, beginOne, takeToEnd } from "../../support/stepping.ts";
import { running } from "../../ledger/support/scenario.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { phoneNumbers } from "../../support/engine.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";
import { openApi, specOf } from "../support.ts";
import type { RulesTestWire } from "../../../src/http/wire/rules.ts";

const WARM = { when: "call.analysis.interested == true", disposition: "callback_requested" };

describeSomeLedger("rules over calls, over HTTP", (ledger) => {
  it("tests rules over calls that are given, and writes nothing", async () => {
    const api = await openApi(ledger());
    const call = { call_id: "one", status: "ended", duration_seconds: 5, processing_status: "completed" };
    const payload = {
      definition: specOf({ analysis: { rules: [WARM] } }),
      against: specOf({}),
      calls: [
        { ...call, call_analysis: { interested: true } },
        { ...call, call_id: "two", item_status: "voicemail" },
      ],
    };
    const answer = await api.app.inject({ method: "POST", url: "/v1/rules/test", payload });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      items: [
        {
          call_id: "one",
          disposition: "callback_requested",
          rule: 1,
          recorded: null,
          differs: ["disposition"],
        },
        { call_id: "two", disposition: "voicemail", rule: null, differs: [] },
      ],
      summary: { calls: 2, by_rule: { 1: 1 }, changed: { calls: 1 } },
      next_after: null,
    });
  });

  it("refuses rules with every problem, and a request that names no calls", async () => {
    const api = await openApi(ledger());
    const ask = async (payload: object) => {
      const answer = await api.app.inject({ method: "POST", url: "/v1/rules/test", payload });
      return { status: answer.statusCode, ...answer.json<{ code: string; errors?: { field: string }[] }>() };
    };
    const calls = [{ call_id: "one" }];
    const wrong = specOf({ analysis: { rules: [{ ...WARM, when: "call.analisys.x" }] } });
    expect(await ask({ definition: wrong, calls })).toMatchObject({
      status: 422,
      code: "invalid_spec",
      errors: [
        {
          field: "definition.analysis.rules[0].when",
          message: expect.stringContaining("call.analysis may be meant"),
        },
      ],
    });
    expect(await ask({ definition: specOf({}), against: wrong, calls })).toMatchObject({
      errors: [{ field: "against.analysis.rules[0].when" }],
    });
    expect((await ask({ definition: specOf({}) })).status).toBe(422);
    expect((await ask({ definition: specOf({}), calls, campaign: "x" })).status).toBe(422);
    expect(await ask({ definition: specOf({}), campaign: "nobody's" })).toMatchObject({ status: 404 });
    const many = Array.from({ length: 101 }, (_, n) => ({ call_id: `c${n}` }));
    expect((await ask({ definition: specOf({}), calls: many })).status).toBe(422);
  });

  it("reads a campaign's calls from the platform, page by page, and compares with the campaign as it is", async () => {
    const stepping = await openStepping();
    try {
      const phones = phoneNumbers(3, 660_000);
      for (const [n, phone] of phones.entries())
        stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", analysis: { interested: n !== 1 } }]);
      const deps = stepping.depsOf(ledger());
      const caller = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };
      const id = await running(ledger(), phones, { ...caller, concurrency: 3 }, Date.now());
      await takeToEnd(deps, await beginOne(deps, id));
      const campaign = given(await readCampaign(ledger().db, id));
      const api = await openApi(ledger(), { platform: stepping.platform });
      const test = async (after: number): Promise<RulesTestWire> => {
        const definition = { ...campaign.spec, analysis: { rules: [WARM] } };
        const payload = { definition, campaign: id, contacts: 2, after };
        const answer = await api.app.inject({ method: "POST", url: "/v1/rules/test", payload });
        expect(answer.statusCode, answer.body).toBe(200);
        return answer.json();
      };
      // The calls are over; their analysis comes a moment later.
      for (const phone of phones)
        for (;;) {
          const callId = given(stepping.sandbox.dialLog.of(phone)[0]).call_id;
          if ((await stepping.platform.calls.get(callId)).processing_status === "completed") break;
        }
      const first = await test(0);
      expect(
        first.items.map(({ recorded, disposition, differs }) => [recorded, disposition, differs]),
      ).toEqual([
        ["answered", "callback_requested", ["disposition"]],
        ["answered", "answered", []],
      ]);
      const second = await test(first.next_after ?? 0);
      expect(second.items).toMatchObject([
        { disposition: "callback_requested", before: { disposition: "answered" } },
      ]);
      expect((await test(second.next_after ?? 0)).next_after).toBeNull();
      // One that the platform does not show any more keeps none of the others from being seen.
      await stepping.platform.calls.delete(given(first.items[0]).call_id);
      expect(await test(0)).toMatchObject({
        items: [{ disposition: "answered" }],
        unreadable: [{ call_id: first.items[0]?.call_id }],
      });
    } finally {
      await stepping.close();
    }
  });
});

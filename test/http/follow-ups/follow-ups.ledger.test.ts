import { expect, it } from "vitest";

import type { ActionSpec } from "../../../src/domain/follow-ups/actions.ts";
import type { ActionWire, FollowUpDetailWire, FollowUpWire } from "../../../src/http/wire/follow-ups.ts";
import { readAction } from "../../../src/ledger/follow-ups/actions.ts";
import { readFollowUp } from "../../../src/ledger/follow-ups/follow-ups.ts";
import { actingOn, give } from "../../ledger/support/acting.ts";
import { answered } from "../../ledger/support/follow-up-scenario.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { openApi, platformAt } from "../support.ts";
import { claimTry, settleTry } from "../../../src/ledger/follow-ups/action-tries.ts";

const SPEC: ActionSpec = {
  kind: "webhook",
  subject: {},
  retry: { maxTries: 1, delaysMs: [0] },
  flow: { inOrder: true, onFailure: "stop" },
  url: "https://user:passw0rd@crm.example.com/hook?token=in-the-query",
  secret: "crm",
  headers: { authorization: "Bearer in-the-rule", "x-team": "sales", "x-key": { secret: "token" } },
  type: "follow_up.rule",
  data: {},
  timeoutMs: 1_000,
  finalStatuses: [],
};

withLedger((ledger) => {
  /** A follow-up with two actions, the first of which failed for good. */
  async function failedFollowUp() {
    const acting = actingOn(ledger(), platformAt("http://127.0.0.1:9", "key"));
    const followUpId = await answered(ledger(), {});
    const { ids } = await give(acting, [SPEC, SPEC], followUpId);
    const [first, second] = ids as [string, string];
    const action = given(await readAction(ledger().db, first));
    await claimTry(ledger().db, action, Date.now());
    await ledger().transaction((tx) =>
      settleTry(tx, { ...action, tries: 1 }, { kind: "failed_try", error: "no" }, Date.now()),
    );
    return { followUpId, first, second };
  }

  it("lists what follows calls by state, number and campaign, page by page", async () => {
    const api = await openApi(ledger());
    const { followUpId } = await failedFollowUp();
    await failedFollowUp();
    const followUp = given(await readFollowUp(ledger().db, followUpId));
    const list = async (query: Record<string, string>) => {
      const answer = await api.app.inject({ url: "/v1/follow-ups", query });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json<{ items: FollowUpWire[]; total: number; next_after: string | null }>();
    };
    expect((await list({ phone: followUp.phone })).items).toMatchObject([
      {
        id: followUpId,
        state: "failed",
        campaign: followUp.campaignName,
        processing: "not_needed",
        zones: ["America/New_York"],
      },
    ]);
    expect((await list({ campaign: followUp.campaignId })).total).toBe(1);
    const page = await list({ state: "failed", limit: "1" });
    expect([page.items.length, page.total >= 2]).toEqual([1, true]);
    const next = await list({ state: "failed", limit: "1", after: given(page.next_after ?? undefined) });
    expect(next.items[0]?.id).not.toBe(page.items[0]?.id);
    expect((await list({ phone: followUp.phone, state: "done" })).items).toEqual([]);
  });

  it("shows one with every action, and no secret", async () => {
    const api = await openApi(ledger());
    const { followUpId, first, second } = await failedFollowUp();
    const answer = await api.app.inject({ url: `/v1/follow-ups/${followUpId}` });
    const detail = answer.json<FollowUpDetailWire>();
    expect(detail.actions.map(({ id, state, error }) => [id, state, error])).toEqual([
      [first, "failed", "no"],
      [second, "waiting", null],
    ]);
    for (const secret of ["passw0rd", "in-the-query", "in-the-rule"])
      expect(answer.body).not.toContain(secret);
    expect(detail.actions[0]?.spec["headers"]).toMatchObject({
      "x-team": "sales",
      "x-key": { secret: "token" },
    });
  });

  it("takes a person's retry, skip and replay of one action, and says so to whoever acts", async () => {
    const api = await openApi(ledger());
    const { followUpId, first, second } = await failedFollowUp();
    const tell = (id: string, command: string, payload: object = {}) =>
      api.app.inject({
        method: "POST",
        url: `/v1/actions/${id}/${command}`,
        payload,
        headers: { "x-outdial-actor": "jo" },
      });
    const retried = await tell(first, "retry", { reason: "mended" });
    expect(retried.json<ActionWire>()).toMatchObject({ id: first, state: "due", error: null, tries: 1 });
    expect(api.kicks).toHaveLength(1);
    expect((await tell(first, "skip")).json<ActionWire>().state).toBe("skipped");
    expect(given(await readAction(ledger().db, second)).state).toBe("due");
    const replayed = await tell(first, "replay", { as_new: true });
    expect(replayed.json<ActionWire>()).toMatchObject({ state: "due", spec: { key: expect.any(String) } });
    expect(given(await readFollowUp(ledger().db, followUpId)).state).toBe("acting");

    const refused = await tell(second, "replay");
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([409, "command_refused"]);
    expect((await api.app.inject({ url: `/v1/actions/${second}` })).json<ActionWire>().state).toBe("due");
  });

  it("says what is not there, or not as it must be", async () => {
    const api = await openApi(ledger());
    const none = "00000000-0000-4000-8000-000000000000";
    const codeOf = async (url: string, method: "GET" | "POST" = "GET") => {
      const answer = await api.app.inject({ method, url, ...(method === "POST" && { payload: {} }) });
      return [answer.statusCode, answer.json<{ code: string }>().code];
    };
    expect(await codeOf(`/v1/follow-ups/${none}`)).toEqual([404, "unknown_follow_up"]);
    expect(await codeOf(`/v1/actions/${none}`)).toEqual([404, "unknown_action"]);
    expect(await codeOf(`/v1/actions/${none}/retry`, "POST")).toEqual([404, "unknown_action"]);
    expect(await codeOf("/v1/follow-ups/nonsense")).toEqual([422, "invalid_request"]);
    expect(await codeOf("/v1/follow-ups?after=nonsense")).toEqual([422, "invalid_request"]);
    expect(await codeOf("/v1/follow-ups?campaign=nobodys")).toEqual([404, "unknown_campaign"]);
    expect(await codeOf("/v1/follow-ups?phone=12")).toEqual([422, "invalid_request"]);
  });
});

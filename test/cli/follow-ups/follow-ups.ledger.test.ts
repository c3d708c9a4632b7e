import { expect, it } from "vitest";

import type { ActionSpec } from "../../../src/domain/follow-ups/actions.ts";
import { readAction } from "../../../src/ledger/follow-ups/actions.ts";
import { readFollowUp } from "../../../src/ledger/follow-ups/follow-ups.ts";
import { openApi, platformAt } from "../../http/support.ts";
import { actingOn, give } from "../../ledger/support/acting.ts";
import { answered } from "../../ledger/support/follow-up-scenario.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { outdial, temporaryFolder } from "../support.ts";
import { claimTry, settleTry, type TryOutcome } from "../../../src/ledger/follow-ups/action-tries.ts";

const TOKEN = "a-token-of-this-test-0123456789";

const WEBHOOK: ActionSpec = {
  kind: "webhook",
  subject: {},
  retry: { maxTries: 3, delaysMs: [60_000] },
  flow: { inOrder: false, onFailure: "continue" },
  url: "https://crm.example.com/hook",
  headers: {},
  type: "follow_up.rule",
  data: {},
  timeoutMs: 1_000,
  finalStatuses: [],
};

withLedger((ledger) => {
  /** A follow-up of three actions: one is through as told, one is to be tried again in a minute, one is done. */
  async function underWay(outcome: TryOutcome) {
    const acting = actingOn(ledger(), platformAt("http://127.0.0.1:9", "key"));
    const followUpId = await answered(ledger(), {});
    const { ids } = await give(acting, [WEBHOOK, WEBHOOK, WEBHOOK], followUpId);
    const outcomes: TryOutcome[] = [outcome, { kind: "failed_try", error: "not yet" }, { kind: "done" }];
    for (const [n, id] of ids.entries()) {
      const action = given(await readAction(ledger().db, id));
      await claimTry(ledger().db, action, Date.now());
      await ledger().transaction((tx) =>
        settleTry(tx, { ...action, tries: 1 }, given(outcomes[n]), Date.now()),
      );
    }
    const { phone, campaignName } = given(await readFollowUp(ledger().db, followUpId));
    return { followUpId, phone, campaignName };
  }

  it("lists what has failed while others of the same follow-up are still tried", async () => {
    const { app } = await openApi(ledger(), { token: TOKEN });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    const environment = {
      OUTDIAL_API_URL: url,
      OUTDIAL_API_TOKEN: TOKEN,
      OUTDIAL_DATA_DIR: temporaryFolder(),
    };
    const failed = await underWay({ kind: "refused", error: "gone" });
    const unknown = await underWay({ kind: "unknown", error: "nobody knows" });
    const well = await underWay({ kind: "failed_try", error: "not yet" });
    const list = async (...args: string[]) => {
      const listed = await outdial(["follow-up", "list", "--json", ...args], environment);
      expect(listed.code, listed.stderr).toBe(0);
      const { items } = JSON.parse(listed.stdout) as { items: { id: string; failed_actions: number }[] };
      return items.map(({ id, failed_actions }): [string, number] => [id, failed_actions]);
    };
    // In no order of their own: both may be of the same millisecond.
    const both = new Map([unknown, failed].map(({ followUpId }) => [followUpId, 1]));
    expect(new Map(await list("--failed"))).toEqual(both);
    expect(await list("--failed", "--phone", failed.phone)).toEqual([[failed.followUpId, 1]]);
    expect(await list("--failed", "--phone", well.phone)).toEqual([]);
    // Its state is what it is: it goes on.
    expect(await list("--state", "failed")).toEqual([]);
    const all = await outdial(["follow-up", "list"], environment);
    expect(all.stdout).toMatch(/acting, 1 failed/);
    const report = await app.inject({
      url: `/v1/campaigns/${failed.campaignName}/report`,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect(report.json<{ follow_ups: object }>().follow_ups).toEqual({
      open: 1,
      open_failed: 1,
      failed: 0,
      done: 0,
    });
  });
});

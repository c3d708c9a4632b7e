import { expect, it } from "vitest";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { explainContact } from "../../../src/ledger/campaigns/explanations.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { settleInboundCall, takeInboundCall } from "../../../src/ledger/triggers/inbound-calls.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import {
  contactsOf,
  create,
  ended,
  finding,
  freshPhones,
  HOUR_MS,
  MINUTE_MS,
  NOW_MS,
  PACE,
  permit,
  plan,
  running,
  SECOND_MS,
  start,
} from "../support/scenario.ts";

const OPT_OUT = { key: "wants", equals: "no more calls", disposition: "opted_out" as const };
const CALL_BACK = { key: "wants", equals: "a call", disposition: "callback_requested" as const };
const READS_OPT_OUTS = { analysis: { rules: [CALL_BACK, OPT_OUT], wait: "10m" } };

describeLedgers("somebody of whose last call nobody knows yet whether they opted out", (ledger) => {
  /** A campaign calls this number; the call is over and not processed yet. */
  const talked = async (phone: string, changes: Partial<CampaignSpecInput> = READS_OPT_OUTS) => {
    const id = await running(ledger(), [phone], changes);
    const { batchIds } = await plan(ledger(), id);
    const batchId = given(batchIds[0]);
    await start(ledger(), batchId);
    const over = finding(phone, {
      endedAtMs: NOW_MS,
      outcome: { kind: "provisional", reason: "waits for its analysis" },
    });
    await settleFindings(ledger(), { batchId, findings: [over], nowMs: NOW_MS });
    return batchId;
  };
  const stateAt = async (id: string, nowMs: number) => {
    await plan(ledger(), id, nowMs);
    return (await contactsOf(ledger(), id)).map(({ state, reason }) => reason ?? state);
  };

  it("is not called by another campaign of the brand, which says why, and never if they did", async () => {
    const [phone] = freshPhones(1) as [string];
    const batchId = await talked(phone);
    const nowMs = NOW_MS + MINUTE_MS;
    const next = await running(ledger(), [phone], {}, nowMs);
    expect(await stateAt(next, nowMs)).toEqual(["open"]);
    const explained = given(await explainContact(ledger().db, next, phone));
    expect(explained.refusals).toMatchObject([
      { reason: "undecided_call", detail: `until ${new Date(nowMs + PACE.openAttemptWaitMs).toISOString()}` },
    ]);
    const laterMs = nowMs + MINUTE_MS;
    await settleFindings(ledger(), {
      batchId,
      findings: [ended(phone, "opted_out", NOW_MS)],
      nowMs: laterMs,
    });
    await closeBatch(ledger(), batchId, laterMs);
    expect(await stateAt(next, laterMs)).toEqual(["suppressed"]);
  });

  it("is called as soon as it is known that they did not", async () => {
    const [phone] = freshPhones(1) as [string];
    const batchId = await talked(phone);
    const next = await running(ledger(), [phone], {});
    expect(await stateAt(next, NOW_MS + MINUTE_MS)).toEqual(["open"]);
    await settleFindings(ledger(), { batchId, findings: [ended(phone, "answered", NOW_MS)], nowMs: NOW_MS });
    await closeBatch(ledger(), batchId, NOW_MS);
    expect(await stateAt(next, NOW_MS + 2 * MINUTE_MS)).toEqual(["leased"]);
  });

  it("is not waited for for ever: a day and an hour beyond what the first campaign gives its analysis", async () => {
    const [phone] = freshPhones(1) as [string];
    await talked(phone);
    const next = await running(ledger(), [phone], {});
    const boundMs = NOW_MS + 10 * MINUTE_MS + 25 * HOUR_MS;
    expect(await stateAt(next, boundMs - SECOND_MS)).toEqual(["open"]);
    expect(await stateAt(next, boundMs)).toEqual(["leased"]);
  });

  it("is waited for until the last of several calls is known, or never will be", async () => {
    const [phone] = freshPhones(1) as [string];
    await talked(phone, { analysis: { rules: [OPT_OUT], wait: "3h" } });
    // The second call ends a moment later, and its analysis is given up long before.
    const laterMs = NOW_MS + 30 * MINUTE_MS;
    const call = {
      callId: `call-of-${phone}`,
      phone,
      toNumber: undefined,
      atMs: laterMs,
      endedAtMs: laterMs,
    };
    await ledger().transaction((tx) => takeInboundCall(tx, { ...call, nowMs: laterMs }));
    const next = await running(ledger(), [phone], {});
    expect(await stateAt(next, laterMs + HOUR_MS + SECOND_MS)).toEqual(["open"]);
    expect(await stateAt(next, NOW_MS + 28 * HOUR_MS - SECOND_MS)).toEqual(["open"]);
    expect(await stateAt(next, NOW_MS + 28 * HOUR_MS)).toEqual(["leased"]);
  });

  it("is taken out of a batch that is about to start", async () => {
    const [phone, other] = freshPhones(2) as [string, string];
    const batchId = await talked(phone);
    // Leased where nothing was said of it yet.
    await settleFindings(ledger(), { batchId, findings: [], nowMs: NOW_MS });
    const next = await running(ledger(), [phone, other], {});
    const boundMs = NOW_MS + 10 * MINUTE_MS + 25 * HOUR_MS;
    const { batchIds } = await plan(ledger(), next, boundMs);
    const leased = given(batchIds[0]);
    await create(ledger(), leased, boundMs);
    expect((await permit(ledger(), leased, boundMs - SECOND_MS)).kind).toBe("stopped");
    expect((await contactsOf(ledger(), next)).map(({ state }) => state)).not.toContain("done");
  });

  it("is not called while a call of theirs to us is not processed, where a rule reads opt-outs out of it", async () => {
    const [phone] = freshPhones(1) as [string];
    const callId = `call-of-${phone}`;
    const known = await running(ledger(), [phone], READS_OPT_OUTS);
    const [other, stranger] = [
      await running(ledger(), [phone], {}),
      await running(ledger(), [phone], { brand: "umbrella" }),
    ];
    await ledger().transaction((tx) =>
      takeInboundCall(tx, {
        callId,
        phone,
        toNumber: undefined,
        atMs: NOW_MS,
        endedAtMs: NOW_MS,
        nowMs: NOW_MS,
      }),
    );
    const nowMs = NOW_MS + MINUTE_MS;
    expect([await stateAt(known, nowMs), await stateAt(other, nowMs)]).toEqual([["open"], ["open"]]);
    const explained = given(await explainContact(ledger().db, other, phone));
    expect(explained.refusals).toMatchObject([{ reason: "undecided_call" }]);
    await ledger().transaction((tx) =>
      settleInboundCall(tx, { callId, endedAtMs: NOW_MS, optedOut: false, nowMs }),
    );
    expect(await stateAt(other, nowMs + MINUTE_MS)).toEqual(["leased"]);
    expect(await stateAt(stranger, nowMs)).toEqual(["open"]);
    const { refusals } = given(await explainContact(ledger().db, stranger, phone));
    expect(refusals.map(({ reason }) => reason)).toEqual(["open_attempt"]);
  });

  it("is called although they called us, where nobody reads opt-outs out of that or it is not there in time", async () => {
    const phones = freshPhones(2) as [string, string];
    const ids = [
      await running(ledger(), [phones[0]], {}),
      await running(ledger(), [phones[1]], READS_OPT_OUTS),
    ];
    for (const phone of phones) {
      const call = { callId: phone, phone, toNumber: undefined, atMs: NOW_MS, endedAtMs: undefined };
      await ledger().transaction((tx) => takeInboundCall(tx, { ...call, nowMs: NOW_MS }));
    }
    expect(await stateAt(given(ids[0]), NOW_MS)).toEqual(["leased"]);
    expect(await stateAt(given(ids[1]), NOW_MS + HOUR_MS - SECOND_MS)).toEqual(["open"]);
    expect(await stateAt(given(ids[1]), NOW_MS + HOUR_MS)).toEqual(["leased"]);
  });

  it.each<[string, Partial<CampaignSpecInput>, Partial<CampaignSpecInput>]>([
    ["of another brand", READS_OPT_OUTS, { brand: "umbrella" }],
    ["where no rule reads opt-outs out of it", { analysis: { rules: [CALL_BACK], wait: "10m" } }, {}],
  ])("is called by a campaign %s", async (_, first, second) => {
    const [phone] = freshPhones(1) as [string];
    await talked(phone, first);
    const next = await running(ledger(), [phone], second);
    expect(await stateAt(next, NOW_MS + MINUTE_MS)).toEqual(["leased"]);
  });
});
